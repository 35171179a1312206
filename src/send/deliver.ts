import type { LimitFunction } from 'p-limit';
import type { Answer } from '../client/answer.js';
import type { Client } from '../client/client.js';
import type { JsonObject } from '../values/json.js';
import type { Attempt, Documents, Item } from './documents.js';
import type { KeyLock } from './key-lock.js';
import type { DocumentKind } from './kind.js';
import { type Policy, retryPause } from './policy.js';
import { type Matter, type Question, type Stage, stageAt } from './stage.js';
import type { World } from './time.js';
import type { Pass, Traffic, Trouble } from './traffic.js';
import { after, type Change, nextStep, type Ours, type Position, type Step } from './transition.js';
import { troubleOf } from './trouble.js';
import type { Verdict } from './verdict.js';

/** What one document needs on its way. */
export interface Delivery {
  readonly documents: Documents;
  readonly client: Client;
  /** Waits for one of the run's places for a request; writing to the journal needs none. */
  readonly place: LimitFunction;
  readonly kind: DocumentKind;
  readonly testSet: string | undefined;
  readonly policy: Policy;
  readonly traffic: Traffic;
  readonly world: World;
  /** Set once a number of the run was found to be somebody else's. */
  readonly strangers: { met: boolean };
  /** Held by one document at a time, in the stages that say so. */
  readonly lock: KeyLock;
  /** Hangs up at once. */
  readonly abort: AbortSignal | undefined;
  /** Takes one retry from the budget of the run; false when it is used up. */
  readonly spendRetry: () => boolean;
  readonly onMoved: (from: Position, to: Position) => void;
}

/** An answer counts once it is on the disk. */
export interface Written {
  readonly durable: Promise<void>;
}

const NOTHING: Written = { durable: Promise.resolve() };

/** Takes a document as far as it gets in this run. */
export async function deliver(item: Item, delivery: Delivery): Promise<Written> {
  const { kind, lock } = delivery;
  for (let position = item.position; ; ) {
    const stage = stageAt(kind.stages, position.made);
    const key = stage.alone?.(matterOf(item, stage, position, delivery));
    const release = key === undefined ? undefined : await lock(key);
    try {
      const end = await passStage(item, stage, position, delivery);
      if ('durable' in end) return end;
      position = end;
    } finally {
      release?.();
    }
  }
}

const matterOf = (
  { id, schema, body }: Item,
  { name }: Stage,
  position: Position,
  { testSet, documents }: Delivery,
): Matter => ({
  schema,
  body,
  position,
  testSet,
  isTaken: (made) => documents.isTaken(id, name, made),
});

/** The next request of a document. */
interface Next {
  readonly step: Step;
  readonly question: Question;
}

/** So many of one stage weigh as much as one that was lost. */
const MANY_ANSWERS = 20;

/** Takes a document through a stage: where it stands for the next one, or as far as it gets. */
async function passStage(
  item: Item,
  stage: Stage,
  start: Position,
  delivery: Delivery,
): Promise<Position | Written> {
  const { documents, policy, traffic, world, spendRetry } = delivery;
  const matterAt = (position: Position): Matter => matterOf(item, stage, position, delivery);
  let position = start;
  let next: Next | undefined;
  let answers = 0;
  for (let tries = 0; ; ) {
    answers += 1;
    // However the service goes on: questions that lead to questions, and "too fast" for ever, have an end too.
    if (answers % MANY_ANSWERS === 0 && !spendRetry()) return NOTHING;
    next ??= nextOf(stage, matterAt(position));
    if (next === undefined)
      return { durable: documents.leaveToPerson(item, stage.lost!(matterAt(position))) };
    const pass = await traffic.enter();
    if (pass === undefined) return NOTHING;
    const { verdict, change, durable } = await attempt(item, stage, matterAt(position), next, pass, delivery);
    position = change.to ?? position;
    next = following(stage, matterAt(position), verdict, change);
    if (change.again === 'on') {
      await durable;
      if (verdict.kind === 'made') return position;
      continue;
    }
    if (verdict.kind !== 'throttled') tries += 1;
    if (change.again === 'no' || tries === policy.tries) return { durable };
    await durable;
    if (verdict.kind !== 'throttled' && !spendRetry()) return NOTHING;
    if (change.again === 'later') await world.sleep(retryPause(policy, tries), traffic.over);
  }
}

const asking = (stage: Stage, step: Step, matter: Matter): Next => {
  if (step === 'poll') return { step, question: stage.poll!(matter.position.zipKey!) };
  return { step, question: step === 'ask' ? stage.ask!(matter) : stage.send(matter) };
};

const nextOf = (stage: Stage, matter: Matter): Next | undefined => {
  const step = nextStep(matter.position, stage);
  return step === undefined ? undefined : asking(stage, step, matter);
};

/** What an answer itself says comes next. */
function following(stage: Stage, matter: Matter, verdict: Verdict, change: Change): Next | undefined {
  if (verdict.kind === 'then') return verdict;
  return change.step === undefined ? undefined : asking(stage, change.step, matter);
}

/** One request and what follows from its answer. */
async function attempt(item: Item, stage: Stage, matter: Matter, next: Next, pass: Pass, delivery: Delivery) {
  const { traffic, strangers, onMoved } = delivery;
  const { position } = matter;
  let result: Trouble | 'fine' | undefined;
  try {
    const { verdict, line } = await put(item, stage, next, delivery);
    result = troubleOf(verdict, delivery);
    const change = after(position, next.step, verdict, oursOf(item, stage, matter, delivery));
    if (change.issues.some(({ code }) => code === 'send/number-taken')) strangers.met = true;
    const durable = write(item, change, verdict, line, delivery).then(() => {
      if (change.to !== undefined) onMoved(position, change.to);
    });
    return { verdict, change, durable };
  } finally {
    traffic.leave(pass, result);
  }
}

function oursOf({ number, body }: Item, stage: Stage, matter: Matter, { kind, strangers }: Delivery): Ours {
  const lost = stage.lost?.(matter);
  return {
    number,
    echoRules: kind.echoRules,
    fits: (shown) => kind.fits(JSON.parse(body) as JsonObject, shown),
    asks: stage.asks,
    stage: stage.name,
    amongStrangers: strangers.met && stage.asks === 'by-code',
    ...(lost !== undefined && { lost }),
  };
}

async function put(item: Item, stage: Stage, { step, question }: Next, delivery: Delivery) {
  const { documents, client, place, kind, world, abort } = delivery;
  const { operation, request, read } = question;
  if (step === 'send') await documents.markSending(item, stage === kind.stages.at(-1), world.clock());
  const hangUp = abort === undefined ? {} : { signal: abort };
  const answer = await place(() => client.call(operation, request, hangUp));
  const verdict = read(answer);
  const asked = kind.stages.length === 1 ? step : `${stage.name} ${step}`;
  return { verdict, line: attemptOf(asked, answer, verdict) };
}

async function write(
  item: Item,
  { to, issues }: Change,
  verdict: Verdict,
  line: Attempt,
  { documents, world }: Delivery,
): Promise<void> {
  const answer = 'answer' in verdict && verdict.answer !== undefined ? { answer: verdict.answer } : {};
  if (to !== undefined) await documents.settle(item, { to, issues, ...answer }, line, world.clock());
  else if (line.answered !== STILL_WAITING) await documents.log(item, line, world.clock());
}

/** Not worth a line: it is said every few seconds. */
const STILL_WAITING = '200 waiting';

const EXCERPT = 200;

/** How an answer is remembered: what it was read as, and the words it gave as a reason. */
function attemptOf(asked: string, answer: Answer, verdict: Verdict): Attempt {
  const how = answer.kind === 'failure' ? answer.reason : answer.status;
  const [issue] = 'issues' in verdict ? verdict.issues : 'issue' in verdict ? [verdict.issue] : [];
  const excerpt = issue?.params['text'];
  return {
    asked,
    answered: `${how} ${verdict.kind}`,
    ...(excerpt !== undefined && { excerpt: String(excerpt).slice(0, EXCERPT) }),
  };
}
