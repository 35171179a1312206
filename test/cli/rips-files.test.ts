import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { validate } from '../../src/toolkit/schema/validate.js';
import { codesOf, freshFolder, runCli } from './run-cli.js';

const SAMPLE = resolve('samples/rips/grupos');
const folder = freshFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const call = (...args: readonly string[]) =>
  runCli(['convert', SAMPLE, '-m', 'rips/excel-por-nodo', '--params', join(SAMPLE, 'params.json'), ...args], {
    folder,
  });

test('a folder of tables becomes a national file for each package, for its owner alone', async () => {
  const finished = await call('--as', 'rips-json', '-o', 'paquetes');
  expect(finished.code).toBe(1); // three documents are held back
  const out = join(folder, 'paquetes');
  const names = readdirSync(out);
  expect(names.length).toBe(26);
  expect(names.sort()[0]).toBe('RS-2026-10-0001.json');
  for (const name of names) {
    const path = join(out, name);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, 'utf8');
    expect(validate('rips/national/948-v003/transaccion', 'strict', JSON.parse(text)), name).toEqual([]);
    expect(JSON.parse(text)).toMatchObject({
      numDocumentoIdObligado: '900555321',
      numFactura: null,
      tipoNota: 'RS',
    });
  }
});

test.each<[string, readonly string[], string]>([
  ['no folder', ['--as', 'rips-json'], 'run/no-output-folder'],
  ['another form', ['--as', 'xml', '-o', 'paquetes'], 'run/bad-option'],
])('says %s', async (_, args, code) => {
  const finished = await call(...args, '--json');
  expect([finished.code, codesOf(finished)]).toEqual([2, [code]]);
});
