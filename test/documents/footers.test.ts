import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { editedSample } from '../support/edit-workbook.js';
import { placed, prepareFiles } from '../support/prepare-file.js';

type Cells = Readonly<Record<string, string | number>>;
/** The sample has workers in rows 2 to 26; what is added stands below. */
const run = async (cells: Cells) => prepareFiles({ files: [await editedSample(cells)] });

/** Sums of the sample's columns of accrued salary and of transport allowance. */
async function sums(): Promise<readonly [string, string]> {
  const { drafts } = await prepareFiles({});
  const sum = (key: string): string =>
    drafts
      .reduce(
        (all, { body }) => all + Number((body as { accrued: Record<string, string> }).accrued[key] ?? 0),
        0,
      )
      .toFixed(2);
  return [sum('salary'), sum('transportation_allowance')];
}

describe('rows of a payroll sheet that are no records', () => {
  test.each<[string, Cells]>([
    ['who signs, in several cells', { C28: 'Elaboró: Ana Pérez', E28: 'Revisó: Luis Gómez', G28: 'Aprobó' }],
    [
      'names below the signatures',
      { A28: 'Elaboró', E28: 'Aprobó', A29: 'Ana Pérez', E29: 'Luis Gómez', G29: 'Juan Ruiz' },
    ],
    ['an area, in the column of names', { C28: 'ÁREA ADMINISTRATIVA' }],
    ['an area, in the column of documents', { B28: 'ÁREA ADMINISTRATIVA' }],
    ['a note', { A28: 'Nota: valores en pesos' }],
    ['the date of printing', { A28: 'Fecha de impresión: 2026-10-31 08:00' }],
    ['a total without amounts', { C28: 'TOTAL EMPLEADOS' }],
    ['a count of the workers', { C28: 'Total empleados: 25' }],
    ['a count in the column of documents', { A28: 'Total empleados', B28: 25 }],
  ])('%s: left out with a note, no issue', async (_, cells) => {
    const { issues, skipped, records, documents } = await run(cells);
    expect(placed(issues)).toEqual([]);
    const rows = new Set(Object.keys(cells).map((cell) => `Nomina!${cell.replace(/\D/g, '')}`));
    expect(skipped).toEqual([...rows]);
    expect(records).toMatchObject({ read: 25 + rows.size, used: 25, skipped: rows.size, heldBack: 0 });
    expect(documents).toMatchObject({ planned: 25, made: 25 });
  });

  test('a count in the column of documents that differs is said at its cell', async () => {
    const { issues, skipped } = await run({ A28: 'Total empleados', B28: 26 });
    expect([placed(issues), skipped]).toEqual([[['Nomina!B28', 'control/count-differs']], ['Nomina!28']]);
  });

  test('a number and a name alone are said once, not for all that they lack', async () => {
    const { issues, documents } = await run({ B28: 101, C28: 'ADMINISTRACIÓN' });
    expect(issues.map(({ code, value, place: { row } }) => [code, value, row])).toEqual([
      ['row/hardly-filled', '101 · ADMINISTRACIÓN', 28],
    ]);
    expect(documents).toMatchObject({ planned: 26, made: 25 });
  });

  test('words that nobody knows are left out with a warning that quotes them', async () => {
    const { issues, skipped, documents } = await run({ C28: 'SOLO PARA USO INTERNO' });
    expect(issues.map(({ code, value, level }) => [code, value, level])).toEqual([
      ['row/no-record', 'SOLO PARA USO INTERNO', 'warning'],
    ]);
    expect([skipped, documents.made]).toEqual([['Nomina!28'], 25]);
  });

  test.each<[string, Cells, number]>([
    ['a document', { B28: 9000109999, C28: 'ÁREA ADMINISTRATIVA' }, 1],
    ['a document written as text', { B28: '9000109999' }, 1],
    ['surname and first name', { C28: 'Rojas', E28: 'Ana' }, 2],
    ['an amount', { C28: 'Rojas', O28: 1750905 }, 2],
    ['an amount beside an area', { C28: 'ÁREA ADMINISTRATIVA', V28: 1750905 }, 2],
    ['a date', { C28: 'Rojas', P28: '2026-01-15' }, 2],
    ['a number in a column that nobody reads', { C28: 'Rojas', BD1: 'Carné', BD28: 4711 }, 2],
  ])(
    'a row with %s could be a worker: it is held back and said, and without document the one above too',
    async (_, cells, heldBack) => {
      const { issues, skipped, records } = await run(cells);
      expect(skipped).toEqual([]);
      expect(records.heldBack).toBe(heldBack);
      expect(issues.some(({ level, place }) => level === 'error' && place.row === 28)).toBe(true);
    },
  );

  test('amounts without a document are one error, at the row, and one at the worker above', async () => {
    const { issues } = await run({ C28: 'Rojas', E28: 'Ana', O28: 1750905, V28: 1750905, U28: 30 });
    expect(placed(issues)).toEqual([
      ['Nomina!B26', 'row/key-blank-below'],
      ['Nomina!B28', 'row/key-blank'],
    ]);
  });

  test.each<[string, string, string, number, number]>([
    ['a total that agrees', 'TOTAL', 'C', 0, 0],
    ['a total that differs', 'TOTAL', 'C', 100, 1],
    ['a grand total beside the names', 'GRAN TOTAL NÓMINA', 'E', 0, 0],
    ['a total in the column of documents', 'TOTALES', 'B', 1, 1],
  ])('%s is a control total', async (_, label, column, more, warnings) => {
    const [salary, transport] = await sums();
    const { issues, skipped, documents } = await run({
      [`${column}27`]: label,
      V27: Number(salary) + more,
      W27: Number(transport),
    });
    expect(placed(issues)).toEqual(Array(warnings).fill(['Nomina!V27', 'control/total-differs']));
    expect([skipped, documents.made]).toEqual([['Nomina!27'], 25]);
  });

  test('subtotals state the records since the last one', async () => {
    const head =
      'Número documento,Primer apellido,Primer nombre,Días trabajados,Salario devengado,Salud,Pensión';
    const rows = [
      '9000100001,A,B,30,100,4,4',
      ',SUBTOTAL,,,100,4,4',
      '9000100002,A,B,30,200,8,8',
      ',SUBTOTAL,,,200,8,9',
      ',TOTAL,,,300,12,12',
    ];
    const file = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'nomina.csv');
    writeFileSync(file, [head, ...rows].join('\n'));
    const { issues, skipped } = await prepareFiles({ files: [file] });
    expect(placed(issues.filter(({ code }) => code.startsWith('control/')))).toEqual([
      ['nomina.csv!G5', 'control/total-differs'],
    ]);
    expect(skipped).toEqual(['nomina.csv!3', 'nomina.csv!5', 'nomina.csv!6']);
  });
});

describe('rows of a list of consultations that are no records', () => {
  const SOURCE = 'samples/rips/consultas/Consultas octubre.csv';
  const params = JSON.parse(readFileSync('samples/rips/consultas/params.json', 'utf8')) as Record<
    string,
    unknown
  >;
  const list = async (footer: string) => {
    const file = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'consultas.csv');
    writeFileSync(file, Buffer.concat([readFileSync(SOURCE), Buffer.from(footer, 'latin1')]));
    return prepareFiles({ files: [file], mapping: 'mappings/rips/consultas.yaml', params });
  };
  const columns = readFileSync(SOURCE, 'latin1').split('\n')[0]!.split(';').length;
  const line = (...cells: string[]): string =>
    [...cells, ...Array<string>(columns - cells.length).fill('')].join(';');

  test.each<[string, string, readonly string[]]>([
    ['a count that agrees', line('Total registros: 120'), []],
    ['a count in two cells', line('Total registros:', '120'), []],
    ['a count that differs', line('Total registros:', '121'), ['control/count-differs']],
    ['who signs', line('', 'Elaboró: Ana', '', 'Revisó: Luis'), []],
  ])('%s', async (_, footer, codes) => {
    const before = await list('');
    const { issues, records, documents } = await list(`${footer}\r\n`);
    const known = new Set(placed(before.issues).map(String));
    expect(issues.filter((one) => !known.has(String(placed([one])[0]))).map(({ code }) => code)).toEqual(
      codes,
    );
    expect(records).toEqual({
      ...before.records,
      read: before.records.read + 1,
      skipped: before.records.skipped + 1,
    });
    expect(documents).toEqual(before.documents);
  });
});

describe('rows of a list of events that are no records', () => {
  test.each<[string, string]>([
    ['a count', 'Total registros: 30'],
    ['who signs', 'Elaboró: Ana Pérez'],
    ['a note', 'Nota: pendientes de aceptación'],
  ])('%s', async (_, footer) => {
    const source = readFileSync('samples/events/eventos-facturas-recibidas.csv', 'utf8');
    const columns = source.split('\n')[0]!.split(/[;,]/).length;
    const separator = source.split('\n')[0]!.includes(';') ? ';' : ',';
    const file = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'eventos.csv');
    writeFileSync(file, `${source.trimEnd()}\n${footer}${separator.repeat(columns - 1)}\n`);
    const before = await prepareFiles({
      files: ['samples/events/eventos-facturas-recibidas.csv'],
      mapping: 'mappings/events/list.yaml',
      params: {},
    });
    const { issues, records } = await prepareFiles({
      files: [file],
      mapping: 'mappings/events/list.yaml',
      params: {},
    });
    expect(issues.map(({ code }) => code)).toEqual(before.issues.map(({ code }) => code));
    expect(records).toEqual({
      ...before.records,
      read: before.records.read + 1,
      skipped: before.records.skipped + 1,
    });
  });
});
