import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { profileOn } from '../../src/families/rips/national.js';
import { FACTS } from '../../src/generated/texts-report.js';
import { startSandbox } from '../../src/sandbox/server.js';
import type { PlainDate } from '../../src/toolkit/core/plain-date.js';
import { compileMapping } from '../../src/toolkit/mapping/load.js';
import { resolveParams } from '../../src/toolkit/mapping/params.js';
import { fake } from '../cli/fake-context.js';
import { freshFolder } from '../cli/run-cli.js';
import { sheetCells } from '../cli/sheet-cells.js';
import { send } from '../cli/use-cases.js';

const DAYS: readonly (readonly [PlainDate, string])[] = [
  ['2024-01-01', '2275'],
  ['2026-05-13', '2275'],
  ['2026-05-14', '948-v003'],
  ['2027-01-01', '948-v003'],
];
const LAYOUTS = ['json-envio', 'lista', '3374-zip', 'excel-por-nodo', 'consultas', 'interfaz'];

test.each(DAYS)('packages sent on %s have the profile %s', (day, profile) => {
  expect(profileOn(day)).toBe(profile);
});

describe.each(LAYOUTS)('the layout %s', (layout) => {
  const file = `mappings/rips/${layout}.yaml`;
  const { params } = compileMapping(file, readFileSync(file, 'utf8'));

  test.each(DAYS)('takes the profile of the day of sending, %s, unless one is given', (day, profile) => {
    const made = resolveParams(params, {}, day).value!;
    expect([made.values['profile'], made.defaults['profile']]).toEqual([profile, profile]);
    for (const given of ['2275', '948-v003']) {
      const { values, defaults } = resolveParams(params, { profile: given }, day).value!;
      expect([values['profile'], defaults['profile']]).toEqual([given, undefined]);
    }
  });
});

describe('a table for defaults', () => {
  const lint = (table: string) => () =>
    compileMapping(
      'own.yaml',
      `cargue: 1\nname: own\nextends: rips/lista\nparams: { profile: { default_by_day: ${table} } }\n`,
    );

  test('must be a list whose rows have days', () => {
    expect(lint('rips_profiles')).not.toThrow();
    expect(lint('no_such_list')).toThrow('mapping/unknown-catalogue');
    expect(lint('rips_genders')).toThrow('mapping/unknown-catalogue');
  });

  test('gives way to a fixed default of a mapping that extends the one with the table', () => {
    const text = 'cargue: 1\nname: own\nextends: rips/lista\nparams: { profile: { default: "2275" } }\n';
    const { params } = compileMapping('own.yaml', text);
    expect(resolveParams(params, {}, '2026-10-31').value?.values['profile']).toBe('2275');
  });
});

const VISIT = {
  type_document_identification_id: '3',
  document_number: '52000101',
  name: 'Luisa',
  last_name: 'Núñez',
  email: 'luisa@correo.example',
  birth_date: '1985-07-14',
  rips_user_type_id: '1',
  rips_gender_id: '3',
  municipality_id: '149',
  rips_zone_id: '2',
  country_code: '170',
  user_id: '7',
  date: '2026-05-12',
  time: '08:30',
  service_type_id: '1',
  fechaInicioAtencion: '2026-05-12T08:30:00',
  codConsulta: '890201',
  modalidadGrupoServicioTecSal: '01',
  grupoServicios: '01',
  codServicio: '328',
  finalidadTecnologiaSalud: '16',
  causaMotivoAtencion: '38',
  codDiagnosticoPrincipal: 'I10X',
  tipoDiagnosticoPrincipal: '02',
  vrServicio: '60000',
  conceptoRecaudo: '5',
  valorPagoModerador: '0',
  consecutivo: '1',
};
const PERSON = { tipoDocumentoIdentificacion: 'CC', numDocumentoIdentificacion: '9900000007' };
const PARAMS = {
  note_number_prefix: 'RS-',
  numDocumentoIdObligado: '900123456',
  users: [{ user_id: 7, ...PERSON, codPrestador: '110010990101' }],
};
const ACCESS = {
  type_document_identification_id: 3,
  number_identification: '1',
  url: 'https://sispro.example',
  password: 'clave',
};

describe('the report of a run names its profile, as a default or as it was given', () => {
  test.each<[day: string, given: string | undefined, profile: string]>([
    ['2026-05-13', undefined, '2275'],
    ['2026-05-14', undefined, '948-v003'],
    ['2026-05-13', '948-v003', '948-v003'],
    ['2026-05-14', '2275', '2275'],
  ])('sent on %s, given %s', async (day, given, profile) => {
    const folder = freshFolder();
    const inFolder = (name: string): string => join(folder, name);
    const now = () => new Date(`${day}T15:00:00Z`);
    const box = await startSandbox({ now });
    onTestFinished(() => box.close());
    writeFileSync(inFolder('visits.csv'), [Object.keys(VISIT), Object.values(VISIT)].join('\n'));
    writeFileSync(inFolder('params.json'), JSON.stringify(PARAMS));
    writeFileSync(inFolder('sispro.yaml'), JSON.stringify(ACCESS), { mode: 0o600 });
    const { context } = fake({ url: box.url, token: box.token, workspace: inFolder('ws'), now });
    const code = await send(context, [inFolder('visits.csv')], {
      mapping: 'rips/interfaz',
      params: inFolder('params.json'),
      sispro: inFolder('sispro.yaml'),
      report: inFolder('report.xlsx'),
      results: inFolder('results'),
      yes: true,
      json: true,
      ...(given && { param: [`profile=${given}`] }),
    });
    const rows = Object.values(await sheetCells(inFolder('report.xlsx'))).flat();
    const values = (fact: 'param' | 'default') =>
      rows.flatMap(([what, value]) => {
        const text = String(what);
        return text.startsWith(FACTS[fact].es) && text.endsWith('(profile)') ? [value] : [];
      });
    expect([code, values('param'), values('default')]).toEqual([
      0,
      [profile],
      given === undefined ? [profile] : [],
    ]);
  });
});
