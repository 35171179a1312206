import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/app/context.js';
import { companyOf } from '../../src/app/options.js';
import { watchedFolders, withProfile } from '../../src/app/profile.js';
import { authorityAccess } from '../../src/app/secrets.js';
import { COMMANDS } from '../../src/cli/command-table.js';
import { issueLine } from '../../src/cli/issue-printer.js';
import type { Options } from '../../src/cli/options.js';
import { FAMILIES } from '../../src/families/registry.js';
import { type Issue, PipelineError } from '../../src/toolkit/core/issue.js';
import { type Fake, type FakeOptions, fake } from './fake-context.js';
import { freshFolder, runCli } from './run-cli.js';
import {
  profileAdd as add,
  profileChange as change,
  profileList as list,
  profileShow as show,
} from './use-cases.js';

const SECRET = 'sk-very-secret-1234';
const GOOD = `url: https://api.example.com
environment: production
company: { nit: "900123456", name: Comercial Andina SAS }
concurrency: 3
rate: 30
timeouts: { answer: 240, connect: 7 }
ca: ca.pem
`;

/** A workspace with one profile, `andina`. */
function workspaceWith(text: string, mode = 0o600): string {
  const workspace = join(freshFolder(), 'ws');
  mkdirSync(join(workspace, 'profiles'), { recursive: true });
  writeFileSync(join(workspace, 'profiles', 'andina.yaml'), text, { mode });
  return workspace;
}

const call = async (workspace: string, options: Options = {}, more: FakeOptions & Partial<Context> = {}) => {
  const { profileName, ...rest } = more;
  const made = fake({ workspace, ...rest });
  const context = { ...made.context, ...(profileName !== undefined && { profileName }) };
  return { ...(await withProfile({ context, options: { profile: 'andina', ...options } })), made };
};

async function refusal(work: Promise<unknown>): Promise<readonly Issue[]> {
  try {
    await work;
  } catch (error) {
    if (error instanceof PipelineError) {
      expect(error.key).toBe('usage');
      return error.issues;
    }
    throw error;
  }
  return [];
}

const refused = async (text: string, mode?: number): Promise<readonly Issue[]> =>
  refusal(call(workspaceWith(text, mode)));

/** `andina.yaml:3:1 profile/unknown-key`, as people read it. */
const told = (issues: readonly Issue[]): readonly string[] =>
  issues.map((issue) => `${issueLine(issue, 'es').split(': ')[0]} ${issue.code}`);

describe('what holds', () => {
  test('the whole profile, where nothing else is said', async () => {
    const { context, options } = await call(workspaceWith(GOOD));
    expect(context).toMatchObject({
      url: 'https://api.example.com',
      profile: {
        name: 'andina',
        environment: 'production',
        companyName: 'Comercial Andina SAS',
        connectTimeout: 7,
      },
    });
    expect(options).toMatchObject({ company: '900123456', concurrency: 3, rate: 30, timeout: 240 });
    expect(options.ca).toBe(join(context.workspace, 'profiles', 'ca.pem'));
  });

  test('nothing changes without a profile', async () => {
    const { context } = fake();
    expect(await withProfile({ context, options: {} })).toEqual({ context, options: {} });
  });

  const secrets = `${GOOD}token: ${SECRET}\nsoftware_pin: "12345"\n`;
  test.each<[string, Options, FakeOptions, Record<string, unknown>]>([
    ['the profile before the default', {}, {}, { company: '900123456', rate: 30, token: SECRET }],
    ['the environment before the profile', {}, { token: 'other' }, { token: 'other' }],
    ['an option before the profile', { rate: 0, company: '1' }, {}, { company: '1', rate: 0 }],
    ['an option that is not given', { rate: undefined } as Options, {}, { rate: 30 }],
  ])('%s', async (_, options, more, expected) => {
    const { context, options: merged } = await call(workspaceWith(secrets), options, more);
    expect({ company: companyOf(merged), rate: merged.rate, token: context.token }).toMatchObject(expected);
  });

  test('CARGUE_PROFILE names it, --profile before that', async () => {
    const workspace = workspaceWith(GOOD);
    const { context } = fake({ workspace });
    const named = await withProfile({ context: { ...context, profileName: 'andina' }, options: {} });
    expect(named.context.profile?.name).toBe('andina');
    expect(
      told(await refusal(withProfile({ context: { ...context, profileName: 'x' }, options: {} }))),
    ).toEqual([expect.stringContaining('profile/not-found')]);
    await call(workspace, {}, { profileName: 'x' });
  });

  test.each<[string, Options, FakeOptions]>([
    ['--url', { url: 'https://other.example.com' }, {}],
    ['CARGUE_URL', {}, { url: 'https://other.example.com' }],
  ])('%s takes no secret, certificate or environment of the profile elsewhere', async (_, options, more) => {
    const { context, options: merged, made } = await call(workspaceWith(secrets), options, more);
    expect([context.token, context.softwarePin, context.profile?.environment, merged.ca]).toEqual(
      Array(4).fill(undefined),
    );
    expect(merged.company).toBe('900123456');
    expect(made.shown.said().join('\n')).toContain('other.example.com');
  });

  test('the same address written in another way is the same', async () => {
    const { context } = await call(workspaceWith(secrets), { url: 'https://API.example.com/' });
    expect(context.token).toBe(SECRET);
  });

  test('a test set stays, also elsewhere: without it documents would be final', async () => {
    const text = 'url: https://a.example.com\nenvironment: test\ntest_set: abc\n';
    const { options } = await call(workspaceWith(text), { url: 'https://b.example.com' });
    expect(options.testSet).toBe('abc');
  });
});

describe('secrets', () => {
  const withToken = `${GOOD}token: ${SECRET}\n`;

  test.skipIf(process.platform === 'win32').each([0o644, 0o640, 0o604, 0o666])(
    'in a file of mode %o are refused, by the name of the file and what to do',
    async (mode) => {
      const workspace = workspaceWith(withToken);
      const file = join(workspace, 'profiles', 'andina.yaml');
      chmodSync(file, mode);
      const [issue] = await refusal(call(workspace));
      expect(issue?.code).toBe('profile/open-to-others');
      const line = issueLine(issue!, 'es');
      expect(line).toContain(`chmod 600 "${file}"`);
      expect(line).not.toContain(SECRET);
    },
  );

  test('a file without any may be open', async () => {
    expect((await call(workspaceWith(GOOD, 0o644))).context.url).toBe('https://api.example.com');
  });

  test('may lie in a file of their own, just as private', async () => {
    const workspace = workspaceWith(`${GOOD}token_file: andina.token\n`, 0o644);
    const file = join(workspace, 'profiles', 'andina.token');
    writeFileSync(file, `${SECRET}\n`, { mode: 0o600 });
    expect((await call(workspace)).context.token).toBe(SECRET);
    writeFileSync(file, 'two words', { mode: 0o600 });
    expect((await refusal(call(workspace))).map(({ code }) => code)).toEqual(['profile/no-token']);
    if (process.platform === 'win32') return;
    chmodSync(file, 0o644);
    expect(await refusal(call(workspace))).toMatchObject([
      { code: 'profile/open-to-others', params: { file } },
    ]);
  });

  test.each([
    ['malformed', `url: [\ntoken: ${SECRET}\n`],
    ['an alias that is not there', `${GOOD}token: *${SECRET}\n`],
    ['a token that is none', `${GOOD}token: "${SECRET} x"\n`],
    ['a token that is a list', `${GOOD}token: [${SECRET}]\n`],
    ['twice', `${GOOD}token: ${SECRET}\ntoken: ${SECRET}\n`],
  ])('are not in what is said of a file: %s', async (_, text) => {
    const issues = await refused(text);
    expect(issues.length).toBeGreaterThan(0);
    expect(JSON.stringify(issues)).not.toContain(SECRET);
  });
});

describe('what is wrong is said at its line and column', () => {
  test.each([
    ['an unknown key', `${GOOD}tokken: x\n`, ['andina.yaml:8:1 profile/unknown-key']],
    [
      'an unknown key inside',
      'url: https://a.co\nenvironment: test\ntimeouts:\n  conect: 3\n',
      ['andina.yaml:4:3 profile/unknown-key'],
    ],
    ['a missing key', 'url: https://a.co\n', ['andina.yaml:1:1 profile/missing-key']],
    ['a value of another shape', `${GOOD}test_set: 7\n`, ['andina.yaml:8:1 profile/shape']],
    ['another environment', 'url: https://a.co\nenvironment: prod\n', ['andina.yaml:2:1 profile/shape']],
    [
      'a NIT that is a number',
      'url: https://a.co\nenvironment: test\ncompany: { nit: 900123456 }\n',
      ['andina.yaml:3:12 profile/shape'],
    ],
    [
      'a check digit that is not of the NIT',
      'url: https://a.co\nenvironment: test\ncompany: { nit: "900.123.456-1" }\n',
      ['andina.yaml:3:12 run/check-digit'],
    ],
    ['YAML that is none', 'url: [\n', [expect.stringMatching(/^andina\.yaml:\d+:\d+ profile\/yaml$/)]],
    ['nothing', '', ['andina.yaml:1:1 profile/shape']],
    ['a test set in production', `${GOOD}test_set: x\n`, ['andina.yaml:8:1 profile/test-set-in-production']],
    ['two tokens', `${GOOD}token: a\ntoken_file: b\n`, ['andina.yaml:9:1 profile/two-tokens']],
    ['http elsewhere', 'url: http://a.co\nenvironment: test\n', ['andina.yaml:1:1 send/insecure-url']],
    [
      'a password in the address',
      'url: https://u:p@a.co\nenvironment: test\n',
      ['andina.yaml:1:1 send/bad-url'],
    ],
  ])('%s', async (_, text, expected) => expect(told(await refused(text))).toEqual(expected));

  test.each(['../andina', 'a/b', '', '.andina', 'á'])('the name %o is no path', async (name) => {
    const issues = await refusal(call(workspaceWith(GOOD), { profile: name }));
    expect(issues.map(({ code }) => code)).toEqual(['profile/bad-name']);
  });
});

describe('profile', () => {
  const rights = (file: string): number => statSync(file).mode & 0o777;

  test('show hides secrets', async () => {
    for (const json of [true, false]) {
      const made = fake({ workspace: workspaceWith(`${GOOD}token: ${SECRET}\nsoftware_pin: "12345"\n`) });
      expect(await show(made.context, ['andina'], { json })).toBe(0);
      const text = made.shown.out().join('\n');
      expect(text).toContain('api.example.com');
      expect(text).not.toMatch(new RegExp(`${SECRET}|12345"`));
    }
  });

  test('list tells each, and why one cannot be used', async () => {
    const workspace = workspaceWith(GOOD);
    writeFileSync(join(workspace, 'profiles', 'broken.yaml'), 'url: 7\n');
    const made = fake({ workspace });
    expect(await list(made.context, [], { json: true })).toBe(2);
    expect(made.events()).toMatchObject([
      { event: 'profile', profile: 'andina', environment: 'production', company: '900123456' },
    ]);
    expect(made.shown.said().join('\n')).toContain('broken.yaml:1:1');
  });

  test('list without any', async () => {
    expect(await list(fake().context, [], {})).toBe(0);
  });

  const given: Options = {
    url: 'https://api.example.com',
    environment: 'test',
    company: '900123456',
    testSet: 'abc',
    rate: 20,
  };
  const adding = (more: FakeOptions): { made: Fake; workspace: string; file: string } => {
    const workspace = join(freshFolder(), 'ws');
    return {
      made: fake({ workspace, ...more }),
      workspace,
      file: join(workspace, 'profiles', 'nueva.yaml'),
    };
  };

  test('add writes a private file that can be used at once', async () => {
    const { made, workspace, file } = adding({ lines: [], secrets: [SECRET] });
    expect(await add(made.context, ['nueva'], given)).toBe(0);
    if (process.platform !== 'win32') expect(rights(file)).toBe(0o600);
    const { context, options } = await call(workspace, { profile: 'nueva' });
    expect([context.token, options.testSet, options.rate]).toEqual([SECRET, 'abc', 20]);
    expect(JSON.stringify([made.shown.said(), made.shown.out()])).not.toContain(SECRET);
  });

  test('add asks for what is missing, again while it will not do', async () => {
    const { made, file } = adding({
      lines: [
        'http://api.example.com',
        'https://api.example.com',
        'production',
        'Andina',
        '900.123.456-1',
        '900.123.456',
      ],
    });
    expect(await add(made.context, ['nueva'], {})).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(
      'url: https://api.example.com/\nenvironment: production\ncompany:\n  nit: "900123456"\n',
    );
  });

  test.each([
    ['900.555.321-6', []],
    ['9005553216', []],
    ['900.555.321-5', ['run/check-digit 900555321-6']],
  ])('add and change take the NIT %s in any usual form', async (company, expected) => {
    const { made, workspace } = adding({});
    const saidOf = async (work: Promise<unknown>): Promise<readonly string[]> => {
      try {
        await work;
        return [];
      } catch (error) {
        const { issues } = error as PipelineError;
        return issues.map(({ code, suggestions }) => `${code} ${suggestions?.[0]?.value}`);
      }
    };
    expect(await saidOf(add(made.context, ['nueva'], { ...given, company }))).toEqual(expected);
    if (expected.length > 0) await add(made.context, ['nueva'], given);
    const again = fake({ workspace, secrets: [''] });
    expect(await saidOf(change(again.context, ['nueva'], { company }))).toEqual(expected);
    const { options } = await call(workspace, { profile: 'nueva' });
    expect(options.company).toBe(expected.length > 0 ? given.company : '900555321');
  });

  test('add does not write over one, nor one that contradicts itself', async () => {
    const { made } = adding({});
    expect(await add(made.context, ['nueva'], given)).toBe(0);
    const again = await refusal(add(made.context, ['nueva'], given));
    expect(again.map(({ code }) => code)).toEqual(['profile/exists']);
    const other = await refusal(add(made.context, ['otra'], { ...given, environment: 'production' }));
    expect(other.map(({ code }) => code)).toEqual(['profile/test-set-in-production']);
  });

  test('change touches what is named alone, and its comments stay', async () => {
    const workspace = workspaceWith(`# nuestra\n${GOOD}token: ${SECRET}\n`);
    const file = join(workspace, 'profiles', 'andina.yaml');
    const made = fake({ workspace, lines: [], secrets: [''] });
    const changed: Options = { companyName: 'Otra', environment: 'test', testSet: 'abc' };
    expect(await change(made.context, ['andina'], changed)).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(/^# nuestra\n/);
    if (process.platform !== 'win32') expect(rights(file)).toBe(0o600);
    const { context, options } = await call(workspace, { profile: 'andina' });
    expect([context.token, context.profile?.companyName, options.testSet]).toEqual([SECRET, 'Otra', 'abc']);
    const again = fake({ workspace, lines: [], secrets: ['nuevo'] });
    expect(await change(again.context, ['andina'], { testSet: '' })).toBe(0);
    const after = await call(workspace, { profile: 'andina' });
    expect([after.context.token, after.options.testSet]).toEqual(['nuevo', undefined]);
    const refusedChange = change(fake({ workspace }).context, ['andina'], { url: 'http://a.co' });
    expect((await refusal(refusedChange)).map(({ code }) => code)).toEqual(['send/insecure-url']);
    expect(readFileSync(file, 'utf8')).not.toContain('a.co');
  });

  test('change sets the watched folder and what leaves it without a question', async () => {
    const workspace = workspaceWith(GOOD);
    const inbox = freshFolder();
    const changed = async (options: Options): Promise<unknown> => {
      await change(fake({ workspace }).context, ['andina'], options);
      const { context } = await call(workspace, { profile: 'andina' });
      const folders = (await watchedFolders({ workspace })).map(({ folder }) => folder);
      return [folders, context.profile?.inboxSends];
    };
    expect(await changed({ inbox })).toEqual([[inbox], undefined]);
    expect(await changed({ inboxSend: '030' })).toEqual([[inbox], ['030']]);
    expect(await changed({ inbox })).toEqual([[inbox], ['030']]);
    expect(await changed({ inboxSend: 'none' })).toEqual([[inbox], undefined]);
    for (const options of [
      { inbox: join(inbox, 'nada') },
      { inbox: join(inbox, 'nada'), inboxSend: '030' },
    ] as const)
      expect((await refusal(changed(options))).map(({ code }) => code)).toEqual(['inbox/no-folder']);
    expect(await changed({ inbox: '', inboxSend: 'none' })).toEqual([[], undefined]);
    // Whose documents they would be is another company.
    await changed({ inbox, inboxSend: '030' });
    const { context } = await call(workspace, { profile: 'andina', company: '900555321' });
    expect(context.profile?.inboxSends).toBeUndefined();
  });

  test('an access to SISPRO of a profile goes to its own address alone, with its own documents', async () => {
    const workspace = workspaceWith(`${GOOD}sispro: acceso.yaml\n`);
    const file = join(workspace, 'profiles', 'acceso.yaml');
    const access = 'type_document_identification_id: 1\nnumber_identification: "1"\nurl: https://m.co\n';
    writeFileSync(file, `${access}password: ${SECRET}\n`, { mode: 0o600 });
    const { context, options } = await call(workspace, { profile: 'andina' });
    expect(options.sispro).toBe(file);
    const accesses = await Promise.all(
      FAMILIES.map(async (family) => (await authorityAccess(context, family, options))?.values['password']),
    );
    expect(accesses.filter((password) => password !== undefined)).toEqual([SECRET]);
    const other = await call(workspace, { profile: 'andina', url: 'https://other.example.com' });
    expect(other.options.sispro).toBeUndefined();
  });

  test('add without anybody there needs the options', async () => {
    const issues = await refusal(add(adding({}).made.context, ['nueva'], { environment: 'test' }));
    expect(issues.map(({ code }) => code)).toEqual(['setup/needs-value']);
  });
});

test('every command with an address takes a profile', () => {
  const withUrl = COMMANDS.filter(
    ({ name, options }) => options.includes('url') && !/^profile (add|change)$/.test(name),
  );
  expect(withUrl.length).toBeGreaterThan(10);
  expect(withUrl.filter(({ options }) => !options.includes('profile')).map(({ name }) => name)).toEqual([]);
});

test('the program itself reads it', async () => {
  const folder = freshFolder();
  mkdirSync(join(folder, 'workspace', 'profiles'), { recursive: true });
  writeFileSync(join(folder, 'workspace', 'profiles', 'andina.yaml'), GOOD);
  const { code, stdout } = await runCli(['journal', 'path'], { folder, env: { CARGUE_PROFILE: 'andina' } });
  expect(code).toBe(0);
  expect(stdout.trim()).toBe(join(folder, 'workspace', 'api.example.com', '900123456', 'journal.db'));
});
