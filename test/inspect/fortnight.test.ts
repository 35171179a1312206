import { expect, test } from 'vitest';
import { fortnightOf } from '../../src/toolkit/tables/fortnight.js';

test.each([
  ['SALARIO Q1', 'SALARIO', 1],
  ['SALARIO_Q2', 'SALARIO', 2],
  ['SALARIO 1Q', 'SALARIO', 1],
  ['Días (Q2)', 'Días', 2],
  ['SALARIO (1-15)', 'SALARIO', 1],
  ['SALUD 16 AL 31', 'SALUD', 2],
  ['SALARIO SEGUNDA QUINCENA', 'SALARIO', 2],
  ['1ª QUINCENA', '', 1],
  ['II QUINCENA', '', 2],
  ['QUINCENA No. 2', '', 2],
  ['DEL 1 AL 15', '', 1],
])('%s is %s of half %i', (label, rest, half) => {
  expect(fortnightOf(label)).toEqual({ rest, half });
});

test.each(['CARGO', 'PRIMER APELLIDO', 'QUINCENA', 'NOMBRE 1', 'SALUD 4%', 'FECHA 1'])(
  '%s names none',
  (label) => {
    expect(fortnightOf(label)).toBeUndefined();
  },
);
