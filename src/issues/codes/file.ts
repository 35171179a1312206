import type { CodeEntry } from '../codes.js';

export const FILE_CODES = {} satisfies Record<string, CodeEntry>;
