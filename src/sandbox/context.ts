import type { Clock } from './clock.js';
import type { Companies } from './companies.js';
import type { Fault } from './faults.js';
import type { Settings } from './options.js';
import type { Outbox } from './outbox.js';
import type { Refusals } from './refusals.js';
import type { Script } from './script.js';
import type { Store } from './store.js';
import type { ChosenVerdict } from './verdict.js';

/** What every family of operations works with. */
export interface Context {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly companies: Companies;
  readonly refusals: Refusals;
  readonly faults: Script<Fault>;
  readonly verdicts: Script<ChosenVerdict>;
  readonly outbox: Outbox;
}
