import { OPERATIONS } from '../generated/operations.js';

/**
 * Where services since 2024 say the next number of a prefix: they have a flag where the contract has the prefix, so
 * that `9/NI` is answered for the first range of the type (service.md 4.10).
 */
export const FLAGGED_NUMBER_PATH = OPERATIONS.getCurrentNumber.path.replace('{prefix}', '{flag}/{prefix}');

/** 1 counts documents without a verdict too, as those of a test set are until they are polled. */
export const numberFlag = (testSet: string | undefined): 0 | 1 => (testSet === undefined ? 0 : 1);
