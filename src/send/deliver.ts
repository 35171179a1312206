import type { LimitFunction } from 'p-limit';
import type { Answer } from '../client/answer.js';
import type { Client } from '../client/client.js';
import type { JsonObject } from '../values/json.js';
import type { Attempt, Documents, Item } from './documents.js';
import type { DocumentKind, Question } from './kind.js';
import { type Policy, pauseOf } from './policy.js';
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
  const { policy, traffic, world, spendRetry } = delivery;
  let position = item.position;
  for (let tries = 0; ; ) {
    const pass = await traffic.enter();
    if (pass === undefined) return NOTHING;
    const { verdict, change, durable } = await attempt(item, position, pass, delivery);
    position = change.to ?? position;
    if (verdict.kind !== 'throttled') tries += 1;
    if (change.again === 'no' || tries === policy.tries) return { durable };
    await durable;
    if (verdict.kind !== 'throttled' && !spendRetry()) return NOTHING;
    if (change.again === 'later') await world.sleep(pauseOf(policy, tries, world.random), traffic.over);
  }
}

/** One request and what follows from its answer. */
async function attempt(item: Item, position: Position, pass: Pass, delivery: Delivery) {
  const { kind, traffic, world, onMoved } = delivery;
  const step = nextStep(position);
  let result: Trouble | 'fine' | undefined;
  try {
    const { verdict, line } = await put(item, step, position, delivery);
    result = troubleOf(verdict, kind, world.clock());
    const change = after(position, step, verdict, oursOf(item, kind));
    const durable = write(item, change, line, delivery).then(() => {
      if (change.to !== undefined) onMoved(position, change.to);
    });
    return { verdict, change, durable };
  } finally {
    traffic.leave(pass, result);
  }
}

const oursOf = ({ number, body }: Item, kind: DocumentKind): Ours => ({
  number,
  echoRules: kind.echoRules,
  fits: (shown) => kind.fits(JSON.parse(body) as JsonObject, shown),
});

function question({ body }: Item, step: Step, position: Position, { kind, testSet }: Delivery): Question {
  if (step === 'poll') return kind.poll(position.zipKey!);
  return step === 'ask' ? kind.ask(position.documentCode!) : kind.send(body, testSet);
}

async function put(item: Item, step: Step, position: Position, delivery: Delivery) {
  const { documents, client, place, world, abort } = delivery;
  const { operation, request, read } = question(item, step, position, delivery);
  if (step === 'send') await documents.markSending(item, world.clock());
  const hangUp = abort === undefined ? {} : { signal: abort };
  const answer = await place(() => client.call(operation, request, hangUp));
  const verdict = read(answer);
  return { verdict, line: attemptOf(step, answer, verdict) };
}

async function write(
  item: Item,
  change: Change,
  line: Attempt,
  { documents, world }: Delivery,
): Promise<void> {
  if (change.to !== undefined) await documents.settle(item, change.to, change.issues, line, world.clock());
  else if (line.answered !== STILL_WAITING) await documents.log(item, line, world.clock());
}

/** Not worth a line: it is said every few seconds. */
const STILL_WAITING = '200 waiting';

const EXCERPT = 200;

/** How an answer is remembered: what it was read as, and the words it gave as a reason. */
function attemptOf(asked: Step, answer: Answer, verdict: Verdict): Attempt {
  const how = answer.kind === 'failure' ? answer.reason : answer.status;
  const [issue] = 'issues' in verdict ? verdict.issues : 'issue' in verdict ? [verdict.issue] : [];
  const excerpt = issue?.params['text'];
  return {
    asked,
    answered: `${how} ${verdict.kind}`,
    ...(excerpt !== undefined && { excerpt: String(excerpt).slice(0, EXCERPT) }),
  };
}
