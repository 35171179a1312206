import { type Issue, warning } from '../core/issue.js';
import type { PlainDate } from '../core/plain-date.js';
import { compare, multiply } from '../formula/compile.js';
import type { Absent, FormulaValue, WordFunction } from '../formula/functions.js';
import { type Catalogue, type CatalogueRow, publishedTable, wholeCatalogue } from './catalogue.js';

/** What the checks of a table would have been: how many documents they were due for, and by whose rules. */
interface Due {
  documents: number;
  lastDocument: number;
  readonly rules: Set<string>;
}

/** Tables that rules needed in a run and that are not loaded: said once each, never passed over in silence. */
export class UncheckedTables {
  private readonly due = new Map<string, Due>();
  /** The same by the list that a rule gives, which is one object for each rule. */
  private readonly byRule = new Map<readonly string[], readonly Due[]>();
  private document = 0;

  /** A document is about to be checked. */
  begin(): void {
    this.document += 1;
  }

  /** A rule of the document could not be checked, for want of these tables. */
  add(tables: readonly string[], rule: string): void {
    let dues = this.byRule.get(tables);
    if (dues === undefined) {
      dues = tables.map((table) => this.dueOf(table, rule));
      this.byRule.set(tables, dues);
    }
    for (const due of dues) {
      if (due.lastDocument === this.document) continue;
      due.lastDocument = this.document;
      due.documents += 1;
    }
  }

  /** Whether the document is counted for these tables, and the rule that gives the list known: nothing to add. */
  isCounted(tables: readonly string[]): boolean {
    return this.byRule.get(tables)?.every(({ lastDocument }) => lastDocument === this.document) === true;
  }

  private dueOf(table: string, rule: string): Due {
    let due = this.due.get(table);
    if (due === undefined) {
      due = { documents: 0, lastDocument: 0, rules: new Set() };
      this.due.set(table, due);
    }
    due.rules.add(rule);
    return due;
  }

  /** A warning a table: `table` is what `cargue catalogue import --as` calls it, with the column where only that is missing. */
  issues(): readonly Issue[] {
    return [...this.due].sort().map(([needed, { documents, rules }]) => {
      const [table = needed, column] = needed.split('.');
      const params = { table, documents, rules: [...rules].sort().join(', ') };
      return column === undefined
        ? warning('catalogue/not-loaded', params)
        : warning('catalogue/column-missing', { ...params, column });
    });
  }
}

/** Finds a code list or a table of dated figures by name. */
export type Lists = (name: string) => Catalogue | undefined;

const filled = (text: string | undefined): FormulaValue => (text === '' ? undefined : text);

/** The list, where it has all these columns. */
function listWith(lists: Lists, name: string, ...columns: readonly string[]): Catalogue | undefined {
  const list = lists(name);
  return columns.every((column) => list?.columns.includes(column)) ? list : undefined;
}

/** The figure in force on a date: of rows by `year` that of the year, of rows by `valid_from` the last that began. */
function inForce(rows: readonly CatalogueRow[], column: string): (date: PlainDate) => FormulaValue {
  const byYear = rows[0]?.['year'] !== undefined;
  const latest = rows.toSorted((a, b) => (a['valid_from']! < b['valid_from']! ? 1 : -1));
  const holds = byYear
    ? (row: CatalogueRow, date: PlainDate) => date.startsWith(row['year']!)
    : (row: CatalogueRow, date: PlainDate) => row['valid_from']! <= date;
  let asked = '';
  let figure: FormulaValue;
  return (date) => {
    if (date === asked) return figure; // documents of a file have one date
    asked = date;
    figure = filled((byYear ? rows : latest).find((row) => holds(row, date))?.[column]);
    return figure;
  };
}

function isDated(list: Catalogue | undefined): list is Catalogue {
  return list !== undefined && (list.columns.includes('year') || list.columns.includes('valid_from'));
}

function byId(lists: Lists, name: string, column: string): ((id: string) => FormulaValue) | undefined {
  const list = listWith(lists, name, 'id', column);
  if (list === undefined) return undefined;
  const values = new Map(list.rows.map((row) => [row['id']!, filled(row[column])]));
  return (id) => values.get(id);
}

/** The value of the step that an amount stands on, the steps rising and counted in units; blank below the first. */
function stepOf(rows: readonly CatalogueRow[], column: string, from: string) {
  let unit = '';
  let thresholds: readonly string[] = [];
  return (amount: string, of: string): FormulaValue => {
    if (of !== unit) {
      thresholds = rows.map((row) => multiply(row[from]!, of));
      unit = of;
    }
    const next = thresholds.findIndex((threshold) => compare(amount, threshold) < 0);
    return next === 0 ? undefined : filled(rows.at(next < 0 ? -1 : next - 1)?.[column]);
  };
}

type Asked = ((code: string) => FormulaValue) | Absent | undefined;

/** Of a published table that is not loaded, or whose file had no such column, what is missing. */
function absent(lists: Lists, name: string, column: string): Absent | undefined {
  const table = publishedTable(name);
  if (table === undefined || (column !== 'code' && table.columns[column] === undefined)) return undefined;
  return { absent: lists(name) === undefined ? name : `${name}.${column}` };
}

/** What says whether a column of a list has a text. */
function membership(lists: Lists, name: string, column: string): Asked {
  const list = listWith(lists, name, column);
  if (list === undefined) return absent(lists, name, column);
  let texts: ReadonlySet<string> | undefined;
  return (text) => {
    texts ??= new Set(list.rows.map((row) => row[column]!));
    return texts.has(text);
  };
}

/** What a list says of a code. */
function byCode(lists: Lists, name: string, column: string): Asked {
  const list = listWith(lists, name, 'code', column);
  if (list === undefined) return absent(lists, name, column);
  let values: ReadonlyMap<string, FormulaValue> | undefined;
  return (code) => {
    values ??= new Map(list.rows.map((row) => [row['code']!, filled(row[column])]));
    return values.get(code);
  };
}

/** Functions of rules over schemas/catalogues. Each is blank where no row applies: a rule without data is silent. */
export const catalogueFunctions = (
  lists: Lists = wholeCatalogue,
): Readonly<Record<string, WordFunction>> => ({
  entry: {
    words: 2,
    inputs: ['decimal'],
    gives: 'text',
    about: "entry('list', 'column', id): what a code list says of one of its ids.",
    bind: (name, column) => byId(lists, name!, column!),
  },
  entry_number: {
    words: 2,
    inputs: ['decimal'],
    gives: 'decimal',
    about: "entry_number('list', 'column', id): the same, as a number.",
    bind: (name, column) => byId(lists, name!, column!),
  },
  has: {
    words: 1,
    inputs: ['text'],
    gives: 'boolean',
    about: "has('list', code): whether a code list has a code.",
    bind: (name) => membership(lists, name!, 'code'),
  },
  has_value: {
    words: 2,
    inputs: ['text'],
    gives: 'boolean',
    about: "has_value('list', 'column', text): whether some entry of a code list says so.",
    bind: (name, column) => membership(lists, name!, column!),
  },
  says: {
    words: 2,
    inputs: ['text'],
    gives: 'text',
    about: "says('list', 'column', code): what a code list says of one of its codes.",
    bind: (name, column) => byCode(lists, name!, column!),
  },
  says_number: {
    words: 2,
    inputs: ['text'],
    gives: 'decimal',
    about: "says_number('list', 'column', code): the same, as a number.",
    bind: (name, column) => byCode(lists, name!, column!),
  },
  figure: {
    words: 2,
    inputs: ['date'],
    gives: 'decimal',
    about: "figure('table', 'column', date): the figure in force on a date.",
    bind: (name, column) => {
      const list = listWith(lists, name!, column!);
      return isDated(list) ? inForce(list.rows, column!) : undefined;
    },
  },
  figure_of: {
    words: 2,
    inputs: ['decimal', 'date'],
    gives: 'decimal',
    about: "figure_of('table', 'column', id, date): the figure of an id in force on a date.",
    bind: (name, column) => {
      const list = listWith(lists, name!, 'id', column!);
      if (!isDated(list)) return undefined;
      const ids = new Set(list.rows.map((row) => row['id']!));
      const rowsOf = (id: string) => list.rows.filter((row) => row['id'] === id);
      const figures = new Map([...ids].map((id) => [id, inForce(rowsOf(id), column!)]));
      return (id, date) => figures.get(id)?.(date);
    },
  },
  step: {
    words: 3,
    inputs: ['decimal', 'decimal'],
    gives: 'decimal',
    about:
      "step('table', 'column', 'from', amount, unit): the value of the step that so many units stand on.",
    bind: (name, column, from) => {
      const list = listWith(lists, name!, column!, from!);
      return list === undefined ? undefined : stepOf(list.rows, column!, from!);
    },
  },
});
