import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { compileMapping, type LoadedMapping, loadMapping } from '../../src/toolkit/mapping/load.js';
import { readyFile, readyNames } from '../../src/toolkit/mapping/shipped.js';
import { expandLayout } from '../../src/toolkit/mapping/vocabulary.js';
import { mappingOver, readYaml } from '../../src/toolkit/mapping/yaml-source.js';
import { fake } from '../cli/fake-context.js';
import { mappingShow } from '../cli/use-cases.js';
import { shownColumns } from '../support/core-forms.js';

/** The core form of ready-made mappings as they were written by hand, without their tests. */
const core = (name: string): string => readFileSync(`test/mapping/core/${name}.yaml`, 'utf8');

/** Rows of `once` and names in a list of classes stand in any order. */
function sorted(value: unknown, key = ''): unknown {
  if (typeof value === 'string')
    return value.replace(/class in \(([^)]*)\)/g, (_, names: string) =>
      names
        .split(', ')
        .filter((one) => one !== '"debt"')
        .sort()
        .join(),
    );
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => sorted(item));
    return key === 'once' ? items.sort((a, b) => (String(a) < String(b) ? -1 : 1)) : items;
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sorted(inner, name)]));
}

/** Order in which columns and leaves are written. */
const keysOf = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? null
    : Object.entries(value).map(([key, inner]) => [key, keysOf(inner)]);

/** Concepts that the core form did not have, and one that only two of three had. */
const LATER =
  /^(paid_advance|refund|legal_strike|third_party_\w+|(extra)?ordinary_compensation|(non_)?salary_(food_)?voucher)$/;

/** The core form had no sheet for every concept, and no debt in lists. */
function withoutLater(layout: JsonObject): JsonObject {
  const tables = Object.entries(layout['tables'] as Record<string, JsonObject>).flatMap(([id, table]) => {
    if (table['each']) return [];
    const but = [...((table['but'] ?? []) as string[]), 'debt'];
    return [[id, table['row'] === 'word' ? { ...table, but } : table] as const];
  });
  const { deductions = {} } = (layout['document'] ?? {}) as { deductions?: JsonObject };
  const isList = layout['name'] === 'payroll/long';
  return {
    ...layout,
    tables: Object.fromEntries(tables),
    ...(isList && {
      document: { ...(layout['document'] as JsonObject), deductions: { ...deductions, debt: null } },
    }),
  };
}

describe.each(['wide', 'long', 'multi-sheet'])('payroll/%s', (name) => {
  const layout = withoutLater(parse(readFileSync(`mappings/payroll/${name}.yaml`, 'utf8')) as JsonObject);
  const said = parse(readFileSync('mappings/vocabularies/payroll.yaml', 'utf8')) as JsonObject;
  const concepts = Object.entries(said['concepts'] as JsonObject).map(([id, concept]) => {
    const { column: _, ...rest } = concept as JsonObject;
    return [id, id === 'paid_advance' ? rest : concept] as const;
  });
  const before = parse(core(name)) as JsonObject;
  const fragments = said['fragments'] as Record<string, JsonObject>;
  const { partial: _, ...joinedSheet } = fragments['joined_sheet']!; // the core form counted no records without an amount
  const vocabulary = {
    ...said,
    // Nor did it look for a word before a number.
    fragments: {
      ...fragments,
      columns: { ...fragments['columns'], document: { read: 'identifier' } },
      joined_sheet: joinedSheet,
    },
    concepts: Object.fromEntries(concepts.filter(([id]) => id === 'paid_advance' || !LATER.test(id))),
  } as JsonObject;
  const base = (own: JsonObject, of: () => JsonObject): JsonObject => {
    const { extends: extended, ...rest } = own;
    return (extended === undefined ? rest : mappingOver(of(), rest)) as JsonObject;
  };

  test('is what its core form was, in the same order', () => {
    const wide = parse(readFileSync('mappings/payroll/wide.yaml', 'utf8')) as JsonObject;
    const now = base(expandLayout(layout, vocabulary), () => expandLayout(wide, vocabulary));
    const then = base(before, () => parse(core('wide')) as JsonObject);
    expect(sorted(now)).toEqual(sorted(then));
    expect(keysOf(now['document'])).toEqual(keysOf(then['document']));
    expect(shownColumns(now['tables'] as JsonObject)).toEqual(shownColumns(then['tables'] as JsonObject));
  });
});

test('a sheet of a concept with one leaf adds up its records, one of a list does not', () => {
  const read = (file: string) => parse(readFileSync(`mappings/${file}.yaml`, 'utf8')) as JsonObject;
  const { tables } = expandLayout(read('payroll/multi-sheet'), read('vocabularies/payroll'));
  const amountsOf = (table: string) =>
    (tables as Record<string, { columns: { value: JsonObject } }>)[table]!.columns.value;
  expect(amountsOf('endowment')['take']).toBe('sum');
  expect(amountsOf('paid_advance')).not.toHaveProperty('take');
});

/** What a plan fills and reads, without its functions: fields by their paths with the ids of their columns, tables, roles and checks. */
const planOf = ({ fields, tables, roles, checks, batch, key }: LoadedMapping) => ({
  fields: fields.map(({ path, columns, sources }) => [
    path,
    columns.map(({ id }) => id),
    sources.map(({ kind }) => kind.is),
  ]),
  tables: [...tables.values()].map(({ id, columns, ignored }) => [
    id,
    ignored.filter(({ titles, positions }) => titles.length + positions.length > 0),
    [...columns.values()].map(({ id, kind, wanted }) => [id, kind, wanted?.titles]),
  ]),
  roles: [...roles].map(([{ id }, role]) => [id, role]),
  counts: [checks.length, batch.length],
  key,
});

test.each(readyNames())('%s is shown as it is written, and as a core form of the same plan', async (name) => {
  const shown = async (expanded: boolean) => {
    const { context, shown } = fake();
    await mappingShow(context, [name], { expanded });
    return shown.out().join('\n');
  };
  expect(await shown(false)).toBe(readFileSync(readyFile(name), 'utf8').trimEnd());
  const text = await shown(true);
  const ready = await loadMapping(readyFile(name));
  const again = compileMapping('own.yaml', text);
  expect(text).toContain('cargue: 1');
  expect(text).not.toContain('extends:');
  expect(again.spec.document).toEqual(ready.spec.document);
  expect(again.spec.params).toEqual(ready.spec.params);
  expect(planOf(again)).toEqual(planOf(ready));
});

describe('mistakes', () => {
  const layout = (more: string): string =>
    `cargue: 2\nvocabulary: payroll\nextends: payroll/wide\nname: own\n${more}`;
  const findings = (text: string) => {
    try {
      compileMapping('own.yaml', text);
      return [];
    } catch (error) {
      return (
        error as {
          issues: {
            code: string;
            value?: string;
            place: { file: string; line: number };
            suggestions?: { value: string }[];
          }[];
        }
      ).issues.map(({ code, value, place, suggestions }) => [
        code,
        value,
        place.file,
        place.line,
        suggestions?.[0]?.value,
      ]);
    }
  };

  const lineOf = (what: string): number =>
    readFileSync('mappings/vocabularies/payroll.yaml', 'utf8')
      .split('\n')
      .findIndex((line) => line.startsWith(`  ${what}:`)) + 1;

  test.each([
    [
      'vocabulary',
      'cargue: 2\nvocabulary: payrol\nname: own\n',
      ['mapping/unknown-key', 'payrol', 'own.yaml', 2, undefined],
    ],
    [
      'concept',
      layout('tables:\n  bonds:\n    use: event\n    sheet: [Bonos]\n    of: salary_bonos\n'),
      ['mapping/unknown-key', 'salary_bonos', 'own.yaml', 9, 'salary_bonus'],
    ],
    [
      'column of people',
      layout('tables:\n  extra:\n    sheet: [X]\n    columns: { use: { columns: [documnt] } }\n'),
      ['mapping/unknown-key', 'documnt', 'own.yaml', 8, 'document'],
    ],
  ])('an unknown %s is told at its line', (_, text, expected) => {
    expect(findings(text)).toEqual([expected]);
  });

  test('what a concept lacks is told at its line in the vocabulary', () => {
    const text =
      'cargue: 1\nextends: payroll/wide\nname: own\ntables: { workers: { columns: { commission: null } } }\n';
    expect(findings(text)).toEqual([
      ['mapping/unknown-column', 'commission', 'vocabularies/payroll.yaml', lineOf('commission'), undefined],
    ]);
  });

  test('a layout of people is like one of ours', () => {
    const text = readFileSync('mappings/payroll/wide.yaml', 'utf8').replace(
      'name: payroll/wide',
      'name: own',
    );
    const { spec } = compileMapping('own.yaml', text);
    expect(spec.document).toMatchObject(compileMapping('wide.yaml', core('wide')).spec.document);
    expect(readYaml('own.yaml', text).value).toMatchObject({ cargue: 2 });
  });
});
