import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../src/toolkit/core/package-file.js';

interface Step {
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const action = parse(readFileSync(packageFile('action.yml'), 'utf8')) as Action;
const step = action.runs.steps.find(({ run }) => run !== undefined)!;
const INPUT = /\$\{\{ inputs\.(\w+) \}\}/;

const folder = mkdtempSync(join(tmpdir(), 'cargue-action-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** In the place of npm: notes the version that was asked for, and packs a package that runs the program of this clone. */
const main = join(folder, 'packed', 'package', 'dist', 'cli', 'main.js');
mkdirSync(dirname(main), { recursive: true });
writeFileSync(join(folder, 'packed', 'package', 'package.json'), '{ "type": "module" }');
writeFileSync(main, `await import('${pathToFileURL(packageFile('dist/cli/main.js')).href}');\n`);
writeFileSync(
  join(folder, 'npm'),
  `#!/bin/sh
case "$1" in
  pack) echo "$5" > '${folder}/version'; exec tar -czf "$4/cargue-1.tgz" -C '${folder}/packed' package ;;
  --prefix) shift 2; echo "$*" >> '${folder}/npm-calls' ;;
  *) exit 1 ;;
esac
`,
  { mode: 0o755 },
);

/** What the action does with some inputs. */
function act(inputs: Readonly<Record<string, string>>) {
  const given = (name: string): string => inputs[name] ?? action.inputs[name]?.default ?? '';
  const env = Object.fromEntries(
    Object.entries(step.env ?? {}).map(([name, value]) => [name, given(INPUT.exec(value)![1]!)]),
  );
  const path = `${folder}${delimiter}${process.env['PATH']}`;
  return spawnSync('bash', ['-e', '-o', 'pipefail', '-c', step.run!], {
    encoding: 'utf8',
    cwd: packageFile('samples/payroll'),
    env: { ...env, PATH: path, HOME: folder },
  });
}

const WORKBOOK = 'nomina-octubre-2026.xlsx';

test('every input is used, and none inside a command', () => {
  const used = Object.values(step.env ?? {}).map((value) => INPUT.exec(value)?.[1]);
  expect(used.sort()).toEqual(Object.keys(action.inputs).sort());
  expect(step.run).not.toContain('${{');
});

test('its version is that of the package', () => {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string };
  expect(action.inputs['version']?.default).toBe(version);
});

test.skipIf(process.platform === 'win32')('checks, converts, and takes a file name as a name', () => {
  const month = { mapping: 'payroll/wide', params: 'params.json', lang: 'en' };
  const output = join(folder, 'documents.jsonl');
  const converted = act({ ...month, files: WORKBOOK, command: 'convert', output });
  expect([converted.stderr, converted.status]).toEqual([expect.stringContaining('25'), 0]);
  expect(readFileSync(output, 'utf8').trim().split('\n')).toHaveLength(25);
  expect(readFileSync(join(folder, 'version'), 'utf8')).toMatch(/^cargue@\d/);
  expect(readFileSync(join(folder, 'npm-calls'), 'utf8')).toMatch(/^pkg delete devDependencies\nci /);
  expect(act({ ...month, files: `${WORKBOOK}\n` }).status).toBe(0);
  const odd = act({ ...month, files: `$(touch ${folder}/run).xlsx` });
  expect(odd.status).toBe(2);
  expect(() => readFileSync(join(folder, 'run'))).toThrow();
  expect(act({ files: WORKBOOK, command: 'send' }).status).toBe(2);
});

test.skipIf(process.platform === 'win32').each(['annotate', 'failed', 'output', 'journal'])(
  'what looks like --%s among the files is the name of a file',
  (option) => {
    const written = join(folder, `${option}.xlsx`);
    const { status, stderr } = act({
      mapping: 'payroll/wide',
      params: 'params.json',
      files: `--${option}=${written}\n${WORKBOOK}`,
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining(`✗ ${option}.xlsx: `)]);
    expect(existsSync(written)).toBe(false);
  },
);

test('actions of others are pinned by the hash of a commit, their version beside it', () => {
  const texts = ['action.yml', 'samples/integration/github/nomina.yml'].map((file) =>
    readFileSync(packageFile(file), 'utf8'),
  );
  const uses = texts.flatMap((text) => text.match(/\buses: .*/g) ?? []);
  const foreign = uses.filter((line) => !line.startsWith('uses: ./'));
  expect(foreign.length).toBeGreaterThan(2);
  for (const line of foreign) expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});
