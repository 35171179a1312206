import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TaskView, UploadView } from '../../src/page/api.js';
import { PARAMS, sampleCsv } from '../cli/sample.js';
import { serveHere, type Visit, visit } from './visit.js';

let served: Awaited<ReturnType<typeof serveHere>>;
let visitor: Visit;

beforeAll(async () => {
  served = await serveHere();
  visitor = await visit(served.link);
});

afterAll(() => served?.close());

test('the rows to mend are there to be taken away while there are any', async () => {
  const { id } = await visitor<UploadView>('POST', '/uploads', {});
  const at = `/uploads/${id}`;
  const task = async (name: string): Promise<readonly string[]> => {
    const { id: began } = await visitor<TaskView>('POST', `${at}/tasks/${name}`, {});
    await visitor.text(`/task/${began}/events`);
    return visitor<readonly string[]>('GET', `${at}/outputs`);
  };
  const name = 'nomina.csv';
  let salary = '';
  const wrong = await sampleCsv((grid) => {
    const column = grid[0]!.indexOf('Sueldo mensual');
    salary = grid[3]![column]!;
    grid[3]![column] = 'mucho';
  });
  await visitor('PUT', `${at}/files?name=${name}`, readFileSync(wrong));
  await visitor('PUT', `${at}/params`, JSON.parse(readFileSync(PARAMS, 'utf8')));
  expect(await task('check')).toContain('por-corregir.xlsx');
  await visitor('PUT', `${at}/edits`, [{ file: name, sheet: null, row: 4, column: 'O', text: salary }]);
  expect(await task('check')).toEqual(['revisado.xlsx']);
});
