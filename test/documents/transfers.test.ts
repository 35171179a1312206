import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { valueAt } from '../../src/toolkit/core/json.js';
import { placed, prepareFiles } from '../support/prepare-file.js';

const TITLES =
  'Tipo ID;Identificación;Primer nombre;Primer apellido;F. nac.;Sexo;Municipio;Zona;Tipo usuario;Correo;Fecha y hora;Código tecnología;Valor';
const TRANSFER =
  'CC;1098765401;Sofía;Lara;03/04/1990;F;Medellín;Urbana;12;sofia@correo.example;13/10/2026 09:40;601T01;234000';
const PARAMS = {
  numDocumentoIdObligado: '900555321',
  users: [
    {
      ...{ user_id: 11, codPrestador: '110010990101' },
      ...{ tipoDocumentoIdentificacion: 'CC', numDocumentoIdentificacion: '9900000011' },
    },
  ],
  ...{ user_id: 11, cod_prestador: '110010990101', conceptoRecaudo: 5, valorPagoModerador: '0' },
};

/** Reads a transfer whose list has no kind of other services and, unless `more` has it, no quantity and no unit value. */
async function read(params: Readonly<Record<string, unknown>>, more: Readonly<Record<string, string>> = {}) {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-others-')), 'traslados.csv');
  const lines = [
    [TITLES, ...Object.keys(more)],
    [TRANSFER, ...Object.values(more)],
  ];
  writeFileSync(file, lines.map((cells) => cells.join(';')).join('\n'), 'latin1');
  const { drafts, issues } = await prepareFiles({
    files: [file],
    mapping: 'mappings/rips/lista-de-un-tipo.yaml',
    params: { ...PARAMS, ...params, tipo_servicio: 'otrosServicios' },
  });
  const service = valueAt(drafts[0]?.body ?? {}, '/document/services/0');
  const { tipoOS, cantidadOS, vrUnitOS, vrServicio } = (service ?? {}) as Record<string, unknown>;
  return {
    service: service && [tipoOS, cantidadOS, vrUnitOS, vrServicio],
    errors: placed(issues.filter(({ level }) => level === 'error')).map(([, code]) => code),
  };
}

test.each([
  ['one of each', { tipoOS: '02', cantidadOS: 1 }, {}, ['02', 1, 234_000, 234_000]],
  [
    'its own quantity',
    { tipoOS: '02', cantidadOS: 1 },
    { Cantidad: '2', 'Valor unitario': '117000' },
    ['02', 2, 117_000, 234_000],
  ],
  ['its own kind', { tipoOS: '02', cantidadOS: 1 }, { tipoOS: '03' }, ['03', 1, 234_000, 234_000]],
])('parameters say kind and quantity where the list does not: %s', async (_, params, more, service) => {
  expect(await read(params, more)).toEqual({ service, errors: [] });
});

test.each([
  ['the kind', { cantidadOS: 1 }, {}],
  ['the quantity', { tipoOS: '02' }, {}],
  ['the unit value of several', { tipoOS: '02', cantidadOS: 2 }, {}],
  ['the unit value beside a quantity', { tipoOS: '02', cantidadOS: 1 }, { Cantidad: '2' }],
])('a service is held back without %s', async (_, params, more) => {
  const { service, errors } = await read(params, more);
  expect(service).toBeUndefined();
  expect(new Set(errors)).toEqual(new Set(['document/required']));
});
