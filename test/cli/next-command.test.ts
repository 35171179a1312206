import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADDRESSED, formatNextCommand, quotedCommands } from '../../src/app/next-command.js';
import { runName } from '../../src/app/outputs.js';
import { COMMANDS } from '../../src/cli/command-table.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { issueOf } from '../../src/toolkit/core/issue.js';
import { word } from '../../src/toolkit/messages/wording.js';
import { ruleEntry } from '../../src/toolkit/schema/rule-data.js';
import { fake, NOW } from './fake-context.js';
import { freshFolder, runCli } from './run-cli.js';
import { SAMPLE, WIDE } from './sample.js';
import { send } from './use-cases.js';

vi.setConfig({ testTimeout: 120_000 });

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

async function sandbox() {
  const box = await startSandbox();
  onTestFinished(() => box.close());
  return box;
}

const MAPPED = [
  SAMPLE,
  '-m',
  'payroll/wide',
  ...['--params', WIDE.params],
  ...['--test-set', 'set-1', '--yes', '--partial'],
];

test.skipIf(process.platform === 'win32')(
  'the printed lines are pasted into a shell that knows nothing but the token',
  async () => {
    const box = await sandbox();
    const folder = freshFolder();
    const env = { CARGUE_TOKEN: box.token };
    const called = ['send', ...MAPPED, '--hold', '--company', "Café d'Ana & Cía", '--url', box.url];
    const held = await runCli(called, { folder, env });
    const lines = held.stderr
      .split('\n')
      .flatMap((line) => /: (cargue (?:approve|send) .*)$/.exec(line)?.[1] ?? []);
    expect(lines.map((line) => line.split(' ')[1])).toEqual(['approve', 'send']);
    const paste = (line: string, more = '') =>
      promisify(execFile)('/bin/sh', ['-c', `"$NODE" "$MAIN" ${line.replace(/^cargue /, '')}${more}`], {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          NODE: process.execPath,
          MAIN,
          CARGUE_WORKSPACE: `${folder}/workspace`,
          ...env,
        },
      });
    await paste(lines[0]!, ' --as Ana --yes');
    const { stderr } = await paste(lines[1]!, ' --yes');
    expect(stderr).toContain('25 aceptados');
  },
);

test('runs of two companies have results of their own', async () => {
  const nits = ['900123456', '900555321'];
  const box = await startSandbox({ companies: nits.map((nit) => ({ nit })) });
  onTestFinished(() => box.close());
  const folder = freshFolder();
  for (const [company, first] of [
    ['900123456', '1'],
    ['900555321', '500'],
  ] as const) {
    const env = { CARGUE_TOKEN: box.tokens[company]!, CARGUE_URL: box.url };
    const call = ['send', ...MAPPED, '--company', company, '-p', `first_consecutive=${first}`];
    await runCli(call, { folder, env });
  }
  const reports = readdirSync(folder).filter((name) => name.endsWith('.xlsx'));
  expect(reports.map((name) => /-reporte-(\d+)-pruebas-/.exec(name)?.[1]).sort()).toEqual([
    '900123456',
    '900555321',
  ]);
});

test.each([
  [{ company: '900123456', url: 'http://127.0.0.1:8080/' }, undefined, '900123456-pruebas-R'],
  [{ company: 'default', url: 'http://127.0.0.1:8080/' }, undefined, '127.0.0.1_8080-pruebas-R'],
  [{ company: 'A/B: ñ', url: 'https://api.example/' }, undefined, 'A_B_ñ-produccion-R'],
  [{ company: '900', url: 'https://api.example/' }, 'set', '900-pruebas-R'],
])('%j with test set %s is called %s', (meta, testSet, expected) => {
  expect(runName(fake().context, { id: 'R', meta, ...(testSet && { testSet }) })).toBe(expected);
});

test.each([
  [{}, {}, 'cargue resume R'],
  [{ url: 'https://a.example' }, { company: '900' }, 'cargue resume R --company 900 --url https://a.example'],
  [
    {
      url: 'https://a.example',
      profile: { name: 'andina', stored: { company: '900', url: 'https://a.example' } },
    },
    { company: '900' },
    'cargue resume R --profile andina',
  ],
  [
    {
      url: 'https://b.example',
      profile: { name: 'andina', stored: { company: '900', url: 'https://a.example' } },
    },
    { company: '901', url: 'https://b.example' },
    'cargue resume R --profile andina --company 901 --url https://b.example',
  ],
])('%j and %j: %s', (context, options, expected) => {
  expect(formatNextCommand({ ...fake().context, ...context }, options, 'resume R')).toBe(expected);
});

test.each<['remote/rejected' | 'remote/rips-rejected', string, string, string, string]>([
  ['remote/rejected', 'NIE199', 'ya existe', 'cargue adjust', 'ya existe'],
  ['remote/rejected', 'ZC07', '', 'certificado', 'firma'],
  ['remote/rejected', 'LGC09', 'no', '030', 'no'],
  ['remote/rips-rejected', 'RVC061', '…', 'Deje el valor en 0', 'Sin pago moderador (05) el valor es 0'],
  [
    'remote/rips-rejected',
    'RVC061',
    'Sin pago mod...',
    'Deje el valor en 0',
    'Sin pago moderador (05) el valor es 0',
  ],
  ['remote/rejected', 'XYZ1', 'algo', 'Corrija el dato', 'algo'],
])('%s by %s: the cure of that rule, and its words where they were cut', (code, rule, text, fix, message) => {
  const issue = issueOf(code, 'error', { rule, text });
  for (const language of ['es', 'en'] as const) {
    const worded = word(issue, language, ruleEntry);
    expect(worded.fix).not.toBe('');
    if (language === 'es')
      expect([worded.fix, worded.message]).toEqual([
        expect.stringContaining(fix),
        expect.stringContaining(message),
      ]);
  }
});

test('programs hear the reason of each document with its cure, and persons only with --show-values', async () => {
  const box = await startSandbox({ now: () => NOW });
  onTestFinished(() => box.close());
  const KEY = '9000100037';
  box.controls.addOutcome({ match: { worker: KEY }, verdict: 'reject', rules: ['NIE199'] });
  const folder = freshFolder();
  const told = async (more: object) => {
    const call = fake({ url: box.url, token: box.token, workspace: `${folder}/ws` });
    const options = { ...WIDE, testSet: 'set-1', report: `${folder}/r.xlsx`, yes: true, json: true, ...more };
    await send(call.context, [SAMPLE], { ...options, force: true });
    return call;
  };
  const masked = await told({});
  const [outcome] = masked.events().filter(({ state }) => state === 'rejected');
  expect(outcome!['reasons']).toEqual([
    expect.objectContaining({
      code: 'remote/rejected',
      rule: 'NIE199',
      fix: expect.stringContaining('cargue adjust'),
    }),
  ]);
  expect(outcome!['key']).toBe('9•••37');
  expect(masked.shown.out().join('\n')).not.toMatch(/90001000\d\d/);
  const full = await told({ showValues: true });
  expect(full.events().some(({ event, key }) => event === 'outcome' && key === KEY)).toBe(true);
  const { shown } = await told({ json: false });
  expect(shown.raw()).toContain('cargue explain NIE199');
});

test('the commands that work on the journal of a company are those that take one', () => {
  const taken = COMMANDS.filter(({ options }) =>
    (['profile', 'company', 'url'] as const).every((name) => options.includes(name)),
  );
  const calls = taken.map(({ name, options }) => [name, options.includes('ca') ? 'service' : 'journal']);
  expect(ADDRESSED).toEqual(Object.fromEntries(calls));
});

test.each([
  ['Use «cargue resume --settle NOM4=none».', 'Use «cargue resume --settle NOM4=none ·service».'],
  [
    'Run "cargue journal abandon 7" or "cargue template x".',
    'Run "cargue journal abandon 7 ·journal" or "cargue template x".',
  ],
  ['Siga con «cargue send 7 --profile beta».', 'Siga con «cargue send 7 --profile beta».'],
])('quoted commands are completed: %s', (text, expected) => {
  const command = (words: string, isLocal: boolean) => `cargue ${words} ·${isLocal ? 'journal' : 'service'}`;
  expect(quotedCommands(text, command)).toBe(expected);
});

test('advice of issues and of failures has what the call was told', async () => {
  const box = await sandbox();
  const folder = freshFolder();
  const env = { CARGUE_TOKEN: box.token };
  box.controls.addFault({ kind: 'reset-after', match: { operation: 'sendPayrollTestSet' }, times: 1000 });
  const { stderr } = await runCli(['send', ...MAPPED, '--url', box.url], { folder, env });
  expect(stderr).toContain(`«cargue resume --url ${box.url}»`);
  const failed = await runCli(['send', '2026-01-01-1', '--url', box.url], { folder, env });
  expect(failed.stderr).toContain(`«cargue status --url ${box.url}»`);
});
