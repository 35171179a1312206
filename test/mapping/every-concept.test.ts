import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject, JsonValue } from '../../src/toolkit/core/json.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { AMOUNT, convertBook, listed, NOTE, paid, type Row, type Sheets } from '../support/concept-files.js';

interface Concept {
  readonly to?: string;
  readonly shape?: string;
  readonly leaves?: Readonly<Record<string, string>>;
  readonly plain?: object;
  readonly column?: string;
  readonly columns?: Readonly<Record<string, string>>;
}

const { concepts, shapes } = parse(readFileSync('mappings/vocabularies/payroll.yaml', 'utf8')) as {
  readonly concepts: Readonly<Record<string, Concept>>;
  readonly shapes: Readonly<Record<string, Readonly<Record<string, string>>>>;
};
const NAMES = Object.keys(concepts).filter((name) => concepts[name]!.plain === undefined);

/** Fields of concepts that several make together. */
const FIELDS: Readonly<Record<string, string>> = {
  solidarity: 'deductions.fondosp_deduction_SP',
  subsistence: 'deductions.fondosp_deduction_sub',
};

const leavesOf = ({ to = '', shape = '', leaves }: Concept): Readonly<Record<string, string>> =>
  leaves ?? shapes[shape] ?? { [to.split('.').at(-1)!]: 'value' };

const valuesAt = (node: JsonValue | undefined, [key, ...below]: readonly string[]): readonly JsonValue[] => {
  if (Array.isArray(node)) return node.flatMap((item) => valuesAt(item, [key!, ...below]));
  const value = (node as JsonObject | undefined)?.[key!];
  return below.length > 0 ? valuesAt(value, below) : value === undefined ? [] : [value];
};

/** What a document has of a concept: its amounts, or the days of what has none. */
function amounts(document: JsonObject, name: string): readonly JsonValue[] {
  const concept = { ...concepts[name]!, to: FIELDS[name] ?? concepts[name]!.to! };
  const [path = '', below = ''] = concept.to.split('[]');
  const own = leavesOf(concept);
  const leaf = Object.keys(own).find((key) => own[key] === 'value') ?? 'quantity';
  const keys = path.split('.');
  return valuesAt(document, concept.to.includes('[]') ? [...keys, below.slice(1) || leaf] : keys);
}

const BY_PART: Row = {
  start: '2026-10-05',
  end: '2026-10-06',
  item_start: '2026-10-05',
  item_end: '2026-10-06',
  days: 2,
  hours: 2,
  quantity: 2,
  value: AMOUNT,
  type: 'Común',
  percentage: 1,
  entity: 'Cooperativa Sol',
};

type Loaded = Awaited<ReturnType<typeof loadMapping>>;

/** Cells of a concept in the columns of a table, by their titles. */
function cellsOf({ tables }: Loaded, table: string, ids: readonly string[]): Row {
  const columns = tables.get(table)!.columns;
  return Object.fromEntries(
    ids.flatMap((id) => {
      const [title] = columns.get(id)?.wanted?.titles ?? [];
      const part = Object.keys(BY_PART).find((key) => id === key || id.endsWith(`_${key}`)) ?? 'value';
      return title === undefined ? [] : [[title, BY_PART[part]!]];
    }),
  );
}

const prefixOf = (name: string): string => concepts[name]!.column ?? name;
const begins = (id: string, prefix: string): boolean => id === prefix || id.startsWith(`${prefix}_`);

/** Columns of the workers for the parts of a concept: those of its prefix, unless another concept has a longer one. */
function columnsOf({ tables }: Loaded, name: string): readonly string[] {
  const prefix = prefixOf(name);
  const longer = NAMES.map(prefixOf).filter((other) => other !== prefix && begins(other, prefix));
  const { columns = {} } = concepts[name]!;
  return [...tables.get('workers')!.columns.keys()].filter(
    (id) =>
      Object.values(columns).includes(id) ||
      (begins(id, prefix) && !longer.some((other) => begins(id, other))),
  );
}

/** The amount, or days and hours. */
const GIVEN: readonly string[] = ['80000.00', '2', '2.00'];

const idOf = (name: string): number => 52100200 + NAMES.indexOf(name);

/** One item has both amounts. */
const TOGETHER: Readonly<Record<string, string>> = {
  severance: 'severance_interest',
  severance_interest: 'severance',
};

const withTogether = (name: string): readonly string[] => [
  name,
  ...(name in TOGETHER ? [TOGETHER[name]!] : []),
];

/** Concepts that do not come that way, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  column: { salary: 'every record has it' },
  word: { salary: 'every record has it, and with a sheet of workers it stands there' },
  sheet: {
    salary: 'a sheet so called has the workers',
    severance: 'the sheet of severance has both amounts, as their item',
    severance_interest: 'the same',
  },
};

/** Returns the concepts that a layout does not put into documents: a worker each, in one book. */
async function missingOf(
  way: keyof typeof EXCEPTIONS,
  layout: string,
  bookOf: (mapping: Loaded, name: string) => Sheets,
): Promise<readonly string[]> {
  const mapping = await loadMapping(`mappings/payroll/${layout}.yaml`);
  const names = NAMES.filter((name) => !(name in EXCEPTIONS[way]!));
  const books = names.map((name) => bookOf(mapping, name));
  const sheets = [...new Set(books.flatMap((book) => Object.keys(book)))];
  const book = Object.fromEntries(sheets.map((sheet) => [sheet, books.flatMap((part) => part[sheet] ?? [])]));
  const { documents } = await convertBook(layout, book);
  const found = new Map(
    (documents as JsonObject[]).map((document) => [
      Number((document['worker'] as JsonObject)['identification_number']),
      document,
    ]),
  );
  return names.filter((name) => {
    const document = found.get(idOf(name));
    return document === undefined || !amounts(document, name).some((value) => GIVEN.includes(String(value)));
  });
}

/** The amount of a concept, if it has any. */
const paidAs = (name: string): Row => ({
  Valor: Object.values(leavesOf(concepts[name]!)).includes('value') || name in FIELDS ? AMOUNT : '',
});

/** A worker with what is held back for health and pension, unless that is the concept. */
const withoutHeld = (name: string): Row =>
  paid(idOf(name), { ...(name === 'health' && { Salud: '' }), ...(name === 'pension' && { Pensión: '' }) });

describe('every concept of the vocabulary', () => {
  test.each(['wide', 'multi-sheet', 'adjust'])('is a column of payroll/%s', async (layout) => {
    const sheet = layout === 'multi-sheet' ? 'Empleados' : 'Nomina';
    const missing = await missingOf('column', layout, (mapping, name) => ({
      [sheet]: [
        paid(idOf(name), {
          ...(layout === 'adjust' ? NOTE : {}),
          ...cellsOf(
            mapping,
            'workers',
            withTogether(name).flatMap((each) => columnsOf(mapping, each)),
          ),
        }),
      ],
    }));
    expect(missing).toEqual([]);
  });

  test('is a column of payroll/split', async () => {
    const missing = await missingOf('column', 'split', (mapping, name) => ({
      Personal: [paid(idOf(name))],
      Conceptos: [
        {
          'Número documento': idOf(name),
          ...cellsOf(
            mapping,
            'workers',
            withTogether(name).flatMap((each) => columnsOf(mapping, each)),
          ),
        },
      ],
    }));
    expect(missing).toEqual([]);
  });

  const wordOf = ({ tables }: Loaded, table: string, name: string): string =>
    (tables.get(table)!.columns.get('class')!.sorts!.classes[name] as string[])[0]!.replaceAll('*', '');

  test('is a word of payroll/long', async () => {
    const missing = await missingOf('word', 'long', (mapping, name) => ({
      Lista: listed(
        idOf(name),
        withTogether(name).map((each) => wordOf(mapping, 'lines', each)),
        { ...paidAs(name), Cantidad: 2, 'Novedad desde': '2026-10-05', 'Novedad hasta': '2026-10-06' },
      ),
    }));
    expect(missing).toEqual([]);
  });

  test('is a word of the novelties of payroll/multi-sheet', async () => {
    const missing = await missingOf('word', 'multi-sheet', (mapping, name) => ({
      Empleados: [withoutHeld(name)],
      Novedades: withTogether(name).map((each) => ({
        'Número documento': idOf(name),
        Concepto: wordOf(mapping, 'novelties', each),
        Cantidad: 2,
        ...paidAs(name),
        'Fecha inicio': '2026-10-05',
        'Fecha fin': '2026-10-06',
      })),
    }));
    expect(missing).toEqual([]);
  });

  test('is a sheet of payroll/multi-sheet', async () => {
    const layout = parse(readFileSync('mappings/payroll/multi-sheet.yaml', 'utf8')) as {
      tables: Readonly<Record<string, { of?: string }>>;
    };
    const missing = await missingOf('sheet', 'multi-sheet', (mapping, name) => {
      const id = Object.keys(layout.tables).find((table) => layout.tables[table]!.of === name) ?? name;
      const table = mapping.tables.get(id);
      const [sheet = ''] = [table?.spec.sheet ?? []].flat();
      const ids = table === undefined ? [] : [...table.columns.keys()];
      return {
        Empleados: [withoutHeld(name)],
        ...(table && {
          [sheet.slice(0, 31)]: [
            {
              'Número documento': idOf(name),
              ...cellsOf(
                mapping,
                id,
                ids.filter((column) => !/^payroll_|^document$|^item_day$|^clock_/.test(column)),
              ),
              ...(concepts[name]!.shape === 'overtime' && {
                'Fecha hora inicio': '05/10/2026 18:00',
                'Fecha hora fin': '05/10/2026 20:00',
              }),
            },
          ],
        }),
      };
    });
    expect(missing).toEqual([]);
  });
});
