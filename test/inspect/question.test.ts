import { describe, expect, test } from 'vitest';
import {
  type Answer,
  Answering,
  type Answers,
  answersLike,
  answersOf,
  asked,
  besideAnswers,
  defaultAnswer,
  isConflicting,
  isNumbered,
  NO_ANSWERS,
  type Question,
  readAnswer,
  readReply,
  takenLast,
} from '../../src/toolkit/inspect/question.js';

const COLUMN: Question = {
  id: 'workers.G',
  aliases: ['H.E.D. ($)', 'workers.H.E.D. ($)'],
  path: ['tables', 'workers', 'labels', 'H.E.D. ($)'],
  title: '¿Qué es «H.E.D. ($)» (NOMINA!G5)?',
  samples: [],
  ...answersOf(
    [
      { value: 'hed_value', title: 'HED valor', group: 'Devengados', score: 0.83, also: ['Vr. HED'] },
      { value: 'ignore', title: 'no se usa', also: ['ignorar', 'ninguna'] },
    ],
    [
      { value: 'hed_value', title: 'HED valor', group: 'Devengados' },
      { value: 'hed_hours', title: 'HED horas', group: 'Devengados' },
      { value: 'hen_hours', title: 'HEN horas', group: 'Devengados' },
      { value: 'stated_accrued', title: 'Total devengado', group: 'Totales del archivo' },
      { value: 'account_number', title: 'Número de cuenta', group: 'Pago' },
    ],
  ),
};

const CODES: Question = {
  ...COLUMN,
  id: 'value.documents.CED',
  aliases: ['CED'],
  ...answersOf([
    { value: '13', title: 'Cédula de ciudadanía', score: 0.6 },
    { value: '22', title: 'Cédula de extranjería', score: 0.6 },
    { value: '41', title: 'Pasaporte', also: ['PA'] },
  ]),
};

describe('an answer is read as people give it', () => {
  test.each<[question: Question, given: string, value: string]>([
    [COLUMN, 'hed_value', 'hed_value'],
    [COLUMN, 'HED_VALUE', 'hed_value'],
    [COLUMN, ' hed valor ', 'hed_value'],
    [COLUMN, 'vr hed', 'hed_value'],
    [COLUMN, 'numero de cuenta', 'account_number'],
    [COLUMN, 'cuenta', 'account_number'],
    [COLUMN, 'total dev', 'stated_accrued'],
    [COLUMN, 'Ninguna', 'ignore'],
    [CODES, '13', '13'],
    [CODES, 'pasaporte', '41'],
    [CODES, 'pa', '41'],
    [CODES, 'extranj', '22'],
  ])('%#: %s %s', (question, given, value) => {
    expect(readAnswer(question, given)).toEqual({ value });
  });

  test.each<[question: Question, given: string, near: readonly string[]]>(
    [
      ['part of two titles', COLUMN, 'horas', ['hed_hours', 'hen_hours']] as never,
      [CODES, 'cedula', ['13', '22']],
      [CODES, '3', ['13', '22', '41']],
      [COLUMN, 'hed_valor x', ['hed_value']],
      [COLUMN, '', ['hed_value', 'ignore']],
    ].map((row) => (row.length === 4 ? row.slice(1) : row)) as never,
  )('what may mean several, or nothing, is none: %#', (question, given, near) => {
    const reading = readAnswer(question, given);
    expect('near' in reading && reading.near.map(({ value }) => value)).toEqual(near);
  });
});

test.each<[question: Question, given: string, value: string | undefined]>([
  [COLUMN, '1', 'hed_value'],
  [COLUMN, ' 2 ', 'ignore'],
  [COLUMN, '3', undefined],
  [COLUMN, '0', undefined],
  [{ ...COLUMN, ...answersOf([{ value: 'related3', title: 'Relacionado 3' }]) }, '3', undefined],
  [CODES, '2', undefined],
  [CODES, '22', '22'],
  [{ ...CODES, ...answersOf(CODES.answers.slice(0, 1)) }, '1', CODES.answers[0]!.value],
  [{ ...CODES, ...answersOf(CODES.answers.slice(0, 1)) }, '2', undefined],
  [COLUMN, 'hed valor', 'hed_value'],
])(
  '%#: %s said to a person is the answer of that number, and never a part of one',
  (question, given, value) => {
    const reading = readReply(question, given);
    expect('value' in reading ? reading.value : undefined).toBe(value);
  },
);

test('answers are found by the beginnings of words, in title, group or id', () => {
  const found = (text: string): readonly string[] => answersLike(COLUMN, text).map(({ value }) => value);
  expect(found('hor')).toEqual(['hed_hours', 'hen_hours']);
  expect(found('pago')).toEqual(['account_number']);
  expect(found('stated')).toEqual(['stated_accrued']);
  expect(found('')).toEqual([]);
});

test('likely answers come first, and each once', () => {
  expect(COLUMN.answers.map(({ value }) => value)).toEqual([
    'hed_value',
    'ignore',
    'hed_hours',
    'hen_hours',
    'stated_accrued',
    'account_number',
  ]);
  expect(COLUMN.likely).toBe(2);
});

test.each<[why: string, answers: readonly Answer[], usual: string | undefined]>([
  [
    'plainly the likeliest',
    [
      { value: 'a', title: 'A', score: 0.9 },
      { value: 'b', title: 'B', score: 0.6 },
    ],
    'a',
  ],
  ['not likely enough', [{ value: 'a', title: 'A', score: 0.69 }], undefined],
  [
    'hardly ahead of the next',
    [
      { value: 'a', title: 'A', score: 0.78 },
      { value: 'b', title: 'B', score: 0.75 },
    ],
    undefined,
  ],
  [
    'taken by another column',
    [
      { value: 'a', title: 'A', score: 0.9, takenBy: 'Neto' },
      { value: 'b', title: 'B', score: 0.75 },
    ],
    undefined,
  ],
  [
    'behind one that is taken',
    [
      { value: 'b', title: 'B', score: 0.75 },
      { value: 'a', title: 'A', score: 0.9, takenBy: 'Neto' },
    ],
    undefined,
  ],
  ['without any score', [{ value: 'a', title: 'A' }], undefined],
])('an answer that is %s: is it given by Enter', (_, answers, usual) => {
  const question: Question = { id: 'x', path: [], title: '', samples: [], ...answersOf(answers) };
  expect(defaultAnswer(question)).toBe(usual);
  const shown = takenLast(question);
  expect(defaultAnswer(shown)).toBe(usual);
  expect(shown.answers[0]!.takenBy).toBeUndefined();
});

test('Enter takes a likely answer only, and numbers count answers only where no answer is one', () => {
  expect([defaultAnswer(COLUMN), defaultAnswer(CODES)]).toEqual(['hed_value', undefined]);
  expect([isNumbered(COLUMN), isNumbered(CODES)]).toEqual([true, false]);
});

const answersFrom = (given: Record<string, string>, earlier: readonly string[] = []): Answers => ({
  ...NO_ANSWERS,
  given: new Map(Object.entries(given)),
  earlier: () => earlier,
});

describe('answers are given', () => {
  const taken = (given: Record<string, string>, earlier?: readonly string[]): string | undefined =>
    new Answering(answersFrom(given, earlier)).answerTo(COLUMN);

  test.each<[string, Record<string, string>, readonly string[], string | undefined]>([
    ['by id', { 'workers.G': 'HED valor' }, [], 'hed_value'],
    ['by the label', { 'h.e.d. ($)': 'HED horas' }, [], 'hed_hours'],
    ['by the mapping of before', {}, ['hed_hours'], 'hed_hours'],
    ['over the mapping of before', { 'workers.G': 'ignore' }, ['hed_hours'], 'ignore'],
    ['blank, to take one back', { 'workers.G': '' }, ['hed_hours'], undefined],
    ['not at all', {}, [], undefined],
  ])('%s', (_, given, earlier, value) => {
    expect(taken(given, earlier)).toBe(value);
  });

  test('and one that fits nothing is said, with those that are near', () => {
    const answering = new Answering(answersFrom({ 'workers.G': 'horas', 'workers.H': 'x' }));
    expect(answering.answerTo(COLUMN)).toBeUndefined();
    expect(answering.issues).toMatchObject([
      {
        code: 'inspect/bad-answer',
        suggestions: [{ value: 'HED horas (hed_hours)' }, { value: 'HEN horas (hen_hours)' }],
      },
    ]);
    expect(answering.unused([COLUMN])).toMatchObject([
      { code: 'inspect/unknown-answer', value: 'workers.H' },
    ]);
  });

  test('a label that several questions have answers none of them', () => {
    const answering = new Answering(answersFrom({ OTROS: 'ignore' }));
    const [accrued, deducted] = ['workers.J', 'workers.K'].map((id) => ({
      ...COLUMN,
      id,
      aliases: ['OTROS'],
    }));
    answering.answerTo(accrued!);
    answering.answerTo(deducted!);
    expect(answering.unused([])).toMatchObject([
      { code: 'inspect/answer-to-several', value: 'OTROS', params: { ids: 'workers.J, workers.K' } },
    ]);
  });

  test('one with its own id beside it leaves the label to the other', () => {
    const answering = new Answering(answersFrom({ OTROS: 'ignore', 'workers.K': 'HED horas' }));
    const [accrued, deducted] = ['workers.J', 'workers.K'].map((id) => ({
      ...COLUMN,
      id,
      aliases: ['OTROS'],
    }));
    expect([answering.answerTo(accrued!), answering.answerTo(deducted!)]).toEqual(['ignore', 'hed_hours']);
    expect([...answering.issues, ...answering.unused([])]).toEqual([]);
  });

  test('free text is taken as it stands', () => {
    const free: Question = {
      ...COLUMN,
      ...answersOf([{ value: 'each_run', title: 'se da en cada envío' }]),
      free: (text) => text,
    };
    expect(readAnswer(free, 'en cada')).toEqual({ value: 'en cada' });
    expect(readAnswer(free, 'Se da en cada envío')).toEqual({ value: 'each_run' });
  });

  test('one to a question that is gone is kept, and one to none is an error', () => {
    const given = new Map([
      ['workers.G', 'HED horas'],
      ['workers.H', 'HEN horas'],
      ['workers.I', ''],
      ['workers.J', 'x'],
    ]);
    const answering = new Answering({
      ...NO_ANSWERS,
      given,
      asked: new Set(['workers.G', 'workers.H', 'workers.I']),
      kept: new Map([
        ['workers.G', 'hed_horas'],
        ['class.ROPA', 'other_earning'],
      ]),
    });
    expect(answering.answerTo(COLUMN)).toBe('hed_hours');
    expect([...answering.vanished()]).toEqual([['workers.H', 'HEN horas']]);
    expect([...answering.forLater([])]).toEqual([
      ['class.ROPA', 'other_earning'],
      ['workers.H', 'HEN horas'],
    ]);
    expect(answering.unused([])).toMatchObject([{ code: 'inspect/unknown-answer', value: 'workers.J' }]);
  });

  test.each<[string, Partial<Question>, string | undefined, readonly (string | undefined)[]]>([
    ['the same column', {}, 'HEN horas', ['H.E.D. ($)', undefined]],
    ['one whose amounts are added up', {}, 'HEN valor', ['H.E.D. ($)', 'adds']],
    ['what is left open', {}, undefined, []],
    ['what is not used', {}, 'ignore', []],
    ['a column of another table', { id: 'people.G' }, 'HEN horas', []],
    ['no column', { path: ['decisions', 'classes', 'x'] }, 'HEN horas', []],
  ])('says of an answer that another took before: %s', (_, other, answer, expected) => {
    const shared: Question = {
      ...COLUMN,
      id: 'workers.H',
      path: ['tables', 'workers', 'labels', 'X'],
      ...answersOf([
        { value: 'hen_hours', title: 'HEN horas' },
        { value: 'hen_value', title: 'HEN valor', adds: true },
        { value: 'ignore', title: 'no se usa' },
      ]),
    };
    const before = { ...shared, id: 'workers.G', aliases: ['H.E.D. ($)'], ...other };
    const { answers } = besideAnswers(shared, [{ question: before, answer }], 'es');
    const taken = answers.filter(({ takenBy }) => takenBy !== undefined);
    expect(taken.flatMap(({ takenBy, adds }) => [takenBy, adds && 'adds'])).toEqual(expected);
    expect(taken.map(isConflicting)).toEqual(expected.length === 0 ? [] : [expected[1] === undefined]);
  });

  test('a question mark asks for all of them', () => {
    const answering = new Answering(answersFrom({ 'workers.G': '?' }));
    expect(answering.answerTo(COLUMN)).toBeUndefined();
    expect(answering.shown).toEqual([COLUMN]);
    expect([...answering.issues, ...answering.unused([COLUMN])]).toEqual([]);
  });
});

describe('what looks irrelevant is asked in one go', () => {
  const member = (letter: string, label: string): Question => ({
    ...COLUMN,
    id: `workers.${letter}`,
    aliases: [label],
    samples: [{ cell: `${letter}6`, text: 'x' }],
    ...answersOf([{ value: 'ignore', title: 'no se usa' }], COLUMN.answers),
    batch: 'unused.workers',
  });
  const members = [member('D', 'CARGO'), member('E', 'ÁREA'), member('F', 'SEDE')];
  const play = (given: Record<string, string>) => {
    const answering = new Answering(answersFrom(given));
    const values = members.map((one) => answering.answerTo(one));
    const open = members.filter((_, at) => values[at] === undefined).map((one) => answering.open(one));
    return { values, questions: asked(open, 'es'), issues: answering.unused(open) };
  };

  test('as one question that shows them all', () => {
    const { questions } = play({});
    expect(
      questions.map(({ id, samples }) => [id, samples.map(({ cell, text }) => `${cell} ${text}`)]),
    ).toEqual([['unused.workers', ['D CARGO: x', 'E ÁREA: x', 'F SEDE: x']]]);
    expect(readAnswer(questions[0]!, 'sí')).toEqual({ value: 'ignore' });
    expect(readAnswer(questions[0]!, 'E, sede')).toEqual({ value: 'E, sede' });
    expect(readAnswer(questions[0]!, 'E, Q')).toMatchObject({ near: [{ value: 'ignore' }] });
  });

  test.each(['ignore', 'sí', 'todas'])('%s leaves all of them out', (word) => {
    expect(play({ 'unused.workers': word })).toEqual({
      values: ['ignore', 'ignore', 'ignore'],
      questions: [],
      issues: [],
    });
  });

  test('those that are named are asked one by one', () => {
    const { values, questions, issues } = play({ 'unused.workers': 'area, F' });
    expect([values, questions.map(({ id }) => id), issues]).toEqual([
      ['ignore', undefined, undefined],
      ['workers.E', 'workers.F'],
      [],
    ]);
  });

  test('a column called as a word of the question itself is asked about, not left out', () => {
    const titled = [...members, member('G', 'TÍTULO')];
    const [question] = asked(titled, 'es');
    expect(readAnswer(question!, 'título')).toEqual({ value: 'título' });
    expect(readAnswer(question!, 'alguna')).toMatchObject({ near: [{ value: 'ignore' }] });
  });

  test('what names none of them is no answer', () => {
    expect(play({ 'unused.workers': 'quizá' }).issues).toMatchObject([
      { code: 'inspect/bad-answer', params: { id: 'unused.workers' }, value: 'quiza' },
    ]);
  });
});

describe('what is likely is confirmed in one go', () => {
  const member = (letter: string, label: string, value: string): Question => ({
    ...COLUMN,
    id: `workers.${letter}`,
    aliases: [label],
    samples: [{ cell: `${letter}6`, text: 'x' }],
    ...answersOf([{ value, title: value.toUpperCase() }], COLUMN.answers),
    batch: 'sure.workers',
  });
  const members = [member('D', 'EXTRAS', 'hed_value'), member('E', 'CUENTA', 'account_number')];
  const play = (given: Record<string, string>, earlier?: readonly string[]) => {
    const answering = new Answering(answersFrom(given, earlier));
    const values = members.map((one) => answering.answerTo(one));
    const open = members.filter((_, at) => values[at] === undefined).map((one) => answering.open(one));
    return { values, questions: asked(open, 'es'), issues: answering.unused(open) };
  };

  test('as one question that says what each seems to be, and which Enter does not answer', () => {
    const [question, ...others] = play({}).questions;
    expect(others).toEqual([]);
    expect(question).toMatchObject({
      id: 'sure.workers',
      members: ['workers.D', 'workers.E'],
      samples: [{ text: 'EXTRAS → HED_VALUE: x' }, { text: 'CUENTA → ACCOUNT_NUMBER: x' }],
      each: [
        { id: 'workers.D', name: 'D', label: 'EXTRAS', answer: { value: 'hed_value' } },
        { id: 'workers.E', name: 'E', label: 'CUENTA', answer: { value: 'account_number' } },
      ],
    });
    expect(defaultAnswer(question!)).toBeUndefined();
    expect(readAnswer(question!, 'sí')).toEqual({ value: 'yes' });
    expect('near' in readAnswer(question!, 'ignorar')).toBe(true);
  });

  test.each(['sí', 'yes'])('%s gives each its likeliest answer', (word) => {
    expect(play({ 'sure.workers': word })).toEqual({
      values: ['hed_value', 'account_number'],
      questions: [],
      issues: [],
    });
  });

  test('what is named is asked about alone, the rest is taken', () => {
    const { values, questions } = play({ 'sure.workers': 'E' });
    expect([values, questions.map(({ id }) => id)]).toEqual([['hed_value', undefined], ['workers.E']]);
  });

  test('what was named and then answered by itself is no strange name', () => {
    const { values, issues } = play({ 'sure.workers': 'E', 'workers.E': 'ignore' });
    expect([values, issues]).toEqual([['hed_value', 'ignore'], []]);
  });

  test('an answer of before comes first, and a single one is asked in its own words', () => {
    expect(play({}, ['hen_hours']).values).toEqual(['hen_hours', 'hen_hours']);
    expect(asked([members[0]!], 'es')).toEqual([members[0]]);
  });
});
