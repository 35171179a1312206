import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import type { Client } from '../client/client.js';
import { type Issue, PipelineError, paramOf, stop } from '../core/issue.js';
import type { JsonObject } from '../core/json.js';
import { hasTrait } from '../messages/wording.js';
import type { OutcomeCounts, Settled } from '../schema/document.js';
import type { Database, Sql, Write, Writer } from './database.js';
import { createKeyLock, type Delivery, deliver, knock, type Written } from './deliver.js';
import { ATTEMPTED, type Documents, documentsOf, MANY } from './documents.js';
import type { Journal } from './journal.js';
import type { DocumentKind, Proof } from './kind.js';
import {
  beginning,
  employerOf,
  type FoundRun,
  findRun,
  findRunWithCounts,
  leaveRun,
  outcomeCounts,
  outcomeState,
  type Run,
} from './runs.js';
import { say, sayCase } from './say.js';
import { doubtOf, RESTORED, type Spooled } from './spooled.js';
import { type Stage, stageAt } from './stage.js';
import { after, type Made, type Position } from './state-machine.js';
import {
  createPoller,
  createTraffic,
  defaultPolicy,
  type Pace,
  type Policy,
  paceOf,
  REAL_WORLD,
  type Traffic,
  type World,
} from './traffic.js';
import type { Verdict } from './verdict.js';

/**
 * Works through items of any number without holding promises for them: at most `most()` are worked on at a time, and no
 * more than as many again wait for the disk to have what came of them.
 * After a failure nothing more is begun; it is thrown once everything begun is over. Returns how many were begun.
 */
export async function workThrough<T>(
  items: Iterable<T> | AsyncIterable<T>,
  most: () => number,
  work: (item: T) => Promise<Written>,
  over: AbortSignal,
): Promise<number> {
  let total = 0;
  let open = 0;
  let writing = 0;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  const changed = (): Promise<void> => new Promise((resolve) => (wake = resolve));

  const task = async (item: T): Promise<void> => {
    try {
      const { durable } = await work(item);
      void written(durable);
    } catch (error) {
      failure ??= { error };
    } finally {
      open -= 1;
      wake();
    }
  };
  const written = async (durable: Promise<void>): Promise<void> => {
    writing += 1;
    try {
      await durable;
    } catch (error) {
      failure ??= { error };
    } finally {
      writing -= 1;
      wake();
    }
  };

  for await (const item of items) {
    while (open >= most() || open + writing >= 2 * most()) await changed();
    if (failure !== undefined || over.aborted) break;
    total += 1;
    open += 1;
    void task(item);
  }
  while (open + writing > 0) await changed();
  if (failure !== undefined) throw failure.error;
  return total;
}

interface Row {
  readonly id: number;
  readonly zipKey: string | null;
  readonly made: string | null;
  readonly doubt: number;
  readonly issues: string | null;
  readonly updated: number;
  readonly body: string;
}

/** It is not there: what was lost may be sent once more. */
export const NOT_THERE = 'none';

interface PersonsWord {
  /** Of the document: its number, its key, or `#` and its position in the run. */
  readonly number: string;
  /** `none`, `accepted:CODE`, or the id that a stage under way asks for. */
  readonly word: string;
  /** Who says so. */
  readonly by?: string;
  readonly now: number;
}

/** With what a person's code is compared before it counts. */
interface Comparison {
  /** Where the service can be asked. */
  readonly client?: Pick<Client, 'call'> | undefined;
  /** PIN of the payroll software. */
  readonly pin?: string | undefined;
}

/**
 * Takes the word of a person who looked up what no request can ask, or who corrects such a word. The run is then resumed
 * as always; of one that was given up, what is not there is given up too. Who said it and when stays with the document.
 * A code that the authority, the journal or the PIN contradicts is refused; where nobody could be asked, a remark says
 * so. Needs the sender lock.
 * @param comparison absent where the word is the authority's own
 * @throws PipelineError('usage', send/cannot-settle, send/settle-ambiguous, send/code-of-another, send/code-contradicted)
 */
export async function settleByPerson(
  journal: Database,
  kind: DocumentKind,
  run: string,
  { number, word, by = '', now }: PersonsWord,
  comparison?: Comparison,
): Promise<Issue | undefined> {
  const { abandonment, meta } = await findRun(journal, run);
  const rows = await journal.all<Row>(NAMED, run, number);
  const [row] = rows;
  if (rows.length > 1)
    stop('usage', { code: 'send/settle-ambiguous', params: { number, run, count: rows.length } });
  const made = row?.made == null ? undefined : (JSON.parse(row.made) as Made);
  const stage = stageAt(kind.stages, made);
  const to = row === undefined ? undefined : settled(stage, made, row.doubt === RESTORED, word);
  if (row === undefined || to === undefined)
    return stop('usage', { code: 'send/cannot-settle', params: { number, run }, value: word });
  const code = to.documentCode ?? null;
  const other = code === null ? undefined : await journal.first<Holder>(HOLDER, code, row.id);
  if (other !== undefined)
    stop('usage', {
      code: 'send/code-of-another',
      params: { number, other: other.number, run: other.run },
      value: word,
    });
  const employer = async () => ({ nit: nitOf(meta.company) ?? (await employerOf(journal)) });
  const { found, remark }: Finding =
    code === null || comparison === undefined
      ? {}
      : await compared({ number, run, code, now }, row, kind, stage, {
          client: comparison.client,
          proof:
            comparison.pin === undefined
              ? undefined
              : kind.proof?.({ journal, run, employer: await employer(), pin: comparison.pin }),
        });
  const givenUp = abandonment !== undefined && to.state === 'planned';
  await journal.transaction(async (sql) => {
    await sql.run(
      `UPDATE document SET state = ?, doubt = ?, document_code = ?, zip_key = ?, made = ?, issues = ?, settled = ?,
        updated = ? WHERE id = ?`,
      givenUp ? 'rejected' : to.state,
      doubtOf(to),
      code,
      to.state === 'accepted' ? row.zipKey : null,
      JSON.stringify(to.made ?? {}),
      givenUp ? JSON.stringify([say('send/abandoned')]) : null,
      JSON.stringify({ by, word, at: new Date(now).toISOString(), found } satisfies Partial<Settled>),
      now,
      row.id,
    );
    await sql.run('UPDATE document SET document_code = ? WHERE earlier = ?', code, row.id);
    await sql.run('UPDATE run SET ended = ended WHERE id = ?', run); // who keeps its counts counts again
    const answered = word === NOT_THERE ? word : 'found';
    const line = [row.id, now, `${stage.name} person`, answered, by === '' ? null : by];
    await sql.run(ATTEMPTED, ...line);
  });
  return remark;
}

interface Said {
  readonly number: string;
  readonly run: string;
  readonly code: string;
  readonly now: number;
}

interface Finding {
  readonly found?: Settled['found'];
  /** Why nobody could be asked. */
  readonly remark?: Issue;
}

/**
 * Whether a code that a person says is of the document: the authority is asked with it (P10), and what it shows goes
 * before the code that it named when it was sent the number, and before the proof by the PIN.
 * @throws PipelineError('usage', send/code-contradicted)
 */
async function compared(
  { number, run, code, now }: Said,
  row: Row,
  kind: DocumentKind,
  stage: Stage,
  { client, proof }: { readonly client: Comparison['client']; readonly proof: Proof | undefined },
): Promise<Finding> {
  const refuse = (issue: Issue): never => {
    throw new PipelineError('usage', [{ ...issue, value: code }]);
  };
  const body = JSON.parse(row.body) as JsonObject;
  const question = stage.look?.(code);
  const verdict =
    question === undefined || client === undefined
      ? undefined
      : await question.read(await client.call(question.operation, question.request));
  if (verdict?.kind === 'rejected' || verdict?.kind === 'not-found')
    return refuse(sayCase('send/code-contradicted', 'not-there', { number }));
  const shown = verdict?.kind === 'accepted' ? verdict.shown : {};
  const fit = Object.keys(shown).length === 0 ? 'open' : kind.fit(body, shown);
  const isAnother = verdict?.kind === 'accepted' && (verdict.documentCode ?? code).toLowerCase() !== code;
  if (isAnother || fit === 'other-number' || fit === 'other-content')
    return refuse(sayCase('send/code-contradicted', 'another', { number }));
  if (fit === 'ours') return { found: 'ours' };
  const told = (JSON.parse(row.issues ?? '[]') as Issue[]).map((issue) => paramOf(issue, 'cune'));
  const cune = told.find((one) => one !== undefined);
  if (cune !== undefined && String(cune).toLowerCase() !== code)
    return refuse(sayCase('send/code-contradicted', 'not-as-told', { number, cune: String(cune) }));
  const proven = await proof?.says({ body, documentCode: code, shown, moments: [row.updated, now] });
  if (proven === 'other-content') return refuse(sayCase('send/code-contradicted', 'not-by-pin', { number }));
  if (proven === 'ours') return { found: 'ours' };
  if (verdict?.kind === 'accepted') return { found: 'open' };
  const remark =
    question === undefined
      ? say('send/settled-unasked', { case: 'no-question', number, run })
      : say('send/settled-unasked', { number, run, reason: silenceOf(verdict) });
  return { found: 'unasked', remark };
}

/** Why a question has no answer. */
function silenceOf(verdict: Verdict | undefined): string {
  if (verdict === undefined) return 'no-token';
  const reason =
    'issue' in verdict ? (paramOf(verdict.issue, 'reason') ?? paramOf(verdict.issue, 'status')) : undefined;
  return String(reason ?? 'no-result');
}

/** What is unconfirmed, and what nothing but a person's word says. */
const NAMED = `
  SELECT d.id, d.zip_key AS "zipKey", d.made, d.doubt, d.issues, d.updated, c.body
  FROM document d JOIN content c ON c.document = d.id
  WHERE d.run = ? AND ? IN (coalesce(d.number, d.prefix || d.consecutive), d.key, '#' || d.sequence)
    AND d.earlier IS NULL AND (d.state IN ('sending', 'unknown', 'pending') OR (d.settled IS NOT NULL
      AND coalesce(json_extract(d.settled, '$.found'), '') <> 'ours'
      AND CASE json_extract(d.settled, '$.word')
        WHEN '${NOT_THERE}' THEN d.state = 'planned' OR (d.state = 'rejected' AND instr(d.issues, '"send/abandoned"') > 0)
        ELSE d.state = 'accepted' AND instr(lower(json_extract(d.settled, '$.word')), d.document_code) > 0 END))`;

interface Holder {
  readonly run: string;
  readonly number: string;
}

/** A code belongs to one document. */
const HOLDER = `
  SELECT run, coalesce(number, prefix || consecutive, key) AS number FROM document
  WHERE lower(document_code) = ? AND id <> ? AND earlier IS NULL LIMIT 1`;

function settled(
  stage: Stage,
  made: Made | undefined,
  restored: boolean,
  word: string,
): Position | undefined {
  const from: Position = { state: 'unknown', doubt: true, restored, ...(made !== undefined && { made }) };
  // What comes after it cannot be there either.
  if (word === NOT_THERE) return { ...from, state: 'planned', doubt: false, restored: false };
  const verdict = stage.byPerson?.(word);
  if (verdict === undefined) return undefined;
  const ours = { number: '', echoRules: [], fit: () => 'ours' as const, asks: stage.asks, stage: stage.name };
  return after(from, 'ask', verdict, ours).to;
}

/** Documents that may go now, which could not before; none when nobody else will in this run. */
interface Turn {
  readonly ids: ReadonlySet<number>;
  /** To be waited first, milliseconds. */
  readonly pause: number;
}

const NO_TURN: Turn = { ids: new Set(), pause: 0 };

interface TriedEarly {
  readonly id: number;
  readonly attempts: number;
  readonly issues: string;
}

/** Rules of DIAN that rejected a document. */
const rulesOf = (issues: readonly Issue[]): readonly string[] =>
  issues.flatMap(({ code, params }) => (code === 'remote/rejected' ? [String(params['rule'])] : []));

/**
 * Who follows whom: what has to be accepted before another document may leave, and what came before DIAN found its
 * predecessor and is sent again, unchanged, a few times. All of it is read from the journal, so that a resumed run goes
 * on where it was. To be asked when nothing of the run is under way.
 */
function turnsByPredecessor(
  journal: Database,
  run: string,
  { tooEarlyRules }: Pick<DocumentKind, 'tooEarlyRules'>,
  { predecessorTries, predecessorPause }: Pick<Policy, 'predecessorTries' | 'predecessorPause'>,
): (now: number) => Promise<Turn> {
  const mention = tooEarlyRules.map(() => 'instr(issues, ?) > 0').join(' OR ') || 'FALSE';
  const rejected = `
    SELECT id, attempts, issues FROM document WHERE run = ? AND state = 'rejected' AND attempts > 0 AND (${mention})`;

  /** Those that may try once more; of the others it is said that they will not. */
  async function tooEarly(sql: Sql, now: number): Promise<readonly TriedEarly[]> {
    const found: TriedEarly[] = [];
    for (const row of await sql.all<TriedEarly>(rejected, run, ...tooEarlyRules)) {
      const issues = JSON.parse(row.issues) as Issue[];
      const rules = rulesOf(issues);
      if (rules.length === 0 || !rules.every((rule) => tooEarlyRules.includes(rule))) continue;
      if (row.attempts < predecessorTries) found.push(row);
      else if (!issues.some(({ code }) => code === 'send/predecessor-missing')) {
        const told = [...issues, say('send/predecessor-missing', { tries: row.attempts })];
        await sql.run(
          'UPDATE document SET issues = ?, updated = ? WHERE id = ?',
          JSON.stringify(told),
          now,
          row.id,
        );
      }
    }
    return found;
  }

  /** What waits for a document that was rejected for good will never leave, nor what waits for that. */
  async function endOrphans(sql: Sql, now: number): Promise<void> {
    for (;;) {
      const found = await sql.all<{ id: number; number: string }>(waitingFor('rejected'), run);
      for (const { id, number } of found) {
        const issues = JSON.stringify([say('send/predecessor-not-accepted', { number })]);
        await sql.run(
          `UPDATE document SET state = 'rejected', issues = ?, updated = ? WHERE id = ?`,
          issues,
          now,
          id,
        );
      }
      if (found.length === 0) return;
    }
  }

  return (now) =>
    journal.transaction(async (sql) => {
      const ids = new Set<number>();
      let pause = 0;
      for (const { id, attempts } of await tooEarly(sql, now)) {
        await sql.run(AGAIN, now, id);
        ids.add(id);
        pause = Math.max(pause, predecessorPause * 2 ** (attempts - 1));
      }
      await endOrphans(sql, now);
      for (const { id } of await sql.all<{ id: number }>(waitingFor('accepted'), run)) ids.add(id);
      return { ids, pause };
    });
}

const AGAIN = `UPDATE document SET state = 'planned', zip_key = NULL, document_code = NULL, updated = ? WHERE id = ?`;

/** What has not left, and waits for a document of this state. */
const waitingFor = (state: 'accepted' | 'rejected'): string => `
  SELECT d.id, coalesce(w.number, w.prefix || w.consecutive, w.key) AS number
  FROM document d JOIN document w ON w.id = d.waits_for
  WHERE d.run = ? AND d.waits_for IS NOT NULL AND d.state IN ('planned', 'unknown') AND d.attempts = 0
    AND w.state = '${state}'`;

export interface SendOptions {
  readonly journal: Journal;
  /** Id of a spooled run, or of one that was left unfinished. */
  readonly run: string;
  /** The same as it was found since the journal was opened, if it was. @default it is looked for */
  readonly found?: FoundRun | undefined;
  readonly client: Client;
  readonly kind: DocumentKind;
  /** @default defaultPolicy(client.url) */
  readonly policy?: Partial<Policy>;
  /** Begins nothing more, and waits for what is under way. */
  readonly finish?: AbortSignal;
  /** Hangs up at once; what was under way is unknown until it is resumed. */
  readonly abort?: AbortSignal;
  /** PIN of the payroll software, by which a code tells whose it is. It stays in memory. @default not known */
  readonly softwarePin?: string;
  /** After every answer; the counts are live, not a copy. */
  readonly onProgress?: (counts: OutcomeCounts) => void;
  /** After every wait for a turn, in milliseconds. */
  readonly onTurn?: ((ms: number) => void) | undefined;
  /** @default the real clock */
  readonly world?: World;
}

export interface SendResult {
  /** made = accepted + rejected + pending + unknown + unsent */
  readonly counts: OutcomeCounts;
  /** Why it ended early; the documents not tried are unsent. */
  readonly stopped?: Issue;
  /** Ended by `finish` or `abort`. */
  readonly interrupted: boolean;
  /** Why the PIN that was given proves nothing. */
  readonly pinIssue?: Issue;
  /** Documents whose code only the PIN could tell ours; absent when there are none, or the PIN was known. */
  readonly unproven?: number;
}

/** Retries that any run may make, however small. */
const LEAST_RETRIES = 100;

/**
 * Sends what is not final in a run: for a fresh one that is sending, for a left one resuming. Needs the sender lock.
 * Every attempt is durable in the journal before its request leaves, every answer before it counts. Failures of the
 * service end in `stopped`, never in an error; only the journal throws (PipelineError `journal`).
 */
export async function sendRun(options: SendOptions): Promise<SendResult> {
  const { journal, client, world = REAL_WORLD } = options;
  const found = options.found ?? (await findRunWithCounts(journal, options.run));
  refuseToStart(found.run);
  const policy: Policy = { ...defaultPolicy(client.url), ...options.policy };
  const writer = await journal.writer(MANY);
  try {
    const pace = timed(await paceOf(journal, policy.requestsPerMinute, world), options.onTurn);
    try {
      const start = beginning(found.run.id, world.clock());
      // A draft may vanish: it is none before the first request, of whatever kind.
      if (found.run.state !== 'open') await writer.commit(start);
      const own = found.run.state === 'open' ? startingWith(writer, start) : writer;
      const documents = documentsOf(journal, own, found.run.id);
      return await work({ ...options, policy, world }, { ...found, documents, pace });
    } finally {
      await pace.close();
    }
  } finally {
    await writer.close();
  }
}

/** A writer that writes this with whatever is written first, and no transaction for it alone. */
function startingWith(writer: Writer, start: Write): Writer {
  let left: readonly Write[] = [start];
  return {
    ...writer,
    commit(...writes) {
      const all = [...left, ...writes];
      left = [];
      return writer.commit(...all);
    },
  };
}

const timed = (pace: Pace, onTurn: SendOptions['onTurn']): Pace =>
  onTurn === undefined
    ? pace
    : {
        ...pace,
        async take(over) {
          const start = performance.now();
          const inTime = await pace.take(over);
          onTurn(performance.now() - start);
          return inTime;
        },
      };

/** A person holds the run, or gave it up. */
function refuseToStart({ id, state, approval, abandonment }: Run): void {
  if (state === 'held' && approval === undefined)
    stop('usage', { code: 'send/not-approved', params: { run: id } });
  if (abandonment !== undefined) stop('usage', { code: 'send/given-up', params: { run: id } });
}

/** Of a company as a run names it, where that is one. */
const nitOf = (company: string): string | undefined =>
  /^(\d{5,10})(-\d)?$/.exec(company.replace(/[.\s]/g, ''))?.[1];

/** Times that a run waits at its end for what may still arrive. */
const LAST_LOOKS = 2;

interface Work extends FoundRun {
  readonly documents: Documents;
  readonly pace: Pace;
}

async function work(
  options: SendOptions & { readonly policy: Policy; readonly world: World },
  { run, counts: before, documents, pace }: Work,
): Promise<SendResult> {
  const { journal, client, kind, policy, world, onProgress } = options;
  const broken = new AbortController();
  const asked = [options.finish, options.abort].filter((signal) => signal !== undefined);
  const traffic = createTraffic(world, AbortSignal.any([...asked, broken.signal]), pace);

  // Every request under way listens to them.
  setMaxListeners(0, traffic.over, ...asked);

  const { lost } = journal.lease ?? {};
  const lose = (): void => traffic.stop((lost!.reason as PipelineError).issues[0]!);
  lost?.addEventListener('abort', lose, { once: true });

  const counts = { ...before };
  if (counts.unknown > 0) await documents.doubtInterrupted();
  const { softwarePin: pin } = options;
  const employer = { nit: nitOf(run.meta.company) ?? (await documents.employer()) };
  const proof = pin === undefined ? undefined : kind.proof?.({ journal, run: run.id, employer, pin });
  const again = new Set<number>();
  const doubted = new Set<number>();
  const awaited = new Map<number, number>();
  const place = pLimit(policy.concurrency);
  // While some documents wait for the service, others wait for the disk: more of them where places are left empty.
  let most = Math.ceil(1.25 * policy.concurrency);
  const delivery: Delivery = {
    documents,
    client,
    place,
    kind,
    testSet: run.testSet,
    policy,
    traffic,
    world,
    employer,
    proof,
    claims: new Map(),
    again,
    doubted,
    awaited,
    things: new Map(),
    lock: createKeyLock(),
    codes: createKeyLock(),
    abort: options.abort,
    sure: journal.lease?.sure,
    spendRetry: retryBudget(policy, counts, traffic),
    onMoved: (from, to) => {
      counts[outcomeState(from.state)] -= 1;
      counts[outcomeState(to.state)] += 1;
      if (to.state === 'pending') poller.notice();
      if (place.pendingCount === 0 && most < 2 * policy.concurrency) most += 1;
      onProgress?.(counts);
    },
    onVerdict: rejectionWatch(kind, run, traffic),
  };
  const deliverAll = (items: AsyncIterable<Spooled>): Promise<number> =>
    workThrough(
      items,
      () => most,
      (item) => deliver(item, delivery),
      traffic.over,
    );
  const poller = createPoller(
    () => deliverAll(documents.pending()),
    () => counts.pending,
    policy,
    world,
    traffic.over,
  );

  const nextTurn = turnsByPredecessor(journal, run.id, kind, policy);

  let secondLook = false;
  let lastLooks = LAST_LOOKS;
  if (counts.pending > 0) poller.notice();
  try {
    const isOpen = counts.unsent + counts.unknown > 0;
    if (kind.probe !== undefined && isOpen) await knock(kind.probe, delivery);
    await deliverAll(documents.open());
    await poller.idle();
    for (;;) {
      Object.assign(counts, await outcomeCounts(journal, run.id));
      // Also when the run is over: who is to try again must be found so when it is resumed.
      const nobodyWaits = counts.unsent + counts.unknown + counts.rejected === 0;
      const { ids: followers, pause } = nobodyWaits ? NO_TURN : await nextTurn(world.clock());
      // Whatever was in doubt may be told now that others were accepted; once.
      const ids = secondLook
        ? followers
        : new Set([...followers, ...doubted, ...(proof?.isSure === true ? again : [])]);
      secondLook = true;
      if (!nobodyWaits) Object.assign(counts, await outcomeCounts(journal, run.id));
      const last = ids.size === 0 && lastLooks > 0 ? new Map(awaited) : new Map<number, number>();
      if (ids.size + last.size === 0 || traffic.over.aborted) break;
      if (pause > 0) await world.sleep(pause, traffic.over);
      if (last.size > 0) {
        lastLooks -= 1;
        awaited.clear();
        const arrived = Math.max(...last.values()) + policy.arrivesWithin;
        await world.sleep(Math.max(arrived - world.clock(), 0), traffic.over);
        await deliverAll(only(documents.open(), new Set(last.keys())));
      }
      await deliverAll(only(documents.open(), ids));
      await poller.idle();
    }
  } catch (error) {
    broken.abort();
    await poller.idle().catch(() => {});
    throw error;
  }
  const finished = counts.pending + counts.unknown + counts.unsent === 0;
  const provable = kind.proof !== undefined && proof === undefined;
  const unproven = provable && !finished ? await unprovenCount(journal, run.id) : 0;
  await leaveRun(journal, run.id, finished, world.clock(), traffic.stopped);
  return {
    counts,
    ...(traffic.stopped !== undefined && { stopped: traffic.stopped }),
    interrupted: asked.some((signal) => signal.aborted),
    ...(proof?.issue !== undefined && { pinIssue: proof.issue }),
    ...(unproven > 0 && { unproven }),
  };
}

/** What a rejection says, whichever document it is about: rules and the fields that they name. */
const reasonOf = (issues: readonly Issue[]): string =>
  issues
    .filter(({ level }) => level === 'error')
    .map((issue) => `${paramOf(issue, 'rule') ?? '—'} ${paramOf(issue, 'path') ?? ''}`)
    .map((reason) => reason.replaceAll(/\[\d+\]/g, '').trim())
    .toSorted()
    .join(', ');

/**
 * Ends a run whose documents are rejected one after the other for the same reasons: what is wrong is wrong in all of
 * them. Who goes on with such a run has seen the reasons, and is not stopped by them again.
 */
function rejectionWatch(
  { equalRejections: most }: Pick<DocumentKind, 'equalRejections'>,
  { id: run, stopped: before }: Run,
  traffic: Traffic,
): ((verdict: Verdict) => void) | undefined {
  if (most === undefined) return undefined;
  const seen = before && hasTrait(before, 'equal-rejections') ? paramOf(before, 'reasons') : undefined;
  let reasons = '';
  let count = 0;
  return (verdict) => {
    if (verdict.kind === 'accepted') count = 0;
    if (verdict.kind !== 'rejected') return;
    const own = reasonOf(verdict.issues);
    count = own === reasons ? count + 1 : 1;
    reasons = own;
    if (count < most || own === seen) return;
    const text = String(paramOf(verdict.issues[0]!, 'text') ?? '');
    const told = { count: most, reasons, text, run };
    const isTold = verdict.rules.length > 0;
    traffic.stop(say('send/equal-rejections', isTold ? told : { ...told, case: 'without-reasons' }));
  };
}

async function unprovenCount(journal: Sql, run: string): Promise<number> {
  const sql = `SELECT count(*) AS count FROM document WHERE run = ? AND state = 'unknown' AND document_code IS NOT NULL`;
  return (await journal.first<{ count: number }>(sql, run))!.count;
}

async function* only(items: AsyncIterable<Spooled>, ids: ReadonlySet<number>): AsyncIterable<Spooled> {
  for await (const item of items) if (ids.has(item.id)) yield item;
}

/** One budget for all documents: a service that needs more than this is ill. */
function retryBudget(policy: Policy, counts: OutcomeCounts, traffic: Traffic): () => boolean {
  const open = counts.unsent + counts.unknown + counts.pending;
  const budget = policy.retryBudget ?? Math.max(LEAST_RETRIES, open);
  let left = budget;
  return () => {
    left -= 1;
    if (left < 0) traffic.stop(say('send/too-many-retries', { budget }));
    return left >= 0;
  };
}
