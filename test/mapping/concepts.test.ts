import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadMapping } from '../../src/mapping/load.js';
import { CellFault } from '../../src/mapping/read/cell.js';
import type { Context } from '../../src/mapping/record.js';

const { tables } = await loadMapping('mappings/payroll/long.yaml');
const lines = [...tables.values()].find(({ id }) => id === 'lines')!;

/** What a concept of a list is taken for. */
function classOf(concept: string): unknown {
  const values: string[] = [];
  values[lines.columns.get('concept')!.position] = concept;
  const at: unknown[] = [];
  at[lines.slot] = { values };
  const found = lines.columns.get('class')!.computed!({ at } as unknown as Context);
  return found instanceof CellFault ? found.code : found;
}

test.each([
  ['HORAS EXTRAS DIURNAS', 'overtime_day'],
  ['HORAS EXTRAS DIURNAS EN FESTIVO', 'overtime_day_sunday'],
  ['HORA EXTRA NOCTURNA EN DOMINGO', 'overtime_night_sunday'],
  ['HORAS EXTRAS DIURNAS Y NOCTURNAS', 'class/unknown'],
  ['RECARGO NOCTURNO 35%', 'night_surcharge'],
  ['RECARGO NOCTURNO EN FESTIVO', 'night_surcharge_sunday'],
  ['RECARGO NOCTURNO 2.10 DOMINICAL', 'night_surcharge_sunday'],
  ['RECARGO NOCTURNO CONDOMINIO', 'night_surcharge'],
  ['HORA EXTRA NOCTURNA DOMICILIOS', 'overtime_night'],
  ['HORAS EXTRAS DIURNAS DOMINIC.', 'overtime_day_sunday'],
  ['RECARGO DOMINICAL Y FESTIVO', 'surcharge_sunday'],
  ['BONIFICACION NOVIEMBRE', 'class/unknown'],
  ['BONIF. MENSUAL NO SALARIAL', 'non_salary_bonus'],
  ['BONIF. NO CONST.', 'non_salary_bonus'],
  ['BONIF. NO PRESTACIONAL', 'non_salary_bonus'],
  ['Auxilio de alimentación', 'non_salary_aid'],
  ['AUXILIO ALIMENTACION SALARIAL', 'salary_aid'],
  ['AUXILIO ALIMENTACION NO SALARIAL', 'non_salary_aid'],
  ['AUX TRANSPORTE', 'transport'],
  ['NETO A PAGAR', 'other_than_payroll'],
  ['Total deducido', 'other_than_payroll'],
  ['NETO A PAGAR BANCO', 'class/unknown'],
  ['AUX EXTRALEGAL TRANSPORTE', 'class/unknown'],
  ['PRIMA DE SERVICIOS 2026-2', 'service_bonus'],
  ['PRIMA DE SERVICIOS EXTRALEGAL', 'class/unknown'],
  ['SALUD - EPS SURA', 'health'],
  ['SALUD - MEDICINA PREPAGADA', 'class/unknown'],
  ['APORTE SALUD EMPLEADO', 'health'],
  ['APORTE SALUD EMPRESA', 'class/unknown'],
  ['PENSION - PORVENIR', 'pension'],
  ['PENSION 4%', 'pension'],
  ['PENSION 12%', 'other_than_payroll'],
  ['PENSION 12 % PORVENIR', 'other_than_payroll'],
  ['APORTE PENSION OBLIGATORIA 12%', 'other_than_payroll'],
  ['SALUD 8,5%', 'other_than_payroll'],
  ['SALUD [8.5%]', 'other_than_payroll'],
  ['PENSION - CUOTA ALIMENTARIA', 'class/unknown'],
  ['APORTE PENSION OBLIGATORIA EMPLEADOR', 'class/unknown'],
  ['FONDO DE SOLIDARIDAD PENSIONAL', 'solidarity'],
  ['FONDO SOLIDARIDAD EMPLEADOS', 'class/unknown'],
  ['LIBRANZA FONDO DE EMPLEADOS', 'order'],
  ['PRIMA LEGAL PROV.', 'class/unknown'],
  ['INTERESES SOBRE CESANTIAS PROV.', 'class/unknown'],
  ['CESANTIAS DEFINITIVAS', 'severance'],
  ['INT. SOBRE LAS CESANTIAS', 'severance_interest'],
  ['ANTICIPO CESANTIAS', 'class/unknown'],
  ['ANTICIPO DE NOMINA', 'deduction_advance'],
  ['ANTICIPO PAGADO AL TRABAJADOR', 'paid_advance'],
  ['SALUD - REINTEGRO', 'class/unknown'],
  ['SALUD - AJUSTE', 'health'],
  ['RETENCION EN LA FUENTE DEVOLUCION', 'class/unknown'],
  ['COMISION BANCARIA', 'class/unknown'],
  ['LIBRANZA BANCARIA', 'order'],
  ['PRESTAMO DESEMBOLSO', 'class/unknown'],
])('a word beside the concept that makes another of it: %s → %s', (concept, expected) => {
  expect(classOf(concept)).toBe(expected);
});

test('every class that the documents ask for is one that words are sorted into', () => {
  const classes = Object.keys(lines.columns.get('class')!.sorts!.classes);
  const asked = readFileSync('mappings/payroll/long.yaml', 'utf8').matchAll(/class = "(\w+)"/g);
  const names = new Set(Array.from(asked, ([, name]) => name));
  expect(names.size).toBeGreaterThan(30);
  expect(classes).toEqual(expect.arrayContaining([...names]));
});
