import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { attentionDerivation } from '../../src/families/rips/attention-parts.js';
import { formatPlace, paramOf } from '../../src/toolkit/core/issue.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import type { ResolvedParams } from '../../src/toolkit/mapping/params.js';
import { prepareFiles } from '../support/prepare-file.js';

const PARAMS = JSON.parse(readFileSync('samples/rips/interfaz/params.json', 'utf8')) as Record<
  string,
  unknown
>;

/** A consultation in the names of the interface, as its file has them. */
const CONSULTATION = {
  type_document_identification_id: '3',
  document_number: '9800000001',
  name: 'Ana',
  last_name: 'Rojas',
  email: 'ana@correo.example',
  birth_date: '1990-03-04',
  rips_user_type_id: '1',
  rips_gender_id: '3',
  municipality_id: '149',
  rips_zone_id: '2',
  country_code: '170',
  user_id: '11',
  date: '2026-10-02',
  time: '08:30',
  service_type_id: '1',
  fechaInicioAtencion: '2026-10-02T08:30:00',
  codConsulta: '890201',
  modalidadGrupoServicioTecSal: '01',
  grupoServicios: '01',
  codServicio: '328',
  finalidadTecnologiaSalud: '15',
  causaMotivoAtencion: '38',
  codDiagnosticoPrincipal: 'I10X',
  tipoDiagnosticoPrincipal: '02',
  vrServicio: '60000',
  conceptoRecaudo: '5',
  valorPagoModerador: '0',
};
type Changes = Partial<typeof CONSULTATION>;

const LATER: Changes = { time: '15:00', fechaInicioAtencion: '2026-10-02T15:00:00' };
const NEXT_DAY: Changes = { date: '2026-10-03', fechaInicioAtencion: '2026-10-03T08:30:00' };
const OTHER: Changes = { document_number: '9800000002', email: 'luz@correo.example', time: '09:00' };

/** A file of consultations, one for each set of changes. */
function fileOf(rows: readonly Changes[]): string {
  const lines = [CONSULTATION, ...rows.map((changes) => ({ ...CONSULTATION, ...changes }))];
  const path = join(mkdtempSync(join(tmpdir(), 'attentions-')), 'consultas.csv');
  const text = [Object.keys(CONSULTATION), ...lines.map((line) => Object.values(line))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('');
  writeFileSync(path, text);
  return path;
}

const CODE_COLUMN = 'Q'; // of codConsulta
const FIRST = 'consultas.csv!2';

describe('the same consultation of a patient on one day', () => {
  const repeated = (row: number, related?: string) => [
    `consultas.csv!${CODE_COLUMN}${row}`,
    'warning',
    'rips/repeated-consultation',
    'RVC018',
    ...(related === undefined ? [] : [related]),
  ];

  test.each<[string, readonly Changes[], number, readonly (readonly string[])[]]>([
    ['in another appointment', [LATER], 2, [repeated(3, FIRST)]],
    ['in a third one too', [LATER, { ...LATER, time: '17:00' }], 3, [repeated(3, FIRST), repeated(4, FIRST)]],
    ['in the same appointment, said once', [{}], 1, [repeated(3)]],
    ['on the next day', [NEXT_DAY], 2, []],
    ['of another patient', [OTHER], 2, []],
    ['by another code', [{ ...LATER, codConsulta: '890301' }], 2, []],
  ])('%s', async (_, rows, made, expected) => {
    const prepared = await prepareFiles({
      files: [fileOf(rows)],
      mapping: 'mappings/rips/interfaz.yaml',
      params: PARAMS,
    });
    const said = prepared.issues
      .filter(({ code }) => !code.startsWith('catalogue/'))
      .map(({ place, level, code, params, related = [] }) => [
        formatPlace(place),
        level,
        code,
        paramOf({ params }, 'rule'),
        ...related.map(formatPlace),
      ]);
    expect(said).toEqual(expected);
    expect(prepared.documents).toEqual({ planned: made, made, heldBack: 0 });
  });
});

describe('rules over a file are asked of the attention', () => {
  const params = { values: {}, tables: { users: PARAMS['users'] } } as unknown as ResolvedParams;
  const { batch, complete } = attentionDerivation(params);

  const keysOf = (services: readonly JsonObject[], changes: JsonObject = {}) => {
    const attention = {
      patient: { type_document_identification_id: 3, document_number: '9800000001', ...changes },
      appointment: { user_id: 11 },
      document: { note_type: 'RS', services: [...services] },
    };
    complete(attention);
    return batch.flatMap(({ authority, keysOf }) =>
      keysOf(attention).map(({ key, pointer }) => ({ rule: authority[0], key, pointer })),
    );
  };
  const medicine = (codTecnologiaSalud: string, fechaDispensAdmon: string): JsonObject => ({
    service_type_id: 6,
    codTecnologiaSalud,
    fechaDispensAdmon,
  });
  const LEAF = '/national/servicios/medicamentos/0/codTecnologiaSalud';
  const given = keysOf([medicine('20054321-3', '2026-10-02T08:30:00')]);

  test('and name its leaves', () =>
    expect(given).toEqual([{ rule: 'RVG13', key: expect.any(String), pointer: LEAF }]));
  test('a medicine twice in it has one key, as the document itself says the rest', () => {
    const twice = ['2026-10-02T08:30:00', '2026-10-02T20:30:00'].map((at) => medicine('20054321-3', at));
    expect(keysOf(twice)).toEqual(given);
  });
  test.each<[string, JsonObject, JsonObject, boolean]>([
    ['at another hour', medicine('20054321-3', '2026-10-02T20:30:00'), {}, true],
    ['on another day', medicine('20054321-3', '2026-10-03T08:30:00'), {}, false],
    ['of another code', medicine('19935303-1', '2026-10-02T08:30:00'), {}, false],
    [
      'of another patient',
      medicine('20054321-3', '2026-10-02T08:30:00'),
      { document_number: '9800000002' },
      false,
    ],
  ])('a medicine %s', (_, service, patient, same) => {
    expect(keysOf([service], patient)[0]!.key === given[0]!.key).toBe(same);
  });
});
