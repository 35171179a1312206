import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { columnLetter } from '../../src/toolkit/core/text.js';
import { EACH_RUN } from '../../src/toolkit/inspect/param-questions.js';
import { IGNORE } from '../../src/toolkit/tables/header.js';
import { prepareFiles } from '../support/prepare-file.js';
import { sceneOf } from '../variants/kinds.js';
import { column, type Grid, gridsOf, insert, mapColumn, page, pick, rename, workbook } from './grid.js';
import { answered, findIn } from './known.js';

/** A list of services of several kinds, with its patients in another sheet. */

const SAMPLE = 'samples/rips/lista';
const KIND = 'TIPO DE SERVICIO';
const ID = 'DOCUMENTO';
const params = JSON.parse(readFileSync(`${SAMPLE}/params.json`, 'utf8')) as Record<string, unknown>;
const [sample] = (await gridsOf(`${SAMPLE}/servicios octubre.csv`)) as [Grid];
const list: Grid = { ...sample, name: 'SERVICIOS', rows: sample.rows.slice(0, -2) };
const first = column(list, 'COD PRESTADOR');

function distinct(grid: Grid): Grid {
  const texts = new Set<string>();
  const isNew = (row: Grid['rows'][number]): boolean => {
    const text = JSON.stringify(row);
    return !texts.has(text) && texts.add(text).size > 0;
  };
  return { ...grid, rows: grid.rows.filter(isNew) };
}

const patients = distinct({ ...pick(list, list.labels.slice(0, first)), name: 'PACIENTES' });
const services = pick(list, [ID, ...list.labels.slice(first)]);
const book = (own: Grid, people: Grid = patients): Promise<string> => workbook([page(people), page(own)]);

const letterOf = (grid: Grid, label: string): string => columnLetter(column(grid, label));

const VISIT: ReadonlyMap<string, string> = new Map([['visit', 'dia']]);
const answer = (id: string): string | undefined => VISIT.get(id);

const read = async (file: string, mappingText: string) =>
  prepareFiles({ files: [file], mappingText, params });

test('gives the same documents as with its patients beside', async () => {
  const file = await book(services);
  const { mapping, open } = await answered([file], 'rips', answer);
  expect(open).toEqual([]);
  const beside = await workbook([page(list)]);
  const { mapping: one } = await answered([beside], 'rips', answer);
  const [apart, whole] = [await read(file, mapping), await read(beside, one)];
  expect(whole.drafts.length).toBeGreaterThan(5);
  expect(apart.drafts.map(({ body }) => body)).toEqual(whole.drafts.map(({ body }) => body));
});

test('a list of one kind with few columns leaves the sheet of patients to its table', async () => {
  const labels = [
    'FECHA',
    'HORA',
    'CUPS',
    'DX PRINCIPAL',
    'TIPO DX',
    'VALOR TOTAL',
    'TIPO DOC PROFESIONAL',
    'DOCUMENTO PROFESIONAL',
    'CUOTA MODERADORA',
  ];
  const rows = list.rows.filter((row) => row[column(list, KIND)] === 'CONSULTA');
  const own = { ...list, rows };
  // None of the labels says the date or the value: both are asked.
  const sessions = {
    ...rename(pick(own, [ID, ...labels]), { FECHA: 'CUANDO', 'VALOR TOTAL': 'SON' }),
    name: 'SESIONES',
  };
  const all = {
    ...params,
    modalidadGrupoServicioTecSal: '01',
    grupoServicios: '01',
    codServicio: 334,
    finalidadTecnologiaSalud: '16',
    causaMotivoAtencion: '38',
  };
  const said = new Map([
    ...VISIT,
    ['param.tipo_servicio', 'consultas'],
    [`lista.${letterOf(sessions, 'CUANDO')}`, 'fechaAtencion'],
    [`lista.${letterOf(sessions, 'SON')}`, 'vrServicio'],
  ]);
  const file = await book(sessions, rename(patients, { 'TIPO USUARIO': 'VINCULACIÓN' }));
  const say = (id: string): string | undefined =>
    said.get(id) ?? (id.startsWith('param.') ? EACH_RUN : undefined);
  const readBy = async (path: string) => {
    const { mapping, open } = await answered([path], 'rips', say);
    expect(open).toEqual([]);
    return (await prepareFiles({ files: [path], mappingText: mapping, params: all })).drafts;
  };
  const apart = await readBy(file);
  const beside = await workbook([page(pick(own, [...list.labels.slice(0, first), KIND, ...labels]))]);
  const whole = await readBy(beside);
  expect(whole.length).toBeGreaterThan(3);
  expect(apart.map(({ body }) => body)).toEqual(whole.map(({ body }) => body));
});

test('gives the same documents by a record number, with cards of seven digits', async () => {
  const short = (grid: Grid): Grid =>
    mapColumn(grid, ID, (text) =>
      String(text)
        .slice(-8)
        .replace(/^[0-9]/, '')
        .replace(/^0/, '9'),
    );
  const people = short(patients);
  const ids = [...new Set(people.rows.map((row) => row[column(people, ID)]))];
  const record = (row: Grid['rows'][number], grid: Grid): string =>
    `0${1200 + 7 * ids.indexOf(row[column(grid, ID)] ?? null)}`;
  const numbered = (grid: Grid): Grid => insert(grid, 0, 'HC', (row) => record(grid.rows[row]!, grid));
  const own = numbered(short(services));
  const file = await book(
    pick(
      own,
      own.labels.filter((label) => label !== ID),
    ),
    numbered(people),
  );
  const { mapping, open } = await answered([file], 'rips', answer);
  expect(open).toEqual([]);
  const beside = await workbook([page(short(list))]);
  const { mapping: one } = await answered([beside], 'rips', answer);
  const [apart, whole] = [await read(file, mapping), await read(beside, one)];
  expect(whole.drafts.length).toBeGreaterThan(5);
  expect(apart.drafts.map(({ body }) => body)).toEqual(whole.drafts.map(({ body }) => body));
});

test.each<[what: string, label: string, value: string]>([
  ['another birth date', 'FECHA NACIMIENTO', '01/01/1990'],
  ['another kind of document', 'TIPO DOC', 'CE'],
])('holds services back that have %s than the sheet of patients', async (_, label, value) => {
  const own = mapColumn(pick(list, [label, ...services.labels]), label, (text, row) =>
    row === 0 ? value : text,
  );
  const file = await book(own);
  const { mapping, open } = await answered([file], 'rips', answer);
  expect(open).toEqual([]);
  const { issues } = await read(file, mapping);
  expect(issues.map(({ code, place }) => [code, place.sheet, place.label, place.row])).toContainEqual([
    'check/failed',
    'SERVICIOS',
    label,
    2,
  ]);
});

describe('no answer makes services of one kind of those of another', () => {
  const LAYOUTS = ['excel-por-nodo', 'libro-por-nodo', 'lista-de-un-tipo', 'consultas'];

  const OWN = /^(CONSULTA|PROCEDIMIENTO)$/;
  const two: Grid = { ...list, rows: list.rows.filter((row) => OWN.test(String(row[column(list, KIND)]))) };
  const consultations = {
    name: 'CONSULTAS',
    labels: list.labels.map((label) => (label === 'FECHA' ? 'fechaInicioAtencion' : label)),
  };

  test.each(LAYOUTS)('rips/%s', async (layout) => {
    const files = [
      await book(pick(two, services.labels)),
      await workbook([page({ ...two, name: 'CONSULTAS' })]),
    ];
    for (const file of files) {
      const said = new Map([
        ['layout', `rips/${layout}`],
        [KIND, IGNORE],
      ]);
      try {
        const { tree } = await findIn([file], 'rips', said);
        expect((await read(file, stringify(tree))).drafts).toEqual([]);
      } catch (error) {
        expect(error).toBeInstanceOf(PipelineError);
      }
    }
  });

  test.each<[layout: string, file: () => Promise<string>]>([
    [
      'excel-por-nodo',
      () => book(pick({ ...two, ...consultations }, [ID, ...consultations.labels.slice(first)])),
    ],
    ['consultas', () => workbook([page({ ...two, name: 'CONSULTAS' })])],
  ])('rips/%s holds the others back', async (layout, file) => {
    const { issues } = await prepareFiles({
      files: [await file()],
      mapping: `mappings/rips/${layout}.yaml`,
      params,
    });
    const rows = issues.flatMap(({ code, place }) => (code === 'class/other' ? [place.row! - 2] : []));
    const others = two.rows.flatMap((row, at) => (row[column(list, KIND)] === 'CONSULTA' ? [] : [at]));
    expect(rows).toEqual(others);
  });
});

test('people and a sheet for each kind of service, all with one header, are no list of one kind', async () => {
  const { files } = await sceneOf('rips: a sheet for each kind of service', 35);
  expect((await findIn(files, 'rips')).fit?.name).toBe('rips/excel-por-nodo');
});
