import type { CodeEntry } from '../codes.js';

export const MAPPING_CODES = {} satisfies Record<string, CodeEntry>;
