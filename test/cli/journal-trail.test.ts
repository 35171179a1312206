import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { type Fake, fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { SAMPLE, sampleCsv, WIDE } from './sample.js';
import { journalExport, journalKey, journalVerify, send } from './use-cases.js';

let box: Sandbox;
let folder: string;
let run: string;
const here = (): Fake => fake({ url: box.url, token: box.token, workspace: join(folder, 'ws') });
const at = (name: string): string => join(folder, name);
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');

beforeAll(async () => {
  box = await startSandbox();
  folder = freshFolder();
  const call = here();
  const options = { ...WIDE, testSet: 'set-1', yes: true, json: true, report: at('r.xlsx') };
  expect(await send(call.context, [SAMPLE], options)).toBe(0);
  run = String(call.events().find(({ event }) => event === 'plan')!['run']);
  expect(await journalKey(here().context, [at('clave.pem')], {})).toBe(0);
  expect(await journalKey(here().context, [at('otra.pem')], {})).toBe(0);
  expect(
    await journalExport(here().context, [run], { output: at('firmado.jsonl'), key: at('clave.pem') }),
  ).toBe(0);
  expect(await journalExport(here().context, [run], { output: at('simple.jsonl') })).toBe(0);
});
afterAll(() => box.close());

test('it says of run, documents, requests and answers what an auditor needs, and of people nothing', async () => {
  const lines = linesOf(at('firmado.jsonl'));
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const count = (record: string) => entries.filter((entry) => entry['record'] === record).length;
  expect([count('trail'), count('document'), count('end'), count('signature')]).toEqual([1, 25, 1, 1]);
  expect(count('attempt')).toBeGreaterThanOrEqual(25);
  expect(entries[0]).toMatchObject({
    run,
    state: 'closed',
    inputs: [{ sha256: expect.any(String) as string }],
    law: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string, sources: [] },
    abandonment: null,
    purged: null,
  });
  expect(entries.find(({ record }) => record === 'document')).toMatchObject({
    state: 'accepted',
    number: 'NOM1',
    code: expect.stringMatching(/^[0-9a-f]{96}$/) as string,
    contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  const text = lines.join('\n');
  const people = await readPeople();
  expect(people.length).toBeGreaterThan(20);
  for (const person of people) expect(text).not.toContain(person);
  if (process.platform !== 'win32')
    for (const name of ['firmado.jsonl', 'clave.pem']) expect(statSync(at(name)).mode & 0o777).toBe(0o600);
});

/** What people of the sample are called; numbers may be part of a hash by chance. */
async function readPeople(): Promise<readonly string[]> {
  const names: string[] = [];
  await sampleCsv(([head, ...rows]) => {
    const column = head!.indexOf('Primer apellido');
    names.push(...rows.map((row) => row[column]!).filter((name) => name.length > 3));
  });
  return names;
}

/** What verify comes to, and its fault. */
async function verified(file: string, key?: string) {
  const call = here();
  const code = await journalVerify(call.context, [file], { json: true, ...(key !== undefined && { key }) });
  const told = call.events().find(({ event }) => event === 'verified')!;
  return { code, fault: told['fault'], signedBy: told['signedBy'] };
}

describe('verify', () => {
  test.each([
    ['signed, by whoever', 'firmado.jsonl', undefined, true],
    ['signed, by the public key', 'firmado.jsonl', 'clave.pem.pub', true],
    ['not signed', 'simple.jsonl', undefined, false],
  ])('%s', async (_, file, key, isSigned) => {
    const found = await verified(at(file), key && at(key));
    expect([found.code, found.fault]).toEqual([0, null]);
    expect(found.signedBy !== null).toBe(isSigned);
  });

  type Change = (lines: string[]) => string[];
  test.each<[string, string, string, number, Change, key?: string]>([
    [
      'a word of a line',
      'simple.jsonl',
      'journal/trail-changed',
      3,
      (lines) => lines.with(2, lines[2]!.replace('"at":"2', '"at":"1')),
    ],
    [
      'a state',
      'firmado.jsonl',
      'journal/trail-changed',
      2,
      (lines) => lines.with(1, lines[1]!.replace('accepted', 'rejected')),
    ],
    ['a line taken out', 'simple.jsonl', 'journal/trail-gap', 3, (lines) => lines.toSpliced(2, 1)],
    ['a line twice', 'simple.jsonl', 'journal/trail-gap', 3, (lines) => lines.toSpliced(2, 0, lines[1]!)],
    [
      'two lines in each other’s place',
      'simple.jsonl',
      'journal/trail-gap',
      2,
      (lines) => [lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)],
    ],
    ['its end cut off', 'simple.jsonl', 'journal/trail-short', 10, (lines) => lines.slice(0, 10)],
    [
      'something behind its end',
      'firmado.jsonl',
      'journal/trail-gap',
      0,
      (lines) => [...lines, lines.at(-1)!],
    ],
    ['another file', 'simple.jsonl', 'journal/not-a-trail', 1, () => ['{"record":"journal"}']],
    ['nothing', 'simple.jsonl', 'journal/not-a-trail', 0, () => []],
    [
      'the signature of another',
      'firmado.jsonl',
      'journal/trail-signature',
      0,
      (lines) => lines,
      'otra.pem.pub',
    ],
    [
      'no signature where one is wanted',
      'simple.jsonl',
      'journal/trail-signature',
      0,
      (lines) => lines,
      'clave.pem.pub',
    ],
  ])('%s: a fault at its line', async (_, file, code, line, change, key) => {
    const lines = linesOf(at(file));
    const changed = join(freshFolder(), 'cambiado.jsonl');
    writeFileSync(
      changed,
      change(lines)
        .map((text) => `${text}\n`)
        .join(''),
    );
    const found = await verified(changed, key && at(key));
    expect([found.code, (found.fault as { code: string }).code]).toEqual([1, code]);
    if (line > 0) expect((found.fault as { line: number }).line).toBe(line);
  });

  test('a chain made anew around a change has another last hash, and no signature', async () => {
    const signed = linesOf(at('firmado.jsonl'));
    const changed = join(freshFolder(), 'cambiado.jsonl');
    // Whoever rewrites all lines can still not sign: the old signature is of the old chain.
    const forged = [...linesOf(at('simple.jsonl')).slice(0, -1), ...signed.slice(-2)];
    writeFileSync(changed, forged.join('\n').replace('"state":"accepted"', '"state":"rejected"'));
    expect((await verified(changed)).code).toBe(1);
  });
});

test.each<[string, () => string]>([
  ['is not there', () => 'nada.pem'],
  ['is no key', () => 'simple.jsonl'],
  ['is the public one', () => 'clave.pem.pub'],
])('a key that %s signs nothing', async (_, name) => {
  const call = journalExport(here().context, [run], { output: at('x.jsonl'), key: at(name()) });
  await expect(call).rejects.toMatchObject({ issues: [{ code: 'journal/key-file' }] });
});

test.skipIf(process.platform === 'win32')('a key that others may read signs nothing', async () => {
  const open = join(freshFolder(), 'abierta.pem');
  writeFileSync(open, readFileSync(at('clave.pem')));
  chmodSync(open, 0o644);
  const call = journalExport(here().context, [run], { output: at('x.jsonl'), key: open });
  await expect(call).rejects.toMatchObject({
    issues: [{ code: 'journal/key-file', params: { reason: 'chmod 600' } }],
  });
});

test('a key is never replaced', async () => {
  await expect(journalKey(here().context, [at('clave.pem')], {})).rejects.toMatchObject({
    issues: [{ code: 'run/output-exists' }],
  });
});
