import { setImmediate } from 'node:timers/promises';
import type { LimitFunction } from 'p-limit';
import type { Answer } from '../client/answer.js';
import type { Client } from '../client/client.js';
import { type Issue, paramOf, withParams } from '../toolkit/core/issue.js';
import type { JsonObject } from '../toolkit/core/json.js';
import { timeInBogota } from '../toolkit/core/plain-date.js';
import { unreachable } from '../toolkit/core/required.js';
import { hasTrait } from '../toolkit/messages/wording.js';
import { createIssue } from './create-issue.js';
import type { Attempt, Documents } from './documents.js';
import { type IdHolder, idContestedIssue } from './holders.js';
import { type DocumentKind, missingForProof, type Proof } from './kind.js';
import type { Lease } from './lease.js';
import { bodyOf, type PlannedDocument } from './planned-document.js';
import {
  type Permit,
  type Policy,
  pauseOf,
  type RequestFailure,
  type Runtime,
  rateLimiterOf,
  retryAfterMs,
  retryPause,
  type Traffic,
} from './rate-limiter.js';
import { idUnder, type Stage, type StageInput, stageAt, withSpent } from './stage.js';
import {
  type Change,
  type ExpectedDocument,
  nextStep,
  type Position,
  type Step,
  transition,
} from './state-machine.js';
import { bothShown, type Fit, type Question, readAnswerTo, type Shown, type Verdict } from './verdict.js';

/** Context that decides how much a failure weighs. */
export interface Weights {
  readonly kind: Pick<DocumentKind, 'setUpRules'>;
  readonly policy: Policy;
  readonly world: Runtime;
}

/** Returns what a verdict means for the run; undefined if it proves nothing either way. */
export function failureOf(verdict: Verdict, weights: Weights): RequestFailure | 'fine' | undefined {
  switch (verdict.kind) {
    case 'refused-for-all':
      return verdict.passing ? outage(verdict.issue, 0, weights) : lasting(verdict.issue, weights);
    case 'throttled':
      return haste(verdict.retryAfter, weights);
    case 'unknown':
      // The cause in the answer concerns the run, whatever the outcome of the document.
      if (verdict.cause !== undefined) return failureOf(verdict.cause, weights);
      return outage(verdict.issue, weights.policy.outage.chance, weights);
    case 'refused': {
      const [cause] = verdict.issues;
      return cause === undefined
        ? 'fine'
        : { cause, key: String(paramOf(cause, 'text')), allowed: MAX_EQUAL_REFUSALS, pauses: [] };
    }
    case 'rejected': {
      const rule = verdict.rules.find((id) => weights.kind.setUpRules.includes(id));
      const cause = verdict.issues.find((issue) => paramOf(issue, 'rule') === rule);
      return rule === undefined || cause === undefined
        ? 'fine'
        : { cause, key: rule, allowed: MAX_SET_UP_REJECTIONS, pauses: [] };
    }
    case 'not-sent':
      return undefined;
    default:
      return 'fine';
  }
}

/** Max equal validation refusals in a row before the cause is sought outside the documents. */
const MAX_EQUAL_REFUSALS = 25;
const MAX_SET_UP_REJECTIONS = 2;
/** Max pauses for a service that answers "too many requests". */
const MAX_THROTTLE_PAUSES = 9;

const SERVICE = 'service';

/** Reports a failure that may pass without a change. */
const outage = (cause: RequestFailure['cause'], allowed: number, { policy }: Weights): RequestFailure => ({
  cause,
  key: SERVICE,
  allowed,
  ...policy.outage,
});

/** Reports a failure that hardly passes without a change: it gets one more try. */
const lasting = (cause: RequestFailure['cause'], { policy, world }: Weights): RequestFailure => ({
  cause,
  key: SERVICE,
  allowed: 0,
  pauses: [pauseOf(policy, 1, world.random)],
});

/** Max wait for a service, in ms; beyond it the run stops and reports until when to wait. */
const MAX_WAIT_MS = 15 * 60_000;

function haste(retryAfter: string | undefined, { policy, world }: Weights): RequestFailure {
  const asked = retryAfterMs(retryAfter, world.clock());
  if (asked !== undefined && asked > MAX_WAIT_MS) {
    const cause = createIssue('send/throttled-until', { until: timeInBogota(world.clock() + asked) });
    return { cause, key: SERVICE, allowed: 0, pauses: [] };
  }
  const pauses = Array.from(
    { length: MAX_THROTTLE_PAUSES },
    (_, index) => asked ?? pauseOf(policy, index + 1, world.random),
  );
  return { cause: createIssue('send/throttled'), key: SERVICE, allowed: 0, pauses, haste: true };
}

/** Waits until the key is free; the returned function releases it. */
type KeyLock = (key: string) => Promise<() => void>;

/** Creates locks with one holder per key, in the order of requests. */
export function createKeyLock(): KeyLock {
  const last = new Map<string, Promise<void>>();
  return async (key) => {
    let open = (): void => {};
    const mine = new Promise<void>((resolve) => (open = resolve));
    const before = last.get(key);
    last.set(key, mine);
    await before;
    return () => {
      if (last.get(key) === mine) last.delete(key);
      open();
    };
  };
}

/** State and services that the documents of a run share while they are sent. */
export interface Delivery {
  readonly documents: Documents;
  readonly client: Client;
  /** Limits concurrent requests; writing to the journal takes no place. */
  readonly place: LimitFunction;
  readonly kind: DocumentKind;
  readonly testSet: string | undefined;
  readonly policy: Policy;
  readonly traffic: Traffic;
  readonly world: Runtime;
  /** NIT of the employer, which is part of every code. */
  readonly employer: { nit: string | undefined; isStored?: boolean };
  /** Undefined if the PIN is unknown. */
  readonly proof: Proof | undefined;
  /** Codes and ids of answers that are not on disk yet, with the document of each. */
  readonly claims: Map<string, PlannedDocument['id']>;
  /** Documents to ask about again after the others: unproven ones, and those whose code was given to another. */
  readonly again: Set<PlannedDocument['id']>;
  readonly markedUnknown: Set<PlannedDocument['id']>;
  /** Shared resources that stages of this run found or made, by name, in their latest form. */
  readonly resources: Map<string, { readonly form: string; readonly id: number }>;
  /** Requests that may still arrive at the service, by document, with the time when the journal learned of it. */
  readonly awaited: Map<PlannedDocument['id'], number>;
  /** Held by one document at a time if its kind defines `alone`. */
  readonly lock: KeyLock;
  /** Held while a code or id of an answer is checked and claimed. */
  readonly codes: KeyLock;
  readonly abort: AbortSignal | undefined;
  /** Confirms the right to send just before a request; undefined if it cannot be lost. */
  readonly sure: Lease['sure'] | undefined;
  /** Takes one retry from the budget of the run; false if it is used up. */
  readonly spendRetry: () => boolean;
  readonly onMoved: (from: Position, to: Position) => void;
  readonly onVerdict?: (verdict: Verdict) => void;
}

/** Result whose answer counts once `durable` resolves. */
export interface Written {
  readonly durable: Promise<void>;
}

const NOTHING: Written = { durable: Promise.resolve() };

/** Takes a document as far as it gets in this run. */
export async function deliver(document: PlannedDocument, delivery: Delivery): Promise<Written> {
  const { kind, lock, markedUnknown, policy, world, spendRetry } = delivery;
  const release = kind.alone && (await lock(kind.alone(bodyOf(document))));
  const start: Position = markedUnknown.has(document.id)
    ? { ...document.position, claimed: true }
    : document.position;
  try {
    let current = document;
    for (let position = start, stage = stageAt(kind.stages, start), returns = 0; ; ) {
      const end = await passStage(current, stage, position, delivery);
      if ('durable' in end) return end;
      position = end;
      const next = stageAt(kind.stages, end);
      if (kind.stages.indexOf(next) < kind.stages.indexOf(stage)) {
        returns += 1;
        if (returns === policy.tries || !spendRetry()) return NOTHING;
        // A request of the stage that is gone back to may have left just now.
        current = { ...document, updated: world.clock() };
      }
      stage = next;
    }
  } finally {
    release?.();
  }
}

/** Returns once the service has answered a harmless question, or the run is over. */
export async function waitUntilHealthy(probe: Question, delivery: Delivery): Promise<void> {
  const { place, traffic, abort } = delivery;
  for (;;) {
    const permit = await traffic.enter();
    if (permit === undefined) return;
    let result: RequestFailure | 'fine' | undefined;
    try {
      const hangUp = abort === undefined ? {} : { signal: abort };
      const answer = await place(() => call(delivery, permit, probe.operation, probe.request, hangUp));
      result = failureOf(await readAnswerTo(probe, answer), delivery);
    } finally {
      traffic.leave(permit, result);
    }
    if (result === 'fine') return;
  }
}

/** Makes one request once its permit is due and the right to send is confirmed. */
async function call(
  { client, sure, traffic, abort }: Delivery,
  permit: Permit,
  ...request: Parameters<Client['call']>
): Promise<Answer> {
  await traffic.ready(permit, abort);
  const asked = sure?.();
  if (asked !== undefined) await asked;
  return client.call(...request);
}

const inputOf = (
  { id, schema, body, position: { made: before } }: PlannedDocument,
  { name }: Stage,
  position: Position,
  leftAt: number,
  { testSet, documents, policy, world }: Delivery,
): StageInput => ({
  schema,
  body,
  position,
  testSet,
  isLate: before !== undefined,
  isOver: world.clock() - leftAt >= policy.arrivesWithin,
  isTaken: (made) => documents.isTaken(id, name, made),
  others: () => documents.completedStages(id, name),
});

interface NextRequest {
  readonly step: Step;
  readonly question: Question;
}

/** Answers of one stage that cost one retry, as a lost answer does. */
const ANSWERS_PER_RETRY = 20;

/** Takes a document through a stage. Returns its position for the next or an earlier stage, or how it ended. */
async function passStage(
  document: PlannedDocument,
  stage: Stage,
  start: Position,
  delivery: Delivery,
): Promise<Position | Written> {
  const { documents, kind, policy, traffic, world, spendRetry } = delivery;
  /** Latest time, in ms, at which the request with unknown outcome left. */
  let leftAt = document.updated;
  const inputAt = (position: Position): StageInput => inputOf(document, stage, position, leftAt, delivery);
  const resource = stage.resource?.(inputAt(start));
  const shared = resource && delivery.resources.get(resource.name);
  if (
    resource !== undefined &&
    shared?.form === resource.form &&
    start.state === 'planned' &&
    !start.restored
  )
    return takeOver(document, stage, start, shared.id, delivery);
  let position = start;
  let next: NextRequest | undefined;
  let answers = 0;
  /** True if the question before the request was answered; it is not repeated if the request was refused. */
  let isAsked = false;
  for (let tries = 0; ; ) {
    answers += 1;
    // Bounds a service that leads from question to question, or throttles for ever.
    if (answers % ANSWERS_PER_RETRY === 0 && !spendRetry()) return NOTHING;
    next ??= nextOf(stage, inputAt(position), isAsked);
    if (next === undefined)
      return { durable: documents.leaveToUser(document, lostIssue(stage, inputAt(position))) };
    const permit = await traffic.enter();
    if (permit === undefined) return NOTHING;
    const { verdict, change, durable } = await attempt(
      document,
      stage,
      inputAt(position),
      next,
      permit,
      delivery,
    );
    position = change.to ?? position;
    if (next.step === 'send') leftAt = world.clock();
    if (verdict.kind === 'unclear' && hasTrait(verdict.issue, 'may-arrive'))
      delivery.awaited.set(document.id, world.clock());
    if (change.again === 'on') {
      await durable;
      if (verdict.kind === 'made') {
        if (resource !== undefined)
          delivery.resources.set(resource.name, { form: resource.form, id: verdict.id });
        return position;
      }
      // An answer may take the id of an earlier stage away.
      if (stageAt(kind.stages, position) !== stage) return position;
      isAsked ||= verdict.kind === 'absent' && stage.asks === 'before';
      next = following(stage, inputAt(position), verdict, change);
      continue;
    }
    next = following(stage, inputAt(position), verdict, change);
    const isCounted = !isThrottled(verdict);
    if (isCounted) tries += 1;
    if (change.again === 'no' || tries === policy.tries) return { durable };
    await durable;
    if (isCounted && !spendRetry()) return NOTHING;
    if (change.again === 'later') await world.sleep(retryPause(policy, tries), traffic.over);
  }
}

/** Takes over the id that another document of this run was given. */
async function takeOver(
  document: PlannedDocument,
  { name, readBack }: Stage,
  position: Position,
  id: number,
  { documents, world }: Delivery,
): Promise<Position> {
  const shownStages = readBack === undefined ? undefined : [...(position.shownStages ?? []), name];
  const to: Position = {
    ...position,
    made: { ...position.made, [name]: id },
    ...(shownStages !== undefined && { shownStages }),
  };
  const line = { asked: `${name} ask`, answered: 'known made' };
  await documents.settle(document, { to, issues: [] }, line, world.clock());
  return to;
}

const isThrottled = (verdict: Verdict): boolean =>
  verdict.kind === 'throttled' || (verdict.kind === 'unknown' && verdict.cause?.kind === 'throttled');

const lostIssue = (stage: Stage, input: StageInput): Issue =>
  stage.lost?.(input) ?? unreachable(`instructions for a lost ${stage.name}`);

const asking = (stage: Stage, step: Step, input: StageInput): NextRequest => {
  const { zipKey } = input.position;
  if (step === 'poll')
    return {
      step,
      question:
        (zipKey === undefined ? undefined : stage.poll?.(zipKey)) ?? unreachable(`poll of ${stage.name}`),
    };
  if (step === 'ask' && stage.ask === undefined) return unreachable(`question of ${stage.name}`);
  const question = step === 'ask' ? stage.ask?.(input) : undefined;
  return question === undefined ? { step: 'send', question: stage.send(input) } : { step, question };
};

function nextOf(stage: Stage, input: StageInput, isAsked: boolean): NextRequest | undefined {
  const { position } = input;
  const under = idUnder(stage, position);
  if (under !== undefined && position.spentIds?.includes(under)) return undefined;
  const claimed = position.state === 'planned' ? position.made?.[stage.name] : undefined;
  const question = claimed === undefined ? undefined : stage.readBack?.(input, claimed);
  if (question !== undefined) return { step: 'ask', question };
  const step = nextStep(position, stage);
  return step === undefined ? undefined : asking(stage, step === 'ask' && isAsked ? 'send' : step, input);
}

/** Returns the request that an answer itself asks for, if any. */
function following(
  stage: Stage,
  input: StageInput,
  verdict: Verdict,
  change: Change,
): NextRequest | undefined {
  if (verdict.kind === 'then') return verdict;
  return change.step === undefined ? undefined : asking(stage, change.step, input);
}

/** Makes one request and applies its answer. */
async function attempt(
  document: PlannedDocument,
  stage: Stage,
  input: StageInput,
  next: NextRequest,
  permit: Permit,
  delivery: Delivery,
) {
  const { traffic, onMoved } = delivery;
  const { position } = input;
  let result: RequestFailure | 'fine' | undefined;
  try {
    const { verdict, line } = await makeRequest(document, stage, next, permit, delivery);
    result = failureOf(verdict, delivery);
    const { change, release } = await judged(document, stage, input, next.step, verdict, delivery);
    delivery.onVerdict?.(verdict);
    const durable = write(document, change, verdict, line, delivery)
      .then(() => {
        if (change.to !== undefined) onMoved(position, change.to);
      })
      .finally(release);
    if (change.to?.state === 'unknown' && change.to.documentCode !== undefined)
      delivery.again.add(document.id);
    return { verdict, change, durable };
  } finally {
    traffic.leave(permit, result);
  }
}

/** Computes what follows from an answer; the code of an accepted document stays claimed until `release`. */
async function judged(
  document: PlannedDocument,
  stage: Stage,
  input: StageInput,
  step: Step,
  verdict: Verdict,
  delivery: Delivery,
): Promise<{ readonly change: Change; readonly release: () => void }> {
  const { position } = input;
  if (verdict.kind === 'made' && stage.hasOwnIds === true)
    return takeId(document, stage, input, step, verdict.id, delivery);
  const named = codeIn(verdict);
  const code = named ?? position.documentCode;
  const open = code === undefined ? undefined : await delivery.codes(code);
  try {
    const holder = code === undefined ? undefined : await holderOf(code, document, delivery);
    const expected = await expectedOf(document, stage, input, verdict, { code, holder }, delivery);
    const change = transition(position, step, verdict, expected);
    if (named !== undefined && holder !== undefined && takesCodeOfAnother(verdict, change, document))
      await markBothUnknown(holder, document, stage.lost?.(input), delivery);
    return { change, release: claim(change.to, document, delivery) };
  } finally {
    open?.();
  }
}

/** Returns the code that an answer names, whether shown or only claimed; undefined if none. */
const codeIn = (verdict: Verdict): string | undefined =>
  ('documentCode' in verdict ? verdict.documentCode : undefined) ??
  (verdict.kind === 'accepted' ? verdict.claimed : undefined);

/**
 * Computes what follows from an id that belongs to one document alone. An id from a creation never takes it from
 * another document; it is asked about. An id that was read back or found with our number does, if the other has no
 * evidence; if both have, both become unknown. An id under which a request was made is never requested again.
 */
async function takeId(
  document: PlannedDocument,
  stage: Stage,
  input: StageInput,
  step: Step,
  id: number,
  delivery: Delivery,
): Promise<{ readonly change: Change; readonly release: () => void }> {
  const { documents, claims, kind, markedUnknown, world, onMoved } = delivery;
  const { position } = input;
  const key = `${stage.name} ${id}`;
  const expected = await expectedOf(
    document,
    stage,
    input,
    NOT_TAKEN,
    { code: undefined, holder: undefined },
    delivery,
  );
  const follows = (verdict: Verdict): Change => transition(position, step, verdict, expected);
  const open = await delivery.codes(key);
  try {
    const holders = await documents.idHolders(document.id, stage.name, id);
    const isUnderWay = (claims.get(key) ?? document.id) !== document.id;
    const isSpent = position.spentIds?.includes(id) === true;
    if (isUnderWay || isSpent || (step === 'send' && holders.length > 0)) {
      const issue = createIssue('send/unreadable-answer', { status: 200, text: `id ${id}` });
      return { change: follows({ kind: 'unknown', issue }), release: () => {} };
    }
    for (const holder of holders.filter(({ holds }) => holds)) {
      const contest = { stage: stage.name, id, other: document.number, now: world.clock() };
      if (!(await documents.markIdHolderUnknown(holder, contest))) continue;
      markedUnknown.add(holder.id);
      onMoved(holder.position, { ...holder.position, state: 'unknown' });
    }
    const used = holders.find(({ isUsed }) => isUsed);
    const shown = holders.find(({ holds, isShown }) => holds && isShown);
    const issueOf = ({ number: other }: IdHolder) =>
      idContestedIssue(document.number, { id, other }, used !== undefined);
    if (used === undefined && shown !== undefined) {
      const dropped = follows({ kind: 'unproven', issue: issueOf(shown) });
      return { change: { ...dropped, again: 'no' }, release: () => {} };
    }
    const made = follows({ kind: 'made', id });
    if (used !== undefined) {
      const position = made.to ?? unreachable('position after an id');
      const to = { ...withSpent(position, kind.stages.at(-1)), state: 'unknown', doubt: true } as const;
      return { change: { to, issues: [issueOf(used)], again: 'no' }, release: () => {} };
    }
    claims.set(key, document.id);
    return { change: made, release: () => void claims.delete(key) };
  } finally {
    open();
  }
}

/** Verdict that says nothing about a code. */
const NOT_TAKEN: Verdict = { kind: 'absent' };

/** Returns the other document that has a code, on disk or claimed. */
async function holderOf(code: string, { id }: PlannedDocument, { kind, claims, documents }: Delivery) {
  if (kind.sharesCodes === true) return undefined;
  const found = claims.get(code);
  return found === undefined || found === id ? documents.holderOf(code, id) : found;
}

/** True if an answer gave our document another one's code without showing that it is about the other. */
const takesCodeOfAnother = (verdict: Verdict, { issues }: Change, { number }: PlannedDocument): boolean =>
  verdict.kind === 'accepted' &&
  issues.some((issue) => hasTrait(issue, 'code-of-another')) &&
  (verdict.shown.numbers ?? []).every((shown) => shown === number);

/** Marks the holder of a code unknown: a code that two answers give belongs to either document. */
async function markBothUnknown(
  holder: PlannedDocument['id'],
  document: PlannedDocument,
  lost: Issue | undefined,
  delivery: Delivery,
): Promise<void> {
  const { documents, markedUnknown, world, onMoved } = delivery;
  const issueOf = (number: string) =>
    lost === undefined
      ? createIssue('send/answer-of-another', { number, shown: document.number })
      : withParams(lost, { number, reason: document.number });
  if (!(await documents.markUnknown(holder, issueOf, world.clock()))) return;
  markedUnknown.add(holder);
  onMoved({ state: 'accepted', doubt: false }, { state: 'unknown', doubt: true });
}

/** Claims the code of an accepted document until it is on disk; returns the function that releases it. */
function claim(to: Position | undefined, { id }: PlannedDocument, { claims }: Delivery): () => void {
  const code = to?.state === 'accepted' ? to.documentCode : undefined;
  if (code === undefined) return () => {};
  claims.set(code, id);
  return () => {
    if (claims.get(code) === id) claims.delete(code);
  };
}

interface Code {
  readonly code: string | undefined;
  readonly holder: PlannedDocument['id'] | undefined;
}

async function expectedOf(
  document: PlannedDocument,
  stage: Stage,
  input: StageInput,
  verdict: Verdict,
  { code, holder }: Code,
  delivery: Delivery,
): Promise<ExpectedDocument> {
  const { kind, proof, world } = delivery;
  const lost = stage.lost?.(input);
  const under = idUnder(stage, input.position);
  let parsed: JsonObject | undefined;
  const body = (): JsonObject => {
    parsed ??= bodyOf(document);
    return parsed;
  };

  function compareShown(shown: Shown): Fit {
    if (Object.keys(shown).length === 0) return 'open';
    const found = kind.fit(body(), shown);
    const employer = shown.xml?.employer;
    if (found === 'ours' && employer !== undefined && delivery.employer.nit === undefined) {
      delivery.employer.nit = employer;
      storeEmployer(delivery);
    }
    return found;
  }

  /** Returns what the code itself proves if nothing that is shown decides. */
  async function proven(): Promise<Fit> {
    if (verdict.kind !== 'accepted' || code === undefined || proof === undefined) return 'open';
    const shown = bothShown(input.position.shown, verdict.shown);
    if (compareShown(shown) !== 'open') return 'open';
    const moments = [document.updated, world.clock()];
    const fit = await proof.compare({ body: body(), documentCode: code, shown, moments });
    if (fit === 'ours') storeEmployer(delivery);
    return fit;
  }

  const byCode = await proven();
  return {
    number: document.number,
    echoRules: kind.echoRules,
    fit: (shown, documentCode) => {
      const found = compareShown(shown);
      return found === 'open' && documentCode !== undefined ? byCode : found;
    },
    isOfAnother: () => holder !== undefined,
    asks: stage.asks,
    stage: stage.name,
    ...(kind.proof !== undefined && { lacks: missingForProof(proof, delivery.employer.nit) }),
    canReadBack: stage.readBack !== undefined,
    ...(under !== undefined && { under }),
    ...(lost !== undefined && { lost }),
  };
}

/** Stores the NIT that a document showed or a proof confirmed, for later runs. */
function storeEmployer({ documents, employer }: Delivery): void {
  if (employer.nit === undefined || employer.isStored) return;
  employer.isStored = true;
  void documents.storeEmployer(employer.nit).catch(() => {}); // a journal that fails says so at the next write
}

async function makeRequest(
  document: PlannedDocument,
  stage: Stage,
  { step, question }: NextRequest,
  permit: Permit,
  delivery: Delivery,
) {
  const { documents, place, kind, world, abort } = delivery;
  const { operation, request } = question;
  if (step === 'send') await documents.markSending(document, stage === kind.stages.at(-1), world.clock());
  const hangUp = abort === undefined ? {} : { signal: abort };
  const answer = await place(() => call(delivery, permit, operation, request, hangUp));
  // Requests that wait for a place go out first; this answer is read while they are under way.
  await setImmediate();
  await setImmediate();
  const verdict = await readAnswerTo(question, answer);
  const asked = kind.stages.length === 1 ? step : `${stage.name} ${step}`;
  return { verdict, line: attemptOf(asked, answer, verdict) };
}

async function write(
  document: PlannedDocument,
  { to, issues }: Change,
  verdict: Verdict,
  line: Attempt,
  { documents, world }: Delivery,
): Promise<void> {
  const answer = 'answer' in verdict && verdict.answer !== undefined ? { answer: verdict.answer } : {};
  if (to !== undefined) await documents.settle(document, { to, issues, ...answer }, line, world.clock());
  else if (line.answered !== STILL_WAITING) await documents.log(document, line, world.clock());
}

/** Poll response that is not logged: it repeats every few seconds. */
const STILL_WAITING = '200 waiting';

const EXCERPT = 200;

/** Summarises an answer for the log: status, kind of verdict and the reason given. */
function attemptOf(asked: string, answer: Answer, verdict: Verdict): Attempt {
  const how = answer.kind === 'failure' ? answer.reason : answer.status;
  const [issue] = 'issues' in verdict ? verdict.issues : 'issue' in verdict ? [verdict.issue] : [];
  const excerpt = issue && paramOf(issue, 'text');
  return {
    asked,
    answered: `${how} ${verdict.kind}`,
    ...(excerpt !== undefined && { excerpt: String(excerpt).slice(0, EXCERPT) }),
  };
}

/** Settings of a client whose requests count against the rate limit. */
interface Counting {
  readonly journal: Parameters<typeof rateLimiterOf>[0];
  readonly requestsPerMinute: number | undefined;
  readonly world: Runtime;
}

/** Wraps a client for single requests outside of a run, so that they count against its rate limit. */
export const countedClient = (client: Client, { journal, requestsPerMinute, world }: Counting): Client => ({
  ...client,
  async call(id, request, options) {
    const rateLimiter = await rateLimiterOf(journal, requestsPerMinute, world);
    try {
      await rateLimiter.take(options?.signal);
      return await client.call(id, request, options);
    } finally {
      rateLimiter.end();
      await rateLimiter.close();
    }
  },
});
