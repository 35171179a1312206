/** Exports `cargue/types`: requests, responses and mappings, as types only. */

export type * from './generated/mapping-types.js';
export type { Operation, OperationId, OperationTypes } from './generated/operations.js';
export type * from './generated/schema-types.js';
