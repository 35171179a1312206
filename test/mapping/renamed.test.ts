import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { compileMapping, loadMapping } from '../../src/toolkit/mapping/load.js';
import { issuesOfLoading } from '../support/mapping-issues.js';

/** Ids that ready-made mappings have ever had. */
const EVER = parse(readFileSync('test/mapping/ids-ever.yaml', 'utf8')) as Readonly<
  Record<string, { readonly params: string; readonly tables: Readonly<Record<string, string>> }>
>;
/** Columns that went; any other must load. */
const GONE = ['concept_code', 'consecutivo', 'date', 'fortnight', 'xml'];

const issuesOf = (text: string) => issuesOfLoading(() => compileMapping('own.yaml', text));

const over = (base: string, more: string): string => `extends: ${base}\ncargue: 1\nname: own\n${more}`;

test('every ready-made mapping is in ids-ever.yaml, with the ids of its columns and parameters', () => {
  const names = ['payroll', 'rips', 'events'].flatMap((folder) =>
    readdirSync(`mappings/${folder}`).map((file) => `${folder}/${file.replace('.yaml', '')}`),
  );
  expect(Object.keys(EVER).sort()).toEqual(names.sort());
});

describe.each(Object.entries(EVER))('a mapping that extends %s', (name, { params, tables }) => {
  /** A mapping that names all columns but some. */
  const naming = (without: readonly string[]): string =>
    Object.entries(tables)
      .map(([table, ids]) => {
        const columns = ids.split(' ').filter((id) => !without.includes(id));
        const lines = columns.map((id, at) => `      own${at}: { formula: "${id} is blank" }\n`);
        return `  ${table}:\n    columns:\n${lines.join('')}`;
      })
      .join('');

  test('loads, whatever column it names that there ever was, or is told what to do', () => {
    const issues = issuesOf(over(name, `tables:\n${naming([])}`));
    const gone = issues.map(({ value = '' }) => value);
    expect(gone.filter((id) => !GONE.includes(id))).toEqual([]);
    const present = [...compileMapping('own.yaml', over(name, '')).tables.values()].flatMap(({ columns }) => [
      ...columns.keys(),
    ]);
    expect(gone.filter((id) => present.includes(id))).toEqual([]);
    expect(
      issues.filter(({ code, place }) => code !== 'mapping/column-gone' || place.file !== 'own.yaml'),
    ).toEqual([]);
    if (gone.length > 0) expect(issuesOf(over(name, `tables:\n${naming(gone)}`))).toEqual([]);
  });

  test('keeps its parameters', async () => {
    const mapping = await loadMapping(`mappings/${name}.yaml`);
    expect(params.split(' ').filter((param) => !mapping.params.has(param))).toEqual([]);
  });
});

describe('a column under its former name', () => {
  const sexOf = (text: string) =>
    compileMapping('own.yaml', text).tables.get('consultas')!.columns.get('codSexo')!.wanted!.titles;

  test('has the titles that the mapping gives it', () => {
    const text = over(
      'rips/consultas',
      'tables:\n  consultas:\n    columns:\n      sexo: { titles: [Sx] }\n',
    );
    expect(sexOf(text)).toEqual(['Sx']);
  });

  test('is the one that a label and a field name', () => {
    const text = over(
      'rips/consultas',
      'tables:\n  consultas:\n    labels: { Sx: sexo }\nchecks:\n  - { that: consultas.sexo is not blank, message: { es: x, en: x } }\n',
    );
    const { spec } = compileMapping('own.yaml', text);
    expect(spec.tables['consultas']!.labels).toEqual({ Sx: 'codSexo' });
    expect(spec.checks?.[0]).toMatchObject({ that: 'consultas.codSexo is not blank' });
  });

  test('is left to a mapping that declares it itself', () => {
    const text = over(
      'payroll/long',
      'tables:\n  lines:\n    columns:\n      concept_code: { titles: [Cód.], read: text }\n    skip: [{ when: concept_code = "9", note: x }]\n',
    );
    expect(issuesOf(text)).toEqual([]);
  });

  test('may be taken away though it is gone', () => {
    expect(
      issuesOf(over('payroll/long', 'tables: { lines: { columns: { concept_code: null } } }\n')),
    ).toEqual([]);
  });

  test('is told with what to do where it is gone', () => {
    const [issue] = issuesOf(
      over('payroll/long', 'tables:\n  lines:\n    columns:\n      concept_code: { titles: [Cód.] }\n'),
    );
    expect(issue).toMatchObject({
      code: 'mapping/column-gone',
      value: 'concept_code',
      place: { file: 'own.yaml', line: 7 },
      params: { fix_es: expect.stringContaining('nombre') },
    });
  });
});

test('a label that a column of the base has may be left aside', () => {
  const text = over(
    'events/list',
    'tables: { events: { ignore: [{ titles: [Tipo de documento], reason: x }] } }\n',
  );
  const { titles } = compileMapping('own.yaml', text).tables.get('events')!.columns.get('document_kind')!
    .wanted!;
  expect(titles).toContain('Tipo de factura');
  expect(titles).not.toContain('Tipo de documento');
});

test('a field of the base that the own target has no place for is left out', () => {
  const text = over('payroll/wide', 'target: payroll/adjust-note-replace\n');
  const codes = issuesOf(text).map(({ code }) => code);
  expect(codes).not.toContain('mapping/unknown-target');
});

const MAPPINGS = ['samples', 'test/golden/deliveries'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('mapeo.yaml'))
    .map((file) => `${folder}/${file}`),
);

test.each(MAPPINGS)('%s loads', async (file) => {
  expect(existsSync(file)).toBe(true);
  await loadMapping(file);
});
