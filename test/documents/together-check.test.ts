import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../cli/run-cli.js';
import { placed, prepareFiles } from '../support/prepare-file.js';

const params = JSON.parse(readFileSync('samples/rips/lista/params.json', 'utf8')) as Record<string, unknown>;
const [titles = '', ...records] = readFileSync('samples/rips/lista/servicios octubre.csv', 'latin1')
  .trimEnd()
  .split(/\r?\n/);
const patientOf = (record: string): string => record.split(';')[1]!;
const patients = [...new Set(records.map(patientOf))];

test.each([0, 1, 3])(
  'that records have numbers of invoices is said once, counting the documents (%d)',
  async (some) => {
    const file = join(freshFolder(), 'lista.csv');
    const withInvoice = patients.slice(0, some);
    const lines = records.map((record) => {
      const patient = patientOf(record);
      return `${record};${withInvoice.includes(patient) ? `FE${patient}` : ''}`;
    });
    writeFileSync(file, [`${titles};numFactura`, ...lines, ''].join('\n'), 'latin1');
    const { issues } = await prepareFiles({
      files: [file],
      mapping: 'mappings/rips/lista.yaml',
      params,
    });
    const found = issues.filter(({ code, level }) => code === 'check/failed' && level === 'warning');
    expect(placed(found)).toEqual(some === 0 ? [] : [['lista.csv!BC', 'check/failed']]);
    expect(found[0]?.documents).toBe(some === 0 ? undefined : some);
  },
);
