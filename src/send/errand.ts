import { setMaxListeners } from 'node:events';
import { dirname, join } from 'node:path';
import type { Client } from '../client/client.js';
import { type Issue, PipelineError } from '../core/issue.js';
import type { Database } from './database.js';
import { troubleOf, type Weights } from './deliver.js';
import { openFile } from './libsql.js';
import { feed } from './send.js';
import {
  createTraffic,
  NO_PACE,
  type Pace,
  type Pass,
  type Policy,
  REAL_WORLD,
  retryPause,
  type Traffic,
  type Trouble,
  type World,
} from './traffic.js';
import { type Reply, readReply, readVerdict } from './verdict.js';

/** Small requests about many documents, each at the pace of the run: previews, mails. */
export interface ErrandOptions<Item, T> {
  readonly items: Iterable<Item> | AsyncIterable<Item>;
  readonly policy: Policy;
  /** Shared with all that is sent to the service. @default none */
  readonly pace?: Pace;
  /** Makes one request; `next` asks to be called again in its turn. */
  readonly ask: (item: Item) => Promise<Reply<T>>;
  /** Once for every item that came to an end; those that did not are left. */
  readonly settle: (item: Item, reply: Reply<T>) => Promise<void>;
  /** Whether a lost answer may be asked for again. */
  readonly repeat: boolean;
  /** Begins nothing more, and waits for what is under way. */
  readonly finish: AbortSignal;
  /** @default the real clock */
  readonly world?: World;
}

export interface ErrandResult {
  /** Why it ended early. */
  readonly stopped?: Issue;
  readonly interrupted: boolean;
}

/** A set-up rule is no matter here: nothing is judged by DIAN. */
const NO_RULES = { kind: { setUpRules: [] } };

/** Runs all errands, or as many as the service and the person allow. Only `settle` and `ask` throw. */
export async function runErrands<Item, T>(options: ErrandOptions<Item, T>): Promise<ErrandResult> {
  const { items, policy, finish, pace = NO_PACE, world = REAL_WORLD } = options;
  const traffic = createTraffic(world, finish, pace);
  setMaxListeners(0, traffic.over, finish);
  await feed(items, policy.concurrency, (item) => runOne(item, options, traffic, world), traffic.over);
  return {
    ...(traffic.stopped !== undefined && { stopped: traffic.stopped }),
    interrupted: finish.aborted,
  };
}

const DONE = { durable: Promise.resolve() };

async function runOne<Item, T>(
  item: Item,
  { ask, settle, repeat, policy }: ErrandOptions<Item, T>,
  traffic: Traffic,
  world: World,
): Promise<typeof DONE> {
  for (let tries = 0; ; ) {
    const pass = await traffic.enter();
    if (pass === undefined) return DONE;
    const reply = await asked(() => ask(item), pass, traffic, { ...NO_RULES, policy, world });
    if (reply.kind === 'not-sent') return DONE;
    if (reply.kind === 'next' || reply.kind === 'throttled') continue;
    tries += 1;
    const again = reply.kind === 'refused-for-all' || (repeat && reply.kind === 'unknown');
    if (!again || tries === policy.tries) {
      // What concerns every document is told once, as the cause of the stop.
      if (reply.kind !== 'refused-for-all') await settle(item, reply);
      return DONE;
    }
    if (reply.kind === 'unknown') await world.sleep(retryPause(policy, tries), traffic.over);
  }
}

async function asked<T>(
  ask: () => Promise<Reply<T>>,
  pass: Pass,
  traffic: Traffic,
  weights: Weights,
): Promise<Reply<T>> {
  let result: Trouble | 'fine' | undefined;
  try {
    const reply = await ask();
    const good = reply.kind === 'done' || reply.kind === 'next';
    result = good ? 'fine' : troubleOf(reply, weights);
    return reply;
  } finally {
    traffic.leave(pass, result);
  }
}

/**
 * A line for each mail that was asked for, written before its request leaves: `sending` that stays means that it may
 * have left. A table of its own beside the journal's, made when it is first needed; journals without it stay as they are.
 */
const MAILBOOK_SCHEMA = `
  CREATE TABLE IF NOT EXISTS mail (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES document (id),
    address TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('sending', 'mailed', 'refused', 'unsent'))
  ) STRICT;
  CREATE INDEX IF NOT EXISTS mail_document ON mail (document, address);
`;

/** What is known of a document and an address. */
type Mailed = 'never' | 'mailed' | 'unconfirmed';

/** Of the mails of one journal. Needs the sender lock, so that nobody else mails meanwhile. */
export interface Mailbook {
  look(document: number, address: string): Promise<Mailed>;
  /** Durable before the request leaves. Returns the line. */
  begin(document: number, address: string, now: number): Promise<number>;
  end(line: number, state: 'mailed' | 'refused' | 'unsent'): Promise<void>;
}

/** Addresses are the same whatever their case. */
const fold = (address: string): string => address.trim().toLowerCase();

const MAILED = `
  SELECT count(*) FILTER (WHERE state = 'mailed') AS mailed, count(*) FILTER (WHERE state = 'sending') AS sending
  FROM mail WHERE document = ? AND address = ?`;
const BEGUN = `INSERT INTO mail (document, address, at, state) VALUES (?, ?, ?, 'sending') RETURNING id`;

export async function openMailbook(journal: Database): Promise<Mailbook> {
  await journal.script(MAILBOOK_SCHEMA);
  return {
    look: async (document, address) => {
      type Found = { mailed: number; sending: number };
      const { mailed, sending } = (await journal.first<Found>(MAILED, document, fold(address)))!;
      if (mailed > 0) return 'mailed';
      return sending > 0 ? 'unconfirmed' : 'never';
    },
    begin: (document, address, now) =>
      journal.transaction(async (sql) => {
        const line = await sql.first<{ id: number }>(BEGUN, document, fold(address), now);
        return line!.id;
      }),
    end: async (line, state) =>
      void (await journal.run('UPDATE mail SET state = ? WHERE id = ?', state, line)),
  };
}

/**
 * The right to send for a journal, held until `release`. It is a lock of the operating system on a file of its own,
 * so that a killed process leaves none. Throws a PipelineError (`busy`, send/locked) when another process has it.
 */
export function lockSender(journal: string): { release(): void } {
  const lock = openFile(join(dirname(journal), 'sender.lock'), 0);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const isBusy = error instanceof PipelineError && error.issues.some(({ code }) => code === 'send/locked');
    if (isBusy) throw new PipelineError('busy', error.issues, { cause: error });
    throw error;
  }
  return { release: () => lock.close() };
}

/** One accepted document on its way to one address. */
export interface MailItem {
  /** In the journal. */
  readonly id: number;
  readonly number: { readonly prefix: string; readonly consecutive: number };
  readonly documentCode?: string;
  readonly address: string;
}

interface MailerOptions {
  readonly client: Client;
  readonly book: Mailbook;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Hangs up at once; what was under way may have left. */
  readonly abort?: AbortSignal;
}

/** Where an item is after a first no: to be marked, or to be mailed once more. */
type Turn = { readonly step: 'mark'; readonly no: Reply<true> } | { readonly step: 'mail again' };

/**
 * Mails a document, one request a call. The service finds only documents that it has marked as accepted itself, and
 * what was learnt by asking it is not marked; a status query with the key `sendmail`, even false, marks it (service.md 4.10).
 */
export function createMailer({ client, book, clock, abort }: MailerOptions) {
  const turns = new Map<MailItem, Turn>();
  const hangUp = abort === undefined ? {} : { signal: abort };

  async function mail({ id, number, address }: MailItem): Promise<Reply<true>> {
    const line = await book.begin(id, address, clock());
    const answer = await client.call('emailPayroll', { body: { ...number, email: address } }, hangUp);
    const wasMailed = ({ success }: { success?: unknown }): true | undefined => success === true || undefined;
    const reply = readReply(answer, wasMailed, 'email/refused');
    if (reply.kind === 'done') await book.end(line, 'mailed');
    else if (reply.kind === 'refused') await book.end(line, 'refused');
    else if (reply.kind !== 'unknown') await book.end(line, 'unsent');
    return reply;
  }

  async function mark(item: MailItem, no: Reply<true>): Promise<Reply<true>> {
    const path = { CUNE: item.documentCode! };
    const bodyText = '{"is_payroll":true,"sendmail":false}';
    const verdict = readVerdict(await client.call('getDocumentStatus', { path, bodyText }, hangUp), 'query');
    if (verdict.kind === 'throttled') return verdict;
    if (verdict.kind !== 'accepted') return no;
    turns.set(item, { step: 'mail again' });
    return { kind: 'next' };
  }

  return async (item: MailItem): Promise<Reply<true>> => {
    const turn = turns.get(item);
    if (turn?.step === 'mark') return mark(item, turn.no);
    const reply = await mail(item);
    if (reply.kind !== 'refused' || turn !== undefined || item.documentCode === undefined) return reply;
    turns.set(item, { step: 'mark', no: reply });
    return { kind: 'next' };
  };
}
