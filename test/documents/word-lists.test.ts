import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { paramOf } from '../../src/toolkit/core/issue.js';
import { Readings } from '../../src/toolkit/mapping/readings.js';
import { placed, prepareFiles } from '../support/prepare-file.js';
import { zipOf } from '../support/zip-writer.js';

/** Words that mean one thing beside some words and another beside others: M beside F, M beside H. */

const FOLDER = 'samples/rips/consultas';
const PARAMS = JSON.parse(readFileSync(join(FOLDER, 'params.json'), 'utf8')) as Record<string, unknown>;
const HEAD =
  'Tipo Doc;Documento;Primer Nombre;Primer Apellido;Fecha Nac;Sexo;Régimen;Cód. Municipio;Zona;Correo;Fecha Consulta;Hora;CUPS;Dx;Tipo Dx;Finalidad;Causa;Valor;Cuota;Concepto;Incapacidad;Doc. Profesional';
const consultation = (sex: string, number: number): string =>
  `CC;98000051${number};Ana;Moreno;26/9/1946;${sex};Subsidiado;11001;R;p${number}@correo.example;31/10/2026;16:20;890206;E66.9;03;16;38;38.000,00;0,00;05;NO;9900000011`;

async function ofColumn(sexes: readonly string[], given: Record<string, unknown> = {}) {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-lists-')), 'consultas.csv');
  writeFileSync(file, [HEAD, ...sexes.map((sex, index) => consultation(sex, 10 + index))].join('\n'));
  const mapping = 'mappings/rips/consultas.yaml';
  const { drafts, issues } = await prepareFiles({ files: [file], mapping, params: { ...PARAMS, ...given } });
  const sexOf = (document: unknown): unknown =>
    (document as { national: { usuario: { codSexo: string } } }).national.usuario.codSexo;
  return { issues, sexes: drafts.map(({ body: document }) => sexOf(document)) };
}

const HM = { codigos_sexo: 'HM' };
const held = (...rows: number[]) => rows.map((row) => [`consultas.csv!F${row}`, 'lookup/contradiction']);

test.each<[words: string[], given: Record<string, unknown>, issues: unknown, sexes: string[]]>([
  [['M', 'F', 'M'], {}, [], ['M', 'F', 'M']],
  [['m', 'Femenino', 'Hombre'], {}, [], ['M', 'F', 'M']],
  [['M', 'H', 'M'], {}, held(2, 3, 4), []],
  [['M', 'M', 'Mujer', 'h'], {}, held(2, 3, 5), ['F']],
  [['M', 'H', 'M'], HM, [], ['F', 'M', 'F']],
  [['M', 'F'], HM, held(2, 3), []],
  [['M', 'F', 'H'], HM, held(2, 3, 4), []],
])('%j %j', async (words, given, expected, sexes) => {
  const found = await ofColumn(words, given);
  expect(placed(found.issues.filter(({ level }) => level === 'error'))).toEqual(expected);
  expect(found.sexes).toEqual(sexes);
});

test('the issue names the word that does not fit, and the parameter with the list that knows all', async () => {
  const { issues } = await ofColumn(['M', 'H']);
  expect(issues[0]).toMatchObject({
    value: 'M',
    params: { word: 'H', used: 'MF', settle: '-p codigos_sexo=HM' },
  });
});

test('a word that comes after the rows that are looked at first is held by itself', async () => {
  const many = Array.from({ length: 10_001 }, (_, index) => (index === 10_000 ? 'H' : 'Mujer'));
  const { issues } = await ofColumn(many);
  expect(placed(issues).filter(([, code]) => code === 'lookup/contradiction')).toEqual(held(10_002));
});

test('the patients of the flat files, too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-lists-'));
  const us = (sex: string, number: number): string =>
    `CC,98000001${number},EPS001,1,ROJAS,PEREZ,ANA,MARIA,31,1,${sex},11,001,U`;
  const ac = (number: number): string =>
    `F${number},1100109901,CC,98000001${number},05/10/2026,,890201,10,13,M545,,,,1,38000.00,0.00,38000.00`;
  const flat = (lines: readonly string[]) => Buffer.from(`${lines.join('\r\n')}\r\n`);
  const zip = join(folder, 'RIPS000009.zip');
  writeFileSync(
    zip,
    zipOf([
      { name: 'US000009.TXT', data: flat([us('M', 10), us('H', 11)]) },
      { name: 'AC000009.TXT', data: flat([ac(10), ac(11)]) },
    ]),
  );
  const files = [zip];
  const params = { ...PARAMS, cod_prestador: '110010990101', numDocumentoIdObligado: '900555321' };
  const {
    services_by_cups: _,
    modalidadGrupoServicioTecSal: __,
    ...known
  } = params as Record<string, unknown>;
  const { issues } = await prepareFiles({ files, mapping: 'mappings/rips/3374-zip.yaml', params: known });
  expect(placed(issues).filter(([, code]) => code === 'lookup/contradiction')).toEqual([
    ['RIPS000009.zip/US000009.TXT!K1', 'lookup/contradiction'],
    ['RIPS000009.zip/US000009.TXT!K2', 'lookup/contradiction'],
  ]);
});

describe('lists', () => {
  const lists = { one: { A: ['x'], B: ['y'] }, two: { A: ['z'], B: ['x'] }, three: { C: ['w', 'x', 'z'] } };
  const settle = (texts: readonly string[], decided?: ReadonlyMap<string, string>) => {
    const fault = new Readings(lists, decided, 'codes', 'p').contradiction(texts, {});
    return fault && paramOf(fault, 'settle');
  };

  test.each<[string[], string | undefined]>([
    [['X', 'y', 'other'], undefined],
    [['x', 'z'], '-p p=two|three'],
    [['w', 'z'], '-p p=three'],
    [['y', 'w'], '-p p=two|three'], // no list knows both
  ])('%j', (texts, expected) => {
    expect(settle(texts)).toBe(expected);
  });

  test('what the customer settled is no matter of lists', () => {
    expect(settle(['x', 'z'], new Map([['z', 'A']]))).toBeUndefined();
  });

  test('a mapping without the parameter is pointed to its decisions', () => {
    const fault = new Readings(lists, undefined, 'codes', undefined).contradiction(['x', 'z'], {});
    expect(paramOf(fault!, 'settle')).toContain('decisions');
  });
});
