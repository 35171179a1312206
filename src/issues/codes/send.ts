import type { CodeEntry } from '../codes.js';

export const SEND_CODES = {} satisfies Record<string, CodeEntry>;
