import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../cli/run-cli.js';
import { prepareFiles } from '../support/prepare-file.js';

const FOLDER = 'samples/rips/lista';
const PARAMS = JSON.parse(readFileSync(join(FOLDER, 'params.json'), 'utf8')) as Record<string, unknown>;
const [HEAD = '', ...ROWS] = readFileSync(join(FOLDER, 'servicios octubre.csv'), 'latin1')
  .trimEnd()
  .split(/\r?\n/);
const MAIL = HEAD.split(';').findIndex((title) => /correo|mail/i.test(title));

/** The sample without the e-mail of the first patient, or without the column. */
function fileWithout(what: 'cells' | 'column'): string {
  const [first = ''] = ROWS;
  const mail = first.split(';')[MAIL]!;
  const lines = [HEAD, ...ROWS].map((line) => {
    const cells = line.split(';');
    if (what === 'column') cells.splice(MAIL, 1);
    else if (cells[MAIL] === mail) cells[MAIL] = '';
    return cells.join(';');
  });
  const file = join(freshFolder(), 'servicios.csv');
  writeFileSync(file, Buffer.from(lines.join('\n'), 'latin1'));
  return file;
}

const emailsOf = async (file: string, more: Record<string, unknown>) => {
  const { drafts, issues } = await prepareFiles({
    files: [file],
    mapping: 'mappings/rips/lista.yaml',
    params: { ...PARAMS, ...more },
  });
  const patients = drafts.map(
    ({ body }) => (body as { patient: { email?: string; document_number: string } }).patient,
  );
  return { patients, codes: issues.filter(({ level }) => level === 'error').map(({ code }) => code) };
};

test('a domain gives an e-mail to patients without one, and to no other', async () => {
  const whole = await emailsOf(join(FOLDER, 'servicios octubre.csv'), {});
  const { patients, codes } = await emailsOf(fileWithout('cells'), { correo_dominio: 'clinica.com.co' });
  expect(codes).toEqual(whole.codes);
  const changed = patients.filter(({ email }, at) => email !== whole.patients[at]!.email);
  expect(changed.length).toBeGreaterThan(0);
  for (const { email, document_number: document } of changed)
    expect(email).toBe(`${document}@clinica.com.co`.toLowerCase());
  expect(changed.length).toBeLessThan(patients.length);
});

test('without a column each patient has its own, and without a domain none is made up', async () => {
  const file = fileWithout('column');
  const { patients } = await emailsOf(file, { correo_dominio: 'clinica.com.co' });
  expect(patients.length).toBeGreaterThan(1);
  expect(
    patients.every(
      ({ email, document_number: document }) => email === `${document}@clinica.com.co`.toLowerCase(),
    ),
  ).toBe(true);
  const { patients: none, codes } = await emailsOf(file, {});
  expect(none).toEqual([]);
  expect(codes).toContain('header/missing');
});
