import type { StoredRow } from './row-store.js';
import type { CellKind } from './table.js';

/** A row as JSON on one line: table, number, line, hidden, a letter for each cell's kind, texts. */
type Packed = [number, number, number, 0 | 1, string | 0, readonly (string | null | undefined)[]];

const LETTERS: Readonly<Record<CellKind, string>> = {
  text: 't',
  number: 'n',
  date: 'd',
  boolean: 'b',
  error: 'e',
  uncached: 'u',
};
const NONE = '-';
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as CellKind]));

function lettersOf(kinds: readonly (CellKind | undefined)[]): string {
  let letters = '';
  for (const kind of kinds) letters += kind === undefined ? NONE : LETTERS[kind];
  return letters;
}

export function packRow({ table, row }: StoredRow): string {
  const { number, line = 0, hidden, texts, kinds } = row;
  return JSON.stringify([
    table,
    number,
    line,
    hidden ? 1 : 0,
    kinds ? lettersOf(kinds) : 0,
    texts,
  ] satisfies Packed);
}

function unpack([table, number, line, hidden, letters, texts]: Packed): StoredRow {
  return {
    table,
    row: {
      number,
      ...(line !== 0 && { line }),
      hidden: hidden === 1,
      texts: texts.map((text) => text ?? undefined),
      kinds: letters === 0 ? undefined : Array.from(letters, (letter) => KINDS.get(letter)),
    },
  };
}

/** Rows written by packRow, joined by commas. */
export const unpackRows = (texts: string): StoredRow[] => (JSON.parse(`[${texts}]`) as Packed[]).map(unpack);
