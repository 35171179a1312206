import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareFiles } from '../support/prepare-file.js';

const FOLDER = 'samples/rips/grupos';
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.csv'));
const params = JSON.parse(readFileSync(join(FOLDER, 'params.json'), 'utf8')) as Record<string, unknown>;

/** What a column of hours beside each column of moments is called, by the moment. */
const HOURS = {
  fechaInicioAtencion: 'Hora ingreso',
  fechaEgreso: 'Hora egreso',
  fechaNacimiento: 'Hora de nacimiento',
  fechaDispensAdmon: 'Hora',
  fechaSuministroTecnologia: 'Hora',
};

type Cell = (day: string, time: string) => readonly [moment: string, hour: string];

/** The files of the groups with their moments in two cells; those of the patients as they are. */
function files(cell: Cell): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-hours-'));
  return NAMES.map((name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8').trimEnd();
    const [head = [], ...records] = text.split(/\r?\n/).map((line) => line.split(','));
    const moments = name === 'usuarios.csv' ? [] : head.filter((label) => label in HOURS);
    const parted = records.map((record) => {
      const cells = moments.map((label) => {
        const [day = '', time = ''] = record[head.indexOf(label)]!.split(' ');
        return [label, day === '' ? ['', ''] : cell(day, time)] as const;
      });
      const changed = cells.reduce(
        (all, [label, [moment = '']]) => all.with(head.indexOf(label), moment),
        record,
      );
      return [...changed, ...cells.map(([, [, hour = '']]) => hour)];
    });
    const labels = [...head, ...moments.map((label) => HOURS[label as keyof typeof HOURS])];
    writeFileSync(join(folder, name), [labels, ...parted].map((line) => line.join(',')).join('\n'));
    return join(folder, name);
  });
}

const prepare = (cell: Cell) =>
  prepareFiles({ files: files(cell), mapping: 'mappings/rips/excel-por-nodo.yaml', params });

const whole = await prepareFiles({
  files: NAMES.map((name) => join(FOLDER, name)),
  mapping: 'mappings/rips/excel-por-nodo.yaml',
  params,
});

test.each<[what: string, cell: Cell]>([
  ['a day', (day, time) => [day, time]],
  ['a day with midnight behind it', (day, time) => [`${day} 00:00:00`, time]],
  ['the same moment', (day, time) => [`${day} ${time}`, time]],
])('an hour beside %s makes the same documents', async (_, cell) => {
  const { drafts, issues } = await prepare(cell);
  expect(drafts.map(({ body }) => body)).toEqual(whole.drafts.map(({ body }) => body));
  expect(issues.map(({ code }) => code)).toEqual(whole.issues.map(({ code }) => code));
});

test.each<[what: string, cell: Cell, code: string]>([
  ['no hour at all', (day) => [day, ''], 'cell/without-time'],
  ['another hour in each', (day, time) => [`${day} ${time}`, '03:21'], 'cell/other-time'],
])('%s is told at the moment', async (_, cell, code) => {
  const { drafts, issues } = await prepare(cell);
  const told = issues.filter((issue) => issue.code === code);
  expect(drafts).toEqual([]);
  expect(new Set(told.map(({ place }) => place.label))).toEqual(new Set(Object.keys(HOURS)));
});
