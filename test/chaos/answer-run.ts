import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/client/client.js';
import { EVENTS } from '../../src/families/events/delivery.js';
import { PAYROLL } from '../../src/families/payroll/delivery.js';
import { RIPS } from '../../src/families/rips/delivery.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { outcomes } from '../../src/send/documents.js';
import { backupJournal, type Journal, journalPath, openJournal } from '../../src/send/journal.js';
import { type Proof, placeOf, readProof, writeProof } from '../../src/send/journal-proof.js';
import type { DocumentKind } from '../../src/send/kind.js';
import { abandonRun, findRun, listRuns } from '../../src/send/runs.js';
import { sendRun } from '../../src/send/send.js';
import { NOT_THERE, settleByPerson } from '../../src/send/settle.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { fastWorld, payroll } from '../send/support.js';
import { allOf } from '../support/all-of.js';
import { ANSWER_NAMES, type AnyFault, FALSE_ID } from './answer-kinds.js';
import { envelopesOf, noteCast, payrollCast, plainCast, type Role, type Truth } from './cast.js';
import { spoolCast, withJournal } from './cast-spool.js';
import { type Chance, chanceOf } from './chance.js';
import { isOnServer } from './engine.js';
import { eventsOf, examineEvents } from './event-run.js';
import {
  type FaultProxy,
  type Passing,
  type ProxyOptions,
  requestFaults,
  startFaultProxy,
} from './fault-proxy.js';
import { layIn, PATIENCE } from './kind-scene.js';
import { examine, type Findings, waits } from './oracle.js';
import { booksOf, toldOf } from './rips-books.js';
import { ripsCast } from './rips-cast.js';
import { examineEnd, examineRips } from './rips-oracle.js';
import { personLooksUp } from './rips-person.js';
import { NIT as CLINIC, fillNeighbour, openClinic } from './rips-run.js';
import {
  fromSeed,
  type Seeds,
  secondsOf,
  sum,
  sumValues,
  tally,
  tell,
  totalOf,
  verdictOf,
  violations,
} from './seeds.js';
import { TEST_SET } from './stage.js';

/**
 * The second adversary: the service does as it is told, but what is heard of it is not its own word, or not about the
 * request; the journal is restored, damaged, or looked for under another spelling meanwhile.
 */

export const FAMILIES = ['payroll', 'events', 'rips'] as const;
export type Family = (typeof FAMILIES)[number];

/** What befalls the journal between the first sending and the first resume. */
export const ACCIDENTS = [
  'none',
  'restored',
  'restored elsewhere',
  'restored, log left',
  'older files put back',
  'bit flipped in the log',
  'log cut',
  'log gone',
  'database emptied',
  'spelt otherwise',
] as const;
export type Accident = (typeof ACCIDENTS)[number];

export interface AnswerOptions {
  /** Chooses everything. */
  readonly seed: number;
  /** @default by the seed */
  readonly family?: Family;
  /** @default by the seed, none in half of the runs */
  readonly accident?: Accident;
  /** @default all of them */
  readonly kinds?: readonly AnyFault[];
  /** Of requests whose answer is not the service's own. @default 0.2 */
  readonly share?: number;
  /** Documents, or a little more. @default by the family */
  readonly documents?: number;
}

export interface AnswerResult extends Findings {
  readonly seed: number;
  readonly family: Family;
  readonly accident: Accident;
  readonly documents: number;
  readonly requests: number;
  readonly faults: FaultProxy['seen']['faults'];
  /** Codes with which the journal was refused. */
  readonly reported: readonly string[];
  /** Documents that a person settled, and that were given up. */
  readonly settled: number;
  readonly givenUp: number;
  readonly ms: number;
}

/** A family's part: what is sent, and how its books compare. */
interface Play {
  readonly kind: DocumentKind;
  readonly box: Sandbox;
  readonly proxy: FaultProxy;
  readonly company: string;
  readonly documents: number;
  /** What proves a code, if the family has such a proof. */
  readonly secret?: { readonly pin: string; readonly nit: string };
  /** True if PIN and NIT are given only once the adversary has had its turn. */
  readonly isSecretLate: boolean;
  lay(journal: Journal): Promise<string>;
  examine(journal: Journal, run: string, isEnd: boolean): Promise<Findings>;
  /** Documents that nothing is known of, though all was given that could settle them. */
  left?(journal: Journal, run: string): Promise<readonly string[]>;
  /** A person settles by the service's own books what is left; how much that was. */
  settle(journal: Journal, run: string): Promise<number>;
  /** Who is to be sent anew under another number; those of them that the service does not have in the end. */
  anew?: { readonly count: number; missing(journal: Journal, run: string): Promise<readonly string[]> };
  close(): Promise<void>;
}

interface Scene {
  readonly seed: number;
  readonly folder: string;
  readonly world: ReturnType<typeof fastWorld>;
  readonly documents: number | undefined;
  /** Whether the journal will not know the last that was done. */
  readonly forgets: boolean;
  readonly line: Pick<ProxyOptions, 'faultOf' | 'onProcessed'>;
  /** Whether the adversary has had its turn. */
  isOver(): boolean;
}

const PLAYS: Readonly<Record<Family, (scene: Scene) => Promise<Play>>> = {
  payroll: playPayroll,
  events: playEvents,
  rips: playRips,
};

const NOW = 0;

/** Whatever a person is asked about, as the books have it. */
async function settleEach(
  journal: Journal,
  kind: DocumentKind,
  run: string,
  wordOf: (outcome: Awaited<ReturnType<typeof toldIn>>[number]) => string | undefined,
): Promise<number> {
  const left = (await toldIn(journal, run)).flatMap((outcome) => {
    const word = wordOf(outcome);
    return word === undefined ? [] : [{ number: `#${outcome.sequence}`, word, now: NOW }];
  });
  for (const word of left) await settleByPerson(journal, kind, run, word);
  return left.length;
}

const toldIn = async (journal: Journal, run: string) => await allOf(outcomes(journal, run));

/** Workers of others, and what they leave us: their number. */
const STRANGERS = 70_000;
/** Payrolls that notes correct. */
const CORRECTED = 12;

const FEWER: JsonObject = {
  eps_type_law_deductions_id: 1,
  eps_deduction: '88000.00',
  pension_type_law_deductions_id: 5,
  pension_deduction: '80000.00',
  deductions_total: '168000.00',
};
const TAKEN = { state: 'rejected', rule: 'send/number-taken' } as const satisfies Truth;
/** Where nobody can tell whose it is, a person gives it up. */
const GIVEN_UP: Truth = { state: 'held-back' };

async function playPayroll({ seed, world, documents = 40, line, isOver }: Scene): Promise<Play> {
  const testSet = seed % 2 === 1 ? TEST_SET : undefined;
  const box = await startSandbox({
    ...(testSet === undefined && { companies: [{ nit: '900123456', environment: 'production' }] }),
    errorStyle: seed % 5 === 0 ? '2026' : 'stock',
    validateBeforeSending: seed % 7 < 3,
    now: () => new Date(world.clock()),
  });
  const strangers = strangersAt(box, seed, testSet, isOver);
  const proxy = await startFaultProxy({
    target: box.url,
    patience: PATIENCE,
    ...line,
    faultOf: (passing) => strangers.before(passing) ?? line.faultOf?.(passing),
    onArrival: strangers.come,
  });
  const cast = { seed, count: documents, testSet: testSet !== undefined };
  const earlier = new Set<string>();
  const isLate = seed % 4 >= 2;
  // Of these, half do not even know whose NIT it is.
  const name = seed % 4 === 3 ? 'default' : undefined;
  let roles: readonly Role[] = [];
  const isOurs = ({ worker }: { readonly worker: string }): boolean =>
    Number(worker) < 9000100000 + STRANGERS;
  const held = () => box.controls.documents().filter(isOurs);
  return {
    kind: PAYROLL,
    box,
    proxy,
    company: '900123456',
    documents,
    secret: { pin: '12345', nit: '900123456' },
    isSecretLate: isLate,
    async lay(journal) {
      if (seed % 3 === 0 && earlier.size === 0) {
        const earlierCast = envelopesOf(plainCast(CORRECTED));
        const { run } = await spoolCast(journal, earlierCast, testSet, undefined, name);
        const client = createClient({ url: box.url, token: box.token });
        await sendRun({ journal, run, client, kind: PAYROLL, world });
        await client.close();
        const before = await toldIn(journal, run);
        for (const { number } of before) earlier.add(number!);
        roles = noteCast(cast, before);
      } else if (roles.length === 0) roles = payrollCast(cast);
      return (await spoolCast(journal, envelopesOf(roles), testSet, undefined, name)).run;
    },
    examine: async (journal, run, isEnd) => {
      const told = new Map((await toldIn(journal, run)).map((outcome) => [outcome.sequence, outcome]));
      const truthOf = ({ envelope, truth }: Role): Truth => {
        const { number = '', issues = [] } = told.get(envelope.sequence) ?? {};
        if (!strangers.took.has(number)) return truth;
        return issues[0]?.code === 'send/abandoned' ? GIVEN_UP : TAKEN;
      };
      return examine({
        journal,
        run,
        roles: roles.map((role) => ({ ...role, truth: truthOf(role) })),
        archive: held(),
        earlier,
        arrived: proxy.arrived,
        log: box.controls.requests().requests,
        mayWait: !isEnd,
      });
    },
    anew: {
      get count() {
        return strangers.took.size;
      },
      missing: async (journal, run) => {
        const workers = new Set(held().map(({ worker }) => worker));
        return (await toldIn(journal, run)).flatMap(({ number, key }) =>
          strangers.took.has(number ?? '') && !workers.has(key)
            ? [`${key} is never sent, after ${number}`]
            : [],
        );
      },
    },
    left: async (journal, run) =>
      (await toldIn(journal, run)).flatMap(({ number = '', state, issues }) =>
        state !== 'unknown' || strangers.took.has(number)
          ? []
          : [`${number} is left unknown with PIN and NIT: ${issues.map(({ code }) => code).join()}`],
      ),
    settle: (journal, run) => {
      const codes = new Map(held().map(({ number, cune }) => [number, cune]));
      return settleEach(journal, PAYROLL, run, ({ state, number }) => {
        const code = codes.get(number ?? '');
        return state === 'unknown' ? (code === undefined ? NOT_THERE : `accepted:${code}`) : undefined;
      });
    },
    close: () => box.close(),
  };
}

/** Others of the same company who use a number of ours: before our first request, or between it and the next. */
function strangersAt(box: Sandbox, seed: number, testSet: string | undefined, isOver: () => boolean) {
  const client = createClient({ url: box.url, token: box.token });
  const took = new Set<string>();
  const turnOf = ({ isSend, about, path, body }: Passing): 1 | 2 | undefined => {
    if (isOver() || !isSend || path.includes('adjust') || 'notes' in (JSON.parse(body) as JsonObject))
      return undefined;
    const place = chanceOf(seed, 'strangers', about).next();
    return place < 0.04 ? 1 : place < 0.08 ? 2 : undefined;
  };
  return {
    took,
    /** The first of two requests never arrives. */
    before: (passing: Passing): AnyFault | undefined =>
      turnOf(passing) === 2 && passing.nth === 1 && !took.has(passing.about) ? 'reset before' : undefined,
    async come(passing: Passing): Promise<void> {
      if (turnOf(passing) !== passing.nth || took.has(passing.about)) return;
      took.add(passing.about);
      const { prefix, consecutive, deductions } = JSON.parse(passing.body) as JsonObject;
      const worker = STRANGERS + Number(consecutive);
      // Half of them to the peso what ours comes to.
      const theirs = chanceOf(seed, 'their total', worker).next() < 0.5 ? deductions : FEWER;
      const body = payroll(worker, {
        prefix: prefix!,
        consecutive: consecutive!,
        deductions: theirs!,
      }) as never;
      if (testSet === undefined) return void (await client.call('sendPayroll', { body }));
      const answer = JSON.stringify(
        await client.call('sendPayrollTestSet', { path: { testSetId: testSet }, body }),
      );
      const ZipKey = /"ZipKey":"([^"]+)"/.exec(answer)?.[1];
      for (let turn = 0; ZipKey !== undefined && turn < 3; turn++)
        await client.call('getZipStatus', { path: { ZipKey }, bodyText: '{"is_payroll":true}' });
    },
  };
}

const WAY = ['030', '032', '033'] as const;

async function playEvents({ seed, documents = 36, line, world }: Scene): Promise<Play> {
  const invoices = Math.ceil(documents / WAY.length);
  const laid = eventsOf(seed, invoices);
  const box = await startSandbox({ now: () => new Date(world.clock()) });
  const proxy = await startFaultProxy({ target: box.url, patience: PATIENCE, ...line });
  const cufeOf = (key: string): string => {
    const { body } = laid.find((one) => one.key === key)!;
    return (body['document_reference'] as JsonObject)['cufe'] as string;
  };
  const registered = (key: string) =>
    box.controls.events(cufeOf(key)).find(({ code }) => code === key.slice(-3));
  return {
    kind: EVENTS,
    box,
    proxy,
    company: '900123456',
    documents: laid.length,
    ...(seed % 4 < 2 && { secret: { pin: '12345', nit: '900123456' } }),
    isSecretLate: false,
    lay: async (journal) => (await layIn(journal, 'events', laid, '900123456')).run,
    examine: async (journal, run, isEnd) => {
      const { doubles, disorder, lost } = await examineEvents(journal, { run, box }, seed, invoices);
      const told = await toldIn(journal, run);
      const wrong = told.flatMap(({ key, state, documentCode }) => {
        const cude = registered(key)?.cude;
        return state === 'rejected' || (state === 'accepted' && documentCode !== cude)
          ? [`${key} is ${state}`]
          : [];
      });
      const stuck = told.filter((one) => one.state !== 'accepted' && one.state !== 'rejected' && !waits(one));
      return {
        doubles,
        lost: isEnd ? lost : stuck.map(({ key, state }) => `${key} is left ${state} without a word`),
        wrong: [...disorder, ...wrong],
      };
    },
    settle: (journal, run) =>
      settleEach(journal, EVENTS, run, ({ state, key }) => {
        const cude = registered(key)?.cude;
        return state === 'unknown' ? (cude === undefined ? NOT_THERE : `accepted:${cude}`) : undefined;
      }),
    close: () => box.close(),
  };
}

async function playRips({ seed, folder, documents = 20, line, forgets }: Scene): Promise<Play> {
  const stateFile = join(folder, 'service.jsonl');
  const box = await openClinic(seed, stateFile);
  const visits = await ripsCast(seed, documents);
  await fillNeighbour(box, visits);
  const proxy = await startFaultProxy({ target: box.url, patience: PATIENCE, ...line });
  const evidence = async (journal: Journal, run: string) => {
    const told = await toldOf(journal, run);
    const generated = box.controls
      .requests({ operation: 'generateRips' })
      .requests.map(({ key }) => key ?? '');
    return {
      visits: visits.length,
      forgot: forgets,
      told,
      ...withoutRepetitions(proxy, told, booksOf(stateFile, CLINIC), generated),
    };
  };
  return {
    kind: RIPS,
    box,
    proxy,
    company: CLINIC,
    documents: visits.length,
    isSecretLate: false,
    lay: async (journal) => (await layIn(journal, 'rips', visits, CLINIC)).run,
    examine: async (journal, run, isEnd) => (isEnd ? examineEnd : examineRips)(await evidence(journal, run)),
    settle: async (journal, run) =>
      (await personLooksUp(journal, run, (await evidence(journal, run)).books)).length,
    close: () => box.close(),
  };
}

/**
 * What something in between had made a second time is nobody's fault: of the two the one goes that nobody uses. Nor is a
 * document that was made under a false id of an appointment, as long as it was not transmitted.
 */
function withoutRepetitions(
  { twice, seen }: FaultProxy,
  told: Awaited<ReturnType<typeof toldOf>>,
  books: ReturnType<typeof booksOf>,
  generated: readonly string[],
) {
  const used = { patients: 'patient', appointments: 'appointment', documents: 'document' } as const;
  const goneOnWith: Readonly<Record<keyof typeof used, (id: number) => boolean>> = {
    patients: (id) => books.appointments.some((row) => row.patient_id === id),
    appointments: (id) => books.documents.some((row) => row.appointment_id === id),
    documents: (id) => books.packages.some((row) => row.documentId === id),
  };
  const spare = new Set<string>();
  const again: string[] = [];
  for (const { path, answers } of twice) {
    const [first, second] = answers.map(({ text }) => dataOf(text));
    const part = /^\/api\/rips\/(\w+)$/.exec(path)?.[1] as keyof typeof used | undefined;
    const id = Number(/\/generate\/(\d+)$/.exec(path)?.[1]);
    if (id > 0) again.push(String(books.documents.find((row) => row.id === id)?.note_number));
    if (
      id > 0 &&
      first?.['CodigoUnicoValidacion'] !== undefined &&
      second?.['CodigoUnicoValidacion'] !== undefined
    ) {
      const isTold = told.some(({ documentCode }) => documentCode === second['CodigoUnicoValidacion']);
      spare.add(`packages ${(isTold ? first : second)['CodigoUnicoValidacion']}`);
    }
    if (part === undefined || first?.['id'] === undefined || second?.['id'] === undefined) continue;
    const isTold = (one: JsonObject): boolean => told.some(({ made }) => made[used[part]] === one['id']);
    // What a restored journal had forgotten was gone on with all the same.
    const hasMore = (one: JsonObject): boolean => goneOnWith[part](Number(one['id']));
    const isUsed = isTold(first) || isTold(second) ? isTold : hasMore;
    if (!isUsed(second)) spare.add(`${part} ${second['id']}`);
    else if (!isUsed(first)) spare.add(`${part} ${first['id']}`);
  }
  const isMisled = ({ id, appointment_id, note_number }: (typeof books.documents)[number]): boolean =>
    seen.faults[FALSE_ID] !== undefined &&
    !books.packages.some(({ documentId }) => documentId === id) &&
    told.some(({ number, made }) => number === note_number && made['appointment'] !== appointment_id);
  const once = [...generated];
  for (const note of again) once.splice(once.indexOf(note), once.includes(note) ? 1 : 0);
  return {
    generated: once,
    books: {
      patients: books.patients.filter(({ id }) => !spare.has(`patients ${id}`)),
      appointments: books.appointments.filter(({ id }) => !spare.has(`appointments ${id}`)),
      documents: books.documents.filter((row) => !spare.has(`documents ${row.id}`) && !isMisled(row)),
      packages: books.packages.filter(({ cuv }) => !spare.has(`packages ${cuv}`)),
    },
  };
}

function dataOf(text: string): JsonObject | undefined {
  try {
    return (JSON.parse(text) as { data?: JsonObject }).data;
  } catch {
    return undefined;
  }
}

/** The address and the company, as another person writes them. */
const SPELLINGS: readonly ((url: string, company: string) => readonly [url: string, company: string])[] = [
  (url, company) => [url.replace('127.0.0.1', 'localhost'), company],
  (url, company) => [`${url.replace('http', 'HTTP')}/`, company],
  (url, company) => [url, `${company.slice(0, 3)}.${company.slice(3, 6)}.${company.slice(6)}`],
];

/** Files as they lie on the disk while a sender works. */
interface Files {
  readonly database: Buffer;
  readonly log: Buffer;
}

const readFiles = (path: string): Files => ({
  database: readFileSync(path),
  log: existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : Buffer.alloc(0),
});

interface Struck {
  /** Of a sender that was killed, and of one in the middle of its run. */
  readonly files: Files;
  readonly middle: Files;
  /** By `journal backup`, in the middle of the run. */
  readonly backup: Buffer;
  readonly chance: Chance;
}

const NO_LOG = Buffer.alloc(0);

/** What lies in the place of the journal afterwards. */
const STRIKES: Readonly<Record<Exclude<Accident, 'none' | 'spelt otherwise'>, (struck: Struck) => Files>> = {
  restored: ({ backup }) => ({ database: backup, log: NO_LOG }),
  'restored elsewhere': ({ backup }) => ({ database: backup, log: NO_LOG }),
  'restored, log left': ({ backup, files }) => ({ database: backup, log: files.log }),
  'older files put back': ({ middle }) => middle,
  'bit flipped in the log': ({ files, chance }) => {
    const log = Buffer.from(files.log);
    const at = chance.below(log.length);
    log[at]! ^= 1 << chance.below(8);
    return { ...files, log };
  },
  'log cut': ({ files, chance }) => ({
    ...files,
    log: files.log.subarray(0, chance.below(files.log.length)),
  }),
  'log gone': ({ files }) => ({ ...files, log: NO_LOG }),
  'database emptied': ({ files }) => ({ ...files, database: Buffer.alloc(0) }),
};

/** Lays files where nothing was: SQLite may hold on to a file that was closed. The proof says that it lay here all the time. */
function lay(folder: string, { database, log }: Files, proof: Proof | undefined): string {
  const path = join(mkdtempSync(join(folder, 'journal-')), 'journal.db');
  writeFileSync(path, database);
  if (log.length > 0) writeFileSync(`${path}-wal`, log);
  if (proof !== undefined) writeProof(path, { ...proof, ...placeOf(path), at: Date.now() });
  return path;
}

const FAULTY_RESUMES = 2;
const CLEAN_RESUMES = 4;
const LATE_RESUMES = 2;
const PERSONS_TURNS = 6;

/** One run: sent over answers that are not the service's own, struck, resumed, settled by a person, the books compared. */
export async function answerRun(options: AnswerOptions): Promise<AnswerResult> {
  const start = performance.now();
  const { seed, kinds = ANSWER_NAMES, share = 0.2 } = options;
  const chance = chanceOf(seed, 'answer');
  const family = options.family ?? FAMILIES[seed % FAMILIES.length]!;
  // What befalls files does not befall a database.
  const accident =
    options.accident ?? (isOnServer() || chance.next() < 0.5 ? 'none' : chance.pick(ACCIDENTS));
  const isStruck = accident in STRIKES;
  const folder = mkdtempSync(join(tmpdir(), 'cargue-answer-'));
  const world = fastWorld();
  const faults = requestFaults(seed, share, kinds);
  let isClean = false;
  let isSecretGiven = false;
  let onProcessed = (): void => {};
  const line: Scene['line'] = {
    faultOf: (passing) => (isClean ? undefined : faults(passing)),
    onProcessed: () => onProcessed(),
  };
  const play = await PLAYS[family]({
    seed,
    folder,
    world,
    documents: options.documents,
    forgets: isStruck,
    line,
    isOver: () => isClean,
  });
  const { kind, box, proxy, company } = play;
  const workspace = join(folder, 'workspace');
  const path = journalPath({ workspace, url: proxy.url, company });
  const backup = join(folder, 'backup.db');
  const reported: string[] = [];

  const send = async (journal: Journal, run: string): Promise<void> => {
    // As to a remote service: no request shares its connection with another.
    const client = createClient({ url: proxy.url, token: box.token, timeoutMs: PATIENCE, keepAlive: false });
    try {
      const { secret, isSecretLate } = play;
      const isGiven = secret !== undefined && (!isSecretLate || isSecretGiven);
      const proof = isGiven ? { softwarePin: secret.pin, nit: secret.nit } : {};
      await sendRun({ journal, run, client, kind, world, policy: { pollFor: 1_500 }, ...proof });
    } finally {
      await client.close();
      await proxy.idle();
    }
  };
  /** As `cargue resume` does; where there is no run, the same file is sent again. */
  const resume = async (at: string, run?: string): Promise<string> => {
    return await withJournal(at, async (journal) => {
      const known =
        run ??
        (await listRuns(journal)).find(({ state }) => state === 'open')?.id ??
        (await listRuns(journal))[0]?.id;
      const id = known ?? (await play.lay(journal));
      if ((await findRun(journal, id)).state !== 'closed') await send(journal, id);
      return id;
    });
  };

  try {
    let left = 1 + chance.below(play.documents);
    let middle: Files | undefined;
    let last: { readonly files: Files; readonly proof: Proof | undefined } | undefined;
    let run = await withJournal(path, async (journal) => {
      const laid = await play.lay(journal);
      const keep = async (): Promise<void> => {
        if (!isStruck) return;
        await backupJournal(journal, backup);
        middle = readFiles(path);
      };
      onProcessed = async () => {
        left -= 1;
        if (left === 0) await keep();
      };
      await send(journal, laid);
      onProcessed = () => {};
      if (left > 0) await keep();
      if (isStruck) last = { files: readFiles(path), proof: readProof(path) };
      return laid;
    });

    let at = path;
    if (accident === 'spelt otherwise') {
      const [url, name] = chance.pick(SPELLINGS)(proxy.url, company);
      at = journalPath({ workspace, url, company: name });
      run = await resume(at);
    } else if (accident !== 'none') {
      const { files, proof } = last!;
      const taken = { files, middle: middle!, backup: readFileSync(backup), chance };
      at = lay(folder, STRIKES[accident](taken), accident === 'restored elsewhere' ? undefined : proof);
      try {
        run = await resume(at);
      } catch (error) {
        if (!(error instanceof PipelineError) || error.key !== 'journal') throw error;
        reported.push(...error.issues.map(({ code }) => code));
        // The way out that it names: the backup, taken for the journal by a person's word.
        at = lay(folder, { database: taken.backup, log: NO_LOG }, proof);
        await (await openJournal(at, { adopt: true })).close();
        run = await resume(at);
      }
    } else await resume(at, run);

    for (let turn = 1; turn < FAULTY_RESUMES; turn++) await resume(at, run);
    isClean = true;
    for (let turn = 0; turn < CLEAN_RESUMES; turn++) await resume(at, run);
    const look = (isEnd: boolean) => withJournal(at, async (journal) => play.examine(journal, run, isEnd));
    const found = [await look(false)];
    if (play.isSecretLate) {
      isSecretGiven = true;
      for (let turn = 0; turn < LATE_RESUMES; turn++) await resume(at, run);
      const left = await withJournal(at, async (journal) => play.left?.(journal, run) ?? []);
      found.push({ doubles: [], lost: left, wrong: [] });
    }

    let settled = 0;
    for (let turn = 0; turn < PERSONS_TURNS; turn++) {
      const said = await withJournal(at, async (journal) => play.settle(journal, run));
      if (said === 0) break;
      settled += said;
      await resume(at, run);
    }
    const givenUp = await withJournal(at, async (journal) => {
      if (!(await toldIn(journal, run)).some(({ state }) => state === 'unknown' || state === 'unsent'))
        return 0;
      await abandonRun(journal, run, NOW, 'lo hace otra persona');
      return play.settle(journal, run);
    });
    found.push(await look(true));
    if ((play.anew?.count ?? 0) > 0)
      await withJournal(at, async (journal) => {
        await send(journal, await play.lay(journal));
        found.push({ doubles: [], lost: await play.anew!.missing(journal, run), wrong: [] });
      });
    const { requests, faults: seen } = proxy.seen;
    const all = totalOf(found);
    const unique = (lines: readonly string[]) => [...new Set(lines)];
    return {
      seed,
      family,
      accident,
      documents: play.documents,
      requests,
      faults: seen,
      reported,
      settled,
      givenUp,
      doubles: unique(all.doubles),
      lost: unique(all.lost),
      wrong: unique(all.wrong),
      ms: performance.now() - start,
    };
  } finally {
    await proxy.close();
    await play.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const AT_ONCE = 3;

/** A kind alone over a family; what a run dies of is told like what it finds. */
async function kindRun(kind: AnyFault, family: Family, seed: number): Promise<Findings & { count: number }> {
  try {
    const { faults, ...found } = await answerRun({
      seed,
      family,
      kinds: [kind],
      accident: 'none',
      documents: 20,
      share: 0.3,
    });
    return { ...found, count: sumValues(faults) };
  } catch (error) {
    return { doubles: [], lost: [], wrong: [`died: ${(error as Error).stack}`], count: 0 };
  }
}

/** Plays each kind of answer alone over each family, a few seeds each; how many violations there were. */
export async function playKinds({ first, runs: seeds, only }: Seeds & { only?: string }): Promise<number> {
  const plays = ANSWER_NAMES.filter((name) => only === undefined || name === only).flatMap((kind) =>
    FAMILIES.flatMap((family) =>
      Array.from({ length: seeds }, (_, at) => ({ kind, family, seed: first + at })),
    ),
  );
  const found = await fromSeed(
    0,
    AT_ONCE,
    async (at) => {
      const { kind, family, seed } = plays[at]!;
      const result = await kindRun(kind, family, seed);
      if (violations(result) > 0) tell(`${kind}, ${family}, seed ${seed}`, result);
      return { kind, ...result };
    },
    (begun) => begun >= plays.length,
  );
  const all = totalOf(found);
  console.log(
    `\nkinds: ${ANSWER_NAMES.length} kinds, ${FAMILIES.length} families, ${seeds} seeds, ${found.length} runs: ${verdictOf(all)}`,
  );
  console.log(`answered otherwise: ${tally(found.map(({ kind, count }) => ({ [kind]: count })))}`);
  return violations(all);
}

async function oneRun(seed: number): Promise<AnswerResult> {
  const result = await answerRun({ seed });
  const { family, accident, documents, requests, faults, reported, settled, givenUp, ms } = result;
  const head = `answer, seed ${seed} (${family}, ${accident}${reported.length > 0 ? `: ${reported}` : ''}): ${documents} documents`;
  const middle = `${requests} requests, ${sumValues(faults)} answered otherwise, ${settled} settled, ${givenUp} given up`;
  tell(`${head}, ${middle}, ${secondsOf(ms)}`, result);
  return result;
}

/** Plays the seeds, the families in turn, and prints them; how many violations there were. */
export async function playAnswer({ first, runs: count }: Seeds): Promise<number> {
  const start = performance.now();
  const runs = await fromSeed(first, AT_ONCE, oneRun, (begun) => begun >= count);
  const all = totalOf(runs);
  console.log(
    [
      '',
      `answer: ${runs.length} runs, ${sum(runs, (run) => run.documents)} documents, ${sum(runs, (run) => run.requests)} requests,` +
        ` ${sum(runs, (run) => run.settled)} settled by a person, ${sum(runs, (run) => run.givenUp)} given up: ${verdictOf(all)}`,
      `answered otherwise: ${tally(runs.map(({ faults }) => faults))}`,
      `accidents: ${tally(runs.map(({ accident }) => ({ [accident]: 1 })))}`,
      secondsOf(performance.now() - start),
    ].join('\n'),
  );
  return violations(all);
}
