import { describe, expect, test } from 'vitest';
import type { RipsProfile } from '../../src/families/rips/national.js';
import { paramOf } from '../../src/toolkit/core/issue.js';
import { type JsonObject, type JsonValue, parsePointer } from '../../src/toolkit/core/json.js';
import { addDays } from '../../src/toolkit/core/plain-date.js';
import { batchRules } from '../../src/toolkit/schema/batch-rules.js';
import { catalogue } from '../../src/toolkit/schema/catalogue.js';
import { resolveNode } from '../../src/toolkit/schema/registry.js';
import { blamedLeavesOf, levelOn, ruleCodes, ruleData } from '../../src/toolkit/schema/rule-data.js';
import { checkRules } from '../../src/toolkit/schema/rules.js';
import { validate } from '../../src/toolkit/schema/validate.js';
import { ACCEPTED } from './accepted-rips.js';
import { NATIONAL_948 } from './health-examples.js';
import { saidOf } from './payroll-document.js';
import { CASES, leaf } from './rips-cases.js';
import { PROFILES, transaction, transactionSchema } from './rips-package.js';

const { rules } = ruleData();
const OWN = rules.filter(({ code }) => code.startsWith('rips/'));

function edited(profile: RipsProfile, edits: Readonly<Record<string, JsonValue>>): JsonObject {
  const document = transaction(profile);
  for (const [short, value] of Object.entries(edits)) {
    const keys = parsePointer(leaf(short));
    const last = keys.pop()!;
    const parent = keys.reduce<JsonObject>((node, key) => node[key] as JsonObject, document);
    parent[last] = value;
  }
  return document;
}

const CURRENT: RipsProfile = '948-v003';

test.each(PROFILES)('a sound transaction of seven groups is left in peace: %s', (profile) => {
  const schema = transactionSchema(profile);
  const document = transaction(profile);
  expect(validate(schema, 'strict', document)).toEqual([]);
  expect(checkRules(schema, document, { today: '2026-10-03' })).toEqual([]);
});

test.each(PROFILES)('so is one as the ministry publishes them: %s', (profile) => {
  const sample = structuredClone(NATIONAL_948) as JsonObject;
  if (profile === '2275') {
    const [user] = sample['usuarios'] as JsonObject[];
    const [consultation] = (user!['servicios'] as Record<string, JsonObject[]>)['consultas']!;
    sample['numDocumentoIdObligado'] = '900123456';
    delete user!['registroSIRAS'];
    for (const key of Object.keys(consultation!)) if (/CIE11$|VIDA$/.test(key)) delete consultation![key];
  }
  const schema = transactionSchema(profile);
  expect(validate(schema, 'strict', sample)).toEqual([]);
  expect(checkRules(schema, sample, { today: '2026-11-30' })).toEqual([]);
});

test.each(ACCEPTED)('what the ministry accepted passes: $about', ({ profile, on, sent, noted }) => {
  const schema = transactionSchema(profile);
  expect(validate(schema, 'strict', sent)).toEqual([]);
  const issues = checkRules(schema, sent, { today: on });
  expect(issues.filter(({ level }) => level === 'error')).toEqual([]);
  expect([...new Set(issues.map((issue) => paramOf(issue, 'rule')))].sort()).toEqual(noted);
});

test.each(CASES)('$code: $edits', ({ code, edits, fires = [], options = {}, profile = CURRENT }) => {
  expect(saidOf(code, checkRules(transactionSchema(profile), edited(profile, edits), options))).toEqual(
    fires,
  );
});

test('every rule that needs no table of its own has a case that fires and one that stays silent', () => {
  const TABLED =
    /technology-supplier|cups|cannabis|stay-or-transfer|diagnosis-sex|service-group|unknown-(medicine|reporter|site)|foreign-site/;
  const due = OWN.filter(
    ({ checks, unique, code }) => (checks ?? unique) !== undefined && !TABLED.test(code),
  );
  const cased = (fires: boolean) =>
    new Set(CASES.filter((one) => (one.fires !== undefined) === fires).map(({ code }) => code));
  const codes = new Set(due.map(({ code }) => code).filter((code) => code !== 'rips/repeated-user'));
  expect(cased(true)).toEqual(codes);
  expect(cased(false)).toEqual(codes);
  expect(ruleCodes()).toEqual(expect.arrayContaining([...codes]));
});

describe('a rule that the authority rejects since a day', () => {
  test.each([
    ['rips/gestational-age', { 'AN/edadGestacional': 47 }, '2026-05-31', '2026-06-01'],
    ['rips/related-is-principal', { 'AC/codDiagnosticoRelacionado1': 'I10X' }, '2026-05-31', '2026-06-01'],
    ['rips/medicine-value', { 'AM/vrServicio': 1 }, '2026-06-30', '2026-07-01'],
    ['rips/siras', { 'U/tipoUsuario': '10' }, '2026-06-30', '2026-07-01'],
  ])('%s only warned before', (code, edits, before, since) => {
    const document = edited(CURRENT, edits);
    const levels = (today?: string) =>
      checkRules(transactionSchema(CURRENT), document, { ...(today && { today }) })
        .filter((issue) => issue.code === code)
        .map(({ level }) => level);
    expect(levels(before)).toEqual(['warning']);
    expect(levels(since)).toEqual(['error']);
    expect(levels()).toEqual(['error']);
  });
});

describe('rules over a file', () => {
  const keys = (code: string, edits: Readonly<Record<string, JsonValue>> = {}) =>
    batchRules(transactionSchema(CURRENT))
      .find((rule) => rule.code === code)!
      .keysOf(edited(CURRENT, edits));

  test('compare services of patients, whichever transaction they are in', () => {
    expect(batchRules(transactionSchema(CURRENT)).map(({ code, level }) => [code, level])).toEqual([
      ['rips/repeated-medicine', 'warning'],
      ['rips/repeated-consultation', 'warning'],
      ['rips/repeated-procedure', 'warning'],
      ['rips/repeated-stay', 'warning'],
      ['rips/repeated-newborn', 'warning'],
      ['rips/repeated-other-service', 'warning'],
      ['rips/repeated-supply', 'warning'],
    ]);
    expect(keys('rips/repeated-consultation')).toMatchObject([{ pointer: leaf('AC/codConsulta') }]);
  });
  test.each<[string, string, JsonValue, boolean]>([
    ['another hour', 'AC/fechaInicioAtencion', '2026-10-01 17:00', true],
    ['another day', 'AC/fechaInicioAtencion', '2026-10-02 08:00', false],
    ['another patient', 'U/numDocumentoIdentificacion', '9800000002', false],
    ['another code', 'AC/codConsulta', '890301', false],
  ])('%s', (_, at, value, same) => {
    const [key] = keys('rips/repeated-consultation', { [at]: value });
    expect(key?.key === keys('rips/repeated-consultation')[0]?.key).toBe(same);
  });
});

describe('a user', () => {
  const twice = (edits: JsonObject) => {
    const document = transaction(CURRENT);
    const [user] = document['usuarios'] as JsonObject[];
    document['usuarios'] = [user!, { ...user!, consecutivo: 2, ...edits }];
    return saidOf('rips/repeated-user', checkRules(transactionSchema(CURRENT), document));
  };
  test('twice with the same data', () =>
    expect(twice({})).toEqual([['error', '/usuarios/1/numDocumentoIdentificacion']]));
  test('twice, as what is said of the user changed', () => expect(twice({ tipoUsuario: '02' })).toEqual([]));
  test('is compared only within a transaction', () =>
    expect(batchRules(transactionSchema(CURRENT)).map(({ code }) => code)).not.toContain(
      'rips/repeated-user',
    ));
});

test('every leaf with a code list is asked for it', () => {
  const asked = new Set(
    OWN.find(({ code }) => code === 'rips/unknown-code')!.checks!.flatMap(({ each = [], that }) =>
      each.map((pointer) => `${pointer} ${/has\('(\w+)'/.exec(that)?.[1]}`),
    ),
  );
  const listed = (pointer: string): string[] => {
    const node = resolveNode(transactionSchema(CURRENT), parsePointer(pointer));
    if (node === undefined) return [];
    const list = node['x-catalogue'];
    if (list !== undefined) return [`${pointer} ${list}`];
    if (node.items !== undefined) return listed(`${pointer}/*`);
    return Object.keys(node.properties ?? {}).flatMap((key) => listed(`${pointer}/${key}`));
  };
  expect(listed('').filter((one) => !asked.has(one))).toEqual([]);
  expect(listed('').length).toBeGreaterThan(25);
});

/** `RVC067–RVC078`: all between the two. */
const allOf = (named: string): string[] => {
  const [first = '', last = first] = named.split('–');
  const number = (code: string): number => Number(code.slice(3));
  const count = number(last) - number(first) + 1;
  return Array.from(
    { length: count },
    (_, at) => first.slice(0, 3) + String(number(first) + at).padStart(first.length - 3, '0'),
  );
};

describe('the national rules', () => {
  const ownOf = (code: string) => OWN.filter(({ authority = [] }) => authority.flatMap(allOf).includes(code));
  const JULY = ['RVC094', 'RVC095', 'RVC096', 'RVC097', 'RVC098'];

  test.each(catalogue('rips_validation_rules')!.rows.map((row) => [row['code']!, row] as const))(
    '%s is checked, or said not to be, with its class and its day',
    (code, row) => {
      const own = ownOf(code);
      expect(own).not.toEqual([]);
      for (const rule of own.filter(({ unchecked, shape }) => (unchecked ?? shape) === undefined)) {
        expect(rule.level, rule.code).toBe(row['class'] === 'R' ? 'error' : 'warning');
        const since = JULY.includes(code) ? '2026-07-01' : '2026-06-01';
        expect(rule.rejects_from, rule.code).toBe(row['became_rejection_2026'] === 'SI' ? since : undefined);
      }
    },
  );

  const turned = catalogue('rips_validation_rules')!.rows.flatMap(({ code = '', ...row }) =>
    row['became_rejection_2026'] === 'SI' ? [code] : [],
  );

  test.each(
    turned.flatMap((code) =>
      ownOf(code)
        .filter(({ unchecked, shape }) => (unchecked ?? shape) === undefined)
        .map((rule) => [code, rule] as const),
    ),
  )('%s warns until the day from which it rejects', (code, rule) => {
    const since = JULY.includes(code) ? '2026-07-01' : '2026-06-01';
    const days = [addDays(since, -1), since, '2027-01-01'];
    expect(days.map((day) => levelOn(rule, rule.level, day))).toEqual(['warning', 'error', 'error']);
  });

  test('fifteen rules turned into rejections in June 2026 and five in July', () => {
    const july = turned.filter((code) => JULY.includes(code));
    expect([turned.length - july.length, july.length]).toEqual([15, 5]);
  });

  test('point at leaves', () => {
    for (const rule of OWN.filter(({ checks }) => checks !== undefined))
      expect(blamedLeavesOf(rule), rule.code).not.toEqual([]);
  });
});
