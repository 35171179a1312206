import { createNumbering } from '../../src/app/numbering.js';
import { prepareFiles } from '../support/prepare-file.js';
import { type GoldenCounts, accountsForColumns, agreesOnIssues, losesNothing, withoutNull } from './agrees.js';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

type Json = { [key: string]: Json } | Json[] | string | number | boolean | null;

interface Golden extends GoldenCounts {
  readonly documents: readonly Json[];
}

/** Folder of the sample, mapping, golden file. The workbook `libro` holds what the files of the groups hold. */
const LAYOUTS = [
  ['interfaz', 'mappings/rips/interfaz.yaml', 'interfaz'],
  ['consultas', 'mappings/rips/consultas.yaml', 'consultas'],
  ['consultorio', 'samples/rips/consultorio/mapeo.yaml', 'consultorio'],
  ['grupos', 'mappings/rips/excel-por-nodo.yaml', 'grupos'],
  ['libro', 'mappings/rips/excel-por-nodo.yaml', 'grupos'],
  ['nodos', 'samples/rips/nodos/mapeo.yaml', 'nodos'],
  ['lista', 'mappings/rips/lista.yaml', 'lista'],
  ['3374', 'mappings/rips/3374-zip.yaml', '3374'],
] as const;

const partOf = (document: unknown, part: string): unknown => (document as Record<string, unknown>)[part];

/** A sheet of the workbook stands for the file of that name: only cell and code are compared. */
const comparable = (place: string, name: string): string =>
  name === 'libro' ? place.slice(place.indexOf('!')) : place;

describe.each(LAYOUTS)('%s', async (name, mapping, file) => {
  const folder = join('samples/rips', name);
  const files = readdirSync(folder)
    .filter((one) => !/\.(json|yaml)$/.test(one))
    .map((one) => join(folder, one));
  const params = JSON.parse(readFileSync(join(folder, 'params.json'), 'utf8')) as Record<string, unknown>;
  const golden = JSON.parse(readFileSync(`test/golden/rips/${file}.json`, 'utf8')) as Golden;
  const prepared = await prepareFiles({ files, mapping, params });
  const documents = prepared.drafts.map(createNumbering(params));

  test('gives exactly the golden documents', () => {
    expect(documents.map(withoutNull)).toEqual(golden.documents.map(withoutNull));
  });

  test('leaves empty what the service gives', () => {
    expect(documents.map((one) => partOf(partOf(one, 'appointment'), 'patient_id'))).toEqual(documents.map(() => null));
    expect(documents.map((one) => partOf(partOf(one, 'document'), 'appointment_id'))).toEqual(
      documents.map(() => null),
    );
  });

  test('writes every key of the national form, in its order', () => {
    const national = (list: readonly unknown[]): string =>
      JSON.stringify(list.map((one) => partOf(one, 'national')));
    expect(national(documents)).toBe(national(golden.documents));
  });

  test('names every mistake at its cell, and nothing else as an error', () => {
    agreesOnIssues(prepared.issues, golden, (place) => comparable(place, name));
  });

  test('accounts for every column', () => {
    accountsForColumns(prepared.issues);
  });

  test('loses no record', () => {
    losesNothing(prepared, golden);
  });

  test('knows the cell of every leaf that a cell fed, in the national form too', () => {
    const [draft] = prepared.drafts;
    const fed = [...draft!.trace].filter(([, places]) => places.length > 0).map(([pointer]) => pointer);
    expect(fed).toEqual(
      expect.arrayContaining(['/patient/birth_date', '/national/usuario/fechaNacimiento']),
    );
    expect(fed.filter((pointer) => pointer.startsWith('/national/servicios/')).length).toBeGreaterThan(10);
  });
});
