import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/command-line.js';
import { COMMANDS } from '../../src/cli/command-table.js';
import { createTerminal, wrapped } from '../../src/cli/terminal.js';
import { EXAMPLES } from '../../src/generated/texts-help.js';
import type { Language } from '../../src/toolkit/core/issue.js';
import { callCli, freshFolder } from './run-cli.js';

/** Words as a shell parts them. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, one, other, plain]) => one ?? other ?? plain!);

/** What a line calls: the command and its options, as commander reads them. */
async function read(line: string, language: Language) {
  let called: { readonly name: string; readonly args: readonly string[] } | undefined;
  const program = createProgram({
    language,
    version: '0.0.0',
    write: () => undefined,
    dispatch: async ({ name }, args) => {
      called = { name, args };
    },
  });
  await program.parseAsync(wordsOf(line).slice(1), { from: 'user' });
  return called;
}

const ALL = COMMANDS.flatMap(({ name }) =>
  (['es', 'en'] as const).flatMap((language) =>
    EXAMPLES[name][language].split('\n').map((line) => [name, language, line] as const),
  ),
);

test('every command has two examples in each language', () => {
  expect(ALL).toHaveLength(COMMANDS.length * 4);
});

test.each(ALL)('%s, %s: %s', async (name, language, line) => {
  expect(line).toMatch(/^cargue /);
  expect(await read(line, language)).toMatchObject({ name });
});

/** Lines of the blocks of a page that call the program. */
const callsIn = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].flatMap(([, block = '']) =>
    block.split('\n').flatMap((line) => /^ *(cargue .+?)(?: +> \S+)?(?: +#.*)?$/.exec(line)?.[1] ?? []),
  );

/** Built from codes and the schema of mappings: they show nothing to type. */
const BUILT = ['codes.md', 'mapping-reference.md'];

/** Pages that show what to type. */
const PAGES = [
  'LEAME.md',
  'README.md',
  ...readdirSync('docs')
    .filter((name) => !BUILT.includes(name))
    .map((name) => `docs/${name}`),
];

test('pages show calls', () => expect(PAGES.flatMap(callsIn).length).toBeGreaterThan(40));

test.each(PAGES)('what %s says to type can be typed', async (file) => {
  for (const line of callsIn(file))
    expect([line, await read(line, 'es').catch(String)]).toEqual([
      line,
      expect.objectContaining({ name: expect.any(String) }),
    ]);
});

test.each([
  ['a verb', ['help', 'send'], 0, /cargue send <ARCHIVO\.\.\.>/],
  ['a group and a verb', ['help', 'mapping', 'show'], 0, /cargue mapping show <NOMBRE>/],
  ['nothing', ['help'], 0, /cargue \[comando\]/],
])('help of %s', async (_, argv, code, text) => {
  const finished = await callCli(argv);
  expect(finished.code).toBe(code);
  expect(finished.stdout).toMatch(text);
});

describe('completion', () => {
  const bash = async (typed: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await callCli(['completion', 'bash']);
    const words = typed.map((word) => `'${word}'`).join(' ');
    const script = `${stdout}\nCOMP_WORDS=(${words}); COMP_CWORD=${typed.length - 1}; _cargue; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
  };

  test.runIf(process.platform !== 'win32').each<[readonly string[], string]>([
    [['cargue', 'che'], 'check'],
    [['cargue', 'mapping', 'sh'], 'show'],
    [['cargue', 'help', 'che'], 'check'],
    [['cargue', 'completion', 'pow'], 'powershell'],
    [['cargue', 'api', ''], 'getZipStatus'],
    [['cargue', 'api', 'listP'], 'listPatients'],
    [['cargue', 'api', 'sendPayroll', '--bo'], '--body'],
    [['cargue', 'send', 'x.xlsx', '--mon'], '--month'],
    [['cargue', 'mapping', 'show', '--comp'], '--company'],
  ])('bash %j', async (typed, expected) => {
    expect(await bash(typed)).toContain(expected);
  });

  test
    .runIf(process.platform !== 'win32')
    .each([
      [['cargue', 'send', '']],
      [['cargue', 'api', 'sendPayroll', '--body', 's']],
      [['cargue', 'help', 'api', '-']],
    ])('bash leaves %j to the shell', async (typed) => {
    expect(await bash(typed)).toEqual(['']);
  });

  const has = (shell: string): boolean => {
    try {
      execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };

  /** A folder with the script for a shell, and a file to complete. */
  async function scriptFor(shell: string): Promise<{ readonly folder: string; readonly script: string }> {
    const folder = freshFolder();
    const script = join(folder, `cargue.${shell}`);
    writeFileSync(script, (await callCli(['completion', shell])).stdout);
    writeFileSync(join(folder, 'nomina.xlsx'), '');
    return { folder, script };
  }

  test.runIf(has('zsh'))('zsh', { timeout: 30_000 }, async () => {
    const { folder, script } = await scriptFor('zsh');
    const typed = [
      'cargue che\\t',
      'cargue mapping sh\\t--comp\\t9',
      'cargue help che\\t',
      'cargue api listP\\t',
      'cargue send nom\\t--mon\\t1',
    ];
    // A shell of its own, to which is typed; what cargue would be given is printed.
    const driver = `
zmodload zsh/zpty; zpty z zsh -f -i; zpty -w z "PS1=; source ${script}"; zpty -w z 'cargue() { print -r -- "RAN: $*" }'
until [[ $said == *READY* ]]; do zpty -w z 'print REA""DY'; sleep 0.2; zpty -rt z more && said+=$more; done
${typed.map((line) => `zpty -w z $'${line}'; sleep 0.5`).join('\n')}
zpty -w z exit; while zpty -r z more; do said+=$more; done; print -r -- "$said"`;
    const said = execFileSync('zsh', ['-f', '-c', driver], { encoding: 'utf8', cwd: folder });
    expect(said.match(/(?<=RAN: )[a-z][^\r\n]*\S/g)).toEqual([
      'check',
      'mapping show --company 9',
      'help check',
      'api listPatients',
      'send nomina.xlsx --month 1',
    ]);
  });

  test.each(['bash', 'zsh', 'powershell'])('%s has every command', async (shell) => {
    const { code, stdout } = await callCli(['completion', shell]);
    expect(code).toBe(0);
    const words = new Set(COMMANDS.filter(({ hidden }) => !hidden).flatMap(({ name }) => name.split(' ')));
    expect([...words].filter((word) => !stdout.includes(word))).toEqual([]);
    expect(stdout).toContain('test-set');
  });

  test('PowerShell: a table of plain strings without a key twice, and a block whose brackets close', async () => {
    const { stdout } = await callCli(['completion', 'powershell']);
    const [, table = '', block = ''] = /^\$cargueNext = @\{\n(.*?)\n\}\n(.*)$/ms.exec(stdout) ?? [];
    const keys = table.split('\n').map((line) => /^ {2}'([^']*)' = '[^']*'$/.exec(line)?.[1]?.toLowerCase());
    expect(keys.length).toBeGreaterThan(20);
    expect(new Set(keys).size).toBe(keys.length); // a key twice is an error there, in any case
    expect(keys).not.toContain(undefined);
    const open: string[] = [];
    for (const sign of block.replaceAll(/'[^']*'/g, '').match(/[()[\]{}]/g) ?? [])
      if ('([{'.includes(sign)) open.push(sign);
      else expect(open.pop()).toBe({ ')': '(', ']': '[', '}': '{' }[sign]);
    expect(open).toEqual([]);
    expect(block.match(/"/g)!.length % 2).toBe(0);
  });

  test('another shell is refused', async () => {
    expect((await callCli(['completion', 'cmd'])).code).toBe(2);
  });
});

test.each([
  [20, 'una frase que no cabe en la línea', 'una frase que no\n  cabe en la línea'],
  [20, '  Mes   Antes   Después   y más', '  Mes   Antes   Después   y más'],
  [undefined, 'x '.repeat(100), 'x '.repeat(100)],
  [20, '\u001B[31mroja y muy larga\u001B[39m de más', '\u001B[31mroja y muy larga\u001B[39m de\n  más'],
])('a terminal of %s columns', (columns, text, expected) => expect(wrapped(text, columns)).toBe(expected));

test('only a terminal breaks lines, and NO_COLOR takes the colours', () => {
  let said = '';
  const sink = {
    isTTY: false,
    columns: 20,
    once: () => undefined,
    write: (text: string) => {
      said += text;
      return true;
    },
  };
  const terminal = createTerminal({ stdin: {}, stdout: sink, stderr: sink, language: 'es', noColour: false });
  terminal.print(terminal.paint('red', 'una frase que no cabe en la línea'));
  expect(said).toBe('una frase que no cabe en la línea\n');
});

test.each(['prueba', 'Pruebas', 'test', 'habilitación'])('%s is the environment of tests', async (word) => {
  const args = [
    'profile',
    'add',
    'a',
    '--url',
    'http://127.0.0.1:1',
    '--company',
    '900123456',
    '--environment',
    word,
  ];
  const finished = await callCli([...args, '--yes', '--json']);
  expect(finished.code).toBe(0);
});
