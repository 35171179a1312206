import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { word } from '../../src/toolkit/messages/wording.js';
import { gridsOf, insert, page, pick, workbook } from '../inspect/grid.js';
import { prepareFiles, SAMPLE } from '../support/prepare-file.js';

const sample = (await gridsOf(SAMPLE))[0]!;

test.each([
  ['Incapacidad', 'Incapacidades'],
  ['Vacaciones', 'Vacaciones disfrutadas'],
])('what an item of %s lacks, where no column has it, is said with what the item is', async (title, item) => {
  const rest = pick(
    sample,
    sample.labels.filter((label) => !label.startsWith(title)),
  );
  const days = insert(rest, 0, `${title} días`, (row) => (row === 0 ? 3 : null));
  const grid = insert(days, 0, `${title} valor`, (row) => (row === 0 ? 100_000 : null));
  const { issues } = await prepareFiles({ files: [await workbook([page(grid)])] });
  const lacking = issues.filter(({ code }) => code === 'document/required');
  expect(lacking.map((issue) => word(issue, 'es').message)).toContain(`Falta Inicio (${item}).`);
});

test('the document of a newborn is none of the parameters for who attends', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-lacking-')), 'atenciones.csv');
  const titles =
    'Tipo ID;Identificación;Primer nombre;Primer apellido;F. nac.;Sexo;Municipio;Zona;Tipo usuario;Correo;Tipo servicio;Fecha de nacimiento del recién nacido;Peso';
  const record =
    'CC;1098765401;Sofía;Lara;03/04/1990;F;Medellín;Urbana;12;sofia@correo.example;Recién nacido;13/10/2026 08:15;3150';
  writeFileSync(file, [titles, record].join('\n'), 'latin1');
  const params = { numDocumentoIdObligado: '900555321', users: [] };
  const { issues } = await prepareFiles({ files: [file], mapping: 'mappings/rips/lista.yaml', params });
  const ofDocument = issues.filter(
    ({ code, place }) =>
      code === 'document/required' && place.pointer?.endsWith('/tipoDocumentoIdentificacion'),
  );
  expect(ofDocument.map((issue) => [issue.place.row, issue.params])).toEqual([
    [2, expect.not.objectContaining({ param: expect.anything() as unknown })],
  ]);
});
