import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { callCli, codesOf, type Finished, freshFolder, runCli, startCli } from './run-cli.js';
import { PARAMS, SAMPLE } from './sample.js';

const folder = freshFolder();
const at = (name: string): string => join(folder, name);
const MAPPED = ['-m', 'payroll/wide', '--params', PARAMS];

beforeAll(() => {
  mkdirSync(at('folder.xlsx'));
  writeFileSync(at('empty.xlsx'), '');
  writeFileSync(at('invoice.xlsx'), '%PDF-1.7\n%binary\n');
  writeFileSync(at('typo.yaml'), 'cargue: 1\nname: x\ntarjet: payroll/payroll\n');
  writeFileSync(at('broken.yaml'), 'a: [1\n');
  writeFileSync(at('list.json'), '[1]');
  writeFileSync(at('not-a-folder'), '');
  copyFileSync(SAMPLE, at('nomina.xlsx'));
});

/** A person never sees a stack, and everything that is not an event goes to stderr. */
function neat(finished: Finished): void {
  expect(finished.stderr).not.toMatch(/^ {4}at /m);
  expect(finished.stdout).not.toMatch(/^ {4}at /m);
}

// Most of these tests start processes of their own.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

test.each([
  [['check', 'nomina.xlsx', '-m', 'payroll/nomina'], 'payroll/wide'],
  [['check', 'nomina.xlsx', '-m', 'payrol'], 'payroll/wide'],
  [['check', 'nomina.xlsx', '-m', 'rips/consultass'], 'rips/consultas'],
  [['mapping', 'show', 'payroll/nomina'], 'payroll/wide'],
  [['schema', 'show', 'payroll/payrol'], 'payroll/payroll'],
  [['catalogue', 'show', 'municipios'], 'municipalities'],
  [['api', 'listPatient'], 'listPatients'],
  [['mapping', 'lint', 'monye.yaml'], 'money'],
])('%j: did you mean %s', async (argv, meant) => {
  const folder = freshFolder();
  const columns = 'columns: { bonus: { titles: [Bono], read: monye } }';
  writeFileSync(join(folder, 'monye.yaml'), `cargue: 1\nname: a\ntables: { workers: { ${columns} } }\n`);
  const { code, events } = await callCli([...argv, '--json'], { folder });
  expect(code).toBe(2);
  const suggestions = events.flatMap((event) => event['suggestions'] ?? []);
  expect(suggestions).toContainEqual(expect.objectContaining({ value: meant }));
});

describe('what is wrong with the call', () => {
  test.each<[string, readonly string[], number, readonly string[]]>([
    ['no such command', ['chek'], 2, ['run/unknown-command']],
    ['no such command of a group', ['schema', 'lits'], 2, ['run/unknown-command']],
    ['a trail that is not there', ['journal', 'verify', 'no.jsonl'], 2, ['file/not-found']],
    ['a pack of law that is not there', ['law', 'import', 'no.json'], 2, ['file/not-found']],
    ['help of no command', ['help', 'chek'], 2, ['run/unknown-command']],
    ['help of no command of a group', ['schema', 'lits', '--help'], 2, ['run/unknown-command']],
    ['no such option', ['check', 'a.xlsx', '--jsn'], 2, ['run/unknown-option']],
    ['no file', ['check'], 2, ['run/missing-argument']],
    ['too many', ['explain', 'a', 'b', 'c'], 2, ['run/extra-argument']],
    ['option without value', ['check', 'a.xlsx', '--json', '-m'], 2, ['run/missing-value']],
    ['number out of range', ['send', 'a.xlsx', '--concurrency', '0'], 2, ['run/bad-option']],
    ['language', ['check', 'a.xlsx', '--lang', 'fr'], 2, ['run/bad-option']],
    ['no parameters', ['check', 'nomina.xlsx'], 2, ['param/missing', 'param/missing', 'param/missing']],
    ['no such mapping', ['check', 'nomina.xlsx', '-m', 'no/such'], 2, ['run/mapping-not-found']],
    ['pattern without match', ['check', '*.ods', ...MAPPED], 2, ['run/no-match']],
    ['no such parameter', ['check', 'nomina.xlsx', ...MAPPED, '-p', 'mnth=2026-10'], 2, ['param/unknown']],
    ['parameter without value', ['check', 'nomina.xlsx', ...MAPPED, '-p', 'month'], 2, ['run/bad-option']],
    [
      'broken parameters',
      ['check', 'a.xlsx', '-m', 'payroll/wide', '--params', 'broken.yaml'],
      2,
      ['run/params-file'],
    ],
    [
      'parameters in a list',
      ['check', 'a.xlsx', '-m', 'payroll/wide', '--params', 'list.json'],
      2,
      ['run/params-file'],
    ],
    [
      'no parameter file',
      ['check', 'a.xlsx', '-m', 'payroll/wide', '--params', 'none.json'],
      2,
      ['run/params-file'],
    ],
    ['missing file', ['check', 'none.xlsx', ...MAPPED], 2, ['file/not-found']],
    ['a folder without tables', ['check', 'folder.xlsx', ...MAPPED], 2, ['run/no-match']],
    ['a PDF named .xlsx', ['check', 'invoice.xlsx', ...MAPPED], 1, ['file/unknown-format']],
    ['an empty file', ['check', 'empty.xlsx', ...MAPPED], 1, ['file/empty']],
    ['no address', ['send', 'nomina.xlsx', ...MAPPED], 2, ['run/needs-url']],
    [
      'address without https',
      ['send', 'nomina.xlsx', ...MAPPED, '--url', 'http://example.com'],
      2,
      ['send/insecure-url'],
    ],
    ['no token', ['send', 'nomina.xlsx', ...MAPPED, '--url', 'http://127.0.0.1:1'], 2, ['run/needs-token']],
    [
      'report over the input',
      ['send', 'nomina.xlsx', ...MAPPED, '--url', 'http://127.0.0.1:1', '--report', 'nomina.xlsx'],
      2,
      ['run/output-is-input'],
    ],
    [
      'convert over the input',
      ['convert', 'nomina.xlsx', ...MAPPED, '-o', './nomina.xlsx'],
      2,
      ['run/output-is-input'],
    ],
    [
      'convert to no folder',
      ['convert', 'nomina.xlsx', ...MAPPED, '-o', 'none/out.jsonl'],
      2,
      ['run/output-folder'],
    ],
    [
      'no journal yet',
      ['status', '--company', 'none', '--url', 'http://127.0.0.1:1'],
      2,
      ['journal/missing'],
    ],
    [
      'a wrong check digit',
      ['status', '--company', '900.555.321-5', '--url', 'http://127.0.0.1:1'],
      2,
      ['run/check-digit'],
    ],
    ['no such operation', ['api', 'sendPayrol', '--url', 'http://127.0.0.1:1'], 2, ['run/unknown-name']],
    ['no such code', ['explain', 'cell/not-a-numbr'], 2, ['run/unknown-name']],
    ['no such schema', ['schema', 'show', 'payroll/payrol'], 2, ['run/unknown-name']],
  ])('%s', async (_, args, exit, codes) => {
    const finished = await callCli(args.includes('--json') ? args : [...args, '--json'], { folder });
    neat(finished);
    expect([finished.code, codesOf(finished)]).toEqual([exit, codes]);
  });

  test('a mapping with a typo: line and column, on the screen and for programs', async () => {
    const screen = await callCli(['mapping', 'lint', 'typo.yaml'], { folder });
    neat(screen);
    expect(screen.code).toBe(2);
    expect(screen.stderr).toMatch(/typo\.yaml:3:1: /);
    const check = await callCli(['check', 'nomina.xlsx', '-m', 'typo.yaml', '--json'], { folder });
    expect(check.code).toBe(2);
    expect(check.events.find(({ code }) => code === 'mapping/unknown-key')).toMatchObject({
      file: 'typo.yaml',
      line: 3,
    });
  });

  test('a journal that cannot be written', async () => {
    const env = { CARGUE_WORKSPACE: at('not-a-folder'), CARGUE_TOKEN: 'x' };
    const args = ['send', 'nomina.xlsx', ...MAPPED, '--url', 'http://127.0.0.1:1', '--yes', '--json'];
    const finished = await callCli(args, { folder, env });
    neat(finished);
    expect([finished.code, codesOf(finished)]).toEqual([2, ['journal/not-writable']]);
  });

  test('nobody at the address', async () => {
    const finished = await callCli(
      ['api', 'getCurrentNumber', '--path', 'type=9', '--url', 'http://127.0.0.1:1', '--json'],
      {
        folder,
        env: { CARGUE_TOKEN: 'x' },
      },
    );
    neat(finished);
    expect([finished.code, codesOf(finished)]).toEqual([3, ['run/no-answer']]);
  });

  test('without words: the help, and that it is not a command', async () => {
    const finished = await runCli([], { folder });
    expect([finished.code, finished.stdout]).toEqual([2, '']);
    expect(finished.stderr).toContain('check <ARCHIVO...>');
  });
});

describe('what goes where', () => {
  test('check: people on stderr, in both languages', async () => {
    const es = await runCli(['check', 'nomina.xlsx', ...MAPPED], { folder });
    expect([es.code, es.stdout]).toEqual([0, '']);
    expect(es.stderr).toContain('25 leídos');
    const en = await callCli(['check', 'nomina.xlsx', ...MAPPED], { folder, env: { CARGUE_LANG: 'en' } });
    expect(en.stderr).toContain('25 read');
  });

  test('check --json: programs on stdout, the summary last', async () => {
    const { events, stdout } = await callCli(['check', 'nomina.xlsx', ...MAPPED, '--json'], { folder });
    expect(events).toHaveLength(stdout.trimEnd().split('\n').length);
    // Warnings depend on the day: the deadline, the date of issue.
    expect(events.at(-1)).toEqual({
      event: 'summary',
      records: { read: 25, used: 25, skipped: 0, heldBack: 0 },
      documents: { planned: 25, made: 25, heldBack: 0 },
      columns: {
        filled: 54,
        used: 51,
        control: 3,
        declined: 0,
        unread: 0,
        left: [],
        amounts: expect.arrayContaining([
          expect.objectContaining({ label: 'Cooperativa', role: 'used', sum: '183000.00' }),
          expect.objectContaining({
            label: 'Neto a pagar',
            role: 'control',
            total: { name: 'net', stated: '121720722.18', computed: '121720722.18', difference: '0.00' },
          }),
        ]),
      },
      issues: { errors: 0, warnings: expect.any(Number) },
    });
  });

  test('convert: a document a line, numbered', async () => {
    const { code, stdout } = await runCli(
      ['convert', 'nomina.xlsx', ...MAPPED, '-p', 'first_consecutive=7'],
      { folder },
    );
    const documents = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(documents.map(({ consecutive }) => consecutive)).toEqual(
      Array.from({ length: 25 }, (_, index) => index + 7),
    );
  });

  test('convert -o: the same into a file of its owner', async () => {
    const { code, stdout } = await callCli(['convert', 'nomina.xlsx', ...MAPPED, '-o', 'out.jsonl'], {
      folder,
    });
    expect([code, stdout, existsSync(at('out.jsonl'))]).toEqual([0, '', true]);
  });
});

describe('against a sandbox in another process', () => {
  const work = freshFolder();
  let server: ReturnType<typeof startCli>;
  let env: Record<string, string>;

  beforeAll(async () => {
    server = startCli(['sandbox', '--json']);
    const line = await new Promise<string>((resolve) =>
      server.stdout.setEncoding('utf8').once('data', resolve),
    );
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    env = { CARGUE_URL: url, CARGUE_TOKEN: token, CARGUE_WORKSPACE: join(work, 'workspace') };
    copyFileSync(SAMPLE, join(work, 'octubre.xlsx'));
  });
  afterAll(() => {
    server.kill('SIGINT');
  });

  test('send, then report and status without the input, the token in no output or file name', async () => {
    const sent = await runCli(['send', 'octubre.xlsx', ...MAPPED, '--test-set', 'ABC', '--yes'], {
      folder: work,
      env,
    });
    neat(sent);
    expect(sent.code).toBe(0);
    const [report] = readdirSync(work).filter((name) => /^octubre-reporte-.*\.xlsx$/.test(name));
    expect(report).toBeDefined();
    rmSync(join(work, 'octubre.xlsx'));
    const again = await callCli(['report', '-o', 'again.xlsx'], { folder: work, env });
    expect([again.code, existsSync(join(work, 'again.xlsx'))]).toEqual([0, true]);
    const status = await callCli(['status', '--json'], { folder: work, env });
    expect(status.events).toMatchObject([{ event: 'run', state: 'closed', documents: { accepted: 25 } }]);
    const resumed = await callCli(['resume'], { folder: work, env });
    expect(resumed.code).toBe(0);
    for (const { stdout, stderr } of [sent, again, status, resumed])
      expect(stdout + stderr).not.toContain(env['CARGUE_TOKEN']);
  });

  test('api asks one thing', async () => {
    const args = ['api', 'getCurrentNumber', '--path', 'type=9', '--path', 'prefix=NOM'];
    const { code, stdout } = await runCli(args, { folder: work, env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ prefix: 'NOM' });
  });

  test.skipIf(process.platform === 'win32')('the sandbox ends well at Ctrl-C', async () => {
    const ended = new Promise((resolve) => server.on('close', resolve));
    server.kill('SIGINT');
    expect(await ended).toBe(0);
  });
});

test('demo: from the workbook to 25 CUNEs', async () => {
  const work = freshFolder();
  chmodSync(work, 0o700);
  const { code, stderr } = await runCli(['demo'], { folder: work });
  expect(code).toBe(0);
  expect(stderr).toContain('25 aceptados');
  expect(stderr).toContain('node dist/cli/main.js web');
  expect(readdirSync(work)).toContain('demo-report.xlsx');
});
