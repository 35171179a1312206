import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import { outputFault } from '../support/output-schema.js';
import { freshFolder, runCli, startCli } from './run-cli.js';

const PAYROLL = ['nomina.xlsx', '-m', 'payroll/wide', '--params', 'octubre.json'];
const PACK = ['--key', 'ley.pem'];
const BANK = ['--environment', 'test', '--company', '900123456', '--url', 'http://127.0.0.1:1'];

/** A call of each command, in an order in which each finds what it needs. */
const CALLS: readonly (readonly [command: string, ...words: string[]])[] = [
  ['new', 'nomina.xlsx', '-m', 'payroll/wide'],
  ['inspect', 'nomina.xlsx'],
  ['watch', 'buzon', '--once'],
  ['check', ...PAYROLL],
  ['convert', ...PAYROLL],
  ['send', ...PAYROLL, '--partial'],
  ['status'],
  ['report', '-o', 'reporte.xlsx'],
  ['resume'],
  ['approve', 'none'],
  ['adjust', 'nomina.xlsx', '-m', 'payroll/wide', '--params', 'octubre.json'],
  ['events', 'eventos.csv'],
  ['reception', 'adjuntos.zip'],
  ['preview'],
  ['email', '--dry-run'],
  ['setup show'],
  ['setup software', '--dry-run'],
  ['setup resolution', '--dry-run'],
  ['profile add', 'andina', ...BANK],
  ['profile list'],
  ['profile show', 'andina'],
  ['profile change', 'andina', '--company-name', 'Andina'],
  ['profile remove', 'andina'],
  ['api', 'getCurrentNumber', '--path', 'type=9'],
  ['template', 'payroll/wide', '-o', 'plantilla.xlsx'],
  ['mapping list'],
  ['mapping show', 'payroll/wide'],
  ['mapping lint', 'mapeo.yaml'],
  ['mapping test', 'mapeo.yaml'],
  ['mapping add', 'mapeo.yaml'],
  ['mapping forget', 'nada'],
  ['explain', 'cell/not-a-number'],
  ['catalogue list'],
  ['catalogue show', 'type_contracts'],
  ['catalogue import', 'nada.xlsx'],
  ['catalogue pull'],
  ['law show'],
  ['journal key', 'clave.pem'],
  ['law export', 'ley.json', ...PACK],
  ['law import', 'ley.json'],
  ['law remove', 'nada'],
  ['schema list'],
  ['schema show', 'payroll/payroll'],
  ['schema openapi'],
  ['journal path'],
  ['journal export', '-o', 'auditoria.jsonl'],
  ['journal verify', 'auditoria.jsonl'],
  ['journal backup', 'copia.db'],
  ['journal migrate'],
  ['journal copy', 'a', 'b'],
  ['journal purge', '--before', '2020-01-01'],
  ['journal abandon', 'none', '--reason', 'no'],
  ['journal adopt'],
  ['completion', 'bash'],
  ['worker'],
  ['demo'],
  // They go on until they are stopped.
  ['web', '--port', '0'],
  ['sandbox', '--port', '0'],
];

const UNENDING = new Set(['web', 'sandbox']);

test('every command is called', () => {
  expect(CALLS.map(([name]) => name).sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
});

test('what each prints with --json is a line an object, as the published schema says', {
  timeout: 300_000,
}, async () => {
  const box = await startSandbox();
  onTestFinished(() => box.close());
  const folder = freshFolder();
  for (const [name, ...from] of [
    ['nomina.xlsx', 'payroll', 'nomina-octubre-2026.xlsx'],
    ['octubre.json', 'payroll', 'params.json'],
    ['eventos.csv', 'events', 'eventos-facturas-recibidas.csv'],
    ['adjuntos.zip', 'events', 'adjuntos.zip'],
  ] as const)
    copyFileSync(packageFile('samples', ...from), join(folder, name));
  mkdirSync(join(folder, 'workspace'));
  mkdirSync(join(folder, 'buzon'));
  copyFileSync(join(folder, 'nomina.xlsx'), join(folder, 'buzon', 'nomina.xlsx'));
  writeFileSync(join(folder, 'mapeo.yaml'), 'extends: payroll/wide\nname: mine\n');
  const env = { CARGUE_URL: box.url, CARGUE_TOKEN: box.token };
  for (const [name, ...words] of CALLS) {
    const call = [...name.split(' '), ...words, '--json', ...(hasYes(name) ? ['--yes'] : [])];
    const stdout = UNENDING.has(name)
      ? await beginningOf(call, folder)
      : (await runCli(call, { folder, env })).stdout;
    const faults = stdout
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => outputFault(line) ?? []);
    expect.soft(faults.slice(0, 3), name).toEqual([]);
  }
});

const hasYes = (name: string): boolean =>
  COMMANDS.find((command) => command.name === name)?.options.includes('yes') === true;

/** What a command prints until it waits. */
async function beginningOf(call: readonly string[], folder: string): Promise<string> {
  const child = startCli(call, { folder });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const closed = new Promise((resolve) => child.on('close', resolve));
  for (const end = Date.now() + 20_000; Date.now() < end && !`${stdout}${stderr}`.includes('http'); )
    await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill();
  await closed;
  return stdout;
}
