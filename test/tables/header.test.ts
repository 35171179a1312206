import { describe, expect, test } from 'vitest';
import { findHeader, looksMisspelt, missingColumn, nearestHeader } from '../../src/toolkit/tables/header.js';
import { isRepeatedHeader } from '../../src/toolkit/tables/repeated-header.js';
import { columnsOf, drawn, find, issuesOf, rowOf, SHEET, wants } from './header-sheet.js';

const NONE: readonly string[] = [];

describe('labels and titles', () => {
  const HED = wants('hours: H.E.D. (Hrs)', 'value: H.E.D. ($), Valor HED', 'bare: HED');
  test.each([
    ['Número   DOCUMENTO', wants('document: numero documento'), 'document A'],
    ['Número⏎de documento', wants('document: Número de documento'), 'document A'],
    ['Documento *', wants('document: Documento'), 'document A'],
    ['* Documento:', wants('document: Documento'), 'document A'],
    ['Documento(*)', wants('document: Documento'), 'document A'],
    ['N° cuenta|Nº identif.', wants('account: Nº cuenta', 'document: N° IDENTIF'), 'account A, document B'],
    ['H.E.D.', HED, 'bare A'],
    ['H.E.D. (Hrs)', HED, 'hours A'],
    ['HED hrs', HED, 'hours A'],
    ['H.E.D. ($)', HED, 'value A'],
    ['HED $', HED, 'value A'],
    ['Valor H.E.D.', HED, 'value A'],
    ['H.E.D. (Hrs)|H.E.D. ($)|HED', HED, 'hours A, value B, bare C'],
    ['SALUD 4%', wants('health: Salud'), ''],
    ['SALUD 4%|Salud', wants('health: Salud', 'share: Salud 4%'), 'share A, health B'],
    ['Sueldo básico', wants('any: Sueldo*', 'exact: Sueldo Basico'), 'exact A'],
    ['Sueldo básico', wants('any: Sueldo*'), 'any A'],
    ['Sueldo-basico', wants('squashed: Sueldo basico', 'folded: Sueldo-Básico'), 'folded A'],
  ])('%s', (labels, wanted, expected) => {
    const header = find(labels, wanted);
    expect(columnsOf(header)).toBe(expected);
    expect(header.issues).toEqual(NONE);
  });

  test('what nothing claims is unused, and never guessed', () => {
    const header = find(
      'Documento|Fecha de ingrezo',
      wants('document: Documento', 'admission: Fecha de ingreso'),
    );
    expect(columnsOf(header)).toBe('document A');
    expect(header.unused).toEqual([{ column: 1, label: 'Fecha de ingrezo' }]);
  });

  test.each([
    [
      'claimed twice',
      'Salud|Documento|SALUD:',
      wants('health: Salud'),
      'health A',
      ['header/duplicate Hoja!C1 Hoja!A1'],
    ],
    ['claims two columns', 'Otros', wants('a: Otros', 'b: Otros'), '', ['header/ambiguous Hoja!A1']],
    [
      'two titles of one column',
      'Salud|Aporte salud',
      wants('health: Salud, Aporte salud'),
      'health A',
      ['header/duplicate Hoja!B1 Hoja!A1'],
    ],
    ['several are added up', 'Salud Q1|X|Salud Q2', wants('health: Salud Q1, Salud Q2+'), 'health A+C', []],
    ['several by a wildcard', 'Salud Q1|X|Salud Q2', wants('health: Salud Q?+'), 'health A+C', []],
  ])('a label %s', (_, labels, wanted, expected, issues) => {
    const header = find(labels, wanted);
    expect(columnsOf(header)).toBe(expected);
    expect(issuesOf(header)).toEqual(issues);
  });
});

describe('the row of the header', () => {
  const wanted = wants('document: Documento', 'name: Nombre', 'salary: Sueldo');
  test.each([
    ['below a title in merged cells', 'ACME S.A.||\n\nDocumento|Nombre|Sueldo\n1|Ana|5', 3, 4],
    ['best of several', 'Documento|x|y\nDocumento|Nombre|Sueldo\n1|Ana|5', 2, 3],
    ['the first of two alike', 'Documento|Nombre|Sueldo\n1|Ana|5\nDocumento|Nombre|Sueldo', 1, 2],
    [
      'the first of two with records, though the second has more',
      'Documento|Nombre\n1|Ana\nDocumento|Nombre|Sueldo\n2|Eva|5',
      1,
      2,
    ],
    [
      'the first with records below a line about an area',
      'Documento|Nombre\nVENTAS|\n1|Ana\nDocumento|Nombre|Sueldo\n2|Eva|5',
      1,
      2,
    ],
    ['the fuller below a small table', 'Documento|x\n900|ACME\nDocumento|Nombre|Sueldo\n1|Ana|5', 3, 4],
    ['the fuller below a record of nobody', 'Documento|Nombre\n|Ana\nDocumento|Nombre|Sueldo', 3, 4],
    ['the fuller below words', 'Documento|Nombre\nsu cédula|completo\nDocumento|Nombre|Sueldo', 3, 4],
    ['with units below', 'Documento|Nombre|Sueldo\n|Texto|($)\n1|Ana|5', 1, 3],
    ['with formats below', 'Documento|Nombre|Sueldo\n(#)|texto|$\n1|Ana|5', 1, 3],
    ['without the units of a later row', 'Documento|Nombre|Sueldo\n1|Ana|5\n|Texto|($)', 1, 2],
    ['with a sparse first record', 'Documento|Nombre|Sueldo\n||$', 1, 2],
  ])('%s', (_, drawing, number, firstDataRow) => {
    const header = find(drawing, wanted, { mustHave: ['document'] });
    expect([header.row.number, header.firstDataRow]).toEqual([number, firstDataRow]);
  });

  test('a row that lacks what it must have is none', () => {
    const rows = drawn('Nombre|Sueldo|x\n1|2|3');
    const options = { within: 30, mustHave: ['document'] };
    expect(findHeader(SHEET, rows, wanted, options)).toBeUndefined();
    const nearest = nearestHeader(SHEET, rows, wanted, 30)!;
    expect(columnsOf(nearest)).toBe('name A, salary B');
    expect(nearestHeader(SHEET, drawn('x|y'), wanted, 30)).toBeUndefined();
  });

  test('rows below the limit are not looked at; a declared row is taken as it is', () => {
    const rows = drawn('a|b|c\nx\nDocumento|Nombre|Sueldo');
    expect(findHeader(SHEET, rows, wanted, { within: 2, mustHave: ['document'] })).toBeUndefined();
    expect(findHeader(SHEET, rows, wanted, { within: 9, row: 1, mustHave: ['document'] })?.row.number).toBe(
      1,
    );
  });

  test.each([
    ['the same texts', ['Documento', 'Nombre', 'Sueldo'], true],
    ['in another spelling', ['DOCUMENTO', undefined, 'Sueldo :'], true],
    ['with a page number beyond', ['Documento', 'Nombre', 'Sueldo', 'Pág. 2'], true],
    ['one text of three', [undefined, undefined, 'Sueldo'], false],
    ['a record', ['123', 'Ana', '500'], false],
    ['a record with one text alike', ['123', 'Nombre', 'Sueldo'], false],
    ['a text in a column without label alone', [undefined, undefined, undefined, 'x'], false],
  ])('repeated on a later page: %s', (_, texts, expected) => {
    const header = find('Documento|Nombre|Sueldo', wanted);
    expect(isRepeatedHeader(header, rowOf(60, texts))).toBe(expected);
  });

  test('its row of groups comes again as well', () => {
    const header = find('DATOS||DEVENGADOS\nDocumento|Nombre|Sueldo', wanted, { groups: 'above' });
    expect(isRepeatedHeader(header, rowOf(60, ['DATOS', undefined, 'DEVENGADOS']))).toBe(true);
    expect(isRepeatedHeader(header, rowOf(61, ['Documento', 'Nombre', 'Sueldo']))).toBe(true);
    expect(isRepeatedHeader(header, rowOf(62, ['DATOS', 'Nombre', 'Sueldo']))).toBe(false);
  });
});

describe('a missing column', () => {
  test.each([
    [
      'hints at the likest label',
      'Documento|Fecha de ingrezo',
      wants('admission: Fecha de ingreso'),
      'B',
      'Fecha de ingreso',
      true,
    ],
    [
      'hints at nothing unlike',
      'Documento|Observaciones',
      wants('admission: Fecha de ingreso'),
      'A',
      undefined,
      false,
    ],
    ['hints at no short label', 'Documento|Salut', wants('health: Salud'), 'A', undefined, false],
    ['suggests no short title', 'Documento|Salud s', wants('health: Salud'), 'A', undefined, false],
  ])('%s', (_, labels, wanted, column, suggested, misspelt) => {
    const header = find(labels, wants('document: Documento'));
    const issue = missingColumn(SHEET, header, wanted[0]!);
    expect([issue.code, issue.place.column, issue.suggestions?.[0]?.value]).toEqual([
      'header/missing',
      column,
      suggested,
    ]);
    expect(looksMisspelt(header, wanted[0]!)).toBe(misspelt);
  });

  test('is named with its group', () => {
    const header = find('Documento', wants('document: Documento'));
    expect(missingColumn(SHEET, header, wants('total: Total @ DEVENGADOS')[0]!).params).toMatchObject({
      title: 'DEVENGADOS / Total',
    });
  });
});
