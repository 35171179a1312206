import { expect, test } from 'vitest';
import { PAYROLL } from '../../src/families/payroll/delivery.js';
import { type Fit, type Shown, showsOf } from '../../src/send/verdict.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { payroll, xmlOf } from './support.js';

const OURS: JsonObject = { ...payroll(1), consecutive: 7 };
const DELETION: JsonObject = {
  type_document_id: 10,
  type_note: 2,
  prefix: 'NA',
  consecutive: 2,
  period: { issue_date: '2026-11-01' },
};
const xml = (worker: number, accrued?: string): Shown => showsOf({ payrollxml: xmlOf(worker, accrued) }, {});

const FITS: readonly [name: string, shown: Shown, fit: Fit][] = [
  ['nothing', {}, 'open'],
  ['the number', { numbers: ['NOM7'] }, 'open'],
  ['another number', { numbers: ['NOM8'] }, 'other-number'],
  ['two numbers', { numbers: ['NOM7', 'NOM8'] }, 'other-number'],
  ['the worker', { employee: '9.000.100.001' }, 'ours'],
  ['another worker', { employee: '9000100002' }, 'other-content'],
  ['the worker with his name', { employee: 'Fabián Núñez (C.C. 9.000.100.001)' }, 'ours'],
  ['the worker behind a hyphen', { employee: 'NUÑEZ-9000100001' }, 'ours'],
  ['a name of ours with the document of another', { employee: 'Fabián Núñez - 9000100002' }, 'other-content'],
  ['the name with digits in a word', { employee: 'FABIAN W30065 NUNEZ' }, 'open'],
  ['the worker with his kind of document', { employee: 'CC9000100001 Zoe' }, 'ours'],
  ["another's passport", { employee: 'AV1234567' }, 'other-content'],
  ['the name with a digit', { employee: 'FABIAN NUNEZ 2' }, 'open'],
  ['the name of somebody else with a digit', { employee: 'Zoe Prado 2' }, 'other-content'],
  ['the name, which two may have', { employee: 'FABIÁN NÚÑEZ ZAPATA' }, 'open'],
  ['a part of the name', { employee: 'Fabian Nunez' }, 'open'],
  ['the name of somebody else', { employee: 'Zoe Prado' }, 'other-content'],
  ['the net pay, which two may have', { total: '2024000.00' }, 'open'],
  ['the earnings', { total: '2200000' }, 'open'],
  ['another amount', { total: '1.00' }, 'other-content'],
  ['the worker with another amount', { employee: '9000100001', total: '1.00' }, 'other-content'],
  ['the document itself', xml(1), 'ours'],
  ["another worker's document", xml(2), 'other-content'],
  ['the document with other amounts', xml(1, '1.00'), 'other-content'],
];
test.each(FITS)('of a payroll is shown %s', (_, shown, fit) => expect(PAYROLL.fit(OURS, shown)).toBe(fit));

test.each<[string, Shown, Fit]>([
  ['nobody', { employee: '0', total: '0.00' }, 'open'],
  ['another number', { numbers: ['NA3'] }, 'other-number'],
  ['a document that has a worker', xml(1), 'other-content'],
])('of a deletion is shown %s', (_, shown, fit) => expect(PAYROLL.fit(DELETION, shown)).toBe(fit));

test.each<[string, JsonObject, JsonObject, readonly string[] | undefined]>([
  ['the name of the file', {}, { XmlFileName: 'NI1001' }, ['NI1001']],
  ['papers', { urlpayrollxml: 'NI1001.xml', urlpayrollpdf: 'https://x/y/NIS-NI1001.pdf' }, {}, ['NI1001']],
  ['papers that differ', { urlpayrollxml: 'NI1001.xml' }, { XmlFileName: 'NI7' }, ['NI7', 'NI1001']],
  ['names that are built otherwise', { urlpayrollxml: 'nie09001234560002600000001.xml' }, {}, undefined],
  [
    "DIAN's own answer in place of the document",
    {},
    { XmlBase64Bytes: Buffer.from('<ApplicationResponse/>').toString('base64') },
    undefined,
  ],
  ['no base64', { payrollxml: '{}' }, { XmlFileName: { _attributes: { nil: 'true' } } }, undefined],
])('numbers are read from %s', (_, body, result, numbers) =>
  expect(showsOf(body, result)).toEqual(numbers === undefined ? {} : { numbers }),
);
