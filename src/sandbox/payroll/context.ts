import type { Context } from '../context.js';
import type { Archive } from './archive.js';
import type { Book } from './book.js';

export interface PayrollContext extends Context {
  /** What the service itself remembers. */
  readonly book: Book;
  /** What DIAN holds. */
  readonly archive: Archive;
}
