import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatPlace } from '../../src/toolkit/core/issue.js';
import { makeDocument, placesOf } from '../../src/toolkit/schema/document.js';
import { editedSample } from '../support/edit-workbook.js';
import { PARAMS, placed, prepareFiles, SAMPLE, WIDE } from '../support/prepare-file.js';

const golden = readFileSync('test/golden/payroll/nomina-octubre-2026.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the sample payroll', async () => {
  const prepared = await prepareFiles({});

  test('gives exactly the golden documents', () => {
    const numbered = prepared.drafts.map(({ body: document }, index) => ({
      ...document,
      consecutive: index + 1,
    }));
    expect(numbered).toEqual(golden);
  });

  test('raises no issue and loses no record', () => {
    expect(prepared.issues).toEqual([]);
    expect(prepared.records).toEqual({ read: 25, used: 25, skipped: 0, heldBack: 0 });
    expect(prepared.documents).toMatchObject({ planned: 25, made: 25, heldBack: 0 });
  });

  test('knows the cells of every leaf that the file feeds, blank ones too', () => {
    const { trace } = prepared.drafts[0]!;
    const cells = (pointer: string) => placesOf(trace, pointer).map((place) => formatPlace(place));
    expect(cells('/worker/salary')).toEqual(['Nomina!O2']);
    expect(cells('/worker/municipality_id')).toEqual(['Nomina!H2', 'Nomina!I2']);
    expect(cells('/accrued/HENs/0/payment')).toEqual(['Nomina!AA2']);
    expect(cells('/worker/middle_name')).toEqual(['Nomina!F2']);
  });

  test('has a hash that number and issue date do not change', async () => {
    const later = await prepareFiles({ params: { ...PARAMS, issue_date: '2026-11-05' } });
    const hashes = (drafts: typeof prepared.drafts) => drafts.map((draft) => makeDocument(draft).hash);
    expect(hashes(later.drafts)).toEqual(hashes(prepared.drafts));
    expect(new Set(hashes(prepared.drafts)).size).toBe(25);
  });
});

describe('mistakes, each at its cell', () => {
  test.each<[string, Record<string, string | number | null | Date>, [string, string][], number]>([
    ['letter in an amount', { O17: '1.75O.905' }, [['Nomina!O17', 'cell/not-a-number']], 24],
    ['unknown municipality', { H9: '99999' }, [['Nomina!H9', 'lookup/unknown']], 24],
    ['lost zero of a code', { H9: 5001 }, [['Nomina!H9', 'cell/zeros-restored']], 25],
    ['missing surname', { C5: null }, [['Nomina!C5', 'document/required']], 24],
    ['missing document', { B5: null }, [['Nomina!B5', 'row/key-blank']], 24],
    ['impossible date', { P4: '31/02/2020' }, [['Nomina!P4', 'cell/date-impossible']], 24],
    ['stated total off by a thousand', { AR2: 2_305_714.08 }, [['Nomina!AR2', 'payroll/accrued-total']], 24],
    [
      'stated total off by one peso only warns',
      { AR2: 2_304_715.08 },
      [['Nomina!AR2', 'payroll/accrued-total']],
      25,
    ],
    ['negative amount', { W2: -249_095 }, [['Nomina!W2', 'document/format-money']], 24],
    ['worker repeated', { B3: '9000100000' }, [['Nomina!B3', 'payroll/worker-month']], 24],
    ['hours without their value', { X6: 4 }, [['Nomina!Y6', 'document/required']], 24],
    ['a word that is neither yes nor no', { M2: 'quizás' }, [['Nomina!M2', 'cell/not-yes-or-no']], 24],
    ['three decimals', { V2: 1_750_905.125 }, [['Nomina!V2', 'cell/too-many-decimals']], 24],
    ['duplicated header', { F1: 'Primer nombre' }, [['Nomina!F1', 'header/duplicate']], 25],
    [
      'misspelt header of an optional column',
      { AQ1: 'Bonificacion no salarail' },
      [['Nomina!AQ1', 'header/missing']],
      0,
    ],
    ['missing header of a required column', { L1: null }, [['Nomina!A1', 'header/missing']], 0],
  ])('%s', async (_, cells, expected, made) => {
    const prepared = await prepareFiles({ files: [await editedSample(cells)] });
    const found = placed(prepared.issues);
    if (made > 0) expect(found).toEqual(expected);
    else expect(found).toEqual(expect.arrayContaining(expected));
    if (made > 0) expect(prepared.documents.made).toBe(made);
    const { read, used, skipped, heldBack } = prepared.records;
    const { planned } = prepared.documents;
    expect([read, used + skipped + heldBack]).toEqual([25, 25]);
    expect(planned).toBe(prepared.documents.made + prepared.documents.heldBack);
  });

  test('a missing column is said once, and holds back whoever needs it', async () => {
    const prepared = await prepareFiles({ files: [await editedSample({ L1: 'Tipo de contratto' })] });
    expect(placed(prepared.issues)).toEqual([['Nomina!L1', 'header/missing']]);
    expect(prepared.issues[0]?.suggestions?.[0]?.value).toBe('Tipo contrato');
    expect(prepared.documents).toEqual({ planned: 25, made: 0, heldBack: 25 });
  });

  test('a param stands in for a column that the file lacks', async () => {
    const prepared = await prepareFiles({
      files: [await editedSample({ L1: 'Otra cosa' })],
      params: { ...PARAMS, type_contract_id: 2 },
    });
    // With a contract of the company's employees, the apprentice is one of them.
    expect(placed(prepared.issues)).toEqual([
      ['Nomina!AS11', 'payroll/health-pension'],
      ['Nomina!AT11', 'payroll/health-pension'],
      ['Nomina!O11', 'payroll/minimum-wage'],
      ['Nomina!L1', 'header/label-new'],
    ]);
    expect(prepared.documents.made).toBe(25);
  });

  test('a wrong code brings the name beside it as a suggestion', async () => {
    const prepared = await prepareFiles({ files: [await editedSample({ H2: '99999' })] });
    expect(prepared.issues[0]?.suggestions?.[0]?.value).toBe('08001 Barranquilla Atlántico');
  });

  test('a total row is skipped, not lost', async () => {
    const prepared = await prepareFiles({ files: [await editedSample({ A28: 'TOTAL', O28: 99_000_000 })] });
    expect(prepared.skipped).toEqual(['Nomina!28']);
    expect(prepared.records).toEqual({ read: 26, used: 25, skipped: 1, heldBack: 0 });
  });
});

test('the same payroll as a CSV with decimal commas', async () => {
  const header = [
    'Tipo documento',
    'Número documento',
    'Primer apellido',
    'Primer nombre',
    'Dirección de trabajo',
    'Código municipio',
    'Tipo trabajador',
    'Subtipo trabajador',
    'Tipo contrato',
    'Sueldo mensual',
    'Fecha ingreso',
    'Medio de pago',
    'Días trabajados',
    'Salario devengado',
    'Salud',
    'Pensión',
  ];
  const record = [
    'CC',
    '9000100000',
    'Núñez',
    'Fabián',
    'Calle 1',
    '08001',
    '01',
    '00',
    'Término indefinido',
    '1.750.905,00',
    '20/04/2025',
    '10',
    '30',
    '1.750.905,00',
    '70.036,20',
    '70.036,20',
  ];
  const path = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'nomina.csv');
  writeFileSync(
    path,
    Buffer.from(
      `${header.join(';')}\r\n${record.join(';')}\r\n;;;\r\n${record.join(';').replace('08001', 'x')}\r\n`,
      'latin1',
    ),
  );
  const prepared = await prepareFiles({ files: [path] });
  expect(prepared.drafts[0]?.body).toMatchObject({
    worker: { surname: 'Núñez', salary: '1750905.00' },
    deductions: { eps_deduction: '70036.20', deductions_total: '140072.40' },
  });
  expect(placed(prepared.issues)).toEqual([
    ['nomina.csv!B4', 'payroll/worker-month'],
    ['nomina.csv!F4', 'lookup/unknown'],
    ['nomina.csv /worker/second_surname', 'payroll/worker-name'],
  ]);
  expect(prepared.issues.map(({ place }) => place.line)).toEqual([4, 4, undefined]);
});

test('a sheet without records makes nothing', async () => {
  const { workbookOf } = await import('../support/edit-workbook.js');
  const prepared = await prepareFiles({
    files: [await workbookOf([['Número documento', 'Primer apellido', 'Días trabajados']])],
  });
  expect(prepared.documents).toEqual({ planned: 0, made: 0, heldBack: 0 });
});

test('a workbook of something else has no header', async () => {
  const { workbookOf } = await import('../support/edit-workbook.js');
  const prepared = await prepareFiles({
    files: [
      await workbookOf([
        ['Factura', 'Cliente'],
        [1, 'x'],
      ]),
    ],
  });
  expect(prepared.issues.map(({ code }) => code)).toEqual(['header/not-found']);
});

test('two files of one run share their keys', async () => {
  const prepared = await prepareFiles({ files: [SAMPLE, SAMPLE], mapping: WIDE });
  expect(prepared.documents).toEqual({ planned: 50, made: 25, heldBack: 25 });
});
