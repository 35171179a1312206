import type { Context } from '../context.js';
import type { Invoices } from './invoices.js';
import type { Marks } from './marks.js';
import type { Registry } from './registry.js';

export interface EventContext extends Context {
  /** What DIAN holds. */
  readonly invoices: Invoices;
  readonly registry: Registry;
  /** What the service itself remembers. */
  readonly marks: Marks;
}
