import type { Context } from '../context.js';
import type { Professionals } from './professionals.js';
import type { Records } from './records.js';

export interface RipsContext extends Context {
  readonly records: Records;
  readonly professionals: Professionals;
}
