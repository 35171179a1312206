import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Context } from '../../src/app/context.js';
import type { AppEvent } from '../../src/app/events.js';
import { newProject as bareNewProject } from '../../src/app/project.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import { fake } from './fake-context.js';
import { callCli, codesOf, freshFolder } from './run-cli.js';
import { PARAMS, SAMPLE } from './sample.js';
import { newProject } from './use-cases.js';

const CONSTANT = { ...(parse(readFileSync(PARAMS, 'utf8')) as Record<string, unknown>) };

/** A folder with a month in a subfolder, and a project above. */
function folderWith(project: string): { readonly folder: string; readonly month: string } {
  const folder = freshFolder();
  const month = join(folder, 'noviembre');
  mkdirSync(month);
  writeFileSync(join(folder, 'cargue.yaml'), project);
  copyFileSync(SAMPLE, join(month, 'nomina.xlsx'));
  return { folder, month };
}

test('what a project says is taken from the folder above, and said once', async () => {
  const { folder, month } = folderWith(
    JSON.stringify({
      company: 'Andina',
      mapping: 'payroll/wide',
      params: CONSTANT,
      outputs: { annotate: '{input}-revisado.xlsx' },
    }),
  );
  const { code, stderr } = await callCli(['check', 'nomina.xlsx'], { folder: month });
  expect(code).toBe(0);
  expect(stderr.match(/cargue\.yaml/g)).toHaveLength(1);
  expect(stderr).toMatch(/Andina.*payroll\/wide.*nomina-revisado\.xlsx/);
  expect(existsSync(join(folder, 'nomina-revisado.xlsx'))).toBe(true);
});

test.each<[string, readonly string[], Record<string, string>, RegExp | undefined]>([
  ['an option wins', ['--company', 'Otra', '-m', 'payroll/wide'], {}, undefined],
  ['the profile of the environment wins', [], { CARGUE_PROFILE: 'pruebas' }, /mapeo/],
  ['without either it holds', [], {}, /perfil nadie/],
])('%s', async (_, args, env, said) => {
  const { month } = folderWith('profile: nadie\ncompany: Andina\nmapping: payroll/wide\n');
  const { stderr } = await callCli(['check', 'nomina.xlsx', ...args], { folder: month, env });
  if (said !== undefined) expect(stderr).toMatch(said);
  else expect(stderr).not.toMatch(/empresa Andina|mapeo payroll/);
  expect(stderr.includes('«nadie»')).toBe(env['CARGUE_PROFILE'] === undefined);
});

test.each<[string, string, readonly string[], readonly string[]]>([
  ['of another layout', 'events/eventos-facturas-recibidas.csv', [], ['project/other-mapping']],
  [
    'of another layout, which the call names',
    'events/eventos-facturas-recibidas.csv',
    ['-m', 'events/list'],
    [],
  ],
  ['of its own layout', 'payroll/nomina-octubre-2026.xlsx', [], []],
  ['that no layout plainly fits', 'payroll/quincenas/Liquidación septiembre 2026.xlsx', [], []],
])('a file %s', async (_, sample, args, codes) => {
  const { folder } = folderWith(JSON.stringify({ mapping: 'payroll/wide', params: CONSTANT }));
  const file = join(folder, `archivo${extname(sample)}`);
  copyFileSync(packageFile('samples', sample), file);
  const finished = await callCli(['check', file, '--json', ...args], { folder });
  const project = codesOf(finished).filter((code) => code?.startsWith('project/'));
  expect(project).toEqual(codes);
});

test('parameters of the call go before those of the project, and --month takes them on', async () => {
  const { month } = folderWith(JSON.stringify({ params: CONSTANT }));
  const args = ['convert', 'nomina.xlsx', '--month', '2026-11', '-p', 'prefix=ABC'];
  const { stdout } = await callCli(args, { folder: month });
  expect(JSON.parse(stdout.split('\n')[0]!)).toMatchObject({
    prefix: 'ABC',
    period: { issue_date: '2026-11-30', settlement_end_date: '2026-11-30' },
  });
});

test.each<[string, string, string, number | undefined]>([
  ['an unknown key', 'mapping: payroll/wide\nmaping: x\n', 'project/unknown-key', 2],
  ['a token', 'company: A\ntoken: abc\n', 'project/of-profile', 2],
  ['an address', 'url: https://example.com\n', 'project/of-profile', 1],
  ['a list', '- a\n', 'project/shape', 1],
  ['text that is no YAML', 'company: [\n', 'project/yaml', 2],
  ['a file above the folder', 'outputs:\n  report: ../r.xlsx\n', 'project/outside', 2],
  ['a file elsewhere', 'outputs:\n  report: /etc/r.xlsx\n', 'project/outside', 2],
  ['a drive', "outputs:\n  report: 'C:r.xlsx'\n", 'project/outside', 2],
  ['a company that is a list', 'company: [a]\n', 'project/shape', 1],
  ['more than a megabyte', `company: &a [${'x,'.repeat(600_000)}]\n`, 'project/yaml', 1],
])('%s is refused with its line', async (_, text, code, line) => {
  const { month } = folderWith(text);
  const finished = await callCli(['check', 'nomina.xlsx', '--json'], { folder: month });
  expect([finished.code, codesOf(finished)]).toEqual([2, [code]]);
  expect(finished.events.find(({ event }) => event === 'issue')?.['line']).toBe(line);
  expect(finished.stdout + finished.stderr).not.toContain('abc');
});

test('new writes it by asking, and never over another', async () => {
  const folder = freshFolder();
  const { context, asked } = fake({ lines: ['Andina', 'NOM'], answers: [true] });
  const call = { ...context, folder };
  await newProject(call, [SAMPLE], {});
  const project = parse(readFileSync(join(folder, 'cargue.yaml'), 'utf8')) as Record<string, unknown>;
  expect(project).toEqual({
    company: 'Andina',
    mapping: 'payroll/wide',
    params: { prefix: 'NOM' },
    outputs: { report: '{input}-reporte.xlsx', annotate: '{input}-revisado.xlsx' },
  });
  expect(asked).toHaveLength(3); // nothing that is another every month
  await expect(newProject(call, [], {})).rejects.toMatchObject({ issues: [{ code: 'project/exists' }] });
});

test('without anybody there, new writes what the call says', async () => {
  const folder = freshFolder();
  const { context } = fake();
  const options = { company: 'Andina', mapping: 'payroll/wide', param: ['prefix=NOM'] };
  await newProject({ ...context, folder }, [], options);
  expect(parse(readFileSync(join(folder, 'cargue.yaml'), 'utf8'))).toEqual({
    company: 'Andina',
    mapping: 'payroll/wide',
    params: { prefix: 'NOM' },
  });
});

test('new says what it is at while nobody is asked', async () => {
  const told: string[] = [];
  const tell = (event: AppEvent): void => {
    if (event.event === 'begins') told.push(event.what);
    if (event.event === 'ends') told.push('.');
  };
  const { context } = fake();
  await bareNewProject({ ...context, ask: undefined, tell, folder: freshFolder() } as Context, [SAMPLE], {});
  expect(told).toEqual(['choosing', '.']);
});
