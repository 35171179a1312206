import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../cli/run-cli.js';
import { ROOT, recordOf } from './terminal.js';

const PAGES = ['README.md', 'CONTRIBUTING.md'];

/** Lines that are not run here, and why. */
const NOT_HERE: readonly (readonly [line: RegExp, reason: string])[] = [
  [/^npm test$|test:browser|test:long|run check/, 'the tests themselves, which .ci/run runs'],
  [/test:nodes/, 'needs every Node that is promised; run before a release'],
  [/run (?:variants|mutate)/, 'takes an hour; its figures are read by a person'],
  [/run pictures/, 'writes pictures that a person has to look at'],
];

/** Returns the lines of a page that call npm, without their comments. */
const linesOf = (page: string): readonly string[] =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^ *(npm .+?)(?: +#.*)?$/gm)].map(
    ([, line = '']) => line,
  );

/** Copies the repository's files with what is built of them; the installed packages are linked. */
function copyRepository(): string {
  const folder = freshFolder();
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' }).split('\0');
  for (const file of [...files, 'dist'])
    if (file !== '' && existsSync(join(ROOT, file)))
      cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

test.runIf(process.platform === 'linux')(
  'lines for contributors end as they should',
  { timeout: 900_000 },
  async () => {
    const cwd = copyRepository();
    const env = { PATH: process.env['PATH'], HOME: cwd, CARGUE_WORKSPACE: join(cwd, 'workspace') };
    const records: string[] = [];
    for (const line of PAGES.flatMap(linesOf)) {
      const reason = NOT_HERE.find(([other]) => other.test(line))?.[1];
      if (reason !== undefined) {
        records.push(`$ ${line}\nnot here: ${reason}\n`);
        continue;
      }
      const { status, stdout, stderr } = spawnSync(line, { cwd, env, shell: true, encoding: 'utf8' });
      expect.soft(status, `${line}\n${stdout}${stderr}`).toBe(0);
      // The last line holds figures of the sources.
      records.push(recordOf(line, { code: status, said: [] }, { folder: cwd }));
    }
    await expect(records.join('\n')).toMatchFileSnapshot(join(ROOT, 'test/golden/executed/repository.txt'));
  },
);
