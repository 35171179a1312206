import { describe, expect, test } from 'vitest';
import { takePart } from '../../src/toolkit/mapping/parts-source.js';
import { type NameOrder, splitFullName } from '../../src/toolkit/mapping/read/parts.js';
import { word } from '../../src/toolkit/messages/wording.js';

/** `surname / second surname / first name / middle name`, with a question mark when unsure. */
const shown = (text: string, order: NameOrder): string => {
  const { surname, second_surname, first_name, middle_name, unsure } = splitFullName(text, order);
  const parts = [surname, second_surname ?? '-', first_name, middle_name ?? '-'].join('/');
  return unsure ? `${parts} ?` : parts;
};

describe('a full name in one cell', () => {
  test.each<[string, string, string]>([
    ['PEREZ ANA', 'PEREZ/-/ANA/-', 'ANA/-/PEREZ/-'],
    ['PEREZ GOMEZ ANA MARIA', 'PEREZ/GOMEZ/ANA/MARIA', 'ANA/MARIA/PEREZ/GOMEZ'],
    ['PEREZ GOMEZ ANA', 'PEREZ/GOMEZ/ANA/- ?', 'GOMEZ/ANA/PEREZ/- ?'],
    ['Ana Pérez Gómez', 'Ana/Pérez/Gómez/- ?', 'Pérez/Gómez/Ana/- ?'],
    ['A B C D E', 'A/B/C/D E ?', 'D/E/A/B C ?'],
    ['PEREZ GOMEZ, ANA MARIA', 'PEREZ/GOMEZ/ANA/MARIA', 'PEREZ/GOMEZ/ANA/MARIA'],
    ['PEREZ,ANA', 'PEREZ/-/ANA/-', 'PEREZ/-/ANA/-'],
    ['Pérez Gómez ,  Ana María José', 'Pérez/Gómez/Ana/María José', 'Pérez/Gómez/Ana/María José'],
    ['A B C, D', 'A/B C/D/- ?', 'A/B C/D/- ?'],
    ['PEREZ, GOMEZ, ANA', 'PEREZ/GOMEZ/ANA/- ?', 'GOMEZ/ANA/PEREZ/- ?'],
    ['PEREZ ANA,', 'PEREZ/-/ANA/-', 'ANA/-/PEREZ/-'],
    ['de la Cruz Ana', 'de la Cruz/-/Ana/-', 'Ana/-/de la Cruz/-'],
    ['DE LA HOZ DEL RIO JUAN DE DIOS', 'DE LA HOZ/DEL RIO/JUAN/DE DIOS', 'JUAN/DE DIOS/DE LA HOZ/DEL RIO'],
    [
      'Gómez de Pérez María de los Ángeles',
      'Gómez/de Pérez/María/de los Ángeles',
      'María/de los Ángeles/Gómez/de Pérez',
    ],
    ['ORTEGA Y GASSET JOSE SANTIAGO', 'ORTEGA/Y GASSET/JOSE/SANTIAGO', 'JOSE/SANTIAGO/ORTEGA/Y GASSET'],
    ['San Juan Von Humboldt Ana Eva', 'San Juan/Von Humboldt/Ana/Eva', 'Ana/Eva/San Juan/Von Humboldt'],
    ['MC DONALD DOS SANTOS, LA PAZ', 'MC DONALD/DOS SANTOS/LA PAZ/-', 'MC DONALD/DOS SANTOS/LA PAZ/-'],
    ['van der Berg Ana', 'van der Berg/-/Ana/-', 'Ana/-/van der Berg/-'],
    ['GOMEZ VDA DE RUIZ ANA', 'GOMEZ/VDA DE RUIZ/ANA/- ?', 'VDA DE RUIZ/ANA/GOMEZ/- ?'],
    ['GOMEZ VDA. DE RUIZ ANA MARIA', 'GOMEZ/VDA. DE RUIZ/ANA/MARIA ?', 'VDA. DE RUIZ/ANA MARIA/GOMEZ/- ?'],
    [
      'GOMEZ PEREZ VIUDA DE LA HOZ ANA',
      'GOMEZ/PEREZ VIUDA DE LA HOZ/ANA/- ?',
      'VIUDA DE LA HOZ/ANA/GOMEZ/PEREZ ?',
    ],
    ['GOMEZ V. DE RUIZ ANA', 'GOMEZ/V. DE RUIZ/ANA/- ?', 'V. DE RUIZ/ANA/GOMEZ/- ?'],
    ['VDA DE RUIZ ANA', 'VDA DE RUIZ/-/ANA/- ?', 'VDA DE RUIZ/ANA//- ?'],
    ['ANA GOMEZ VDA DE RUIZ', 'ANA/VDA DE RUIZ/GOMEZ/- ?', 'GOMEZ/VDA DE RUIZ/ANA/- ?'],
    ['ANA MARIA GOMEZ VDA DE RUIZ', 'ANA/MARIA VDA DE RUIZ/GOMEZ/- ?', 'GOMEZ/VDA DE RUIZ/ANA/MARIA ?'],
    [
      'ANA MARIA GOMEZ PEREZ VDA DE RUIZ',
      'ANA/MARIA VDA DE RUIZ/GOMEZ/PEREZ ?',
      'GOMEZ/PEREZ VDA DE RUIZ/ANA/MARIA ?',
    ],
    ['ANA VDA DE RUIZ', 'ANA/VDA DE RUIZ//- ?', 'VDA DE RUIZ/-/ANA/- ?'],
    ['VDA DE RUIZ', 'VDA DE RUIZ/-//- ?', 'VDA DE RUIZ/-//- ?'],
    ['GOMEZ VDA', 'GOMEZ/VDA//- ?', 'VDA/-/GOMEZ/- ?'],
    ['GOMEZ VDA DE RUIZ, ANA MARIA', 'GOMEZ/VDA DE RUIZ/ANA/MARIA', 'GOMEZ/VDA DE RUIZ/ANA/MARIA'],
    ['PEREZ VDALES ANA V', 'PEREZ/VDALES/ANA/V', 'ANA/V/PEREZ/VDALES'],
    ['PEREZ-GOMEZ ANA', 'PEREZ-GOMEZ/-/ANA/-', 'ANA/-/PEREZ-GOMEZ/-'],
    ['  PEREZ \u00a0 ANA ', 'PEREZ/-/ANA/-', 'ANA/-/PEREZ/-'],
    ['PEREZ MARIA DEL', 'PEREZ/MARIA/DEL/- ?', 'MARIA/DEL/PEREZ/- ?'],
    ['ANA', 'ANA/-//- ?', '/-/ANA/- ?'],
    [',', '/-//- ?', '/-//- ?'],
  ])('%s', (text, surnamesFirst, namesFirst) => {
    expect([shown(text, 'surnames_first'), shown(text, 'names_first')]).toEqual([surnamesFirst, namesFirst]);
  });
});

describe('a part of a full name', () => {
  const take = (part: string, text: string, order: NameOrder = 'surnames_first') =>
    takePart({ from: 'name', pattern: 'full_name', part, order })!.take(text);

  test.each<[string, string | undefined]>([
    ['surname', 'DE LA CRUZ'],
    ['second_surname', undefined],
    ['first_name', 'ANA'],
    ['middle_name', undefined],
  ])('%s', (part, expected) => expect(take(part, 'DE LA CRUZ ANA')).toBe(expected));

  test('comes with a warning when the name could be split in another way', () => {
    expect(take('first_name', 'PEREZ GOMEZ ANA')).toMatchObject({
      value: 'ANA',
      warning: { code: 'cell/name-unsure', params: { surnames: 'PEREZ GOMEZ', names: 'ANA' } },
    });
    expect(
      word(
        { code: 'cell/name-unsure', level: 'warning', params: { names: '', surnames: '' }, place: {} },
        'es',
      ).title,
    ).not.toBe('cell/name-unsure');
  });

  test('is blank, never empty, where the cell has none', () =>
    expect([take('first_name', 'ANA'), take('middle_name', 'PEREZ GOMEZ ANA')]).toEqual([
      undefined,
      undefined,
    ]));

  test.each([
    { part: 'nickname', order: 'names_first' as const },
    { part: 1, order: 'names_first' as const },
    { part: 'surname' },
  ])('must be one that there is, with its order: %j', (parts) =>
    expect(takePart({ from: 'name', pattern: 'full_name', ...parts })).toBeUndefined(),
  );
});
