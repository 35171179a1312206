import { expect, test } from 'vitest';
import { validate } from '../../src/schema/validate.js';

/** Answers as service.md 13.4 to 13.8 shows them. */

const NIL = { _attributes: { nil: 'true' } };
const body = (inner: object): object => ({ ResponseDian: { Envelope: { Body: inner } } });
const production = (result: object): object =>
  body({ SendNominaSyncResponse: { SendNominaSyncResult: result } });
const zip = (result: object): object =>
  body({ GetStatusZipResponse: { GetStatusZipResult: { DianResponse: result } } });

const ANSWERS: readonly (readonly [string, string, unknown])[] = [
  [
    'received by the test set',
    'responses/document-sent',
    {
      message: 'Documento enviado al set de pruebas',
      ...body({
        SendTestSetAsyncResponse: { SendTestSetAsyncResult: { ErrorMessageList: NIL, ZipKey: '3f0a' } },
      }),
      payrollxml: 'PD94',
      cune: '334c',
      certificate_days_left: 210,
    },
  ],
  [
    'refused by the test set',
    'responses/document-sent',
    body({
      SendTestSetAsyncResponse: {
        SendTestSetAsyncResult: {
          ErrorMessageList: {
            XmlParamsResponseTrackId: { Success: 'false', ProcessedMessage: 'Set no encontrado' },
          },
          ZipKey: NIL,
        },
      },
    }),
  ],
  [
    'accepted',
    'responses/document-sent',
    production({ ErrorMessage: NIL, IsValid: 'true', StatusCode: '00' }),
  ],
  [
    'one rule',
    'responses/document-sent',
    production({ ErrorMessage: { string: 'Regla: 90' }, IsValid: 'false' }),
  ],
  [
    'two rules',
    'responses/document-sent',
    production({ ErrorMessage: { string: ['a', 'b'] }, StatusMessage: NIL }),
  ],
  [
    'already sent',
    'responses/document-sent',
    { success: false, message: 'Documento ya enviado', total_payroll: '2269095.00' },
  ],
  ['pending', 'responses/status', zip({ IsValid: 'false', StatusCode: {}, ErrorMessage: NIL })],
  [
    'a fault',
    'responses/status',
    body({ Fault: { Reason: { Text: { _attributes: { lang: 'es' }, _value: 'x' } } } }),
  ],
  ['the next number', 'responses/current-number', { number: 1002, success: true, prefix: 'NI' }],
  ['refused fields', 'responses/refusal', { message: 'x', errors: { 'worker.surname': ['required'] } }],
];

test.each(ANSWERS)('%s is a %s', (_, name, answer) => {
  expect(validate(name, 'tolerant', answer)).toEqual([]);
});

test.each([
  ['responses/document-sent', 'una frase'],
  ['responses/document-sent', production({ IsValid: true })],
  ['responses/current-number', { number: 'doce' }],
])('%s is not just anything', (name, answer) => {
  expect(validate(name, 'tolerant', answer)).not.toEqual([]);
});
