import { expect, test } from 'vitest';
import { garbled } from '../../src/toolkit/mapping/read/garbled.js';

/** Names as they are written here. */
const NAMES = ['Díaz', 'MUÑOZ', 'Peña Núñez', 'Güiza', 'ÁLVAREZ', 'ÉDGAR', 'Íñigo', 'OSPINA ÓÚ', 'Łódź'];
const LATIN = new TextDecoder('windows-1252');

const misread = (text: string): string => LATIN.decode(new TextEncoder().encode(text));

test.each(NAMES.filter((name) => name !== 'Łódź'))(
  '%s whose UTF-8 was read as Windows-1252 is known again',
  (name) => {
    expect(garbled(misread(name))).toEqual({ likely: name });
    expect(garbled(misread(misread(name)))).toEqual({ likely: name });
  },
);

test.each([
  ...NAMES,
  'JOÃO',
  'O’Brien D’angelo',
  'Conceiçao',
  'François',
  'Torre A — apto 3',
  'João Conceição',
  'Ana & Cía',
  '¿Asistió? Sí',
  '¡Urgente!',
  'Control ¿qué?',
  'https://ejemplo.co/a?b=1',
  '£5 y 100 ¢',
  'N/A?',
  '3° piso – “Los Álamos”',
  '',
])('%s is sound', (text) => {
  expect(garbled(text)).toBeUndefined();
});

test.each([
  ['D\ufffdaz', undefined],
  ['MU?OZ', undefined],
  ['Pe?a', undefined],
  ['Jos?', undefined],
  ['N??ez', undefined],
  ['?lvaro', undefined],
  ['DÃaz', undefined], // the soft hyphen behind was lost
  ['MU¥OZ', 'MUÑOZ'],
  ['Ni¤o', 'Niño'],
  ['P‚rez', 'Pérez'],
  ['Garc¡a', 'García'],
  ['Mu–oz', 'Muñoz'],
  ['L—pez Mar’a', 'López María'],
  ['JosŽ', 'José'],
  ['MU„OZ GARCêA', 'MUÑOZ GARCÍA'],
])('%s is damaged', (text, likely) => {
  expect(garbled(text)).toEqual(likely === undefined ? {} : { likely });
});
