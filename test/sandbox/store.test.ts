import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.js';
import { openStore } from '../../src/sandbox/store.js';
import { askZip, production, request, sandbox, send, sendTest, verdict, zipKeyOf } from './client.js';
import { deletion, payroll, payrollOf } from './payroll-requests.js';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const newFile = (): string => join(folder, `state-${++files}.jsonl`);
const lines = (path: string): number => readFileSync(path, 'utf8').split('\n').length - 1;

describe('store', () => {
  it('has after each flush what was put and not deleted', () => {
    const path = newFile();
    const store = openStore(path);
    const things = store.collection<{ n: number }>('things');
    things.put('a', { n: 1 });
    things.put('b', { n: 2 });
    things.put('a', { n: 3 });
    things.delete('b');
    expect(lines(path)).toBe(0);
    store.flush();
    // Not closed: this is what a kill leaves.
    const again = openStore(path);
    expect([...again.collection('things').values()]).toEqual([{ n: 3 }]);
    expect(lines(path)).toBe(1);
  });

  it('ignores a last line that a kill cut', () => {
    const path = newFile();
    const store = openStore(path);
    store.collection('things').put('a', 1);
    store.close();
    appendFileSync(path, '["things","b",');
    const again = openStore(path);
    again.collection('things').put('c', 2);
    again.close();
    expect([...openStore(path).collection('things').values()]).toEqual([1, 2]);
  });

  it('is for its owner only', () => {
    const path = newFile();
    openStore(path).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe('a sandbox on a state file', () => {
  it('knows after a kill what it answered before', async () => {
    const stateFile = newFile();
    // Never closed, as if killed.
    const before = await production({ stateFile });
    const cune = String((await send(before, payroll())).at('/cune'));
    await request(before, 'PUT', '/api/ubl2.1/config/resolution', {
      type_document_id: 9,
      from: 7,
      to: 9,
      prefix: 'QA',
    });
    await send(before, deletion(cune));

    const after = await production({ stateFile });
    expect(after.token).toBe(before.token);
    expect(verdict(await send(after, payroll()))).toBe('90');
    expect(verdict(await send(after, deletion(cune, 3)))).toBe('NIAE216a');
    expect(verdict(await send(after, payrollOf('1020304050', 1002)))).toBe('accepted');
    const current = (prefix: string) =>
      request(after, 'GET', `/api/ubl2.1/payroll/current_number/9/${prefix}`);
    expect([(await current('NI')).at('/number'), (await current('QA')).at('/number')]).toEqual([1003, 7]);
  });

  it('goes on with what was in process', async () => {
    const stateFile = newFile();
    const before = await sandbox({ stateFile });
    const key = zipKeyOf(await sendTest(before, payroll()));
    await askZip(before, key);
    const after = await sandbox({ stateFile });
    expect(verdict(await askZip(after, key))).toBe('accepted');
  });

  it('takes a token given anew instead of the stored one', async () => {
    const stateFile = newFile();
    await (await startSandbox({ stateFile })).close();
    const after = await sandbox({ stateFile, companies: [{ nit: '900123456', token: 'new' }] });
    expect(after.tokens).toEqual({ '900123456': 'new' });
  });
});
