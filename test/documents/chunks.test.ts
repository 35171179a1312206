import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deriveWith, FAMILIES } from '../../src/families/registry.js';
import { columnLetter } from '../../src/toolkit/core/text.js';
import type { PrepareEvent } from '../../src/toolkit/documents/phases.js';
import { prepare } from '../../src/toolkit/documents/prepare.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { resolveParams } from '../../src/toolkit/mapping/params.js';
import type { Edit } from '../../src/toolkit/tables/edits.js';
import { withInputs } from '../support/opened-files.js';

/** Folder of a sample with its `params.json`, and its mapping. */
const SAMPLES = [
  ['payroll', 'mappings/payroll/wide.yaml'],
  ['payroll/desordenada', 'samples/payroll/desordenada/mapeo.yaml'],
  ['payroll/quincenas', 'samples/payroll/quincenas/mapeo.yaml'],
  ['payroll/abreviada', 'mappings/payroll/nomexp.yaml'],
  ['payroll/ingles', 'samples/payroll/ingles/mapeo.yaml'],
  ['payroll/multihoja', 'mappings/payroll/multi-sheet.yaml'],
  ['payroll/conceptos', 'mappings/payroll/long.yaml'],
  ['payroll/ajustes', 'mappings/payroll/adjust.yaml'],
  ['rips/interfaz', 'mappings/rips/interfaz.yaml'],
  ['rips/consultas', 'mappings/rips/consultas.yaml'],
  ['rips/consultorio', 'samples/rips/consultorio/mapeo.yaml'],
  ['rips/grupos', 'mappings/rips/excel-por-nodo.yaml'],
  ['rips/libro', 'mappings/rips/excel-por-nodo.yaml'],
  ['rips/nodos', 'samples/rips/nodos/mapeo.yaml'],
  ['rips/lista', 'mappings/rips/lista.yaml'],
  ['rips/3374', 'mappings/rips/3374-zip.yaml'],
  ['rips/json', 'mappings/rips/json.yaml'],
  ['events/lista-y-zip', 'samples/events/lista-y-zip/mapeo.yaml'],
] as const;

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => /\.(xlsx|csv|txt|zip|json)$/.test(name) && name !== 'params.json')
    .sort()
    .map((name) => join(folder, name));

/** Numbers below a limit that are the same in every run. */
function chance(): (below: number) => number {
  let state = 1;
  return (below) => {
    state = (Math.imul(state, 48_271) >>> 0) % 0x7fffffff;
    return state % below;
  };
}

/** Rows that may be titles, and are left as they are. */
const TITLE_ROWS = 8;

/** Cells that say what others of their column say, or nothing: keys that come again, blanks, other people's amounts. */
const damageOf = (files: readonly string[]): Promise<readonly Edit[]> =>
  withInputs(files, async (inputs) => {
    const cells: (Edit & { readonly column: string; readonly text: string })[] = [];
    for (const { file, sheet, batches } of inputs.flatMap(({ tables }) => tables))
      for await (const rows of batches())
        for (const { number: row, texts } of rows)
          for (const [at, text] of texts.entries())
            if (text !== undefined && row > TITLE_ROWS)
              cells.push({ file, ...(sheet && { sheet }), row, column: columnLetter(at), text });
    const next = chance();
    return Array.from({ length: Math.min(12, cells.length) }, () => {
      const cell = cells[next(cells.length)]!;
      const alike = cells.filter(
        ({ file, sheet, column }) =>
          [file, sheet, column].join() === [cell.file, cell.sheet, cell.column].join(),
      );
      return { ...cell, text: next(4) === 0 ? '' : alike[next(alike.length)]!.text };
    });
  });

/** An event as text, with all that a document can say of itself. */
function textOf(event: PrepareEvent): string {
  if (event.kind === 'formats') return `formats ${event.voted.table.source.file}`;
  if (event.kind !== 'document') return JSON.stringify(event);
  const { sequence, key, name, details, records, beside, counted, hash, trace, body } = event.document;
  return JSON.stringify([sequence, key, name, details, records, beside, counted, hash, [...trace], body]);
}

test.each(SAMPLES)(
  '%s: the same comes of it in chunks of 1, 2, 7 and 512 documents',
  async (folder, path) => {
    const mapping = await loadMapping(path);
    const given = JSON.parse(readFileSync(join('samples', folder, 'params.json'), 'utf8')) as object;
    const params = resolveParams(mapping.params, { ...given }).value!;
    const files = filesIn(join('samples', folder));
    for (const edits of [[], await damageOf(files)]) {
      const eventsBy = async (atOnce: number): Promise<readonly string[]> => {
        const found: string[] = [];
        const derive = deriveWith(FAMILIES);
        for await (const events of prepare({ files, edits, mapping, params, derive, atOnce }))
          found.push(...events.map(textOf));
        return found;
      };
      const whole = await eventsBy(512);
      expect(whole.length).toBeGreaterThan(2);
      for (const atOnce of [1, 2, 7]) expect(await eventsBy(atOnce)).toEqual(whole);
    }
  },
);
