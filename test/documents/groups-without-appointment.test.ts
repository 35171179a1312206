import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { prepareFiles } from '../support/prepare-file.js';

const SAMPLE = 'samples/rips/grupos';
const folder = await mkdtemp(join(tmpdir(), 'cargue-groups-'));
afterAll(() => rm(folder, { recursive: true }));

/** The list of patients without its last three columns: user, date and time of the appointment. */
async function withoutAppointment(): Promise<string> {
  const lines = (await readFile(join(SAMPLE, 'usuarios.csv'), 'utf8')).trim().split('\n');
  const file = join(folder, 'usuarios.csv');
  await writeFile(file, lines.map((line) => line.split(',').slice(0, -3).join(',')).join('\n'));
  return file;
}

const params = JSON.parse(await readFile(join(SAMPLE, 'params.json'), 'utf8')) as Record<string, unknown>;
const prepare = async (more: Record<string, unknown>, groups = ['consultas', 'medicamentos']) =>
  prepareFiles({
    files: [await withoutAppointment(), ...groups.map((name) => join(SAMPLE, `${name}.csv`))],
    mapping: 'mappings/rips/excel-por-nodo.yaml',
    params: { ...params, ...more },
  });

test('an appointment that the file does not say is that of the first service', async () => {
  const { drafts } = await prepare({ user_id: 12 });
  expect(drafts[0]?.body['appointment']).toEqual({ user_id: 12, date: '2026-10-01', time: '07:20' });
});

test('that of a mother whose newborn is all that is reported is the birth', async () => {
  const { drafts } = await prepare({ user_id: 12 }, ['recienNacidos']);
  expect(drafts[0]?.body['appointment']).toEqual({ user_id: 12, date: '2026-10-02', time: '14:00' });
});

test('a user that nobody says is asked for, never invented', async () => {
  const { drafts, issues } = await prepare({});
  expect(drafts).toEqual([]);
  expect(issues.map(({ code, level }) => [code, level])).toContainEqual(['header/missing', 'error']);
});
