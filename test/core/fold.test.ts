import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areOpposed, suggest, wildcard } from '../../src/toolkit/core/text.js';

/** The meaning of a pattern, in the slow way. */
function naive(text: readonly string[], pattern: readonly string[]): boolean {
  const [sign, ...rest] = pattern;
  if (sign === undefined) return text.length === 0;
  if (sign === '*') return text.some((_, at) => naive(text.slice(at), rest)) || naive([], rest);
  return text.length > 0 && (sign === '?' || sign === text[0]) && naive(text.slice(1), rest);
}

describe('wildcards', () => {
  test.each<[pattern: string, text: string, boolean]>([
    ['*', '', true],
    ['?', '', false],
    ['salud*', 'salud', true],
    ['SALUD-*', 'salud-01', true],
    ['*dias*', 'numero de dias trabajados', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['?', '😀', true],
    ['*?', '😀', true],
    ['a.c', 'abc', false],
    ['*b', 'abab', true],
    ['*b', 'aba', false],
  ])('%s over %s', (pattern, text, fits) => expect(wildcard(pattern)(text)).toBe(fits));

  test('as the plain meaning says', () => {
    const letter = fc.constantFrom('a', 'b', '😀', '\n', '.');
    const sign = fc.oneof({ weight: 2, arbitrary: letter }, fc.constantFrom('*', '?'));
    const keep = (text: string): string => text;
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 9 }), fc.array(sign, { maxLength: 8 }), (text, pattern) => {
        expect(wildcard(pattern.join(''), keep)(text.join(''))).toBe(naive(text, pattern));
      }),
      { numRuns: 2_000, seed: 7 },
    );
  });

  test('none takes long, however many stars', () => {
    expect(wildcard(`${'*a'.repeat(2_000)}*b`)('a'.repeat(30_000))).toBe(false);
  });
});

describe('texts that are written alike', () => {
  test.each<[one: string, other: string]>([
    ['Término definido', 'Término indefinido'],
    ['DEFINIDO', 'Indefinido'],
    ['Independiente', 'Dependiente'],
    ['No dependiente', 'Dependiente'],
    ['Dependiente sin contrato', 'Dependiente contrato'],
    ['Inactivos', 'Activo'],
    ['Ilegal', 'Legal'],
    ['Cédula extranjería', 'Cédula de ciudadanía'],
    ['Cédula venezolana', 'Cédula de extranjería'],
    ['Licencia de paternidad', 'Licencia de maternidad'],
    ['Hora nocturna', 'Hora diurna'],
    ['Sector público', 'Sector privado'],
    ['Cuenta corriente', 'Cuenta de ahorros'],
    ['Régimen subsidiado', 'Régimen contributivo'],
  ])('%s is opposed to %s', (one, other) => {
    expect([areOpposed(one, other), areOpposed(other, one)]).toEqual([true, true]);
    expect(suggest(one, [other])).toEqual([]);
  });

  test.each<[one: string, other: string]>([
    ['Indefindo', 'Indefinido'],
    ['Termino indefinido', 'A término indefinido'],
    ['Dependientes', 'Dependiente'],
    ['No', 'Falso'],
    ['No. cuenta', 'Cuenta'],
    ['No salarial', 'No constitutivo'],
    ['Cédula ciudadania', 'Cédula de ciudadanía'],
    ['Interés', 'Intereses'],
    ['', ''],
  ])('%s is not opposed to %s', (one, other) => {
    expect([areOpposed(one, other), areOpposed(other, one)]).toEqual([false, false]);
  });
});
