import { chmodSync, chownSync, copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PAYROLL } from '../../src/families/payroll/delivery.js';
import type { Journal } from '../../src/send/journal.js';
import type { Journals } from '../../src/send/journals.js';
import { numberGaps } from '../../src/send/numbering.js';
import { connectServer, migrateDatabase, postgresAddress } from '../../src/send/postgres.js';
import { serverJournals } from '../../src/send/postgres-journals.js';
import { approveRun, discardDraft, findRun, holdRun, openRun, outcomeCounts } from '../../src/send/runs.js';
import { settleByPerson } from '../../src/send/settle.js';
import { leaveOut } from '../../src/send/spool.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { startPostgres } from '../support/postgres.js';
import { testDatabase, testServer } from './engines.js';
import {
  ACCEPTED,
  clientOf,
  consecutiveOf,
  rejectedResult,
  send,
  service,
  spool,
  syncAnswer,
  workers,
} from './support.js';

const codeOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof PipelineError) return `${error.key} ${error.issues[0]?.code}`;
    throw error;
  }
  return 'nothing';
};

/** Of a superuser, or of a login. */
async function session(url: string, user?: string): Promise<pg.Client> {
  const address = new URL(url);
  if (user !== undefined) address.username = user;
  const client = new pg.Client({ connectionString: address.href });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

const folder = (): string => mkdtempSync(join(tmpdir(), 'cargue-'));
const journalsIn = (url: string): Promise<Journals> => serverJournals(url, folder());

const READ_OF = 'SELECT sum(idx_tup_read) AS read FROM pg_stat_user_indexes WHERE relname = $1';

let companies = 0;
/** A company that no other test has. */
const company = (): string => `8${process.pid}${++companies}`;
const URL_OF_SERVICE = 'http://127.0.0.1:8080';
const pathOf = (journals: Journals, name: string): string =>
  journals.newPath({ url: URL_OF_SERVICE, company: name });
async function opened(journals: Journals, name: string): Promise<Journal> {
  const journal = await journals.open(pathOf(journals, name), { warn: () => {} });
  onTestFinished(() => journal.close());
  return journal;
}

/** As if the lease of a company had run out unnoticed by its holder. */
async function expire(url: string, name: string): Promise<void> {
  const owner = await session(url);
  await owner.query(
    `UPDATE cargue.sender SET until = '-infinity' WHERE journal = (SELECT id FROM cargue.journal WHERE company = $1)`,
    [name],
  );
}

describe('an address', () => {
  test.each([
    ['postgres://db.example.com/cargue', 'usage journal/needs-tls'],
    ['postgres://db.example.com/cargue?sslmode=disable', 'nothing'],
    ['postgres://db.example.com/cargue?sslmode=verify-full', 'nothing'],
    ['postgres://db.example.com/cargue?sslmode=prefer', 'usage journal/bad-address'],
    ['postgres://db.example.com/cargue?sslrootcert=/no/such.pem', 'usage journal/no-certificate'],
    ['postgres://127.0.0.1:5432/cargue', 'nothing'],
    ['postgres://127.0.0.1/cargue?sslrotcert=x', 'usage journal/bad-address'],
    ['mysql://127.0.0.1/cargue', 'usage journal/bad-address'],
    ['cargue', 'usage journal/bad-address'],
  ])('%s', async (text, code) => expect(await codeOf(() => postgresAddress(text))).toBe(code));

  test('is shown without its password', () => {
    const { shown } = postgresAddress('postgres://bureau:s3cr%2Ft@127.0.0.1:5432/cargue');
    expect(shown).toBe('postgres://bureau@127.0.0.1:5432/cargue');
  });
});

describe('a database', () => {
  test('is prepared once, and not what is newer', async () => {
    const url = await (await testServer()).database();
    expect(await codeOf(() => journalsIn(url))).toBe('journal journal/to-migrate');
    expect(await migrateDatabase(postgresAddress(url))).toBe(0);
    expect(await migrateDatabase(postgresAddress(url))).toBeGreaterThan(0);
    const owner = await session(url);
    await owner.query('UPDATE cargue.version SET number = number + 1');
    expect(await codeOf(() => journalsIn(url))).toBe('journal journal/newer');
    expect(await codeOf(() => migrateDatabase(postgresAddress(url)))).toBe('journal journal/newer');
    await owner.query('UPDATE cargue.version SET number = 0');
    expect(await codeOf(() => journalsIn(url))).toBe('journal journal/to-migrate');
  });

  test('that is not there, or does not let one in, is said in our words', async () => {
    const { url } = await testServer();
    const none = new URL(url);
    none.pathname = '/no-such';
    const nobody = new URL(await testDatabase());
    nobody.username = 'nobody-of-that-name';
    nobody.password = 'secret-word';
    for (const [address, code] of [
      [none.href, 'journal/unknown-database'],
      [nobody.href, 'journal/login-refused'],
      ['postgres://127.0.0.1:1/cargue', 'journal/away'],
    ] as const) {
      const error = await journalsIn(address).catch((thrown: PipelineError) => thrown);
      expect(error).toMatchObject({ issues: [{ code }] });
      expect(JSON.stringify((error as PipelineError).issues)).not.toContain('secret-word');
    }
  });
});

describe('a company', () => {
  test('is found again by its names and tokens, and each has one journal', async () => {
    const journals = await journalsIn(await testDatabase());
    const name = company();
    const journal = await opened(journals, name);
    await journal.claim?.({ address: '127.0.0.1:8080', company: name }, 'fingerprint');
    const whose = { url: URL_OF_SERVICE, company: name };
    const found = (await journals.at(whose)).filter(({ names }) => names.includes(name));
    const owner = { address: '127.0.0.1:8080', company: name };
    expect(found).toEqual([{ path: pathOf(journals, name), names: [name], tokens: ['fingerprint'], owner }]);
    await journals.forget(journal.path, 'fingerprint');
    expect((await journals.at(whose)).flatMap(({ tokens }) => tokens)).not.toContain('fingerprint');
    expect(await codeOf(() => journals.read(pathOf(journals, company())))).toBe('journal journal/missing');
  });

  test('is not reached from the journal of another', async () => {
    const journals = await journalsIn(await testDatabase());
    const mine = await opened(journals, company());
    const other = await opened(journals, company());
    const { run } = await spool(other, workers(2));
    const [document] = await other.all<{ id: number; journal: number }>('SELECT id, journal FROM document');
    const { id, journal } = document!;
    for (const table of ['run', 'document', 'content', 'finding', 'attempt', 'answer', 'mail'])
      expect(await mine.all(`SELECT * FROM ${table}`)).toEqual([]);
    expect(await mine.run(`UPDATE document SET state = 'accepted' WHERE id = ?`, id)).toBe(0);
    expect(await mine.run('DELETE FROM content WHERE document = ?', id)).toBe(0);
    const forged = `INSERT INTO finding (journal, run, kind, content) VALUES (?, ?, 'issue', '{}')`;
    expect(await codeOf(() => mine.run(forged, journal, run))).toBe('journal journal/no-right');
    const orphan = `INSERT INTO attempt (document, at, asked, answered) VALUES (?, 0, 'a', 'b')`;
    expect(await codeOf(() => mine.run(orphan, id))).toBe('journal journal/not-writable');
    expect(await other.first('SELECT count(*) AS n FROM document')).toEqual({ n: 2 });
  });
});

describe('rights', () => {
  test('who lays out or reads sees its companies alone, and cannot send', async () => {
    const url = await testDatabase();
    const journals = await journalsIn(url);
    const [own, other] = [company(), company()];
    for (const name of [own, other]) await spool(await opened(journals, name), workers(1));
    const owner = await session(url);
    const login = `login_${process.pid}`;
    for (const role of ['reader', 'enqueuer']) {
      await owner.query(`CREATE ROLE ${login}_${role} LOGIN; GRANT cargue_${role} TO ${login}_${role}`);
      onTestFinished(() =>
        owner
          .query(`DELETE FROM cargue.member WHERE login = '${login}_${role}'; DROP ROLE ${login}_${role}`)
          .then(() => {}),
      );
      await owner.query('INSERT INTO cargue.member (login, company) VALUES ($1, $2)', [
        `${login}_${role}`,
        own,
      ]);
      const limited = await session(url, `${login}_${role}`);
      const bind = async (name: string) => {
        const id = await owner.query('SELECT id FROM cargue.journal WHERE company = $1', [name]);
        await limited.query(`SELECT set_config('cargue.journal', $1, false)`, [String(id.rows[0].id)]);
      };
      const documents = async () => (await limited.query('SELECT state FROM cargue.document')).rows.length;
      const seen = await limited.query('SELECT company FROM cargue.journal');
      expect(seen.rows).toEqual([{ company: own }]);
      expect(await documents()).toBe(0);
      await bind(other);
      expect(await documents()).toBe(0);
      await bind(own);
      expect(await documents()).toBe(1);
      const refused = async (sql: string) => (await limited.query(sql).catch((error) => error)).code;
      expect(await refused(`UPDATE cargue.document SET state = 'sending'`)).toBe('42501');
      expect(await refused(`UPDATE cargue.document SET attempts = 1`)).toBe('42501');
      expect(await refused('UPDATE cargue.sender SET epoch = epoch + 1')).toBe('42501');
      expect(await refused('DELETE FROM cargue.attempt')).toBe('42501');
      // Neither has the right to send by the program's own door.
      const address = new URL(url);
      address.username = `${login}_${role}`;
      const limitedJournals = await journalsIn(address.href);
      expect(await codeOf(() => opened(limitedJournals, own))).toBe('journal journal/no-right');
      const reading = await limitedJournals.read(pathOf(limitedJournals, own));
      expect(await reading.first('SELECT count(*) AS n FROM document')).toEqual({ n: 1 });
    }
  });

  test('a login without a role is told what it lacks', async () => {
    const url = await testDatabase();
    const owner = await session(url);
    await owner.query(`CREATE ROLE stranger_${process.pid} LOGIN`);
    onTestFinished(() => owner.query(`DROP ROLE stranger_${process.pid}`).then(() => {}));
    const address = new URL(url);
    address.username = `stranger_${process.pid}`;
    expect(await codeOf(() => journalsIn(address.href))).toBe('journal journal/no-right');
  });
});

describe('the right to send', () => {
  test('is one at a time, and given back', async () => {
    const journals = await journalsIn(await testDatabase());
    const name = company();
    const first = await opened(journals, name);
    expect(await codeOf(() => opened(journals, name))).toBe('busy send/locked');
    await first.close();
    const second = await opened(journals, name);
    expect(second.lease!.epoch).toBeGreaterThan(first.lease!.epoch);
    // What the first still has on its way is refused.
    expect(await codeOf(() => spool(first, workers(1)))).toBe('journal send/lease-lost');
  });

  test('two that both believe they have it: only the later one writes', async () => {
    const url = await testDatabase();
    const [one, two] = [await journalsIn(url), await journalsIn(url)];
    const name = company();
    const first = await opened(one, name);
    const { run } = await spool(first, workers(1));
    const writer = await first.writer();
    await expire(url, name);
    const second = await opened(two, name);
    const sending = `UPDATE document SET state = 'sending' WHERE run = ?`;
    expect(await codeOf(() => writer.commit([sending, run]))).toBe('journal send/lease-lost');
    expect(await codeOf(() => first.run(sending, run))).toBe('journal send/lease-lost');
    expect(await codeOf(() => first.transaction((sql) => sql.run(sending, run)))).toBe(
      'journal send/lease-lost',
    );
    expect(await second.first('SELECT state FROM document')).toEqual({ state: 'planned' });
    expect(await second.run(sending, run)).toBe(1);
  });

  test('who was replaced makes no request more, and the other sends each document once', async () => {
    const url = await testDatabase();
    const [one, two] = [await journalsIn(url), await journalsIn(url)];
    const name = company();
    const first = await opened(one, name);
    const { run } = await spool(first, workers(30));
    let second: Journal | undefined;
    let afterwards = 0;
    const { url: address, requests } = await service(async (_, turn) => {
      if (turn === 8) {
        await expire(url, name);
        second = await opened(two, name);
        afterwards = requests.length;
      }
      return ACCEPTED;
    });
    const client = clientOf(address);
    const concurrency = 4;
    const lost = await codeOf(() => send(first, run, client, { policy: { concurrency } }));
    expect(lost).toBe('journal send/lease-lost');
    // What had been marked before the other took over may be on its way; nothing else.
    expect(requests.length - afterwards).toBeLessThan(concurrency);
    const before = requests.length;
    const { counts } = await send(second!, run, client);
    expect(counts).toMatchObject({ accepted: 30, unknown: 0, unsent: 0 });
    const again = requests.slice(before).map(consecutiveOf);
    expect(again.length).toBeGreaterThanOrEqual(30 - before);
    expect(new Set(requests.map(consecutiveOf)).size).toBe(30);
  });

  test('is not relied upon once the clocks say that it may be another', async () => {
    const url = await testDatabase();
    const name = company();
    const first = await opened(await journalsIn(url), name);
    expect(first.lease!.sure()).toBeUndefined();
    const { now } = Date;
    Date.now = () => now() + 3_600_000;
    onTestFinished(() => {
      Date.now = now;
    });
    // The clock was set: the database is asked, and says that it still holds.
    const asked = first.lease!.sure();
    expect(asked).toBeInstanceOf(Promise);
    await asked;
    expect(first.lease!.sure()).toBeUndefined();
    Date.now = () => now() + 7_200_000;
    await expire(url, name);
    await opened(await journalsIn(url), name);
    expect(await codeOf(() => first.lease!.sure())).toBe('journal send/lease-lost');
    expect(first.lease!.lost.aborted).toBe(true);
  });
});

test('who lays out keeps senders away meanwhile, marks nothing as sending, and takes the right from nobody', async () => {
  const url = await testDatabase();
  const name = company();
  const owner = await session(url);
  const login = `layer_${process.pid}`;
  await owner.query(`CREATE ROLE ${login} LOGIN; GRANT cargue_enqueuer TO ${login};
    INSERT INTO cargue.member (login, company) VALUES ('${login}', '${name}')`);
  const address = new URL(url);
  address.username = login;
  const limited = await journalsIn(address.href);
  onTestFinished(async () => {
    await limited.shared!.close();
    await owner.query(`DELETE FROM cargue.member WHERE login = '${login}'; DROP ROLE ${login}`);
  });
  const planOnly = { warn: () => {}, planOnly: true };
  const mine = await limited.open(pathOf(limited, name), planOnly);
  const journals = await journalsIn(url);
  expect(await codeOf(() => opened(journals, name))).toBe('busy send/locked');
  const { run } = await spool(mine, workers(2));
  await openRun(mine, run);
  for (const change of [`state = 'sending'`, 'attempts = attempts + 1'])
    expect(await codeOf(() => mine.run(`UPDATE document SET ${change}`))).toBe('journal journal/no-right');
  await mine.close();

  const sender = await opened(journals, name);
  expect(await codeOf(() => limited.open(pathOf(limited, name), planOnly))).toBe('busy send/locked');
  const { id } = (await owner.query('SELECT id FROM cargue.journal WHERE company = $1', [name])).rows[0];
  const byHand = await session(url, login);
  await byHand.query('SELECT cargue.give_back_lease($1, $2)', [id, sender.lease!.epoch]);
  const renewed = await byHand.query('SELECT cargue.renew_leases($1, $2)', [[id], [sender.lease!.epoch]]);
  expect(renewed.rows).toEqual([]);
  expect(await sender.run(`UPDATE document SET state = 'sending'`)).toBe(2);
  const other = await owner.query(`SELECT id FROM cargue.journal WHERE company <> $1 LIMIT 1`, [name]);
  const anothers = byHand.query('SELECT cargue.take_lease($1, $2)', [other.rows[0]?.id ?? -1, 'x']);
  await expect(anothers).rejects.toMatchObject({ code: '42501' });
});

test('the counts of a run are kept from the moment that it is laid out, whatever becomes of its documents', async () => {
  const url = await testDatabase();
  const name = company();
  const journals = await journalsIn(url);
  const journal = await opened(journals, name);
  const { run } = await spool(journal, workers(5));
  const counted = { all: journal.all, first: journal.first } as Journal;
  const isKept = async (expected: Readonly<Record<string, number>>): Promise<void> => {
    expect(await journal.tally!(run)).toMatchObject(expected);
    expect(await outcomeCounts(journal, run)).toEqual(await outcomeCounts(counted, run));
    const { overview } = (await journalsIn(url)).shared!;
    const [row] = (await overview(0)).filter((one) => one.company === name);
    expect(JSON.parse(row!.counts!)).toEqual(expected);
  };
  expect(await journal.tally!(run)).toBeUndefined();
  await holdRun(journal, run, 1);
  await isKept({ planned: 5 });
  await leaveOut(journal, PAYROLL, run, new Map([[5, undefined]]));
  await isKept({ planned: 4 });
  await openRun(journal, run);
  const rejected = { status: 200, json: syncAnswer(rejectedResult('Regla: NIE024, Rechazo: x')) };
  const { url: address } = await service((request) => (consecutiveOf(request) === 2 ? rejected : ACCEPTED));
  const approved = { by: 'ana', at: '2026-11-23T00:00:00Z', digest: (await findRun(journal, run)).digest! };
  await approveRun(journal, run, approved);
  const { counts } = await send(journal, run, clientOf(address));
  expect(counts).toMatchObject({ accepted: 3, rejected: 1 });
  await isKept({ accepted: 3, rejected: 1 });
  await journal.run(`UPDATE document SET state = 'unknown' WHERE run = ? AND sequence = 1`, run);
  await isKept({ accepted: 2, rejected: 1, unknown: 1 });
  await journal.run(`UPDATE run SET abandonment = '{}' WHERE id = ?`, run);
  await settleByPerson(journal, PAYROLL, run, { number: '#1', word: 'none', now: 0 });
  expect(await outcomeCounts(journal, run)).toEqual(await outcomeCounts(counted, run));
  await journal.run(`UPDATE run SET state = 'open' WHERE id = ?`, run);
  const { run: other } = await spool(journal, workers(3));
  await openRun(journal, other);
  await journal.transaction(async (sql) => {
    for (const [sequence, of] of [
      [1, run],
      [1, other],
      [2, run],
      [2, other],
    ] as const)
      await sql.run(`UPDATE document SET state = 'pending' WHERE run = ? AND sequence = ?`, of, sequence);
  });
  for (const of of [run, other])
    expect(await outcomeCounts(journal, of)).toEqual(await outcomeCounts(counted, of));
  // What a transaction undoes is not counted.
  await expect(
    journal.transaction(async (sql) => {
      await sql.run(`UPDATE document SET state = 'sending'`);
      throw new Error('not after all');
    }),
  ).rejects.toThrow('not after all');
  expect(await outcomeCounts(journal, run)).toEqual(await outcomeCounts(counted, run));
});

test('documents are found by what they are looked for, whatever there was when their sentences were planned', async () => {
  const url = await (await testServer()).database();
  await migrateDatabase(postgresAddress(url));
  const { url: address } = await service(() => ACCEPTED);
  /** Sends for companies of so many documents each, one after the other on the same connections. */
  async function sent(...counts: readonly number[]): Promise<void> {
    const journals = await journalsIn(url);
    for (const count of counts) {
      const journal = await opened(journals, company());
      const { run } = await spool(journal, workers(count));
      expect((await send(journal, run, clientOf(address))).counts).toMatchObject({ accepted: count });
      await journal.close();
    }
    await journals.shared!.close(); // with their end, sessions tell what they read
  }
  const [first, second] = [2_400, 1_200];
  await sent(first);
  await sent(5, second);
  const owner = await session(url);
  const read = async (table: string): Promise<number> =>
    Number((await owner.query(READ_OF, [table])).rows[0].read);
  await expect.poll(() => read('content'), { timeout: 10_000 }).toBeGreaterThanOrEqual(first + second);
  // Each is sent from its body once; what is planned for a company of five would read those of a large one for every page.
  expect(await read('content')).toBeLessThan(2 * (first + second));
  // Of some hundreds any index will do; by one that is not theirs each would be looked for among half of all.
  expect(await read('document')).toBeLessThan((first * first) / 8);
});

test('numbers that were left out are found without reading the documents, whatever moves', async () => {
  const journal = await opened(await journalsIn(await testDatabase()), company());
  const counted = { all: journal.all } as Journal;
  const gaps = async (): Promise<readonly unknown[]> => {
    const found = await numberGaps(journal);
    expect(found).toEqual(await numberGaps(counted));
    return found.map(({ from, to }) => [from, to]);
  };
  const first = (await spool(journal, workers(4))).run;
  await openRun(journal, first);
  expect(await gaps()).toEqual([]);
  const second = (await spool(journal, workers(7).slice(4), { numbers: { first: 10 } })).run;
  await holdRun(journal, second, 1);
  expect(await gaps()).toEqual([[5, 9]]);
  await leaveOut(journal, PAYROLL, second, new Map([[1, undefined]]));
  expect(await gaps()).toEqual([[5, 9]]);
  await openRun(journal, second);
  await journal.run('UPDATE document SET consecutive = 20 WHERE run = ? AND consecutive = 11', second);
  expect(await gaps()).toEqual([
    [5, 9],
    [11, 19],
  ]);
  expect(await journal.first('SELECT count(*) AS n FROM span')).toEqual({ n: 1 });
  const third = (await spool(journal, workers(9).slice(7))).run;
  expect(await gaps()).toEqual([
    [5, 9],
    [11, 19],
  ]);
  await discardDraft(journal, third);
  expect(await gaps()).toEqual([
    [5, 9],
    [11, 19],
  ]);
});

test('a database is prepared by a login that is no superuser; it counts what it has', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const name = `bureau_${process.pid}`;
  const admin = await session(server.url);
  for (const said of [`CREATE ROLE ${name} LOGIN CREATEROLE`, `CREATE DATABASE ${name} OWNER ${name}`])
    await admin.query(said);
  const at = (login: string): string =>
    Object.assign(new URL(server.url), { username: login, pathname: `/${name}` }).href;
  const own = postgresAddress(at(name));
  expect(await migrateDatabase(own)).toBe(0);
  const owner = await session(at('postgres'));
  await owner.query(`SET search_path = cargue;
    INSERT INTO journal (address, company) VALUES ('h', 'c');
    SET cargue.journal = '1';
    INSERT INTO run (id, state, created, meta) VALUES ('2026-11-01-1', 'draft', 1, '{}'), ('2026-11-01-2', 'draft', 1, '{}');
    INSERT INTO document (run, sequence, key, schema, hash, state, updated)
      SELECT '2026-11-01-' || n, g, 'k' || g, 's', 'h', 'accepted', 1 FROM generate_series(1, 2) n, generate_series(1, 3) g;
    UPDATE run SET state = 'open';
    UPDATE run SET state = 'closed', ended = 1 WHERE id = '2026-11-01-2'`);
  const journals = await journalsIn(at(name));
  const rows = await journals.shared!.overview(0);
  expect(rows.map(({ run, counts }) => [run, counts])).toEqual([
    ['2026-11-01-1', '{"accepted":3}'],
    ['2026-11-01-2', '{"accepted":3}'],
  ]);
  const bureau = await session(at(name));
  await bureau.query(`CREATE ROLE ana LOGIN; GRANT cargue_enqueuer TO ana;
    INSERT INTO cargue.member (login, company) VALUES ('ana', '900')`);
  const limited = await journalsIn(at('ana'));
  const layer = await limited.open(pathOf(limited, '900'), { warn: () => {}, planOnly: true });
  const { run } = await spool(layer, workers(2));
  await openRun(layer, run);
  await layer.close();
  const { url: address } = await service(() => ACCEPTED);
  const { counts } = await send(await opened(journals, '900'), run, clientOf(address));
  expect(counts).toMatchObject({ accepted: 2 });
  await limited.shared!.close();
  await journals.shared!.close();
});

test('a sentence that outlasts two signs of life: the driver is never asked while it is at work', async () => {
  const warned: string[] = [];
  const onWarning = ({ message }: Error): void => void warned.push(message);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const journal = await opened(await journalsIn(await testDatabase()), company());
  await journal.transaction((sql) => sql.first('SELECT pg_sleep(10.5)'));
  expect(warned).toEqual([]);
});

describe('a server that goes', () => {
  test('killed while sending: the run stops; started again, it is resumed and nothing is doubled', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    if (server.kill === undefined) return;
    const url = await server.database();
    await migrateDatabase(postgresAddress(url));
    const name = company();
    // More than may be on their way before it is noticed.
    const ALL = 400;
    const first = await opened(await journalsIn(url), name);
    const { run } = await spool(first, workers(ALL));
    const landed: number[] = [];
    let killed: Promise<unknown> | undefined;
    const { url: address } = await service(async (request, turn) => {
      // It takes its time: nobody is answered meanwhile, or all are before it is gone.
      if (turn >= 10) {
        killed ??= server.kill!();
        await killed;
      }
      landed.push(consecutiveOf(request));
      return ACCEPTED;
    });
    const stopped = codeOf(() => send(first, run, clientOf(address), { policy: { concurrency: 4 } }));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 12_000, 'slow'))])).toBe(
      'away journal/away',
    );
    const gone = landed.length;
    await server.start!();
    await first.close(); // as its process does where it ends
    const second = await opened(await journalsIn(url), name);
    const { counts } = await send(second, run, clientOf(address));
    expect(counts).toMatchObject({ accepted: ALL, unknown: 0, unsent: 0 });
    expect(gone).toBeLessThan(ALL);
    expect(new Set(landed).size).toBe(ALL);
  });
});

test('a copy of the database doubts what is not final, once', async () => {
  const server = await testServer();
  const url = await server.database();
  await migrateDatabase(postgresAddress(url));
  const name = company();
  const original = await connectServer(postgresAddress(url));
  const first = await opened(await journalsIn(url), name);
  const { run } = await spool(first, workers(2));
  await first.run(`UPDATE run SET state = 'open' WHERE id = ?`, run);
  await first.close();
  await original.close();
  const admin = await session(server.url);
  const from = new URL(url).pathname.slice(1);
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()`,
    [from],
  );
  await admin.query(`CREATE DATABASE ${from}_copy TEMPLATE ${from}`);
  const copy = new URL(url);
  copy.pathname = `/${from}_copy`;
  const journals = await journalsIn(copy.href);
  const restored = await opened(journals, name);
  expect(restored.restored).toMatchObject({ documents: 2, runs: [run] });
  expect(await restored.all('SELECT state, doubt FROM document')).toEqual([
    { state: 'unknown', doubt: 2 },
    { state: 'unknown', doubt: 2 },
  ]);
  await restored.close();
  expect((await opened(journals, name)).restored).toBeUndefined();
  // The original is what it was.
  expect((await opened(await journalsIn(url), name)).restored).toBeUndefined();
});

test('where a server does not tell which one it is, a person says that a journal was restored', async () => {
  const journals = await journalsIn(await testDatabase());
  const name = company();
  const journal = await opened(journals, name);
  const { run } = await spool(journal, workers(2));
  await openRun(journal, run);
  await journal.close();
  const adopted = await journals.open(pathOf(journals, name), { adopt: true, warn: () => {} });
  expect(adopted.restored).toMatchObject({ documents: 2, runs: [run] });
  await adopted.close();
  expect((await opened(journals, name)).restored).toBeUndefined();
});

describe('TLS', () => {
  const fixture = (name: string): string => fileURLToPath(new URL(`../client/tls/${name}`, import.meta.url));
  const serve = async (certificate: string) => {
    const server = await startPostgres({
      settings: { ssl: 'on' },
      prepare(data) {
        for (const [from, to] of [
          [certificate, 'server.crt'],
          ['server.key', 'server.key'],
        ] as const) {
          copyFileSync(fixture(from), join(data, to));
          chmodSync(join(data, to), 0o600);
          if (process.getuid?.() === 0) chownSync(join(data, to), 65_534, 65_534);
        }
      },
    });
    onTestFinished(() => server.stop());
    return server.url;
  };

  test('the certificate of the server is checked', async () => {
    const url = await serve('server.pem');
    const at = (query: string): string => `${url}?${query}`;
    const ca = fixture('ca.pem');
    expect(await codeOf(() => journalsIn(at(`sslmode=verify-full&sslrootcert=${ca}`)))).toBe(
      'journal journal/to-migrate',
    );
    expect(await codeOf(() => journalsIn(at('sslmode=verify-full')))).toBe('journal journal/untrusted');
    expect(
      await codeOf(() => journalsIn(at(`sslmode=verify-full&sslrootcert=${fixture('server.pem')}`))),
    ).toBe('journal journal/untrusted');
  });
});
