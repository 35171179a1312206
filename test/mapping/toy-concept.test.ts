import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import type { Grid } from '../inspect/grid.js';

/** A copy of schemas and mappings with one concept more: a line of the vocabulary and a leaf of a schema. */
const ROOT = vi.hoisted(() => ({ folder: '' }));

vi.mock('../../src/toolkit/core/package-file.js', () => {
  ROOT.folder = mkdtempSync(join(tmpdir(), 'cargue-toy-'));
  for (const name of ['schemas', 'mappings', 'package.json'])
    cpSync(name, join(ROOT.folder, name), { recursive: true });
  const edit = (file: string, before: string, after: string): void => {
    const path = join(ROOT.folder, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(before, after));
  };
  edit(
    'mappings/vocabularies/payroll.yaml',
    '\n  endowment:',
    '\n  toy: { to: accrued.toy_allowance, column: toy, names: [Auxilio de juguetes, Juguetes, "Juguet* nav*"] }\n  endowment:',
  );
  const leaf = {
    $ref: '../common/money.schema.json',
    title: 'Auxilio de juguetes',
    description: 'Toys, COP.',
    'x-description-es': 'Juguetes, en pesos.',
    'x-layer': 'observed',
    'x-total': true,
    'x-no-zero': true,
    'x-xml': 'Juguetes',
  };
  edit(
    'schemas/payroll/accrued.schema.json',
    '"endowment": {',
    `"toy_allowance": ${JSON.stringify(leaf)}, "endowment": {`,
  );
  return { packageFile: (...segments: readonly string[]): string => join(ROOT.folder, ...segments) };
});

const { loadMapping } = await import('../../src/toolkit/mapping/load.js');
const { templatePlan } = await import('../../src/toolkit/mapping/template.js');
const { titlesOf } = await import('../../src/families/payroll/adjust-note.js');
const { payrollTotals } = await import('../../src/families/payroll/subject.js');
const { AMOUNT, convertBook, listed, NOTE, paid } = await import('../support/concept-files.js');
const { gridsOf, insert, page, workbook } = await import('../inspect/grid.js');
const { look } = await import('../inspect/answering.js');
const { production, send } = await import('../sandbox/client.js');
const { payroll } = await import('../sandbox/payroll-requests.js');

const NAME = 'Auxilio de juguetes';
const ID = 52100200;

describe('a concept more is one line of the vocabulary and one leaf of a schema', () => {
  test.each([
    ['a column', 'wide', { Nomina: [paid(ID, { [NAME]: AMOUNT })] }],
    ['a column of an adjust note', 'adjust', { Notas: [paid(ID, { ...NOTE, [NAME]: AMOUNT })] }],
    [
      'a column of one of several sheets',
      'split',
      { Personal: [paid(ID)], Devengos: [{ 'Número documento': ID, Juguetes: AMOUNT }] },
    ],
    ['a word of a list', 'long', { Lista: listed(ID, ['JUGUETES NAVIDAD']) }],
    ['a column beside sheets of concepts', 'multi-sheet', { Empleados: [paid(ID, { [NAME]: AMOUNT })] }],
    [
      'a sheet',
      'multi-sheet',
      { Empleados: [paid(ID)], Juguetes: [{ 'Número documento': ID, Valor: AMOUNT }] },
    ],
    [
      'a word of the novelties',
      'multi-sheet',
      { Empleados: [paid(ID)], Novedades: [{ 'Número documento': ID, Concepto: NAME, Valor: AMOUNT }] },
    ],
  ])('%s of payroll/%s', async (_, layout, sheets) => {
    const { documents, issues } = await convertBook(layout, sheets);
    expect(issues).toEqual([]);
    expect(documents).toMatchObject([
      { accrued: { toy_allowance: '80000.00', accrued_total: '2080000.00' } },
    ]);
    expect(payrollTotals(documents[0] as JsonObject)).toMatchObject({
      accrued: '2080000.00',
      net: '1920000.00',
    });
  });

  test('the total of a file is held against it', async () => {
    const { issues } = await convertBook('wide', {
      Nomina: [paid(ID, { [NAME]: AMOUNT, 'Total devengado': 2000000 })],
    });
    expect(issues.map(([, code]) => code)).toEqual(['payroll/accrued-total']);
  });

  test('the report calls it as its schema does', () => {
    expect(titlesOf('/accrued/toy_allowance')).toEqual(['Devengados', NAME]);
  });

  test('templates have its column', async () => {
    const plan = templatePlan(await loadMapping(join(ROOT.folder, 'mappings/payroll/multi-sheet.yaml')));
    const labels = plan.sheets.flatMap(({ columns }) => columns.map(({ title }) => title));
    expect(labels).toContain(NAME);
  });

  test('the sandbox writes it into the national XML', async () => {
    const body = payroll();
    const accrued = {
      ...(body['accrued'] as JsonObject),
      toy_allowance: '1000.00',
      accrued_total: '2600095.00',
    };
    const reply = await send(await production(), { ...body, accrued });
    const xml = Buffer.from(String(reply.at('/payrollxml')), 'base64').toString('utf8');
    expect(xml).toContain('<Juguetes>1000.00</Juguetes>');
  });

  test('inspect knows its names, and offers it for any other label', async () => {
    const [sample] = await gridsOf('samples/payroll/nomina-octubre-2026.xlsx');
    const end = sample!.labels.indexOf('Días trabajados') + 1;
    const amounts = (label: string) => (grid: Grid) => insert(grid, end, label, (row) => 90000 + row * 31);
    const grid = ['Algo más', 'Juguetes'].reduce((under, label) => amounts(label)(under), sample!);
    const { labels, open } = await look([await workbook([page(grid)])]);
    expect(labels.find(({ label }) => label === 'Juguetes')).toMatchObject({ means: 'toy' });
    const { id } = labels.find(({ label }) => label === 'Algo más')!;
    const { answers = [] } = open.find((question) => question.id === id) ?? {};
    expect(answers.filter(({ value }) => value === 'toy')).toMatchObject([{ title: NAME }]);
  });

  test('the digest of a mapping covers its vocabulary', async () => {
    const path = join(ROOT.folder, 'mappings/vocabularies/payroll.yaml');
    const file = join(ROOT.folder, 'mappings/payroll/split.yaml');
    const text = readFileSync(path, 'utf8');
    const before = (await loadMapping(file)).sha256;
    writeFileSync(path, text.replace('[Auxilio de juguetes, ', '[Auxilio de juguetes, Peluches, '));
    expect((await loadMapping(file)).sha256).not.toBe(before);
    writeFileSync(path, text);
    expect((await loadMapping(file)).sha256).toBe(before);
  });
});
