import { describe, expect, test } from 'vitest';
import type { Answer } from '../../src/client/answer.js';
import { readGenerated, readMade, sourcePointer } from '../../src/families/rips/answer.js';
import { RIPS } from '../../src/families/rips/delivery.js';
import { forDeployment } from '../../src/families/rips/planner.js';
import { paramOf } from '../../src/toolkit/core/issue.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';

const CUV = '175e7a7a'.repeat(12);
const SERVICES: JsonObject[] = [
  { service_type_id: 2, codProcedimiento: '997310' },
  { service_type_id: 1, codConsulta: '890201', tipoDocumentoIdentificacion: null },
  { service_type_id: '1', codConsulta: '890211', codPrestador: '1' },
];

const json = (status: number, body: unknown): Answer => ({ kind: 'json', status, body: body as never });
const finding = (rule: string, path: string, clase = 'RECHAZADO'): JsonObject => ({
  Clase: clase,
  Codigo: rule,
  Descripcion: 'texto',
  Observaciones: '5000',
  PathFuente: path,
  Fuente: 'Rips',
});
const good = (findings: JsonObject[] = []): JsonObject => ({
  ResultState: true,
  ProcesoId: 1,
  NumFactura: 'RS-1',
  CodigoUnicoValidacion: CUV,
  ResultadosValidacion: findings,
});
const bad = (findings: JsonObject[]): JsonObject => ({
  resultState: false,
  procesoId: 2,
  codigoUnicoValidacion: '-',
  resultadosValidacion: findings,
});
const failed = (text: string): Answer =>
  json(500, { success: false, error: { success: false, message: text }, message: 'Error' });
const ministry = (status: string, text: string): Answer =>
  failed(`Client error: \`POST …/CargarRipsSinFactura\` resulted in a \`${status}\` response:\n${text}\n`);
const REFUSED = '400 Bad Request';
const TWO = JSON.stringify(
  bad([finding('RVC061', 'rips.usuarios[0].servicios.consultas[1].vrServicio'), finding('RVG13', '')]),
);

/** kind, code, then issues as `code rule@pointer` */
const READS: readonly [name: string, Answer, string][] = [
  ['good', json(200, { success: true, data: good() }), `accepted ${CUV}`],
  [
    'good, of a package that it does not name',
    json(200, { success: true, data: { ...good(), NumFactura: null } }),
    'unknown send/unreadable-answer',
  ],
  [
    'bad beside the code of a good one, without a reason',
    json(200, { success: true, data: { ...good(), ResultState: false } }),
    'unknown send/unreadable-answer',
  ],
  [
    'good with a notification, whatever its class',
    json(200, {
      success: true,
      data: good([
        finding('RVC019', 'usuarios[0].servicios.consultas[0].codConsulta', 'NOTIFICACION'),
        finding('RVC018', ''),
      ]),
    }),
    `accepted ${CUV} remote/rips-notification RVC019@/document/services/1/codConsulta remote/rips-notification RVC018@`,
  ],
  [
    'bad in a 200, camelCase outside',
    json(200, {
      success: true,
      data: bad([finding('RVC061', 'rips.usuarios[0].servicios.procedimientos[0].vrServicio')]),
    }),
    'rejected remote/rips-rejected RVC061@/document/services/0/vrServicio',
  ],
  [
    'bad in a 200, PascalCase outside and camelCase inside',
    json(200, {
      success: true,
      data: {
        ResultState: 'false',
        ResultadosValidacion: [
          { clase: 'RECHAZADO', codigo: 'RVC007', pathFuente: 'usuarios[0].fechaNacimiento' },
        ],
      },
    }),
    'rejected remote/rips-rejected RVC007@/patient/birth_date',
  ],
  [
    'rejections and notifications apart',
    json(200, { data: bad([finding('RVC061', ''), finding('RVC019', '', 'NOTIFICACION')]) }),
    'rejected remote/rips-rejected RVC061@ remote/rips-notification RVC019@',
  ],
  [
    'of a service as a whole: the member that the rule looks at, where it is one',
    json(200, {
      data: bad([
        finding('RVC061', 'usuarios[0].servicios.consultas[0]'),
        finding('RVC019', 'usuarios[0].servicios.consultas[0]'),
        finding('RVC086', 'usuarios[0].servicios.consultas[0]'),
      ]),
    }),
    [
      'rejected remote/rips-rejected RVC061@/document/services/1/valorPagoModerador',
      'remote/rips-rejected RVC019@/document/services/1',
      'remote/rips-rejected RVC086@/document/services/1',
    ].join(' '),
  ],
  ['bad without findings', json(200, { success: true, data: bad([]) }), 'rejected remote/rips-no-reasons @'],
  [
    'good without a code',
    json(200, { success: true, data: { ...good(), CodigoUnicoValidacion: '-' } }),
    'unknown send/unreadable-answer',
  ],
  [
    'a code without a state',
    json(200, { success: true, data: { CodigoUnicoValidacion: CUV } }),
    'unknown send/unreadable-answer',
  ],
  ['nothing', json(200, { success: true, data: null }), 'unknown send/unreadable-answer'],
  ['success false in a 200', json(200, { success: false, message: 'x' }), 'unknown send/unreadable-answer'],
  ['a bare text', { kind: 'text', status: 200, text: 'Undefined index' }, 'unknown send/unreadable-answer'],
  [
    'a 500 with the whole answer',
    ministry(REFUSED, TWO),
    'rejected remote/rips-rejected RVC061@/document/services/2/vrServicio remote/rips-rejected RVG13@',
  ],
  [
    'cut off within the second finding, its code still there',
    ministry(REFUSED, `${TWO.slice(0, TWO.indexOf('RVG13') + 5)} (truncated...)`),
    'rejected remote/rips-rejected RVC061@/document/services/2/vrServicio remote/rips-rejected RVG13@ remote/rips-cut-off @',
  ],
  [
    'cut off before any code',
    ministry(REFUSED, '{"resultState":false,"pro (truncated...)'),
    'rejected remote/rips-no-reasons @',
  ],
  ['a 400 cut off at once', ministry(REFUSED, ' (truncated...)'), 'rejected remote/rips-no-reasons @'],
  [
    'the session is over',
    ministry(REFUSED, '{"tipo":"TOT002","descripcion":"Token vencido"}'),
    'refused-for-all send/health-access',
  ],
  ['no rights', ministry('401 Unauthorized', ''), 'refused-for-all send/health-access'],
  ['another address', ministry('404 Not Found', '<html>'), 'refused-for-all send/health-access'],
  ['login failed', failed('LoginSISPRO: usuario o clave incorrectos'), 'refused-for-all send/health-access'],
  ['login refused', failed('Error en la autenticación'), 'refused-for-all send/health-access'],
  [
    'login not answered',
    failed('Error al autenticar con SISPRO: cURL error 28'),
    'refused-for-all send/health-access',
  ],
  [
    'no access was ever stored',
    failed('No se encontró la configuración de RIPS para la empresa.'),
    'refused-for-all send/health-access',
  ],
  [
    'cut off within the code of the second finding',
    ministry(REFUSED, `${TWO.slice(0, TWO.indexOf('RVG13') + 4)} (truncated...)`),
    'rejected remote/rips-rejected RVC061@/document/services/2/vrServicio remote/rips-cut-off @',
  ],
  ['the ministry crashed', ministry('500 Internal Server Error', ''), 'unknown send/unreadable-answer'],
  [
    'the ministry did not answer',
    failed('cURL error 28: Operation timed out'),
    'unknown send/unreadable-answer',
  ],
  [
    'a text that looks like validation',
    failed('The services field is required.'),
    'unknown send/unreadable-answer',
  ],
  [
    'a string as error',
    json(500, { success: false, error: 'Undefined array key' }),
    'unknown send/unreadable-answer',
  ],
  // The token was good for the document a moment ago.
  ['no token', json(401, { message: 'Unauthenticated.' }), 'unknown send/unreadable-answer'],
  [
    'no token in the 2026 line',
    json(500, { success: false, error: 'Unauthenticated.' }),
    'unknown send/unreadable-answer',
  ],
  ['too fast', json(429, { message: 'Too Many Attempts.' }), 'unknown send/unreadable-answer'],
  [
    'a wall before the service',
    json(500, { success: false, error: '403 Forbidden by policy' }),
    'unknown send/unreadable-answer',
  ],
  ['reset', { kind: 'failure', reason: 'reset', sent: true }, 'unknown send/no-answer'],
  ['not reached', { kind: 'failure', reason: 'refused', sent: false }, 'refused-for-all send/unreachable'],
];

test.each(READS)('generate: %s', (_name, answer, expected) => {
  const verdict = readGenerated(answer, SERVICES);
  const issues = 'issues' in verdict ? verdict.issues : [];
  const said = [
    verdict.kind,
    'documentCode' in verdict ? verdict.documentCode : undefined,
    'issue' in verdict ? verdict.issue.code : undefined,
    ...issues.map(
      ({ code, params, place }) => `${code} ${paramOf({ params }, 'rule') ?? ''}@${place.pointer ?? ''}`,
    ),
  ];
  expect(said.filter((one) => one !== undefined).join(' ')).toBe(expected);
});

test('the rules that reject are those of class RECHAZADO', () => {
  const answer = json(200, { data: bad([finding('RVC061', ''), finding('RVC019', '', 'NOTIFICACION')]) });
  expect(readGenerated(answer, SERVICES)).toMatchObject({ kind: 'rejected', rules: ['RVC061'] });
});

test.each<[path: string, pointer: string | undefined]>([
  ['usuarios[0].servicios.consultas[1].codConsulta', '/document/services/2/codConsulta'],
  ['rips.usuarios[0].servicios.consultas[1].codConsulta', '/document/services/2/codConsulta'],
  ['Rips.Usuarios[0].Servicios.Consultas[0].codConsulta', '/document/services/1/codConsulta'],
  ['$.usuarios[0].servicios.procedimientos[0]', '/document/services/0'],
  ['usuarios[0].servicios.consultas[7].codConsulta', '/document/services'],
  ['usuarios[0].servicios.urgencias[0].fechaEgreso', '/document/services'],
  // Silent in the item: the user of the appointment supplied it.
  ['usuarios[0].servicios.consultas[0].codPrestador', '/appointment/user_id'],
  ['usuarios[0].servicios.consultas[0].tipoDocumentoIdentificacion', '/appointment/user_id'],
  ['usuarios[0].servicios.consultas[1].codPrestador', '/document/services/2/codPrestador'],
  ['usuarios[0].codMunicipioResidencia', '/patient/municipality_id'],
  ['usuarios[0].registroSIRAS', '/patient'],
  ['usuarios[0]', '/patient'],
  ['numNota', '/document/note_number'],
  ['rips.tipoNota', '/document/note_type'],
  ['', undefined],
  ['rips', undefined],
])('%s stands at %s', (path, pointer) => expect(sourcePointer(path, SERVICES)).toBe(pointer));

const DAY = '2026-10-02';

test.each<[name: string, Answer, expected: unknown]>([
  ['an id alone', json(201, { success: true, data: { id: 41 } }), { kind: 'unproven' }],
  [
    'an id as text',
    json(201, { success: true, data: { id: '41', date: DAY, note_number: 'RS-1' } }),
    { kind: 'made', id: 41 },
  ],
  ['no id', json(201, { success: true, data: {} }), { kind: 'unknown' }],
  [
    'of what was asked for',
    json(201, { success: true, data: { id: 41, date: '2026-10-02T00:00', note_number: 'RS-1' } }),
    { kind: 'made' },
  ],
  ['of another', json(201, { success: true, data: { id: 41, date: '2026-10-03' } }), { kind: 'unknown' }],
  [
    'of another whose number begins alike',
    json(201, { success: true, data: { id: 41, date: DAY, note_number: 'RS-10' } }),
    { kind: 'unknown' },
  ],
  ['no success', json(200, { success: false, message: 'x' }), { kind: 'unknown' }],
  [
    'validation, at the leaf of the attention',
    json(422, { success: false, message: 'Validation error', errors: { date: ['The date …'] } }),
    { kind: 'refused', issues: [{ code: 'remote/refused', place: { pointer: '/appointment/date' } }] },
  ],
  ['a crash', json(500, { success: false, error: 'SQLSTATE[23000]' }), { kind: 'unknown' }],
])('creation: %s', (_name, answer, expected) => {
  const wanted = { date: DAY, note_number: 'RS-1' };
  const verdict = readMade(answer, '/appointment', { asked: 'createAppointment', wanted });
  expect(verdict).toMatchObject(expected as object);
});

const NOTES = { prefix: 'RS-2026-10-', width: 4 };

test.each([
  [NOTES, 7, 'RS-2026-10-', 'RS-2026-10-0007'],
  [NOTES, 12345, 'RS-2026-10-', 'RS-2026-10-12345'],
  [{ prefix: 'RS20', width: 3 }, 1234, 'RS20', 'RS201234'],
  [{ prefix: '', width: 3 }, 1, '', '001'],
])('numbers of %o: %i', (notes, consecutive, prefix, number) => {
  const body = forDeployment({ appointment: {}, document: { services: [] } }, { notes }, 0);
  const { series, write, text } = RIPS.numbers!;
  expect(series(body).prefix).toBe(prefix);
  expect(text!(write(body, consecutive))).toBe(number);
});

describe('what a deployment wants otherwise', () => {
  const visit = (time: string): JsonObject => ({
    appointment: { date: '2026-10-02', time },
    document: {
      services: [{ conceptoRecaudo: 5 }, { conceptoRecaudo: '05' }, { conceptoRecaudo: null }, {}],
    },
  });
  /** 20:00 of 3 November in Bogotá, 4 November in Greenwich. */
  const NOW = Date.parse('2026-11-04T01:00:00Z');
  test.each<[booking: string | undefined, time: string, expected: JsonObject]>([
    [undefined, '08:30', { date: '2026-10-02', time: '08:30' }],
    ['today', '08:30', { date: '2026-11-03', time: '23:59' }],
    ['today', '20:00', { date: '2026-11-03', time: '23:59' }],
    ['today', '20:01', { date: '2026-11-03', time: '20:01' }],
    ['2026-11-04', '08:30', { date: '2026-11-04', time: '08:30' }],
  ])('booked %s, care at %s', (booking, time, expected) => {
    const wishes = { notes: NOTES, ...(booking !== undefined && { booking }) };
    expect(forDeployment(visit(time), wishes, NOW)['appointment']).toEqual(expected);
  });

  test('payment concepts as codes', () => {
    const { document } = forDeployment(visit('08:30'), { notes: NOTES, paymentConcept: 'code' }, NOW);
    expect((document as JsonObject)['services']).toEqual([
      { conceptoRecaudo: '05' },
      { conceptoRecaudo: '05' },
      { conceptoRecaudo: null },
      {},
    ]);
  });
});
