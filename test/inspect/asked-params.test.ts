import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { usesOf } from '../../src/toolkit/inspect/uses.js';
import { compileMapping, loadMapping } from '../../src/toolkit/mapping/load.js';
import { PARAMS, prepareFiles } from '../support/prepare-file.js';
import { look } from './answering.js';
import { gridsOf, page, pick, workbook } from './grid.js';

const SHIPPED = readdirSync('mappings', { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.yaml') && !/^(synonyms|vocabularies)/.test(file) && file.includes('/'),
);

/** Parameters that a leaf takes before anything else, columns being what it falls back upon. */
function overriding(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { param, default: otherwise } = node as { param?: string; default?: unknown };
  const own = typeof param === 'string' && typeof otherwise === 'object' ? [param] : [];
  return [...own, ...Object.values(node).flatMap(overriding)];
}

test.each(SHIPPED)('%s: a parameter that stands before columns is none to ask for', async (file) => {
  const mapping = await loadMapping(join('mappings', file));
  const asked = new Set(usesOf(mapping).params.map(({ param }) => param));
  const optional = overriding(mapping.spec.document).filter(
    (name) => mapping.params.get(name)?.spec.optional,
  );
  expect(optional.filter((name) => asked.has(name))).toEqual([]);
});

test('the day of booking is one of them', async () => {
  const mapping = await loadMapping('mappings/rips/consultas.yaml');
  expect(overriding(mapping.spec.document)).toContain('booking_date');
});

/** Which parameters a leaf asks for. */
const askedBy = (leaf: string): readonly string[] => {
  const text = `
cargue: 1
name: test/asked
description: A leaf and its parameters.
target: payroll/payment
params:
  first: { type: text, optional: true }
  second: { type: text, optional: true }
tables:
  workers:
    columns:
      document: { titles: [Cédula], read: identifier }
      bank: { titles: [Banco], read: text }
one_per: { record: workers }
key: document
document:
  payment_method_id: { const: 10 }
  bank_name: ${leaf}
`;
  return usesOf(compileMapping('test.yaml', text)).params.map(({ param }) => param);
};

test.each<[leaf: string, asked: readonly string[]]>([
  ['{ param: first }', ['first']],
  ['{ from: bank, default: { param: first } }', ['first']],
  ['{ param: first, default: { from: bank } }', []],
  ['{ param: first, default: { from: bank, default: { param: second } } }', ['second']],
  ['{ from: bank, default: { param: first, default: { param: second } } }', ['second']],
  ['{ formula: "if_blank(bank, param.first)" }', ['first']],
  ['{ formula: "if_blank(param.first, bank)" }', []],
])('%s', (leaf, asked) => {
  expect(askedBy(leaf)).toEqual(asked);
});

const SAMPLE = 'samples/payroll/nomina-octubre-2026.xlsx';
/** The sample as a workbook without some of its columns. */
const withoutColumns = async (...labels: readonly string[]): Promise<string> => {
  const [whole] = await gridsOf(SAMPLE);
  return workbook([
    page(
      pick(
        whole!,
        whole!.labels.filter((label) => !labels.includes(label)),
      ),
    ),
  ]);
};

test.each<[columns: readonly string[], isAsked: boolean]>([
  [['Tipo de cuenta'], true],
  [['Tipo de cuenta', 'Número de cuenta'], false],
  [[], false],
])('the kind of account without %j is asked: %s', async (columns, isAsked) => {
  const { params } = await look([await withoutColumns(...columns)]);
  expect(params.some(({ name }) => name === 'account_type')).toBe(isAsked);
});

test('only who has an account has the kind of account that is said of all', async () => {
  const made = await prepareFiles({
    files: [await withoutColumns('Tipo de cuenta')],
    params: { ...PARAMS, account_type: 'Corriente' },
  });
  const payments = made.drafts.map(
    ({ body }) => (body as { readonly payment: Record<string, unknown> }).payment,
  );
  const kinds = payments.map(({ account_number, account_type }) => [
    account_number !== undefined,
    account_type,
  ]);
  expect(kinds).toContainEqual([true, 'Corriente']);
  expect(kinds).toContainEqual([false, undefined]);
  expect(kinds.filter(([has, kind]) => has !== (kind !== undefined))).toEqual([]);
});

test('the means of payment is asked where the sheet that would have it is absent', async () => {
  const book = new ExcelJS.Workbook();
  const sample = 'samples/payroll/multihoja/Nomina_octubre_multihoja.xlsx';
  await book.xlsx.readFile(sample);
  book.removeWorksheet('Forma de pago');
  const path = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'sin-pagos.xlsx');
  await book.xlsx.writeFile(path);
  const asked = async (file: string) =>
    (await look([file])).open.filter(({ id }) => id === 'param.payment_method_id');
  expect(await asked(sample)).toEqual([]);
  const [question] = await asked(path);
  expect(question?.answers.slice(0, 2).map(({ value }) => value)).toEqual(['47', '10']);
});
