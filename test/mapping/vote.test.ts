import { describe, expect, test } from 'vitest';
import { readNumberText, readPlainAmount } from '../../src/toolkit/mapping/read/numbers.js';
import {
  dateVote,
  numberVote,
  type Verdict,
  type Voter,
  voteFormats,
} from '../../src/toolkit/mapping/vote.js';
import type { CellKind, Row } from '../../src/toolkit/tables/table.js';

test.each<[string, string | undefined]>([
  ['1.423.500,00', 'comma'],
  ['1,5', 'comma'],
  ['1,50', 'comma'],
  ['1.750.905', 'comma'],
  ['$ 1.750.905', 'comma'],
  ['-1.750.905', 'comma'],
  ["1'423.500,00", 'comma'],
  ['0,350', 'comma'],
  ['1234,567', 'comma'],
  ['12,5 %', 'comma'],
  ['1750905.00', 'dot'],
  ['1,750,905', 'dot'],
  ['(1,750,905.5)', 'dot'],
  ["1'750'905", 'dot'],
  ['0.350', 'dot'],
  ['0.00', 'dot'],
  ['.5', 'dot'],
  ['1.500', 'ambiguous'],
  ['1,500', 'ambiguous'],
  ['$ 999.999', 'ambiguous'],
  ['-1.500', 'ambiguous'],
  ["1'423.500", 'comma'],
  ['1750905', undefined],
  ['007', undefined],
  ['$ 1 423 500', undefined],
  ['1.5E+06', undefined],
  ['1,5E+06', undefined],
  ['-', undefined],
  ['.', undefined],
  ['', undefined],
  ['N/A', undefined],
  ['1.5.000', undefined],
  ['31.10.2026', undefined],
])('the text %s speaks for %s', (text, style) => expect(numberVote(text)).toBe(style));

test.each<[string, string | undefined]>([
  ['31/10/2026', 'dmy'],
  ['31-10-26', 'dmy'],
  ['13.01.2026', 'dmy'],
  ['31/10/2026 7:00 p. m.', 'dmy'],
  ['10/31/2026', 'mdy'],
  ['10/31/2026 19:00', 'mdy'],
  ['03/04/2026', 'ambiguous'],
  ['3/4/26 08:00', 'ambiguous'],
  ['04/04/2026', undefined],
  ['2026-10-31', undefined],
  ['2026/10/31', undefined],
  ['20261031', undefined],
  ['31-oct-26', undefined],
  ['Oct 31, 2026', undefined],
  ['31/02/2026', undefined],
  ['pronto', undefined],
])('the date %s speaks for %s', (text, order) => expect(dateVote(text)).toBe(order));

/** Every text of up to six of these characters. */
function* texts(): Generator<string> {
  let last = [''];
  for (let length = 1; length <= 6; length++) {
    last = last.flatMap((text) => ['0', '1', '.', ','].map((char) => text + char));
    yield* last;
  }
}

test('the short ways say what the long way says', () => {
  for (const text of texts()) {
    // A blank before it keeps a text off the short ways.
    const [comma, dot] = (['comma', 'dot'] as const).map((style) => readNumberText(` ${text}`, style));
    const value = (reading: typeof comma) => (reading?.kind === 'number' ? reading.decimal : undefined);
    const [asComma, asDot] = [value(comma), value(dot)];
    const said = asComma === asDot ? undefined : !asDot ? 'comma' : !asComma ? 'dot' : ('ambiguous' as const);
    expect([text, numberVote(text)]).toEqual([text, said]);
    for (const [style, expected] of [
      ['comma', asComma],
      ['dot', asDot],
      [undefined, said === 'ambiguous' ? undefined : (asComma ?? asDot)],
    ] as const) {
      const plain = readPlainAmount(text, style);
      if (plain !== undefined) expect([text, style, plain]).toEqual([text, style, expected]);
    }
  }
});

const rowsOf = (
  columns: readonly (readonly (string | undefined)[])[],
  kinds?: readonly (readonly (CellKind | undefined)[])[],
): Row[] =>
  Array.from({ length: Math.max(...columns.map(({ length }) => length)) }, (_, at) => ({
    number: at + 2,
    hidden: false,
    texts: columns.map((cells) => cells[at]),
    kinds: kinds?.map((column) => column[at]),
  }));

const voter = (index: number, kind: Voter['kind'] = 'decimal', declared?: Voter['declared']): Voter => ({
  id: `c${index}`,
  index,
  kind,
  ...(declared && { declared }),
});

const cell = (evidence: Verdict['evidence']): string | undefined =>
  evidence && `${evidence.index}/${evidence.row.number} ${evidence.text}`;

/** `by style evidence ! against ? ambiguous`, as far as they are there. */
const shown = ({ by, style, evidence, against, ambiguous }: Verdict): string =>
  [by, style, cell(evidence), against && `! ${cell(against)}`, ambiguous && `? ${cell(ambiguous)}`]
    .filter(Boolean)
    .join(' ');

const verdictsOf = (voters: readonly Voter[], rows: readonly Row[]): string[] => {
  const verdicts = voteFormats(voters, rows);
  return voters.map(({ id }) => shown(verdicts.get(id)!));
};

describe('a table votes', () => {
  test.each<[string, readonly (readonly string[])[], readonly string[]]>([
    ['one column for itself', [['1.500', '2.500,50', '7']], ['column comma 0/3 2.500,50 ? 0/2 1.500']],
    ['most cells win', [['1.5', '2,5', '3,5']], ['column comma 0/3 2,5 ! 0/2 1.5']],
    ['of as many the first', [['1.5', '2,5']], ['column dot 0/2 1.5 ! 0/3 2,5']],
    [
      'for a column that does not tell',
      [['1.500'], ['2,5']],
      ['table comma 1/2 2,5 ? 0/2 1.500', 'column comma 1/2 2,5'],
    ],
    ['and for one that need not', [['15'], ['2,5']], ['unneeded comma 1/2 2,5', 'column comma 1/2 2,5']],
    [
      'not when its columns differ',
      [['1.500'], ['2,5'], ['2.5'], ['4']],
      ['undecided ? 0/2 1.500', 'column comma 1/2 2,5', 'column dot 2/2 2.5', 'unneeded'],
    ],
    [
      'nor when one of them contradicts itself',
      [['1.500'], ['2,5', '2.5']],
      ['undecided ? 0/2 1.500', 'column comma 1/2 2,5 ! 1/3 2.5'],
    ],
    ['nobody tells', [['1.500'], ['7']], ['undecided ? 0/2 1.500', 'unneeded']],
  ])('%s', (_, columns, expected) => {
    const voters = columns.map((_cells, index) => voter(index));
    expect(verdictsOf(voters, rowsOf(columns))).toEqual(expected);
  });

  test('on dates apart from numbers', () => {
    const rows = rowsOf([['03/04/2026'], ['10/31/2026'], ['1.500'], ['1,5']]);
    const voters = [voter(0, 'date'), voter(1, 'date'), voter(2), voter(3)];
    expect(verdictsOf(voters, rows)).toEqual([
      'table mdy 1/2 10/31/2026 ? 0/2 03/04/2026',
      'column mdy 1/2 10/31/2026',
      'table comma 3/2 1,5 ? 2/2 1.500',
      'column comma 3/2 1,5',
    ]);
  });

  test('without asking the cells of a declared column, which speaks for itself alone', () => {
    const voters = [voter(0, 'decimal', 'dot'), voter(1), voter(2, 'date', 'mdy')];
    expect(verdictsOf(voters, rowsOf([['1,5'], ['1.500'], ['31/10/2026']]))).toEqual([
      'declared dot',
      'undecided ? 1/2 1.500',
      'declared mdy',
    ]);
  });

  test('with its cells of text only', () => {
    const columns = [
      ['1.5', '1.500', '2,5', '#N/A'],
      ['1.5', undefined, '1.500', '3.5'],
    ];
    const kinds: (CellKind | undefined)[][] = [
      ['number', 'number', 'text', 'error'],
      ['number', undefined, 'number', 'uncached'],
    ];
    expect(verdictsOf([voter(0), voter(1)], rowsOf(columns, kinds))).toEqual([
      'column comma 0/4 2,5',
      'unneeded comma 0/4 2,5',
    ]);
  });

  test('with no rows, and with nobody to ask', () => {
    expect(verdictsOf([voter(0)], [])).toEqual(['unneeded']);
    expect(voteFormats([], rowsOf([['1.5']])).size).toBe(0);
  });
});

test.each([
  ['one of thirteen', 12, 1, true],
  ['one of five', 4, 1, true],
  ['one of three', 2, 1, false],
  ['a quarter and more', 8, 3, false],
])('a style is clear against few other cells: %s', (_, cells, others, isClear) => {
  const texts = [...Array(others).fill('04/30/2025'), ...Array(cells).fill('26/07/2017'), '05/11/2023'];
  const verdict = voteFormats([{ id: 'a', index: 0, kind: 'date' }], rowsOf([texts])).get('a');
  expect(verdict).toMatchObject({ style: 'dmy', by: 'column', witnesses: cells, ambiguousCells: 1 });
  expect(verdict?.isClear === true).toBe(isClear);
  expect(verdict?.against?.text).toBe('04/30/2025');
});

test.each<[string, readonly string[], string | undefined]>([
  ['hyphens, as ISO has them', ['31-10-00', '19-03-05'], '19-03-05'],
  ['other signs where years are in full elsewhere', ['31/10/2026', '15/05/25'], '15/05/25'],
  ['other signs in a column of short years', ['31/10/26', '15/05/25'], undefined],
  ['no date with its year first', ['31/10/2026', '15/05/00', '05/31/26'], undefined],
])('the first two digits may be the year: %s', (_, texts, expected) => {
  const rows = rowsOf([texts]);
  expect(voteFormats([voter(0, 'date')], rows).get('c0')!.shortYear?.text).toBe(expected);
});
