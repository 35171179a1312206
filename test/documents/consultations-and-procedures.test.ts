import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { valueAt } from '../../src/toolkit/core/json.js';
import { placed, prepareFiles } from '../support/prepare-file.js';

const TITLES =
  'Tipo ID;Identificación;Primer nombre;Primer apellido;F. nac.;Sexo;Municipio;Zona;Tipo usuario;Correo;Fecha y hora;CUPS;Dx;Valor';
const PATIENT = 'CC;1098765401;Sofía;Lara;03/04/1990;F;Medellín;Urbana;12;sofia@correo.example';
const PARAMS = {
  numDocumentoIdObligado: '900555321',
  users: [
    {
      ...{ user_id: 11, codPrestador: '110010990101' },
      ...{ tipoDocumentoIdentificacion: 'CC', numDocumentoIdentificacion: '9900000011' },
    },
  ],
  ...{ user_id: 11, cod_prestador: '110010990101', grupoServicios: '01', codServicio: 333 },
  ...{ modalidadGrupoServicioTecSal: '01', finalidadTecnologiaSalud: '16', causaMotivoAtencion: '38' },
  ...{
    tipoDiagnosticoPrincipal: '02',
    viaIngresoServicioSalud: '01',
    conceptoRecaudo: 5,
    valorPagoModerador: '0',
  },
};

/** Reads services of one patient, with these codes, as the kind that a parameter says. */
async function read(kind: string, ...codes: string[]) {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-mixed-')), 'atenciones.csv');
  const records = codes.map((code, at) => `${PATIENT};13/10/2026 0${8 + at}:15;${code};J00X;52000`);
  writeFileSync(file, [TITLES, ...records].join('\n'), 'latin1');
  const { drafts, issues } = await prepareFiles({
    files: [file],
    mapping: 'mappings/rips/lista-de-un-tipo.yaml',
    params: { ...PARAMS, tipo_servicio: kind },
  });
  const services = valueAt(drafts[0]?.body ?? {}, '/document/services') as
    | readonly Record<string, unknown>[]
    | undefined;
  return {
    services: services?.map(({ codConsulta, codProcedimiento }) => ({ codConsulta, codProcedimiento })),
    errors: placed(issues.filter(({ level }) => level === 'error')).map(([, code]) => code),
  };
}

test('codes say which services of a list are consultations and which procedures', async () => {
  expect(await read('consultas_procedimientos', '890201', '903841')).toEqual({
    services: [
      { codConsulta: '890201', codProcedimiento: undefined },
      { codConsulta: undefined, codProcedimiento: '903841' },
    ],
    errors: [],
  });
});

test('a service without a code is held back', async () => {
  const { services, errors } = await read('consultas_procedimientos', '890201', '');
  expect(services).toBeUndefined();
  expect(errors).toContain('document/required');
});

test('a list of one kind takes all codes as that kind', async () => {
  const { services } = await read('procedimientos', '890201', '903841');
  expect(services?.map(({ codProcedimiento }) => codProcedimiento)).toEqual(['890201', '903841']);
});
