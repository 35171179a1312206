import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readCodes, readTexts } from '../../src/codegen/messages.js';
import { rulesOf } from '../../src/codegen/pages.js';
import { readRuleFiles } from '../../src/codegen/schema-files.js';
import { countsIn, readings, type Sentence, sentences } from '../../src/codegen/sentences.js';
import { CATALOGUES } from '../../src/generated/texts-catalogue.js';
import { blanksIn, fillBlanks } from '../../src/toolkit/core/blanks.js';

const ALL = sentences(readTexts('.'), readCodes('.'), readRuleFiles('schemas').flatMap(rulesOf));
const nameOf = ({ of, key }: Sentence): string => `${of} ${key}`;

/** What is typed, named or quoted is no prose: commands, options, keys, codes, files, blanks. */
const prose = (text: string): string =>
  readings(text)
    .join(' ')
    .replaceAll(/‹\w+›/g, ' ')
    .replaceAll(/[«"“`][^»"”`]*[»"”`]/g, ' ')
    .replaceAll(/cargue [a-z]+( [a-z]+\b)?|--?[a-z][\w-]*(=\S+)?|\S*[_=/@]\S*|\S+\.\w+|\b[A-Z_]{3,}\b/g, ' ')
    .toLowerCase();

const wordsOf = (text: string): readonly string[] => prose(text).match(/\p{L}+/gu) ?? [];

/** Sentences in which a language uses one of some words. */
const using = (
  language: 'es' | 'en',
  banned: readonly string[],
  except: readonly string[] = [],
): string[] => {
  const words = new Set(banned);
  return ALL.filter((one) => !except.includes(one.of)).flatMap((one) => {
    const found = wordsOf(one[language]).filter((word) => words.has(word));
    return found.length === 0 ? [] : [`${nameOf(one)}: ${found.join(', ')}`];
  });
};

test('all sentences are found', () => {
  expect(ALL.length).toBeGreaterThan(1_500);
});

describe('blanks', () => {
  test.each([
    ['Hay {count, plural, one {# documento} other {# documentos}}.', '1', 'Hay 1 documento.'],
    ['Hay {count, plural, one {# documento} other {# documentos}}.', '1.200', 'Hay 1.200 documentos.'],
    ['{count, plural, one {Queda # de {run}} other {Quedan # de {run}}}', '0', 'Quedan 0 de X'],
  ])('%s with %s', (text, count, said) =>
    expect(fillBlanks(text, (name) => (name === 'count' ? count : 'X'))).toBe(said),
  );

  test('no brace is left open, and no other form of the format is used', () => {
    const left = ALL.flatMap((one) =>
      [one.es, one.en].filter((text) => /plural|\bselect\b|\{#/.test(readings(text).join(' '))),
    );
    expect(left).toEqual([]);
  });

  test('both languages fill the same', () => {
    const of = (text: string) =>
      [...new Set(blanksIn(text))].filter((name) => !/_(es|en)$/.test(name)).sort();
    const texts = ALL.filter((one) => one.of.startsWith('texts/'));
    expect(texts.filter(({ es, en }) => of(es).join() !== of(en).join()).map(nameOf)).toEqual([]);
  });
});

test('what is counted has a form for one', () => {
  // A number before a word in the plural, with no form of its own.
  const PLURAL_ES =
    /\{(\w+)\} (?!(?:es|tiene|va|dice|veces|más|menos|mes|después|tras|antes)\b)\p{Ll}{2,}s\b/u;
  const bare = ALL.filter(({ es }) => COUNTS.test(PLURAL_ES.exec(withoutForms(es))?.[1] ?? ''));
  expect(bare.map(nameOf)).toEqual([]);
  const PLURAL_EN =
    /(?<=\{(\w+)\} (?:business |unfinished |unconfirmed )?)(?!(?:is|was|has|less|says|as|makes|gives|takes|needs|does|business)\b)[a-z]{2,}s\b/;
  const unlike = ALL.filter(({ en }) => COUNTS.test(PLURAL_EN.exec(withoutForms(en))?.[1] ?? ''));
  expect(unlike.map(nameOf)).toEqual([]);
});

const COUNTS =
  /^(days|seniority|quantity|age|line|open|fresh|count|counted|documents|rows|records|errors|warnings|read|used|runs|cells|found|stated|limit|missing|changed|columns|sheets|items|services|kept|settled|tries|budget)$/;

/** A text without what has forms of its own. */
const withoutForms = (text: string): string =>
  text.replaceAll(/\{\w+, plural, one \{(?:[^{}]|\{\w+\})*\} other \{(?:[^{}]|\{\w+\})*\}\}/g, '#');

test('a form for one is written for one: an article, a verb and what follows agree', () => {
  const PLURAL_AFTER_ONE = /\b(los|las|unos|unas|mismas|mismos|últimas|últimos|sus|quedan|faltan) 1\b/iu;
  const wrong = ALL.filter(({ es }) => countsIn(es).length > 0 && PLURAL_AFTER_ONE.test(readings(es)[0]!));
  expect(wrong.map(nameOf)).toEqual([]);
});

describe('a language has one style of quotes', () => {
  // A sign that is spoken of, and what is typed between quotes, have their own.
  const own = (text: string): string => text.replaceAll(/«[^»]*»|\(""?\)/g, '');
  test.each([
    ['Spanish', 'es', /["“”‘’]/],
    ['English', 'en', /[“”‘’«»]/],
  ] as const)('%s', (_, language, foreign) => {
    const prose = ALL.filter(({ of, key }) => of !== 'texts/help' || !key.startsWith('EXAMPLES'));
    const wrong = prose.filter((one) => foreign.test(language === 'es' ? own(one.es) : one.en));
    expect(wrong.map(nameOf)).toEqual([]);
  });

  test('and closes what it opens: a # in YAML may cut a text off', () => {
    const count = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;
    const isOpen = ({ es, en }: (typeof ALL)[number]): boolean =>
      count(es, /«/g) !== count(es, /»/g) || count(en.replaceAll('(")', ''), /"/g) % 2 !== 0;
    expect(ALL.filter(isOpen).map(nameOf)).toEqual([]);
  });

  test('and none is of programmers alone', () => {
    expect(ALL.filter(({ es, en }) => /`/.test(es + en)).map(nameOf)).toEqual([]);
    expect(readFileSync('schemas/catalogues/rules/authority_rules.csv', 'utf8')).not.toContain('`');
  });
});

test('the Ministerio is one, with its capital', () =>
  expect(ALL.filter(({ es }) => /\bministerio\b/.test(es)).map(nameOf)).toEqual([]));

test('who sends in Spanish is a process: a worker is a person', () => {
  const about = ALL.filter(({ key }) => /queue|worker|following|needs-database/i.test(key));
  expect(about.length).toBeGreaterThan(4);
  const PEOPLE = /mailToWorkers|-worker|worker-|workers?_|^payroll|CATALOGUES/;
  expect(about.filter(({ key, es }) => !PEOPLE.test(key) && /trabajador/i.test(es)).map(nameOf)).toEqual([]);
});

test('Spanish has one word for a thing', () => {
  expect(
    using('es', [
      'corrida',
      'corridas',
      'batch',
      'log',
      'setear',
      'loguear',
      'checkear',
      'chequear',
      'reportear',
      'default',
      'bug',
      'issue',
      'warning',
      'ledger',
      'computador',
      'ordenador',
      'fichero',
      'ficheros',
      'pulse',
      'solicitudes',
      'corra',
      'avisos',
      'retenidos',
      'llave',
      'llamada',
      'llamadas',
      'acento',
      'acentos',
    ]),
  ).toEqual([]);
});

test('English has one word for a thing', () => {
  expect(using('en', ['ledger', 'batch', 'batches', 'worksheet', 'abort'])).toEqual([]);
});

/** Words of English that are no Spanish. */
const ENGLISH =
  'the of is are was were with without not and or already done found missing must be value values file files row rows column columns from this that which has have been sent read written error-free expected unknown used using when where who what'.split(
    ' ',
  );
const SPANISH =
  'el los las una del que con sin para por como más ya está están fue debe deben fila filas columna archivo archivos valor valores falta faltan documento documentos ejecución envío'.split(
    ' ',
  );

test('no English in Spanish, no Spanish in English', () => {
  expect(using('es', ENGLISH)).toEqual([]);
  expect(using('en', SPANISH)).toEqual([]);
});

test('no text says a thing in both languages at once', () => {
  expect(ALL.filter(({ es, en }) => / \/ /.test(es) && es === en).map(nameOf)).toEqual([]);
});

test('lists are named in words, not by their ids', () => {
  const ids = Object.keys(CATALOGUES).filter((id) => id.includes('_'));
  expect(ids.length).toBeGreaterThan(20);
  const named = ALL.flatMap((one) =>
    ids
      .filter((id) =>
        new RegExp(`(?<![\\w.])${id}\\b`).test(one.es.replaceAll(/cargue catalogue show \S+/g, '')),
      )
      .map((id) => `${nameOf(one)}: ${id}`),
  );
  expect(named).toEqual([]);
});

test('sentences are whole: a question has both its marks, and no space stands before a stop', () => {
  const plain = (text: string): string =>
    readings(text)
      .join(' ')
      .replaceAll(/\w+:\/\/\S+|\?\w+=\S+/g, 'x')
      .replaceAll(/[«"`][^»"`]*[»"`]|\((\?|\*)[^)]*\)|[*?] [yo] [*?]/g, 'x');
  const marks = (text: string, mark: string): number => plain(text).split(mark).length;
  const questions = ALL.filter(({ of, es }) => of !== 'texts/help' && marks(es, '¿') !== marks(es, '?'));
  expect(questions.map(nameOf)).toEqual([]);
  expect(
    ALL.filter(({ es, en }) => / [,;:](\s|$)| \.(\s|$)/.test(plain(es) + plain(en))).map(nameOf),
  ).toEqual([]);
});
