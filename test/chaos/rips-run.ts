import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/client/client.js';
import { configureHealthAccess, type HealthAccess } from '../../src/families/rips/answer.js';
import { attentionOf } from '../../src/families/rips/attention.js';
import type { ProfessionalOptions } from '../../src/sandbox/options.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import type { PlanInput } from '../../src/send/documents.js';
import type { AnyFault } from './answer-kinds.js';
import { withJournal } from './cast-spool.js';
import { chanceOf } from './chance.js';
import { FAULT_NAMES } from './fault-kinds.js';
import { type ProxyOptions, requestFaults, startFaultProxy } from './fault-proxy.js';
import { type KindScene, killAtRequest, layIn, PATIENCE, resumeOnce, sendKind } from './kind-scene.js';
import type { Findings } from './oracle.js';
import { booksOf, hangingAt, type Stage, type Told, toldOf } from './rips-books.js';
import { ripsCast } from './rips-cast.js';
import { examineEnd, examineRips } from './rips-oracle.js';
import { personLooksUp } from './rips-person.js';

/** What the run of a seed came to. */
export interface RipsResult extends Findings {
  readonly seed: number;
  readonly packages: number;
  readonly people: number;
  readonly requests: number;
  readonly faults: Partial<Record<AnyFault, number>>;
  /** Requests that failed, by what they were for. */
  readonly failedAt: Readonly<Record<string, number>>;
  readonly kills: number;
  readonly resumes: number;
  /** Before anybody looked anything up. */
  readonly accepted: number;
  /** Where those hung that were left to a person. */
  readonly hanging: readonly Stage[];
  readonly ms: number;
}

export interface RipsChaosOptions {
  /** Chooses everything: the visits, what fails, when senders are killed, whose appointments the token sees. */
  readonly seed: number;
  /** @default 100 */
  readonly packages?: number;
  /** Of requests that fail. @default 0.2 */
  readonly share?: number;
  /** Ways in which they fail. @default those of the line */
  readonly names?: readonly AnyFault[];
  /** Senders killed on the way. @default up to three, by chance */
  readonly kills?: number;
}

export const NIT = '900555321';
/** Another company, some of whose patients are ours too: the search shows them all. */
const NEIGHBOUR = '900777001';
const SITE = '110010990101';
/** The users of the samples. The list of appointments shows those of the first one only. */
const USERS: readonly ProfessionalOptions[] = [
  { id: 11, name: 'Luis Vega', documentType: 'CC', documentNumber: '9900000011', siteCode: SITE },
  { id: 12, name: 'Sara Mesa', documentType: 'CC', documentNumber: '9900000012', siteCode: SITE },
  { id: 15, name: 'Jean Roux', documentType: 'CE', documentNumber: '990015', siteCode: SITE },
];
const MANAGER: ProfessionalOptions = {
  ...USERS[0]!,
  id: 7,
  name: 'Marta Ruiz',
  documentNumber: '9900000007',
};

const ACCESS: HealthAccess = {
  type_document_identification_id: 3,
  number_identification: '1020304050',
  password: 's3cret',
  url: 'https://sispro.clinica.example',
};
/** After all care of the samples. */
const MORNING = new Date('2026-11-03T14:10:22Z');

const RESUMES = 3;
/** What may still arrive is waited for; a line that fails as often as this one may want more. */
const MOST_RESUMES = 6;
/** A slow machine must not lose answers where none are to be lost. */
const CALM = 30_000;

/** Adds up what failed by the part of the interface it was for. */
function countedFaults(faultOf: NonNullable<ProxyOptions['faultOf']>) {
  const failedAt: Record<string, number> = {};
  const counted: typeof faultOf = (passing) => {
    const name = faultOf(passing);
    const part = /^\/api\/rips\/([a-z]+(?:\/generate)?)/.exec(passing.path)?.[1] ?? passing.path;
    if (name !== undefined) failedAt[part] = (failedAt[part] ?? 0) + 1;
    return name;
  };
  return { failedAt, faultOf: counted };
}

export async function openClinic(seed: number, stateFile: string): Promise<Sandbox> {
  const users =
    seed % 3 === 0 ? [MANAGER, ...USERS] : [...USERS.slice(seed % 3), ...USERS.slice(0, seed % 3)];
  const box = await startSandbox({
    companies: [{ nit: NIT, professionals: users }, { nit: NEIGHBOUR }],
    errorStyle: seed % 5 === 0 ? '2026' : 'stock',
    now: () => MORNING,
    stateFile,
  });
  const client = createClient({ url: box.url, token: box.token, timeoutMs: CALM });
  await configureHealthAccess(client, ACCESS);
  await client.close();
  return box;
}

/** Every fourth visit's patient has been to the neighbour, and has another address there. */
export async function fillNeighbour(box: Sandbox, visits: readonly PlanInput[]): Promise<void> {
  const client = createClient({ url: box.url, token: box.tokens[NEIGHBOUR]!, timeoutMs: CALM });
  const people = visits.filter(({ sequence }) => sequence % 4 === 0).map(({ body }) => attentionOf(body));
  for (const { patient } of people)
    await client.call('createPatient', {
      body: { ...patient, email: `vecino.${patient['email']}` } as never,
    });
  await client.close();
}

/** Whether only a person can help any of these. */
const isPersons = (told: readonly Told[]): boolean =>
  told.every(
    (visit) => visit.state === 'accepted' || visit.state === 'rejected' || hangingAt(visit) !== undefined,
  );

/**
 * One run: killed some times over a line that fails, resumed three times at most, and the books compared; then a person
 * says what they hold of what is left, and they are compared again.
 */
export async function ripsRun({
  seed,
  packages = 100,
  share = 0.2,
  names = FAULT_NAMES,
  kills,
}: RipsChaosOptions): Promise<RipsResult> {
  const start = performance.now();
  const chance = chanceOf(seed, 'kills');
  const folder = mkdtempSync(join(tmpdir(), 'cargue-rips-chaos-'));
  const stateFile = join(folder, 'service.jsonl');
  const path = join(folder, 'journal.db');
  const box = await openClinic(seed, stateFile);
  const { failedAt, faultOf } = countedFaults(requestFaults(seed, share, names));
  const proxy = await startFaultProxy({ target: box.url, patience: PATIENCE, faultOf });
  try {
    const visits = await ripsCast(seed, packages);
    await fillNeighbour(box, visits);
    const { run } = await withJournal(path, (journal) => layIn(journal, 'rips', visits, NIT));
    const scene: KindScene = { kind: 'rips', path, run, proxy, box };
    const told = () => withJournal(path, async (journal) => toldOf(journal, run));
    const evidence = async () => ({
      visits: visits.length,
      told: await told(),
      books: booksOf(stateFile, NIT),
      generated: box.controls.requests({ operation: 'generateRips' }).requests.map(({ key }) => key ?? ''),
    });

    const wanted = kills ?? chance.below(4);
    let killed = 0;
    for (let turn = 0; turn < wanted; turn++)
      if (await killAtRequest(scene, 1 + chance.below((5 * packages) / wanted))) killed += 1;
    if (killed === 0) await resumeOnce(scene);
    // Once at least: what was left to a person stays as it is.
    const least = 1 + chance.below(RESUMES);
    let resumes = 0;
    while (resumes < least || (resumes < MOST_RESUMES && !isPersons(await told()))) {
      await resumeOnce(scene);
      resumes += 1;
    }

    const before = await evidence();
    const found = examineRips(before);
    const hanging = await withJournal(path, async (journal) => personLooksUp(journal, run, before.books));
    await sendKind({ kind: 'rips', path, run, url: box.url, token: box.token, patience: CALM });
    const end = examineEnd(await evidence());
    const both = (name: keyof Findings) => [...new Set([...found[name], ...end[name]])];
    return {
      seed,
      packages: visits.length,
      people: before.books.patients.length,
      requests: proxy.seen.requests,
      faults: proxy.seen.faults,
      failedAt,
      kills: killed,
      resumes,
      accepted: before.told.filter(({ state }) => state === 'accepted').length,
      hanging,
      doubles: both('doubles'),
      lost: both('lost'),
      wrong: both('wrong'),
      ms: performance.now() - start,
    };
  } finally {
    await proxy.close();
    await box.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
