import { type PrepareOptions, prepare as prepareDocuments } from './toolkit/documents/prepare.js';

export type { ResultFile } from './families/family.js';

import { deriveWith, FAMILIES } from './families/registry.js';

/**
 * Exports `cargue`: reads files, checks and sends documents, writes reports.
 * Smaller entry points: types, validate, client, sandbox.
 */

export type { Answer } from './client/answer.js';
export { type Client, type ClientOptions, createClient } from './client/client.js';
export { createServiceClient, type ServiceClient } from './client/service-client.js';
export { PAYROLL } from './families/payroll/delivery.js';
export { configureHealthAccess, type HealthAccess } from './families/rips/answer.js';
export { RIPS } from './families/rips/delivery.js';
export { forDeployment, type RipsOptions } from './families/rips/planner.js';
export { resultFiles } from './families/rips/report.js';
export type { CodeEntry } from './generated/issue-codes.js';
export { OPERATIONS, type Operation, type OperationId } from './generated/operations.js';
export type { SchemaName, SchemaTypes } from './generated/schema-types.js';
export type { RunReport } from './report/rows.js';
export type { ReportOptions, WrittenReport } from './report/workbook.js';
export type { SandboxOptions } from './sandbox/options.js';
export type { Sandbox } from './sandbox/server.js';
export {
  outcomes,
  runIssues,
  runSkipped,
  type SpoolOptions,
  type SpoolResult,
  spoolRun,
} from './send/documents.js';
export { closeInOrder, type Journal, journalPath, lockSender, openJournal } from './send/journal.js';
export {
  abandonRun,
  accounting,
  discardDraft,
  findRun,
  listRuns,
  type Run,
  type RunAccounting,
} from './send/runs.js';
export { type SendOptions, type SendResult, sendRun } from './send/send.js';
export { settleByPerson } from './send/settle.js';
export {
  type Checked,
  formatPlace,
  type Issue,
  type Language,
  type Level,
  PipelineError,
  type PipelineErrorKey,
  type Place,
} from './toolkit/core/issue.js';
export type { PrepareEvent } from './toolkit/documents/phases.js';
export type { PrepareOptions } from './toolkit/documents/prepare.js';
export type { LoadedMapping } from './toolkit/mapping/load.js';
export { loadMapping } from './toolkit/mapping/load.js';
export { type ParamValues, type ResolvedParams, resolveParams } from './toolkit/mapping/params.js';
export type { Worded } from './toolkit/messages/wording.js';
export type {
  Document,
  DocumentCounts,
  Outcome,
  OutcomeCounts,
  OutcomeState,
  RecordCounts,
} from './toolkit/schema/document.js';
export { makeDocument, placesOf, type Trace, typedBody } from './toolkit/schema/document.js';
export { isSchemaName, schemaJson, schemaNames } from './toolkit/schema/registry.js';
export { addKeywords, type Validator, validate, validator, wordIssue } from './toolkit/schema/validate.js';
export type { View } from './toolkit/schema/views.js';

/** Reads, maps and checks files, with the values that the families of the program derive. */
export const prepare = (options: PrepareOptions): ReturnType<typeof prepareDocuments> =>
  prepareDocuments({ derive: deriveWith(FAMILIES), ...options });

/** Starts the local service; its HTTP server is only loaded here. */
export const startSandbox: typeof import('./sandbox/server.js').startSandbox = async (options) =>
  (await import('./sandbox/server.js')).startSandbox(options);

/** Writes the report workbook; its writer is only loaded here. */
export const writeReport: typeof import('./report/workbook.js').writeReport = async (...given) =>
  (await import('./report/workbook.js')).writeReport(...given);
