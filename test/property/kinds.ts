import type { Chance } from '../chaos/chance.js';
import type { Cell, Change } from './book.js';
import { cellKey, type Fed, type Scene } from './scene.js';

/** A change of the files, and what the documents are to be compared with. */
export interface Trial {
  readonly changes: readonly Change[];
  /** What it should be read as. @default the files as they are */
  readonly reference?: readonly Change[];
  /** Cells that an issue may name beside the changed ones. */
  readonly about?: readonly Cell[];
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A way in which files differ though they mean the same, or mean something that must not be overheard. */
export interface Kind {
  readonly name: string;
  /** What explains a difference. `errors`: only an error. `any`: a warning too. */
  readonly explainedBy: 'errors' | 'any';
  /** What the column means is open: where it still feeds what it fed, an issue must say so. */
  readonly mustBeSaid?: boolean;
  /** Other documents than those of the changed rows may be held back. */
  readonly isOfColumn?: boolean;
  /** Returns undefined where the case has nothing of the kind. */
  trial(scene: Scene, chance: Chance): Trial | undefined;
}

const some = <T>(from: readonly T[], most: number, chance: Chance): T[] => {
  const left = [...from];
  const count = 1 + chance.below(most);
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(chance.below(left.length), 1)[0]!,
  );
};

/** The cells that feed documents, with what they feed. */
const fedCells = ({ book, fed }: Scene): readonly (readonly [cell: Cell, feeds: readonly Fed[]])[] =>
  book.cells.flatMap((cell) => {
    const feeds = fed.get(cellKey(cell));
    return feeds === undefined ? [] : [[cell, feeds] as const];
  });

/** Cells that feed documents; of JSON and XML all texts, of which no cell is known. */
const valuesOf = (scene: Scene): readonly Cell[] =>
  scene.book.cells.filter((cell) => /\.(json|xml)$/.test(cell.file) || scene.fed.has(cellKey(cell)));

const isSameColumn = (one: Cell, other: Cell): boolean =>
  one.file === other.file && one.sheet === other.sheet && one.column === other.column;

/** A column that feeds documents: its title, and its cells below it. */
interface FedColumn {
  readonly title: Cell;
  readonly cells: readonly Cell[];
  readonly feeds: readonly Fed[];
}

function columnsOf(scene: Scene): readonly FedColumn[] {
  const columns = new Map<string, { cells: Cell[]; feeds: Fed[] }>();
  for (const [cell, feeds] of fedCells(scene)) {
    const key = `${cell.file}|${cell.sheet}|${cell.column}`;
    const column = columns.get(key) ?? { cells: [], feeds: [] };
    column.cells.push(cell);
    column.feeds.push(...feeds);
    columns.set(key, column);
  }
  return [...columns.values()].flatMap(({ cells, feeds }) => {
    const [first] = cells;
    const title = scene.book.cells.findLast(
      (cell) => isSameColumn(cell, first!) && cell.row < first!.row && cell.text === feeds[0]!.label,
    );
    if (title === undefined) return [];
    const below = scene.book.cells.filter((cell) => isSameColumn(cell, first!) && cell.row > title.row);
    return [{ title, cells: below, feeds }];
  });
}

const each = (cells: readonly Cell[], change: (text: string) => string): Trial => ({
  changes: cells.flatMap((cell) => {
    const text = change(cell.text);
    return text === cell.text ? [] : [{ cell, text }];
  }),
});

const notEmpty = (trial: Trial): Trial | undefined => (trial.changes.length === 0 ? undefined : trial);

const INVISIBLE = ['\u200b', '\u200e', '\u200f', '\u00ad', '\ufeff', '\u2060', '\u202a', '\u2066'];

const withSign = (text: string, chance: Chance): string => {
  const at = chance.below(text.length + 1);
  return text.slice(0, at) + chance.pick(INVISIBLE) + text.slice(at);
};

const BLANKS = ['\u00a0', '\u2007', '\u202f', '\u3000', '\t', ' ', '  '];

function withBlanks(text: string, chance: Chance): string {
  const inner = text.replaceAll(' ', () => chance.pick(BLANKS.filter((blank) => blank !== '\t')));
  const place = chance.below(3);
  return (place === 1 ? '' : chance.pick(BLANKS)) + inner + (place === 0 ? '' : chance.pick(BLANKS));
}

const NULL_WORDS = [
  ...[
    'NULL',
    'null',
    'N/A',
    'nan',
    'NaN',
    'None',
    '-',
    '\\N',
    '#N/D',
    '.',
    'undefined',
    'n.a.',
    '--',
    '<NA>',
    '(null)',
  ],
];

/** The day and month of a cell that is a date, or that a date is written in. */
function dateIn({ text, kind }: Cell): readonly [year: string, month: string, day: string] | undefined {
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (iso !== null && (kind === 'date' || kind === 'text')) return [iso[1]!, iso[2]!, iso[3]!];
  const dmy = kind === 'text' ? /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) : null;
  return dmy === null ? undefined : [dmy[3]!, dmy[2]!.padStart(2, '0'), dmy[1]!.padStart(2, '0')];
}

/** Forms that can be read in one way only, or must be asked about. */
const dateForms = ([year, month, day]: readonly string[], isClear: boolean): readonly string[] => [
  `${year}/${month}/${day}`,
  `${year}${month}${day}`,
  ...(isClear ? [`${month}/${day}/${year}`, `${day}-${month}-${year}`] : []),
  `${day}.${month}.${year}`,
  `${day}/${month}/${year!.slice(2)}`,
  `${year!.slice(2)}-${month}-${day}`,
  `${year!.slice(2)}/${month}/${day}`,
];

const isAmount = (value: unknown): boolean =>
  typeof value === 'string' ? /^-?\d{3,}\.\d\d$/.test(value) : typeof value === 'number' && value >= 1000;

const AMOUNT = /^\d{4,9}(?:\.\d{1,2})?$/;

function amountForms(text: string): readonly string[] {
  const [whole = '', cents] = text.split('.');
  const grouped = (sign: string): string => whole.replace(/\B(?=(?:\d{3})+$)/g, sign);
  const decimals = (cents ?? '').padEnd(2, '0');
  const forms = [
    `${grouped('.')},${decimals}`,
    `${grouped(',')}.${decimals}`,
    `$ ${grouped('.')},${decimals}`,
  ];
  return cents === undefined ? [...forms, grouped('.'), grouped(','), grouped("'")] : forms;
}

/** The last column of a sheet. */
const lastColumn = ({ book }: Scene, { file, sheet }: Cell): number =>
  Math.max(
    ...book.cells.filter((cell) => cell.file === file && cell.sheet === sheet).map(({ column }) => column),
  );

const beside = (cell: Cell, column: number): Change['cell'] => ({ ...cell, column });

const columnFor = (scene: Scene, pointer: RegExp, chance: Chance): FedColumn | undefined => {
  const found = columnsOf(scene).filter(({ feeds }) => feeds.some((feed) => pointer.test(feed.pointer)));
  return found.length === 0 ? undefined : chance.pick(found);
};

const NEGATIONS: readonly ((title: string) => string)[] = [
  (title) => `No ${title}`,
  (title) => `${title} NS`,
  (title) => `Sin ${title}`,
  (title) => `${title} no prestacional`,
  (title) => `${title} no constitutivo`,
  (title) => `${title} sin carácter salarial`,
];
const NEGATED = /\b(?:no|sin|ns)\b/i;

/** Resolución 3374's list of kinds of user, by the present one. */
const OLD_TYPES: Readonly<Record<string, string>> = {
  '01': '1',
  '02': '1',
  '03': '1',
  '04': '2',
  '05': '3',
  '12': '4',
  '11': '5',
  '06': '5',
  '07': '5',
  '08': '5',
  '10': '5',
};

const IDENTIFIER =
  /identification_number|document_number|account_number|numDocumento|consecutive_number|cufe/i;

/** Numbers of persons, accounts and documents; in JSON every text of many digits. */
const identifiersOf = (scene: Scene): readonly Cell[] =>
  valuesOf(scene).filter(
    (cell) =>
      /^\d{6,}$/.test(cell.text) &&
      (cell.file.endsWith('.json') ||
        scene.fed.get(cellKey(cell))?.some(({ pointer }) => IDENTIFIER.test(pointer)) === true),
  );

export const KINDS: readonly Kind[] = [
  {
    name: 'decomposed',
    explainedBy: 'errors',
    trial: ({ book }) => notEmpty(each(book.cells, (text) => text.normalize('NFD'))),
  },
  {
    name: 'invisible signs',
    explainedBy: 'errors',
    trial: (scene, chance) =>
      notEmpty(each(some(valuesOf(scene), 8, chance), (text) => withSign(text, chance))),
  },
  {
    name: 'odd blanks',
    explainedBy: 'errors',
    trial: (scene, chance) =>
      notEmpty(each(some(valuesOf(scene), 8, chance), (text) => withBlanks(text, chance))),
  },
  {
    name: 'text apostrophe',
    explainedBy: 'errors',
    trial: (scene, chance) =>
      notEmpty(each(some(valuesOf(scene), 8, chance), (text) => (text.startsWith("'") ? text : `'${text}`))),
  },
  {
    name: 'titles that look the same',
    explainedBy: 'errors',
    trial: (scene, chance) => {
      const titles = columnsOf(scene).map(({ title }) => title);
      const change = chance.pick([withSign, withBlanks, (text: string) => text.normalize('NFD')]);
      return titles.length === 0
        ? undefined
        : notEmpty(each(some(titles, 5, chance), (text) => change(text, chance)));
    },
  },
  {
    name: 'null word for a value',
    explainedBy: 'errors',
    trial: (scene, chance) => {
      // Of an XML document nothing but its CUFE goes out.
      const values = valuesOf(scene).filter(({ file }) => !file.endsWith('.xml'));
      if (values.length === 0) return undefined;
      const cells = [chance.pick(values)];
      return {
        // A dash in a column of amounts is a zero.
        changes: cells.map((cell) => ({
          cell,
          text: chance.pick(
            /^\d/.test(cell.text) ? NULL_WORDS.filter((word) => !/^-/.test(word)) : NULL_WORDS,
          ),
        })),
        reference: cells.map((cell) => ({ cell, text: undefined })),
      };
    },
  },
  {
    name: 'null word for a blank',
    explainedBy: 'errors',
    trial: (scene, chance) => {
      const filled = new Set(scene.book.cells.map(cellKey));
      const columns = columnsOf(scene);
      if (columns.length === 0) return undefined;
      const column = chance.pick(columns);
      const rows = new Set(
        columns.flatMap(({ cells, title }) =>
          title.file === column.title.file && title.sheet === column.title.sheet
            ? cells.map(({ row }) => row)
            : [],
        ),
      );
      const blank = [...rows]
        .filter((row) => row > column.title.row)
        .map((row) => ({ ...column.title, row }))
        .filter((cell) => !filled.has(cellKey(cell)));
      return blank.length === 0
        ? undefined
        : { changes: some(blank, 3, chance).map((cell) => ({ cell, text: chance.pick(NULL_WORDS) })) };
    },
  },
  {
    name: 'an odd date',
    explainedBy: 'any',
    trial: (scene, chance) => {
      const dated = fedCells(scene).filter(([cell]) => dateIn(cell) !== undefined);
      if (dated.length === 0) return undefined;
      const [picked] = chance.pick(dated);
      const column = dated.filter(([cell]) => isSameColumn(cell, picked)).map(([cell]) => cell);
      const cell = chance.below(2) === 0 ? column[0]! : chance.pick(column);
      const date = dateIn(cell)!;
      return { changes: [{ cell, text: chance.pick(dateForms(date, Number(date[2]) > 12)) }] };
    },
  },
  {
    name: 'an odd amount',
    explainedBy: 'any',
    trial: (scene, chance) => {
      const amounts = fedCells(scene).filter(
        ([{ text }, feeds]) => AMOUNT.test(text) && feeds.some(({ value }) => isAmount(value)),
      );
      if (amounts.length === 0) return undefined;
      const [picked] = chance.pick(amounts);
      const column = amounts.filter(([cell]) => isSameColumn(cell, picked)).map(([cell]) => cell);
      const cell = chance.below(2) === 0 ? column[0]! : chance.pick(column);
      return { changes: [{ cell, text: chance.pick(amountForms(cell.text)) }] };
    },
  },
  {
    name: 'digits in scientific notation',
    explainedBy: 'any',
    trial: (scene, chance) => {
      const long = valuesOf(scene).filter(
        ({ file, text }) => /^\d{6,}$/.test(text) && !file.endsWith('.xml'),
      );
      if (long.length === 0) return undefined;
      const cell = chance.pick(long);
      const digits = chance.pick([2, 5, 14]);
      return {
        changes: [
          {
            cell,
            text: Number(cell.text)
              .toExponential(digits)
              .replace('e+', 'E+')
              .replace('.', chance.pick(['.', ','])),
          },
        ],
      };
    },
  },
  {
    name: 'a number with a decimal zero',
    explainedBy: 'any',
    trial: (scene, chance) => {
      const found = identifiersOf(scene);
      if (found.length === 0) return undefined;
      const cell = chance.pick(found);
      return { changes: [{ cell, text: `${cell.text}${chance.pick(['.0', ',0', '.00'])}` }] };
    },
  },
  {
    name: 'a number as people write it',
    explainedBy: 'any',
    trial: (scene, chance) => {
      const found = identifiersOf(scene);
      if (found.length === 0) return undefined;
      const cell = chance.pick(found);
      const grouped = (sign: string): string => cell.text.replace(/\B(?=(?:\d{3})+$)/g, sign);
      // Hyphens and blanks are how banks print accounts.
      const isAccount = scene.fed.get(cellKey(cell))?.some(({ pointer }) => /account/.test(pointer)) === true;
      const forms = [
        grouped('.'),
        grouped(','),
        `${cell.text}.`,
        `#${cell.text}`,
        ...(isAccount ? [] : [grouped(' '), `${cell.text}-4`, `CC ${cell.text}`]),
      ];
      return { changes: [{ cell, text: chance.pick(forms) }] };
    },
  },
  {
    name: 'lost zeros',
    explainedBy: 'any',
    isOfColumn: true,
    trial: (scene, chance) => {
      // Only a list tells how long a code is: numbers of documents and accounts have no length of their own.
      const columns = columnsOf(scene).filter(
        ({ cells, feeds }) =>
          cells.some(({ text }) => /^0\d+$/.test(text)) &&
          !feeds.some(({ pointer }) => IDENTIFIER.test(pointer)),
      );
      if (columns.length === 0) return undefined;
      const { cells } = chance.pick(columns);
      return each(chance.below(2) === 0 ? cells : some(cells, 2, chance), (text) =>
        text.replace(/^0+(?=\d+$)/, ''),
      );
    },
  },
  {
    name: 'a percentage as a fraction',
    explainedBy: 'any',
    trial: (scene, chance) => {
      const found = fedCells(scene).filter(
        ([{ text }, feeds]) =>
          /^\d{1,3}$/.test(text) && feeds.some(({ pointer }) => /percent/i.test(pointer)),
      );
      if (found.length === 0) return undefined;
      const [cell] = chance.pick(found);
      return { changes: [{ cell, text: `0${chance.pick([',', '.'])}${cell.text.padStart(2, '0')}` }] };
    },
  },
  {
    name: 'a cell twice in its row',
    explainedBy: 'any',
    trial: (scene, chance) => {
      const cells = fedCells(scene).filter(([{ sheet }]) => sheet !== undefined);
      if (cells.length === 0) return undefined;
      const [cell] = chance.pick(cells);
      return { changes: [{ cell, text: chance.pick(['999', cell.text, 'x']), isSecond: true }] };
    },
  },
  {
    name: 'a municipality in two columns',
    explainedBy: 'any',
    isOfColumn: true,
    trial: (scene, chance) => {
      const column = columnFor(scene, /municipality|codMunicipio/, chance);
      const codes = column?.cells.filter(({ text }) => /^\d{4,5}$/.test(text)) ?? [];
      if (column === undefined || codes.length === 0 || codes.length < column.cells.length) return undefined;
      const at = lastColumn(scene, column.title) + 1;
      const isNumber = chance.below(2) === 0;
      const half = (text: string): string => (isNumber ? String(Number(text)) : text);
      const [first, second] = chance.pick([
        ['Código departamento', 'Código municipio'],
        ['COD DPTO', 'COD MPIO'],
        ['Departamento', 'Municipio'],
        ['codDepartamento', column.title.text],
      ]);
      return {
        changes: [
          { cell: beside(column.title, at), text: first },
          { cell: column.title, text: second },
          ...codes.flatMap((cell) => {
            const code = cell.text.padStart(5, '0');
            return [
              { cell: beside(cell, at), text: half(code.slice(0, 2)) },
              { cell, text: half(code.slice(2)) },
            ];
          }),
        ],
      };
    },
  },
  {
    name: 'a negated title',
    explainedBy: 'any',
    mustBeSaid: true,
    isOfColumn: true,
    trial: (scene, chance) => {
      const amounts = columnsOf(scene).filter(
        ({ title, cells, feeds }) =>
          cells.some(({ text }) => AMOUNT.test(text)) &&
          feeds.some(({ pointer, value }) => isAmount(value) && !IDENTIFIER.test(pointer)) &&
          !NEGATED.test(title.text),
      );
      if (amounts.length === 0) return undefined;
      const { title } = chance.pick(amounts);
      return { changes: [{ cell: title, text: chance.pick(NEGATIONS)(title.text) }] };
    },
  },
  {
    name: 'two equal columns',
    explainedBy: 'any',
    mustBeSaid: true,
    isOfColumn: true,
    trial: (scene, chance) => {
      const columns = columnsOf(scene);
      if (columns.length === 0) return undefined;
      const { title, cells } = chance.pick(columns);
      const at = lastColumn(scene, title) + 1;
      const copies = [title, ...cells].map((cell) => ({ cell: beside(cell, at), text: cell.text }));
      return { changes: copies, about: [title] };
    },
  },
  {
    name: 'kinds of user of the old list',
    explainedBy: 'any',
    isOfColumn: true,
    trial: (scene, chance) => {
      const column = columnFor(scene, /tipoUsuario/, chance);
      // Ids of the service are another list, by their title.
      if (column === undefined || /_id$/.test(column.title.text)) return undefined;
      const present = new Map(
        column.cells.map((cell) => [
          cell.text,
          String(scene.fed.get(cellKey(cell))?.find(({ pointer }) => /tipoUsuario/.test(pointer))?.value),
        ]),
      );
      const changes = column.cells.flatMap((cell) => {
        const old = OLD_TYPES[present.get(cell.text)!];
        return old === undefined ? [] : [{ cell, text: old }];
      });
      return changes.length < column.cells.length ? undefined : { changes };
    },
  },
  {
    name: 'parameters that look the same',
    explainedBy: 'errors',
    trial: ({ own }, chance) => {
      const change = chance.pick([withSign, withBlanks, (text: string) => `'${text}`]);
      const texts = Object.entries(own.params).filter(([, value]) => typeof value === 'string');
      if (texts.length === 0) return undefined;
      const [name, text] = chance.pick(texts);
      return { changes: [], params: { ...own.params, [name]: change(String(text), chance) } };
    },
  },
];
