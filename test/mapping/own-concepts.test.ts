import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PipelineError } from '../../src/toolkit/core/issue.js';
import { compileMapping } from '../../src/toolkit/mapping/load.js';
import { readyFile } from '../../src/toolkit/mapping/shipped.js';

const mapping = (base: string, concepts: string, more = ''): string =>
  `extends: payroll/${base}\ncargue: 1\nname: own\nconcepts:\n${concepts}${more}`;
const compiled = (base: string, concepts: string) => compileMapping('own.yaml', mapping(base, concepts));

const titlesOf = ({ tables }: ReturnType<typeof compiled>, id: string) =>
  tables.get('workers')!.columns.get(id)!.wanted!.titles;
const classOf = ({ tables }: ReturnType<typeof compiled>, table: string, word: string) =>
  tables.get(table)!.columns.get('class')!.sorts!.classOf(word);

const ADDED = '  non_salary_aid: { names: [+Botas y overol, "+Apoyo * campo"] }\n';

describe('a name that a mapping adds to a concept', () => {
  test.each(['wide', 'split', 'adjust', 'long', 'multi-sheet', 'split-novelties'])(
    'is a title in payroll/%s where concepts have columns, beside those there were',
    (base) => {
      if (base === 'long') return;
      const titles = titlesOf(compiled(base, ADDED), 'non_salary_aid');
      expect(titles).toEqual(expect.arrayContaining(['Botas y overol', 'Auxilio de rodamiento']));
      expect(titles).not.toContain('Apoyo * campo');
    },
  );

  test.each([
    ['long', 'lines'],
    ['multi-sheet', 'novelties'],
    ['split-novelties', 'novelties'],
  ])('is a word in payroll/%s, with wildcards and those there were', (base, table) => {
    const own = compiled(base, ADDED);
    for (const word of ['BOTAS Y OVEROL', 'Apoyo de campo', 'Auxilio de rodamiento'])
      expect(classOf(own, table, word), word).toBe('non_salary_aid');
    expect(classOf(own, table, 'Salud')).toBe('health');
  });

  test('is a sheet', () => {
    expect(compiled('multi-sheet', ADDED).spec.tables['non_salary_aid']!.sheet).toContain('Botas y overol');
  });
});

test('a list without + stands for all names', () => {
  const own = compiled('wide', '  commission: { names: [Porcentaje de venta] }\n');
  expect(titlesOf(own, 'commission')).toEqual(['Porcentaje de venta']);
});

test('null takes a key away, and anything else replaces it', () => {
  const { document } = compiled('wide', '  health: { absent: null, column: eps_paid }\n').spec;
  expect(document).toMatchObject({ deductions: { eps_deduction: { from: 'eps_paid' } } });
  expect(document).not.toMatchObject({ deductions: { eps_deduction: { default: expect.anything() } } });
});

test('a concept of its own is a column, a word and a sheet', () => {
  const concept = '  goat: { to: "accrued.bonuses[].non_salary_bonus", column: goat, names: [Cabra] }\n';
  expect(titlesOf(compiled('wide', concept), 'goat')).toEqual(['Cabra']);
  expect(classOf(compiled('long', concept), 'lines', 'CABRA')).toBe('goat');
  expect(compiled('multi-sheet', concept).spec.tables['goat']!.sheet).toEqual(['Cabra']);
});

test('a layout of its own may say so too', () => {
  const text = mapping('wide', ADDED).replace('cargue: 1', 'cargue: 2\nvocabulary: payroll');
  expect(titlesOf(compileMapping('own.yaml', text), 'non_salary_aid')).toContain('Botas y overol');
});

describe('a column that a mapping calls otherwise', () => {
  const titles = (base: string, table: string, column: string, names: string) =>
    compileMapping(
      'own.yaml',
      `cargue: 1\nextends: ${base}\nname: own\nconcepts:\n  ${column}: { names: ${names} }\n`,
    )
      .tables.get(table)!
      .columns.get(column)!.wanted!.titles;

  test.each([
    ['rips/lista', 'lista', 'codDiagnosticoPrincipal'],
    ['rips/lista-de-un-tipo', 'lista', 'codDiagnosticoPrincipal'],
    ['rips/consultas', 'consultas', 'codDiagnosticoPrincipal'],
    ['rips/agenda', 'consultas', 'codDiagnosticoPrincipal'],
    ['rips/excel-por-nodo', 'urgencias', 'codDiagnosticoPrincipal'],
    ['rips/excel-por-nodo', 'consultas', 'codDiagnosticoPrincipal'],
    ['rips/libro-por-nodo', 'hospitalizacion', 'codDiagnosticoPrincipal'],
    ['rips/libro-por-nodo', 'usuarios', 'numDocumentoUsuario'],
    ['payroll/wide', 'workers', 'document'],
    ['payroll/long', 'lines', 'base_salary'],
    ['payroll/multi-sheet', 'commissions', 'document'],
    ['events/list', 'events', 'cufe'],
    ['events/columns', 'events', 'seller'],
    ['events/attached', 'documents', 'seller'],
  ])('is so in %s %s', (base, table, column) => {
    const before = compileMapping('own.yaml', `cargue: 1\nextends: ${base}\nname: own\n`);
    const known = before.tables.get(table)!.columns.get(column)!.wanted!.titles;
    expect(titles(base, table, column, '[+Rótulo propio]')).toEqual([...known, 'Rótulo propio']);
    expect(titles(base, table, column, '[Rótulo propio]')).toEqual(['Rótulo propio']);
  });

  test.each([
    ['wide', 'workers', 'hed_hours'],
    ['adjust', 'workers', 'vacation_start'],
    ['split', 'workers', 'disability_days'],
  ])('may be a part of a concept: payroll/%s %s %s', (base, table, column) => {
    expect(titles(`payroll/${base}`, table, column, '[+Rótulo propio]').at(-1)).toBe('Rótulo propio');
  });

  test.each([
    ['[+A]', '[+B]', ['Número documento', 'A', 'B']],
    ['[A]', '[+B]', ['A', 'B']],
    ['[+A]', '[B]', ['B']],
  ])('has the names %s of one mapping and %s of the one over it', (under, over, expected) => {
    const folder = mkdtempSync(join(tmpdir(), 'cargue-concepts-'));
    const layout = `${readFileSync(readyFile('payroll/wide'), 'utf8')}\nconcepts: { document: { names: ${under} } }\n`;
    writeFileSync(join(folder, 'base.yaml'), layout);
    const top = `cargue: 1\nextends: base.yaml\nname: top\nconcepts:\n  document: { names: ${over} }\n`;
    const found = compileMapping('top.yaml', top, folder).tables.get('workers')!.columns.get('document')!;
    expect(found.wanted!.titles).toEqual(expect.arrayContaining(expected));
    expect(found.wanted!.titles.includes('Número documento')).toBe(expected.length === 3);
  });

  test('may have a label that the base left aside', () => {
    expect(titles('rips/lista', 'lista', 'codPrestador', '[+Edad]')).toContain('Edad');
  });
});

describe('mistakes are told at their line', () => {
  const findings = (text: string) => {
    try {
      compileMapping('own.yaml', text);
      return [];
    } catch (error) {
      return (error as PipelineError).issues.map(({ code, value, place, suggestions = [] }) => [
        code,
        value,
        place.file,
        place.line,
        suggestions[0]?.value,
      ]);
    }
  };

  test.each([
    [
      'a concept that is none',
      mapping('wide', '  non_salary_aids: { names: [+X] }\n'),
      ['mapping/unknown-key', 'non_salary_aids', 'own.yaml', 5, 'non_salary_aid'],
    ],
    [
      'the same below two ready-made mappings',
      mapping('multi-sheet', '  non_salary_aids: { names: [+X] }\n'),
      ['mapping/unknown-key', 'non_salary_aids', 'own.yaml', 5, 'non_salary_aid'],
    ],
    [
      'a key that is none',
      mapping('wide', '  commission:\n    nams: [X]\n'),
      ['mapping/unknown-key', 'nams', 'own.yaml', 6, 'names'],
    ],
    [
      'a key that a column has not',
      mapping('wide', '  base_salary:\n    to: worker.salary\n    names: [+X]\n'),
      ['mapping/unknown-key', 'to', 'own.yaml', 6, undefined],
    ],
    [
      'a column that is none',
      mapping('wide', '  base_salry: { names: [+X] }\n'),
      ['mapping/unknown-key', 'base_salry', 'own.yaml', 5, 'base_salary'],
    ],
    [
      'another shape',
      mapping('wide', '  commission:\n    names: X\n'),
      ['mapping/shape', undefined, 'own.yaml', 6, undefined],
    ],
    [
      'a field that documents do not have',
      mapping('wide', '  commission:\n    to: accrued.comissions\n'),
      ['mapping/unknown-target', 'comissions', 'own.yaml', 5, 'commissions'],
    ],
    [
      'what has no vocabulary',
      `extends: rips/json\ncargue: 1\nname: own\nconcepts:\n${ADDED}`,
      ['mapping/no-effect', 'concepts', 'own.yaml', 4, undefined],
    ],
  ])('%s', (_, text, expected) => {
    expect(findings(text)).toEqual([expected]);
  });
});
