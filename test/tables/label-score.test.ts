import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fold } from '../../src/toolkit/core/text.js';
import { type Abbreviations, SCORE_LEVELS, scoreLabel } from '../../src/toolkit/tables/label-score.js';

const ABBREVIATIONS = parse(
  readFileSync(new URL('../../mappings/synonyms/words.yaml', import.meta.url), 'utf8'),
) as Abbreviations;

const score = (label: string, title: string): number =>
  scoreLabel(label, undefined, { id: 'x', titles: [title] }, ABBREVIATIONS);

/** Labels as people write them, and the title that they mean. */
const SAME: readonly (readonly [label: string, title: string])[] = [
  ['AUX. TRANSP.', 'Auxilio de transporte'],
  ['Aux transporte', 'Auxilio de transporte'],
  ['Auxilio Transporte', 'Auxilio de transporte'],
  ['AUX DE TTE', 'Auxilio de transporte'],
  ['SUB. TRANSPORTE', 'Subsidio de transporte'],
  ['F. INGRESO', 'Fecha de ingreso'],
  ['FEC INGRESO', 'Fecha de ingreso'],
  ['Fecha ingrezo', 'Fecha de ingreso'],
  ['Fehca de ingreso', 'Fecha de ingreso'],
  ['F. PAGO', 'Fecha de pago'],
  ['FECHA NAC.', 'Fecha de nacimiento'],
  ['F. Nac', 'Fecha nacimiento'],
  ['1er. APELLIDO', 'Primer apellido'],
  ['1º Apellido', 'Primer apellido'],
  ['APELLIDO 1', 'Primer apellido'],
  ['PRIMER APELL.', 'Primer apellido'],
  ['2do. APELLIDO', 'Segundo apellido'],
  ['2° NOMBRE', 'Segundo nombre'],
  ['Nº CUENTA', 'Número de cuenta'],
  ['N° CTA', 'Número de cuenta'],
  ['No. CTA', 'Número de cuenta'],
  ['NRO CTA', 'Número de cuenta'],
  ['# CUENTA', 'Número de cuenta'],
  ['Cuenta No.', 'Número de cuenta'],
  ['T. CTA.', 'Tipo de cuenta'],
  ['TIPO CTA', 'Tipo de cuenta'],
  ['Nº IDENTIF.', 'Número de identificación'],
  ['No. IDENTIFICACION', 'Identificación'],
  ['TIPO DOC', 'Tipo de documento'],
  ['T.D.', 'Tipo de documento'],
  ['tipoDocumento', 'Tipo de documento'],
  ['num_documento', 'Número documento'],
  ['numDocumento', 'Número documento'],
  ['CÉDULA EMPLEADO', 'Cédula'],
  ['DCTO SALUD', 'Descuento salud'],
  ['DCTO SALUD', 'Salud'],
  ['VR. SALUD', 'Salud'],
  ['VR. SALUD', 'Valor salud'],
  ['SALUD 4%', 'Salud'],
  ['PENSIÓN 4%', 'Pensión'],
  ['APORTE PENS.', 'Aporte pensión'],
  ['VLR', 'Valor'],
  ['CANT', 'Cantidad'],
  ['Q1', 'Quincena 1'],
  ['Q1', 'Primera quincena'],
  ['SUELDO BÁS.', 'Sueldo básico'],
  ['SUELDO MES', 'Sueldo mensual'],
  ['SAL. INTEG.', 'Salario integral'],
  ['DÍAS LAB.', 'Días laborados'],
  ['DIAS TRAB', 'Días trabajados'],
  ['TIPO CONTR.', 'Tipo contrato'],
  ['DEPTO.', 'Departamento'],
  ['DPTO', 'Departamento'],
  ['COD DANE', 'Código DANE'],
  ['CÓD. MPIO', 'Código municipio'],
  ['Municipio código', 'Código municipio'],
  ['DIR. TRABAJO', 'Dirección de trabajo'],
  ['H.E.D. (Hrs)', 'HED horas'],
  ['H.E.D. ($)', 'HED valor'],
  ['VR. HED', 'HED valor'],
  ['H.E.N. Cant.', 'HEN cantidad'],
  ['HED', 'Hora extra diurna'],
  ['REC. DOM. (Hrs)', 'Recargo dominical horas'],
  ['REC. NOCT.', 'Recargo nocturno'],
  ['INCAP. ($)', 'Incapacidad valor'],
  ['INCAP. DESDE', 'Incapacidad desde'],
  ['VACAC. DÍAS', 'Vacaciones días'],
  ['COMISIÓN', 'Comisiones'],
  ['BONIF. NO SAL.', 'Bonificación no salarial'],
  ['BONIF. SAL.', 'Bonificación salarial'],
  ['Bonificacion no salarail', 'Bonificación no salarial'],
  ['AUX. NO SALARIAL', 'Auxilio no salarial'],
  ['F.S.P.', 'Fondo de solidaridad pensional'],
  ['FDO SOLIDARIDAD', 'Fondo de solidaridad'],
  ['RTE. FTE.', 'Retención en la fuente'],
  ['RETEFUENTE', 'Retención en la fuente'],
  ['COOPERAT.', 'Cooperativa'],
  ['TOT. DEVENG.', 'Total devengado'],
  ['Devengado total', 'Total devengado'],
  ['TOTAL DEDUCC.', 'Total deducciones'],
  ['Neto pagar', 'Neto a pagar'],
  ['LIC. REMUN.', 'Licencia remunerada'],
  ['Licencia renumerada', 'Licencia remunerada'],
  ['INT. CESANTIAS', 'Intereses de cesantías'],
  ['Dx', 'Diagnóstico'],
  ['codMunicipio', 'Código municipio'],
];

/** Labels that look alike and mean something else. */
const OTHER: readonly (readonly [label: string, title: string])[] = [
  ['Auxilio de transporte', 'Auxilio no salarial'],
  ['Auxilio salarial', 'Auxilio no salarial'],
  ['Auxilio no salarial', 'Auxilio salarial'],
  ['BONIF. SAL.', 'Bonificación no salarial'],
  ['Salud', 'Salario'],
  ['SAL.', 'Salud'],
  ['Salud', 'Sueldo'],
  ['Salud', 'Salud empleador'],
  ['Salud empleado', 'Salud empleador'],
  ['Empleado', 'Empleador'],
  ['Salario', 'Salario integral'],
  ['Salario', 'Salario mensual base'],
  ['Fecha ingreso', 'Fecha retiro'],
  ['F. INGRESO', 'Fecha de retiro'],
  ['Fin contrato', 'F. vinculación'],
  ['Fecha ingreso', 'Fecha egreso'],
  ['Fecha pago', 'Forma de pago'],
  ['Total', 'Total devengado'],
  ['Total devengado', 'Total deducciones'],
  ['Total devengado', 'Total'],
  ['Banco', 'Bono'],
  ['Banco', 'Bonificación'],
  ['Días', 'Días incapacidad'],
  ['Días vacaciones', 'Días incapacidad'],
  ['Días no trabajados', 'Días trabajados'],
  ['Tipo cuenta', 'Número cuenta'],
  ['Cuenta', 'Tipo de cuenta'],
  ['Tipo documento', 'Número documento'],
  ['Tipo documento', 'Documento'],
  ['Tipo documento', 'Tipo contrato'],
  ['Número', 'Número documento'],
  ['Número documento', 'Número cuenta'],
  ['1er. APELLIDO', 'Segundo apellido'],
  ['APELLIDO 2', 'Primer apellido'],
  ['1er. APELLIDO', 'Primer nombre'],
  ['Apellidos', 'Primer apellido'],
  ['Nombre banco', 'Nombre'],
  ['Otros', 'Otras deducciones'],
  ['Otros nombres', 'Otros descuentos'],
  ['HED horas', 'HED valor'],
  ['H.E.D. ($)', 'HED horas'],
  ['HED horas', 'HEN horas'],
  ['HED horas', 'HEDDF horas'],
  ['H.E.N. (Hrs)', 'HENDF horas'],
  ['RN horas', 'HRNDF horas'],
  ['Hora extra diurna', 'Hora extra nocturna'],
  ['Fondo de solidaridad', 'Fondo de subsistencia'],
  ['Pensión', 'Pensión voluntaria'],
  ['Cesantías', 'Intereses cesantías'],
  ['Incapacidad desde', 'Incapacidad hasta'],
  ['Incapacidad valor', 'Vacaciones valor'],
  ['Valor', 'Valor vacaciones'],
  ['Licencia remunerada', 'Licencia no remunerada'],
  ['Licencia maternidad', 'Licencia paternidad'],
  ['COSTO TOTAL EMP.', 'Total devengado'],
  ['Código municipio', 'Municipio'],
  ['Código trabajador', 'Código municipio'],
  ['Fecha inicio', 'Fecha fin'],
  ['C. COSTO', 'Cédula'],
  ['Observaciones', 'Bonificaciones'],
  ['Comisiones', 'Condiciones'],
  ['HE 1 valor', 'HE 2 valor'],
  ['Q1', 'Quincena 2'],
  ['Valor día', 'Días'],
  ['Valor hora', 'Horas'],
  ['No.', 'Nombre'],
  ['F.', 'Fecha'],
  ['T', 'Tipo'],
  ['Salario promedio', 'Salario'],
  ['SALUD 12.5%', 'Salud 4%'],
  ['PENSIÓN 16 %', 'Pensión 4%'],
  ['PENSIONADOS', 'Pensión'],
  ['Término definido', 'Término indefinido'],
  ['Contrato independiente', 'Contrato dependiente'],
  ['Valor', 'Número'],
  ['', 'Documento'],
  ['---', 'Documento'],
];

test.each(SAME)('%s means %s', (label, title) => {
  expect(score(label, title)).toBeGreaterThan(0.75);
  // Which side is abbreviated makes no difference.
  expect(score(title, label)).toBeGreaterThan(0.75);
});

test.each(OTHER)('%s is not %s', (label, title) => {
  expect(score(label, title)).toBeLessThan(SCORE_LEVELS.ask);
});

test('what is negated is at most half said, so that its cells do not make it a default', () => {
  expect(score('Sin VALOR', 'VALOR')).toBe(0.5);
});

describe('steps', () => {
  test.each([
    ['sueldo  BÁSICO', 'Sueldo básico', 1],
    ['Sueldo-básico', 'Sueldo básico', 0.98],
    ['Sueldo básico mes', 'Sueldo*', 0.9],
    ['Otra cosa', 'Sueldo*', 0],
  ])('%s as %s', (label, title, expected) => {
    expect(score(label, title)).toBe(expected);
  });

  test.each([
    ['Fecha ingrezo', 'Fecha ingreso'],
    ['Coperativa', 'Cooperativa'],
    ['Incapacidda dias', 'Incapacidad días'],
  ])('misspelt %s is never decided alone', (label, title) => {
    expect(score(label, title)).toBeLessThanOrEqual(0.85);
    expect(score(label, title)).toBeGreaterThan(0.75);
  });

  test('without the table of abbreviations, beginnings of words still count', () => {
    const wanted = { id: 'x', titles: ['Auxilio de transporte'] };
    expect(scoreLabel('AUX. TRANSP.', undefined, wanted)).toBeGreaterThan(0.75);
    expect(scoreLabel('AUX. TTE.', undefined, wanted)).toBeLessThan(SCORE_LEVELS.ask);
  });
});

describe('groups', () => {
  const wanted = { id: 'total', titles: ['Total', 'Total devengado'], groups: ['DEVENGADOS'] };
  const at = (label: string, group: string | undefined, column = wanted): number =>
    scoreLabel(label, group, column, ABBREVIATIONS);

  test.each([
    ['TOTAL', 'DEVENGADOS', 1, 1],
    ['TOTAL', undefined, 1, 1],
    ['TOT.', 'DEVENG.', 0.9, 1],
    ['TOTAL', 'DEDUCCIONES', 0, 0.69],
    ['TOT.', 'DEDUCC.', 0, 0.69],
    ['SALUD', 'DEVENGADOS', 0, 0.5],
  ])('%s under %s', (label, group, least, most) => {
    expect(at(label, group)).toBeGreaterThanOrEqual(least);
    expect(at(label, group)).toBeLessThanOrEqual(most);
  });

  test('a title may be found over both rows', () => {
    expect(scoreLabel('Total', 'Devengado', { id: 'x', titles: ['Total devengado'] })).toBeGreaterThan(0.75);
    expect(scoreLabel('Hrs', 'H.E.D.', { id: 'x', titles: ['HED horas'] }, ABBREVIATIONS)).toBeGreaterThan(
      0.75,
    );
  });
});

test('the table of abbreviations holds texts, folded, and none that abbreviates itself', () => {
  const entries = Object.entries(ABBREVIATIONS).flatMap(([word, list]) =>
    list.map((one) => [word, one] as const),
  );
  expect(entries.length).toBeGreaterThan(200);
  expect(
    entries.filter(([word, one]) => typeof one !== 'string' || one !== fold(one) || one === word),
  ).toEqual([]);
});

test('the beginning of a word scores less than the word', () => {
  for (const label of ['SALA', 'SALAR.', 'SAL.']) {
    expect(score(label, 'Salario')).toBeLessThan(1);
    expect(score(label, 'Salario')).toBeGreaterThanOrEqual(SCORE_LEVELS.ask);
  }
});

test('three consonants that are not those of a word do not stand for it', () => {
  expect(score('RTN', 'Retención')).toBeLessThan(SCORE_LEVELS.ask);
});
