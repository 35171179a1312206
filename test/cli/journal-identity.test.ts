import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { journalFile } from '../../src/app/journal-access.js';
import type { Options } from '../../src/cli/options.js';
import { canonicalAddress } from '../../src/client/address.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { readJournal } from '../../src/send/journal.js';
import { canonicalCompany, proofFile, readProof } from '../../src/send/journal-proof.js';
import { openFile } from '../../src/send/sqlite.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { type Fake, type FakeOptions, fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { SAMPLE, WIDE } from './sample.js';
import {
  journalAdopt as adopt,
  journalBackup as backup,
  journalPath as path,
  journalPurge as purge,
  report,
  resume,
  send,
  status,
} from './use-cases.js';

async function world() {
  const box = await startSandbox({
    companies: [
      { nit: '900123456', token: 'token-of-one' },
      { nit: '800999888', token: 'token-of-other' },
    ],
  });
  onTestFinished(() => box.close());
  const folder = freshFolder();
  const workspace = join(folder, 'ws');
  const options: Options = {
    ...WIDE,
    testSet: 'set-1',
    report: join(folder, 'r.xlsx'),
    yes: true,
    json: true,
  };
  const here = (more: FakeOptions = {}): Fake =>
    fake({ url: box.url, token: 'token-of-one', workspace, ...more });
  const again = async (more: FakeOptions = {}, changes: Options = {}): Promise<string> => {
    const before = box.controls.documents().length;
    const code = await codeOf(send(here(more).context, [SAMPLE], { ...options, ...changes }));
    return `${code} sent ${box.controls.documents().length - before}`;
  };
  const journals = (): string[] =>
    readdirSync(workspace, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('journal.db'));
  return { box, folder, workspace, options, here, again, journals };
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    return String(await work);
  } catch (error) {
    if (error instanceof PipelineError) return error.issues.map(({ code }) => code).join();
    throw error;
  }
};

const texts = (call: Fake): string => [...call.shown.out(), ...call.shown.said()].join('\n');

describe('an address is one however it is spelt', () => {
  test.each([
    ['https://api.example.com', 'https://API.Example.com/', true],
    ['https://api.example.com', 'https://api.example.com:443', true],
    ['https://api.example.com', 'https://api.example.com.', true],
    ['https://h/a', 'https://h/a//', true],
    ['http://127.0.0.1:8080', 'http://localhost:8080/', true],
    ['http://127.0.0.1:8080', 'http://[::1]:8080', true],
    ['http://127.0.0.1:8080', 'http://127.1.2.3:8080', true],
    ['http://127.0.0.1', 'http://LOCALHOST:80', true],
    ['https://h/a', 'https://h/A', false],
    ['https://h/a', 'https://h/b', false],
    ['https://h', 'https://h:444', false],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8081', false],
  ])('%s and %s: %s', (one, other, same) =>
    expect(canonicalAddress(one) === canonicalAddress(other)).toBe(same),
  );

  test.each([
    ['900123456', '900.123.456', true],
    ['900123456', '900123456-8', true],
    ['900123456', ' 900.123.456-8 ', true],
    ['900123456', '900123457', false],
    ['Andina', 'andina', false],
    ['A-1', 'A', false],
  ])('NIT %s and %s: %s', (one, other, same) =>
    expect(canonicalCompany(one) === canonicalCompany(other)).toBe(same),
  );
});

describe('one company at one service is one journal', () => {
  test('whatever the spelling of the address', async () => {
    const { box, again, journals } = await world();
    expect(await again()).toBe('0 sent 25');
    const port = new URL(box.url).port;
    for (const url of [`http://localhost:${port}`, `${box.url}/`, `http://LOCALHOST:${port}//`])
      expect([url, await again({ url })]).toEqual([url, '0 sent 0']);
    expect(journals()).toHaveLength(1);
  });

  test('with a check digit that an earlier version took for a part of the NIT', async () => {
    const { again, journals } = await world();
    expect(await again({}, { company: '9001234568' })).toBe('0 sent 25');
    const other = { token: 'token-of-one' };
    for (const company of ['900123456', '9001234568'])
      expect([company, await again(other, { company })]).toEqual([company, '0 sent 0']);
    expect(journals()).toHaveLength(1);
  });

  test('whatever the company is called; its NIT is learnt on the way', async () => {
    const { here, again, journals } = await world();
    expect(await again()).toBe('0 sent 25');
    for (const company of ['Andina', '900123456', '900.123.456-8', 'default'])
      expect([company, await again({}, { company })]).toEqual([company, '0 sent 0']);
    expect(journals()).toHaveLength(1);
    // Names that were used once find it without the token, too.
    const { context } = fake({ url: here().context.url!, workspace: here().context.workspace });
    expect(await status(context, [], { company: '900123456' })).toBe(0);
    expect(readProof(await journalFile(context, { company: 'Andina' }))).toMatchObject({
      names: ['default', 'Andina', '900123456'],
    });
  });

  test('another company has its own, and its token opens no other', async () => {
    const { again, journals } = await world();
    expect(await again({}, { company: '900123456' })).toBe('0 sent 25');
    const other = { token: 'token-of-other' };
    expect(await again(other, { company: '800999888' })).toBe('0 sent 25');
    expect(journals()).toHaveLength(2);
    expect(await again(other, { company: '900123456' })).toBe('journal/of-another-company sent 0');
    expect(await again({}, { company: '700111222' })).toBe('journal/of-another-company sent 0');
    expect(journals()).toHaveLength(2);
  });

  test('a token that is typed is recognised before anything leaves', async () => {
    const { again } = await world();
    expect(await again({}, { company: '900123456' })).toBe('0 sent 25');
    const { box, here, options } = await world();
    const typed = (company: string) => {
      const { url, workspace } = here().context;
      const call = fake({ url: url!, workspace, answers: [true, true], secrets: ['token-of-one'] });
      return codeOf(send(call.context, [SAMPLE], { ...options, company }));
    };
    expect(await typed('900123456')).toBe('0');
    expect(await typed('Andina')).toBe('journal/of-another-company');
    expect(box.controls.documents()).toHaveLength(25);
  });

  test.each([
    ['localhost_PORT', 'default'],
    ['_1_PORT-HASH', 'default'],
  ])('a folder of an earlier spelling, %s, is found and used', async (name, company) => {
    const { box, here, again, journals, workspace } = await world();
    expect(await again()).toBe('0 sent 25');
    const old = dirname(await journalFile(here().context, {}));
    const { host } = new URL(box.url.replace('127.0.0.1', name.startsWith('local') ? 'localhost' : '[::1]'));
    // As it was before there were proofs.
    const spelt = host.replace(':', '_');
    const plain = spelt.replace(/[^a-z0-9.-]+/g, '_').replace(/^[._]+/, '');
    const folder =
      plain === spelt ? plain : `${plain}-${createHash('sha256').update(spelt).digest('hex').slice(0, 8)}`;
    mkdirSync(join(workspace, folder));
    renameSync(old, join(workspace, folder, company));
    rmSync(proofFile(join(workspace, folder, company, 'journal.db')));
    expect(await again()).toBe('0 sent 0');
    expect(journals()).toEqual([join(folder, company, 'journal.db')]);
  });

  test('two of them are not guessed between', async () => {
    const { box, again, here, workspace } = await world();
    expect(await again()).toBe('0 sent 25');
    const journal = await journalFile(here().context, {});
    const port = new URL(box.url).port;
    const other = join(workspace, `localhost_${port}`, 'default');
    mkdirSync(other, { recursive: true });
    copyFileSync(journal, join(other, 'journal.db'));
    rmSync(proofFile(journal));
    expect(await again()).toBe('journal/two-journals sent 0');
    rmSync(other, { recursive: true });
    expect(await again()).toBe('0 sent 0');
  });

  describe('one without a company’s name, from before tokens were known', () => {
    async function unnamed() {
      const scene = await world();
      expect(await scene.again()).toBe('0 sent 25');
      rmSync(proofFile(await journalFile(scene.here().context, {})));
      return scene;
    }
    const company = '900123456';

    test('is not passed over by a company that has a name now', async () => {
      const { again } = await unnamed();
      expect(await again({}, { company })).toBe('journal/whose sent 0');
    });

    test.each([
      ['yes', true, 1],
      ['no', false, 2],
    ])('asked, a person says %s', async (_, answer, count) => {
      const { again, journals, options, here } = await unnamed();
      const call = here({ answers: [answer, true] });
      // A dry run shows where it would be sent from, and sends nothing.
      const named = { ...options, company, dryRun: true };
      expect(await codeOf(send(call.context, [SAMPLE], named))).toBe('0');
      expect(call.asked[0]).toContain(company);
      if (answer) expect(await again({}, { company })).toBe('0 sent 0');
      expect(journals()).toHaveLength(count);
    });

    test('is adopted by the company', async () => {
      const { again, here, journals } = await unnamed();
      expect(await codeOf(adopt(here().context, [], { company, yes: true }))).toBe('0');
      expect(await again({}, { company })).toBe('0 sent 0');
      expect(journals()).toHaveLength(1);
    });

    test('is kept by another one, which shows its token', async () => {
      const { again, here, journals } = await unnamed();
      expect(await codeOf(adopt(here().context, [], { yes: true }))).toBe('0');
      expect(await again({ token: 'token-of-other' }, { company: '800999888' })).toBe('0 sent 25');
      expect(journals()).toHaveLength(2);
    });
  });
});

describe('a backup that was put back', () => {
  test('is said once, with the way out; what is final stays', async () => {
    const { folder, here, again } = await world();
    expect(await again()).toBe('0 sent 25');
    const journal = await journalFile(here().context, {});
    const copy = join(folder, 'copia.db');
    await backup(here().context, [copy], {});
    for (const end of ['', '-wal', '-shm']) rmSync(journal + end, { force: true });
    copyFileSync(copy, journal);
    const told = here();
    expect(await codeOf(resume(told.context, [], { json: true }))).toBe('0');
    expect(told.events()[0]).toMatchObject({ code: 'journal/restored', level: 'warning' });
    expect(texts(told)).toContain('cargue resume');
    const later = here();
    await resume(later.context, [], { json: true });
    expect(texts(later)).not.toContain('journal/restored');
    expect(await again()).toBe('0 sent 0');
  });

  test('what lost its end is refused until a person adopts it', async () => {
    const { here, again } = await world();
    expect(await again()).toBe('0 sent 25');
    const journal = await journalFile(here().context, {});
    rmSync(journal);
    expect(await again()).toBe('journal/behind sent 0');
    const refused = here({ answers: [false] });
    expect(await codeOf(adopt(refused.context, [], {}))).toBe('0');
    expect(await codeOf(adopt(here().context, [], {}))).toBe('run/needs-yes');
    expect(existsSync(journal)).toBe(false);
    expect(await codeOf(adopt(here().context, [], { yes: true }))).toBe('0');
    expect(existsSync(journal)).toBe(true);
  });
});

describe('reading', () => {
  /** Digests of all files of a folder but what belongs to open connections. */
  const bytes = (folder: string): Record<string, string> =>
    Object.fromEntries(
      readdirSync(folder).flatMap((name) => {
        const content = readFileSync(join(folder, name));
        const isOpenOnes = name.endsWith('-shm') || (name.endsWith('-wal') && content.length === 0);
        return isOpenOnes ? [] : [[name, createHash('sha256').update(content).digest('hex')]];
      }),
    );

  test('status, report, path and backup change nothing', async () => {
    const { folder, here, again } = await world();
    expect(await again()).toBe('0 sent 25');
    const at = dirname(await journalFile(here().context, {}));
    const before = bytes(at);
    const output = join(folder, 'again.xlsx');
    expect(await status(here().context, [], {})).toBe(0);
    expect(await report(here().context, [], { output })).toBe(0);
    expect(await path(here().context, [], {})).toBe(0);
    expect(await backup(here().context, [join(folder, 'c.db')], {})).toBe(0);
    expect(bytes(at)).toEqual(before);
  });

  test('an earlier version is read, and stays one', async () => {
    const { folder, here, again } = await world();
    expect(await again()).toBe('0 sent 25');
    const journal = await journalFile(here().context, {});
    const old = openFile(journal, 0);
    old.exec(`DROP INDEX document_earlier; DROP INDEX document_predecessor; DROP INDEX document_waits_for; DROP INDEX attempt_document;
      PRAGMA user_version = 4; PRAGMA wal_checkpoint(TRUNCATE)`);
    old.close();
    rmSync(proofFile(journal));
    const before = bytes(dirname(journal));
    const call = here();
    expect(await status(call.context, [], { json: true })).toBe(0);
    expect(call.events()).toMatchObject([{ event: 'run', documents: { accepted: 25 } }]);
    expect(await report(here().context, [], { output: join(folder, 'old.xlsx') })).toBe(0);
    expect(bytes(dirname(journal))).toEqual(before);
    expect(await again()).toBe('0 sent 0');
  });

  test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'a folder that may not be written to',
    async () => {
      const { folder, here, again } = await world();
      expect(await again()).toBe('0 sent 25');
      const at = dirname(await journalFile(here().context, {}));
      chmodSync(at, 0o500);
      onTestFinished(() => chmodSync(at, 0o700));
      expect(await status(here().context, [], {})).toBe(0);
      expect(await report(here().context, [], { output: join(folder, 'again.xlsx') })).toBe(0);
    },
  );
});

describe('purge', () => {
  const NAMES = ['Zapata', 'identification_number', 'cell/'];

  test('removes what is personal of closed runs, and keeps what makes doubles impossible', async () => {
    const { box, folder, here, again } = await world();
    expect(await again()).toBe('0 sent 25');
    const file = await journalFile(here().context, {});
    /** All that the journal says, whoever still has it open. */
    const bodies = async () => {
      const journal = await readJournal(file);
      const tables = ['document', 'content', 'answer', 'attempt', 'finding'];
      const texts: string[] = [];
      for (const table of tables) texts.push(JSON.stringify(await journal.all(`SELECT * FROM ${table}`)));
      const text = texts.join();
      await journal.close();
      return NAMES.filter((name) => text.includes(name));
    };
    expect(await bodies()).toContain('identification_number');
    const call = here();
    expect(await purge(call.context, [], { before: '2026-11-20', yes: true, json: true })).toBe(0);
    expect(call.events()).toMatchObject([{ event: 'purge', runs: [], documents: 0 }]);
    const done = here();
    expect(await purge(done.context, [], { before: '2027-01-01', yes: true, json: true })).toBe(0);
    expect(done.events()).toMatchObject([
      { event: 'purge', runs: [expect.any(String)], documents: 25, unfinished: [] },
    ]);
    expect(await bodies()).toEqual([]);
    const files = readdirSync(dirname(file)).map((name) => readFileSync(join(dirname(file), name), 'latin1'));
    expect(NAMES.filter((name) => files.some((text) => text.includes(name)))).toEqual([]);

    const [run = ''] = (done.events()[0] as unknown as { runs: string[] }).runs;
    const shown = here();
    expect(await status(shown.context, [run], { json: true })).toBe(0);
    const outcomes = shown.events().filter(({ event }) => event === 'outcome');
    expect(outcomes).toHaveLength(25);
    const held = new Map(box.controls.documents().map(({ number, cune }) => [number, cune]));
    for (const outcome of outcomes as unknown as Record<string, string>[])
      expect([outcome['name'], held.get(outcome['number']!)]).toEqual([null, outcome['documentCode']]);
    const said = here();
    await status(said.context, [run], {});
    expect(texts(said)).toContain('datos personales');
    expect(await codeOf(report(here().context, [run], { output: join(folder, 'p.xlsx') }))).toBe(
      'journal/purged',
    );

    expect(await again()).toBe('0 sent 0');
    expect(await again({}, { param: ['first_consecutive=500'] })).toMatch(/ sent 0$/);
  });

  test('leaves what is not finished, and says so', async () => {
    const { here, again } = await world();
    const first = await again({ token: 'wrong' });
    expect(first).toBe('3 sent 0');
    const call = here();
    expect(await purge(call.context, [], { before: '2027-01-01', yes: true, json: true })).toBe(4);
    expect(call.events()).toMatchObject([{ runs: [], documents: 0, unfinished: [expect.any(String)] }]);
  });

  test.each(['', '2026-13-01', 'ayer'])('no day: %s', async (before) => {
    const { here } = await world();
    expect(await codeOf((async () => purge(here().context, [], { before, yes: true }))())).toBe(
      'run/bad-option',
    );
  });
});

test('the proof is private, and holds no token', async () => {
  const { here, again } = await world();
  expect(await again()).toBe('0 sent 25');
  const file = proofFile(await journalFile(here().context, {}));
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain('token-of-one');
});
