import type { CodeEntry } from '../codes.js';

export const DOCUMENT_CODES = {} satisfies Record<string, CodeEntry>;
