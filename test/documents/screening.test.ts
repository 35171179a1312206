import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { closeInputs, openInputs } from '../../src/documents/inputs.js';
import { locate } from '../../src/documents/locate.js';
import { prepare } from '../../src/documents/prepare.js';
import type { PrepareOptions } from '../../src/documents/run.js';
import { createScreener, withScreener } from '../../src/documents/screen.js';
import type { Helper, Screener, Screening } from '../../src/documents/screened.js';
import { deriveWith, FAMILIES } from '../../src/families/registry.js';
import { loadMapping } from '../../src/mapping/load.js';
import { resolveParams } from '../../src/mapping/params.js';
import { makeCsv } from '../bench/inputs.js';

/** What happened, document by document; those that helpers found good look like those that were told. */
async function happened(
  options: PrepareOptions,
): Promise<{ told: readonly string[]; bodies: readonly string[]; screened: number }> {
  const told: string[] = [];
  const bodies: string[] = [];
  let screened = 0;
  for await (const events of prepare(options))
    for (const event of events) {
      if (event.kind === 'document') bodies.push(JSON.stringify(event.document.body));
      if (event.kind === 'good') {
        screened += event.documents;
        told.push(...new Array<string>(event.documents).fill('document'));
      } else if (event.kind === 'document' || event.kind === 'formats') told.push(event.kind);
      else told.push(JSON.stringify(event));
    }
  return { told, bodies, screened };
}

/** How often a helper is asked before it ends; it answers late, and some of them out of order. */
interface Manner {
  readonly helpers: number;
  readonly answers?: number;
}

/** Helpers without threads of their own; what they find is copied as it is on the way from one to another. */
async function screening(
  options: PrepareOptions,
  { helpers, answers = Number.POSITIVE_INFINITY }: Manner,
  chance: () => number,
): Promise<Screening> {
  const ends: (() => void)[] = [];
  const helper = async (): Promise<Helper> => {
    const screener = await new Promise<Screener>((resolve) => {
      void withScreener(options, async (one) => {
        resolve(one);
        await new Promise<void>((end) => ends.push(end));
      });
    });
    let left = answers;
    let last: Promise<unknown> = Promise.resolve();
    return {
      ready: Promise.resolve(),
      async screen(table, piece) {
        if (left <= 0) return undefined;
        left -= 1;
        const answer = last.then(() => screener.screen(table, structuredClone(piece)));
        last = answer;
        const found = structuredClone(await answer);
        for (let turns = Math.floor(chance() * 4); turns > 0; turns--)
          await new Promise((resolve) => setImmediate(resolve));
        return { found };
      },
    };
  };
  return {
    helpers: await Promise.all(Array.from({ length: helpers }, helper)),
    own: (located, voted) => createScreener(options, located, async () => voted),
    async close() {
      for (const end of ends) end();
    },
  };
}

/** Numbers from 0 to 1, the same ones each time. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Spoil = (fields: readonly string[], any: number, whole: readonly number[]) => string[][];

const withField = (
  fields: readonly string[],
  any: number,
  whole: readonly number[],
  change: (text: string) => string,
): string[] => {
  const others = [...fields.keys()].filter((at) => !whole.includes(at));
  const index = others[Math.floor(any * others.length)];
  return fields.map((text, at) => (at === index ? change(text) : text));
};

/** What happens to files, each to one row in a hundred. */
const SPOILS: readonly Spoil[] = [
  (fields, any, whole) => [withField(fields, any, whole, () => '')],
  (fields, any, whole) => [withField(fields, any, whole, () => 'abc')],
  (fields, any, whole) => [withField(fields, any, whole, (text) => `"${text}\nsegunda línea; ""otra"""`)],
  (fields) => [[...fields], [...fields]],
  (fields) => [[...fields], fields.map(() => '')],
  (fields) => [[...fields], ['TOTAL', ...fields.slice(1).map(() => '')]],
  (fields) => [[...fields], ['Subtotal', ...fields.slice(1, -1).map(() => ''), '1200000']],
  (fields) => [[...fields, 'de más']],
];

/** `whole`: columns that are left as they are; then no other header stands between the rows either. */
function spoilt(text: string, delimiter: string, seed: number, whole: readonly number[]): string {
  const chance = chances(seed);
  const [header = '', ...lines] = text.trimEnd().split(/\r?\n/);
  const rows = lines.flatMap((line, at) => {
    const fields = line.split(delimiter);
    if (at % 389 === 240 && whole.length === 0) return [header.split(delimiter).reverse(), fields];
    if (at % 97 === 96) return [header.split(delimiter), fields];
    const spoil = SPOILS[Math.floor(chance() * 100)];
    return spoil === undefined ? [fields] : spoil(fields, chance(), whole);
  });
  return [header, ...rows.map((fields) => fields.join(delimiter)), ''].join('\n');
}

const folder = mkdtempSync(join(tmpdir(), 'cargue-screening-'));

/** Each text is cut into three pieces. */
async function payrollText(): Promise<string> {
  const file = join(folder, 'nomina.csv');
  await makeCsv(file, 2_000);
  return readFileSync(file, 'utf8');
}

/** Records of another month among them, above some that do not say theirs. */
async function monthsText(): Promise<string> {
  const [header, ...lines] = (await payrollText()).trimEnd().split(/\r?\n/);
  const months = ['2026-09', '', '', '2026-10', ''];
  const monthOf = (at: number): string => months[at % 211] ?? '2026-10';
  return [`${header},Mes`, ...lines.map((line, at) => `${line},${monthOf(at)}`), ''].join('\n');
}

/** A sample of care, patients of other numbers following. */
function careText(file: string, encoding: 'utf8' | 'latin1'): string {
  const [header = '', ...lines] = readFileSync(file, encoding).trimEnd().split(/\r?\n/);
  const quoted = lines.filter((line) => !line.includes('"'));
  const times = Math.ceil(1_600 / quoted.length);
  const more = Array.from({ length: times }, (_, at) =>
    quoted.map((line) =>
      line.replace(/\b\d{6,10}\b/, (number) => String(Number(number) + at * 100_000)).replace('@', `.${at}@`),
    ),
  );
  return [header, ...more.flat()].join('\n');
}

const MANNERS: readonly Manner[] = [
  { helpers: 0 },
  { helpers: 2 },
  { helpers: 2, answers: 1 },
  { helpers: 1, answers: 0 },
];

interface Case {
  readonly what: string;
  readonly mapping: string;
  readonly params: string;
  readonly delimiter: string;
  readonly text: () => Promise<string>;
  /** Columns of the key of a document, where it may have several records. */
  readonly key?: readonly number[];
}

const CASES: readonly Case[] = [
  {
    what: 'payroll',
    mapping: 'mappings/payroll/wide.yaml',
    params: 'samples/payroll/params.json',
    delimiter: ',',
    text: payrollText,
  },
  {
    what: 'payroll of two months',
    mapping: 'mappings/payroll/wide.yaml',
    params: 'samples/payroll/params.json',
    delimiter: ',',
    text: monthsText,
  },
  {
    what: 'care of one consultation a record',
    mapping: 'mappings/rips/consultas.yaml',
    params: 'samples/rips/consultas/params.json',
    delimiter: ';',
    text: async () => careText('samples/rips/consultas/Consultas octubre.csv', 'latin1'),
  },
  {
    what: 'care of several records an appointment',
    mapping: 'mappings/rips/interfaz.yaml',
    params: 'samples/rips/interfaz/params.json',
    delimiter: ',',
    text: async () => careText('samples/rips/interfaz/consultas.csv', 'utf8'),
    key: [0, 1, 11, 12, 13],
  },
];

/** The same cells in a workbook, numbers as numbers. */
async function writeBook(file: string, text: string, delimiter: string): Promise<void> {
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: file, useSharedStrings: true });
  const sheet = book.addWorksheet('Hoja');
  for (const fields of parse(text, { delimiter, relax_column_count: true }) as string[][])
    sheet
      .addRow(fields.map((field) => (/^[1-9]\d{0,8}$/.test(field) ? Number(field) : field || null)))
      .commit();
  await book.commit();
}

describe.each<Case>(CASES)(
  '$what, looked at by several',
  ({ what, mapping, params, delimiter, text, key = [] }) => {
    test.each([
      ['as it should be', undefined, 'csv'],
      ['with faults', 1, 'csv'],
      ['with other faults', 2, 'csv'],
      ['in a workbook', undefined, 'xlsx'],
      ['in a workbook with faults', 3, 'xlsx'],
      ['with faults in keys too', 4, 'csv'],
    ])('%s: all that is told stays the same, in its order', { timeout: 60_000 }, async (_, seed, kind) => {
      const file = join(folder, `${what.replaceAll(' ', '-')}-${seed ?? 'good'}.${kind}`);
      const good = await text();
      const hasWholeKeys = seed !== 4;
      const isEach = key.length === 0 || hasWholeKeys;
      const whole = seed === undefined ? good : spoilt(good, delimiter, seed, hasWholeKeys ? key : []);
      if (kind === 'xlsx') await writeBook(file, whole, delimiter);
      else writeFileSync(file, whole);
      const loaded = await loadMapping(mapping);
      const options: PrepareOptions = {
        files: [file],
        mapping: loaded,
        params: resolveParams(loaded.params, JSON.parse(readFileSync(params, 'utf8'))).value!,
        derive: deriveWith(FAMILIES),
        today: '2026-11-03',
      };
      const alone = await happened(options);
      expect(alone.screened).toBe(0);
      const oneByOne = await happened({ ...options, complete: async () => undefined });
      expect(oneByOne).toEqual(alone);
      if (isEach) expect(alone.bodies.length).toBeGreaterThan(100);
      for (const manner of MANNERS) {
        const helpers = await screening(options, manner, chances(seed ?? 0));
        let starts = 0;
        const start = (): Screening => {
          starts += 1;
          return helpers;
        };
        const shared = await happened({ ...options, screening: start });
        expect(shared.told).toEqual(alone.told);
        // Where documents have several records, those of a sheet are put aside first, so all are made by one.
        const isApart = kind === 'csv' || loaded.onePer === 'record';
        if (isApart && isEach) expect(shared.screened).toBeGreaterThan(100);
        expect(starts).toBe(isApart ? 1 : 0);
        await helpers.close();
      }
    });
  },
);

test('a row without key that begins a piece holds back the document that ends the one before', async () => {
  const file = join(folder, 'sigue.csv');
  const [header = '', ...lines] = (await payrollText()).trimEnd().split(/\r?\n/);
  const write = (rows: readonly string[]): void => writeFileSync(file, [header, ...rows, ''].join('\n'));
  write(lines);
  const loaded = await loadMapping(CASES[0]!.mapping);
  const params = resolveParams(loaded.params, JSON.parse(readFileSync(CASES[0]!.params, 'utf8'))).value!;
  const options: PrepareOptions = { files: [file], mapping: loaded, params, derive: deriveWith(FAMILIES) };
  const inputs = await openInputs([file]);
  const begins: number[] = [];
  for (const { source } of (await locate(loaded, inputs, params)).tables)
    for await (const piece of source.pieces!.all())
      for await (const rows of source.pieces!.rows(piece!)) {
        begins.push(rows![0]!.number);
        break;
      }
  await closeInputs(inputs);
  expect(begins.length).toBe(5);
  // Blanks in place of number and names leave each piece where it was.
  const isBlanked = (label: string): boolean => /apellido|nombre|Número documento/.test(label);
  const blanked = header.split(',').map(isBlanked);
  const without = (line: string): string =>
    line
      .split(',')
      .map((text, at) => (blanked[at] ? ' '.repeat(text.length) : text))
      .join(',');
  write(lines.map((line, at) => (begins.slice(1).includes(at + 2) ? without(line) : line)));
  const alone = await happened(options);
  const held = alone.told.filter((told) => told.includes('row/key-blank-below'));
  expect(held.map((told) => JSON.parse(told).issue.params.below)).toEqual(begins.slice(1));
  for (const manner of MANNERS) {
    const helpers = await screening(options, manner, chances(1));
    const shared = await happened({ ...options, screening: () => helpers });
    expect(shared.told).toEqual(alone.told);
    expect(shared.screened).toBeGreaterThan(100);
    await helpers.close();
  }
});
