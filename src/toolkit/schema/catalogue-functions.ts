import type { PlainDate } from '../core/plain-date.js';
import { compare, multiply } from '../formula/compile.js';
import type { Absent, FormulaValue, WordFunction } from '../formula/functions.js';
import {
  type Catalogue,
  type CatalogueRow,
  isDatedTable,
  publishedTable,
  wholeCatalogue,
} from './catalogue.js';
import { cellOf } from './catalogue-text.js';
import { figureOn, isDated, MissingFigure, rowsOn } from './dated-rows.js';

/** Finds a code list or a table of dated figures by name. */
type Lists = (name: string) => Catalogue | undefined;

const filled = (text: string | undefined): FormulaValue => (text === '' ? undefined : text);

function listWith(lists: Lists, name: string, ...columns: readonly string[]): Catalogue | undefined {
  const list = lists(name);
  return columns.every((column) => list?.columns.includes(column)) ? list : undefined;
}

function byId(lists: Lists, name: string, column: string): ((id: string) => FormulaValue) | undefined {
  const list = listWith(lists, name, 'id', column);
  if (list === undefined) return undefined;
  const values = new Map(list.rows.map((row) => [cellOf(row, 'id'), filled(row[column])]));
  return (id) => values.get(id);
}

/** Finds the value of an amount's step; steps rise and are counted in units. Blank below the first. */
function stepOf(rows: readonly CatalogueRow[], column: string, from: string) {
  let unit = '';
  let thresholds: readonly string[] = [];
  return (amount: string, of: string): FormulaValue => {
    if (of !== unit) {
      thresholds = rows.map((row) => multiply(cellOf(row, from), of));
      unit = of;
    }
    const next = thresholds.findIndex((threshold) => compare(amount, threshold) < 0);
    return next === 0 ? undefined : filled(rows.at(next < 0 ? -1 : next - 1)?.[column]);
  };
}

/**
 * Returns a lookup of a column on a date, by the text of another column; an unknown text is blank if
 * `isOptional`.
 */
function figureBy(list: Catalogue, by: string, column: string, isOptional: boolean) {
  const texts = new Set(list.rows.map((row) => cellOf(row, by)));
  const rowsOf = (text: string) => list.rows.filter((row) => row[by] === text);
  const figures = new Map([...texts].map((text) => [text, figureOn(list, column, rowsOf(text))]));
  return (text: string, date: string): FormulaValue => {
    try {
      return figures.get(text)?.(date);
    } catch (error) {
      if (isOptional && error instanceof MissingFigure) return undefined;
      throw error;
    }
  };
}

type Asked = ((code: string) => FormulaValue) | Absent | undefined;

/** Returns what is missing of a published table that is not loaded or lacks the column. */
function absent(lists: Lists, name: string, column: string): Absent | undefined {
  const table = publishedTable(name);
  if (table === undefined || (column !== 'code' && table.columns[column] === undefined)) return undefined;
  return { absent: lists(name) === undefined ? name : `${name}.${column}` };
}

/** Derives a value from a list, once per version; undefined on days without a version. */
function madeOf<T>(
  {
    lists,
    name,
    columns,
  }: { readonly lists: Lists; readonly name: string; readonly columns: readonly string[] },
  list: Catalogue,
  make: (list: Catalogue) => T,
): () => T | undefined {
  if (!isDatedTable(name)) {
    let made: T | undefined;
    return () => {
      made ??= make(list);
      return made;
    };
  }
  const byVersion = new Map<Catalogue, T>();
  return () => {
    const version = listWith(lists, name, ...columns);
    if (version === undefined) return undefined;
    if (!byVersion.has(version)) byVersion.set(version, make(version));
    return byVersion.get(version);
  };
}

/** Returns a test of whether a column of a list has a text. */
function membership(lists: Lists, name: string, column: string): Asked {
  const list = listWith(lists, name, column);
  if (list === undefined) return absent(lists, name, column);
  const texts = madeOf(
    { lists, name, columns: [column] },
    list,
    ({ rows }) => new Set(rows.map((row) => cellOf(row, column))),
  );
  return (text) => texts()?.has(text);
}

function byCode(lists: Lists, name: string, column: string): Asked {
  const list = listWith(lists, name, 'code', column);
  if (list === undefined) return absent(lists, name, column);
  const values = madeOf(
    { lists, name, columns: ['code', column] },
    list,
    ({ rows }) => new Map(rows.map((row) => [cellOf(row, 'code'), filled(row[column])])),
  );
  return (code) => values()?.get(code);
}

/** Binds a function to a dated list with these columns; undefined if there is none. */
function withDated<T>(
  lists: Lists,
  name: string,
  columns: readonly string[],
  bind: (list: Catalogue) => T,
): T | undefined {
  const list = listWith(lists, name, ...columns);
  return isDated(list) ? bind(list) : undefined;
}

/** Returns a function that removes from a text the code of a list that it begins with. */
function afterCode(lists: Lists, name: string): ((text: string) => FormulaValue) | undefined {
  const codes = listWith(lists, name, 'code')?.rows.map((row) => cellOf(row, 'code').toUpperCase());
  if (codes === undefined) return undefined;
  return (text) => {
    const capitals = text.toUpperCase();
    const begins = codes.find((code) => capitals.startsWith(code));
    return begins === undefined ? undefined : text.slice(begins.length);
  };
}

/** Functions of rules over code lists. */
const codeFunctions = (lists: Lists): Readonly<Record<string, WordFunction>> => ({
  entry: {
    words: 2,
    inputs: ['decimal'],
    gives: 'text',
    about: "entry('list', 'column', id): what a code list says of one of its ids.",
    bind: (name, column) => byId(lists, name, column),
  },
  entry_number: {
    words: 2,
    inputs: ['decimal'],
    gives: 'decimal',
    about: "entry_number('list', 'column', id): the same, as a number.",
    bind: (name, column) => byId(lists, name, column),
  },
  has: {
    words: 1,
    inputs: ['text'],
    gives: 'boolean',
    about: "has('list', code): whether a code list has a code.",
    bind: (name) => membership(lists, name, 'code'),
  },
  loaded: {
    words: 1,
    inputs: [],
    gives: 'boolean',
    about: "loaded('list'): whether a code list is at hand, for what is said only until it is.",
    bind: (name) => {
      const isLoaded = lists(name) !== undefined;
      return () => isLoaded;
    },
  },
  has_value: {
    words: 2,
    inputs: ['text'],
    gives: 'boolean',
    about: "has_value('list', 'column', text): whether some entry of a code list says so.",
    bind: (name, column) => membership(lists, name, column),
  },
  says: {
    words: 2,
    inputs: ['text'],
    gives: 'text',
    about: "says('list', 'column', code): what a code list says of one of its codes.",
    bind: (name, column) => byCode(lists, name, column),
  },
  says_number: {
    words: 2,
    inputs: ['text'],
    gives: 'decimal',
    about: "says_number('list', 'column', code): the same, as a number.",
    bind: (name, column) => byCode(lists, name, column),
  },
  after_code: {
    words: 1,
    inputs: ['text'],
    gives: 'text',
    about:
      "after_code('list', text): what comes in a text after the first code of a list that it begins with.",
    bind: (name) => afterCode(lists, name),
  },
});

/** Returns a lookup among the steps in force on a date. */
function stepsOf(list: Catalogue, column: string, from: string) {
  const holds = figureOn(list, column);
  const steps = new Map<string, ReturnType<typeof stepOf>>();
  return (amount: string, unit: string, date: string): FormulaValue => {
    let step = steps.get(date);
    if (step === undefined) {
      holds(date);
      step = stepOf(rowsOn(list.rows, date as PlainDate), column, from);
      steps.set(date, step);
    }
    return step(amount, unit);
  };
}

/** Returns a lookup of the figure of a name in force on a date. */
function namedFigure(list: Catalogue, column: string, name: string) {
  const rows = list.rows.filter((row) => row['name'] === name);
  return rows.length > 0 ? figureOn(list, column, rows) : undefined;
}

/** Functions of rules over dated tables. */
const figureFunctions = (lists: Lists): Readonly<Record<string, WordFunction>> => ({
  figure: {
    words: 2,
    inputs: ['date'],
    gives: 'decimal',
    about: "figure('table', 'column', date): the figure in force on a date.",
    bind: (name, column) => withDated(lists, name, [column], (list) => figureOn(list, column)),
  },
  figure_text: {
    words: 2,
    inputs: ['date'],
    gives: 'text',
    about: "figure_text('table', 'column', date): the same, as text.",
    bind: (name, column) => withDated(lists, name, [column], (list) => figureOn(list, column)),
  },
  last_figure: {
    words: 2,
    inputs: ['date'],
    gives: 'decimal',
    about: "last_figure('table', 'column', date): the figure of a year, else the last one known before it.",
    bind: (name, column) => {
      const list = listWith(lists, name, 'year', column);
      const latest = list?.rows.toSorted((a, b) => Number(b['year']) - Number(a['year']));
      return latest && ((date) => latest.find((row) => cellOf(row, 'year') <= date)?.[column]);
    },
  },
  figure_of: {
    words: 2,
    inputs: ['decimal', 'date'],
    gives: 'decimal',
    about: "figure_of('table', 'column', id, date): the figure of an id in force on a date.",
    bind: (name, column) =>
      withDated(lists, name, ['id', column], (list) => figureBy(list, 'id', column, false)),
  },
  named_figure: {
    words: 3,
    inputs: ['date'],
    gives: 'decimal',
    about: "named_figure('table', 'column', 'name', date): the figure of that name in force on a date.",
    bind: (name, column, called) =>
      withDated(lists, name, ['name', column], (list) => namedFigure(list, column, called)),
  },
  says_on: {
    words: 2,
    inputs: ['text', 'date'],
    gives: 'text',
    about: "says_on('table', 'column', code, date): what a table says of a code on a date; blank if nothing.",
    bind: (name, column) =>
      withDated(lists, name, ['code', column], (list) => figureBy(list, 'code', column, true)),
  },
  says_number_on: {
    words: 2,
    inputs: ['text', 'date'],
    gives: 'decimal',
    about: "says_number_on('table', 'column', code, date): the same, as a number.",
    bind: (name, column) =>
      withDated(lists, name, ['code', column], (list) => figureBy(list, 'code', column, true)),
  },
  step: {
    words: 3,
    inputs: ['decimal', 'decimal', 'date'],
    gives: 'decimal',
    about:
      "step('table', 'column', 'from', amount, unit, date): the value of the step that so many units stand on, of the steps in force on a date.",
    bind: (name, column, from) =>
      withDated(lists, name, [column, from], (list) => stepsOf(list, column, from)),
  },
});

/**
 * Creates the functions of rules over schemas/catalogues. Each is blank if no row applies, so rules without
 * data are silent.
 */
export const catalogueFunctions = (
  lists: Lists = wholeCatalogue,
): Readonly<Record<string, WordFunction>> => ({ ...codeFunctions(lists), ...figureFunctions(lists) });
