import { describe, expect, test } from 'vitest';
import { attributesIn, unescapeXml, withAttribute } from '../../src/report/annotate/xml-tags.js';
import { needsQuotePrefix, xmlText } from '../../src/report/cell-xml.js';
import { MAX_NAME_LENGTH } from '../../src/toolkit/core/limits.js';
import { collapse, fold, squash, suggest, wildcard, withoutEnd } from '../../src/toolkit/core/text.js';
import { kindOf } from '../../src/toolkit/documents/footers.js';
import { saysTotal, withoutTime } from '../../src/toolkit/inspect/content.js';
import { distinguishingGroupsOf } from '../../src/toolkit/mapping/classify.js';
import { readTyped } from '../../src/toolkit/mapping/params.js';
import { takePart } from '../../src/toolkit/mapping/parts-source.js';
import { createCellReader, type ReadKind } from '../../src/toolkit/mapping/read/cell.js';
import { isNullWord } from '../../src/toolkit/mapping/read/null-words.js';
import { dateVote, numberVote } from '../../src/toolkit/mapping/vote.js';
import { createLookup } from '../../src/toolkit/schema/catalogue.js';
import { fortnightIn } from '../../src/toolkit/tables/fortnight.js';
import { parseLetterLabel } from '../../src/toolkit/tables/header.js';
import {
  commonName,
  labelsToCompare,
  scoreLabel,
  wordsOfName,
} from '../../src/toolkit/tables/label-score.js';
import { partNamer } from '../../src/toolkit/tables/part-names.js';
import { labelForms, numberedMatcher, titleMatcher } from '../../src/toolkit/tables/titles.js';
import { customFormat } from '../../src/toolkit/tables/xlsx/sheet.js';

/** Pieces that are repeated: each begins something that a pattern looks for, and never ends it. */
const PIECES = [
  ...['0', '1', '9.', '1,', '1 ', '.1', '1.000.', '111,', '1:', '1-', '12/', '1%', '9 ', '99 %', 'E1', '-'],
  ...[
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '  a',
    ' - ',
    '- ',
    'a -',
    ', ',
    ',',
    ';',
    ':',
    '*',
    '**a',
    '_',
    '/',
    '\\',
    '.',
  ],
  ...['(', '( ', '()', ')', '[', '[$', '[$-', '[$-]', '[h', '{', '"', '""', '"a', "'", '$ ', '=', '%', '+'],
  ...[
    'a',
    'aB',
    'A',
    'a.',
    'a. ',
    'A1',
    'a1 ',
    'C00 ',
    'C00, ',
    'ñ',
    'no ',
    'nit ',
    'n.',
    'de ',
    '1q ',
    'q1_',
  ],
  ...[
    '<',
    '<a ',
    '<a',
    '</',
    '&',
    '&#',
    '&#x',
    '&amp',
    '<t',
    '<t ',
    '_x',
    '_x0',
    '_x000D_',
    '?',
    '*?',
    '€',
    '|',
  ],
];
const ENDS = ['', 'x', '!', ' :'];

const attacks = (length: number): readonly string[] =>
  PIECES.flatMap((piece) =>
    ENDS.map((end) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length) + end),
  );

const reader = (kind: ReadKind, options = {}) => createCellReader(kind, options);
const KINDS: readonly ReadKind[] = [
  ...(['text', 'identifier', 'integer', 'money', 'decimal', 'percent', 'date', 'datetime'] as const),
  ...(['date_or_datetime', 'month', 'time', 'boolean', 'cie10', 'cups'] as const),
];
const lookup = createLookup(
  { columns: ['code', 'name'], rows: [{ code: '05001', name: 'Medellín' }] } as never,
  ['code', 'name'],
);
const words = { nomina: ['nom'] };

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  customFormat,
  fold,
  squash,
  collapse,
  isNullWord,
  suggest: (text) => suggest(text, ['Documento']),
  wildcard: (text) => wildcard('*documento*?')(text),
  withoutEnd: (text) => withoutEnd(text, /[\s:*]/),
  labelForms,
  labelsToCompare,
  parseLetterLabel,
  fortnightIn,
  partNamer: partNamer([['Q1', 'Primera quincena']]),
  titleMatcher: (text) => titleMatcher(['Documento', 'Doc*']).closeness(labelForms(text)),
  numberedMatcher: (text) => numberedMatcher(['Bono {n}'])(labelForms(text)),
  numberVote,
  dateVote,
  withoutTime,
  saysTotal,
  kindOf,
  distinguishingGroupsOf: distinguishingGroupsOf([['nomina', 'pago*']]),
  typedMoment: (text) => readTyped({ type: 'datetime' } as never, text),
  lookup: (text) => lookup.find(text, undefined),
  ...Object.fromEntries(
    (['prefix', 'number'] as const).map((part) => [
      `part ${part}`,
      (text: string) => takePart({ pattern: 'prefix_number', part } as never)?.take(text),
    ]),
  ),
  ...Object.fromEntries(KINDS.map((kind) => [`cell ${kind}`, (text: string) => reader(kind)(text, 'text')])),
  xmlText,
  needsQuotePrefix,
  unescapeXml,
  attributesIn: (text) => attributesIn(`<c r="A1" ${text}>`, 0, text.length + 11),
  withAttribute: (text) => withAttribute(`<c r="A1" ${text}>`, 't', 's'),
};

/** Comparing words of two labels is the product of their words: a name is as long as a name can be. */
const NAME_READERS: typeof READERS = {
  scoreLabel: (text) =>
    scoreLabel(text, undefined, { id: 'a', titles: ['Número de documento', 'Salud 4%'] } as never, words),
  wordsOfName: (text) => wordsOfName(text, 'Documento', words),
  commonName: (text) => commonName([text, 'Documento']),
};

const SHORT = 10_000;
const LONG = 100_000;
/** Tenfold text takes ten times as long where time is linear, and a hundred times where it is quadratic. */
const MAX_RATIO = 35;
/** Less is noise; for the short text already more is no linear time. */
const NOISE_MS = 60;

/** The best of some runs, in ms: other programs take time too. */
function timeOf(read: (text: string) => unknown, text: string): number {
  let best = Infinity;
  for (let run = 0; run < 6; run++) {
    const from = performance.now();
    read(text);
    best = Math.min(best, performance.now() - from);
    if (best < NOISE_MS) break;
  }
  return best;
}

/** The first text for which a reader takes more than linear time, with the ms it took. */
function slowText(read: (text: string) => unknown, [short, long]: readonly [number, number]) {
  const longs = attacks(long);
  for (const [at, text] of attacks(short).entries()) {
    const before = timeOf(read, text);
    if (before > NOISE_MS) return { begins: text.slice(0, 8), before };
    const took = timeOf(read, longs[at]!);
    if (took > NOISE_MS && took > MAX_RATIO * before) return { begins: text.slice(0, 8), before, took };
  }
  return undefined;
}

describe('text of others is read in linear time', () => {
  test.each(Object.entries(READERS))('%s', (_, read) => {
    expect(slowText(read, [SHORT, LONG])).toBeUndefined();
  });
  test.each(Object.entries(NAME_READERS))('%s', (_, read) => {
    expect(slowText(read, [MAX_NAME_LENGTH / 10, MAX_NAME_LENGTH])).toBeUndefined();
  });
});

test('the measure finds a quadratic pattern', () => {
  expect(slowText((text) => /\s+$/.test(text), [SHORT, LONG])).toBeDefined();
});
