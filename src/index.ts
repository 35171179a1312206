/**
 * The public door: read a customer's file, get checked documents, send them, report.
 * The narrow doors are beside it: types, validate, client, sandbox.
 */

export type { Answer } from './client/answer.js';
export { type Client, type ClientOptions, createClient } from './client/client.js';
export { createServiceClient, type ServiceClient } from './client/service-client.js';
export type { DocumentCounts, OutcomeCounts, RecordCounts } from './document/accounting.js';
export type { Draft } from './document/draft.js';
export type { Envelope } from './document/envelope.js';
export type { Outcome, OutcomeState } from './document/outcome.js';
export { placesOf, type Trace } from './document/trace.js';
export { OPERATIONS, type Operation, type OperationId } from './generated/operations.js';
export type { SchemaName, SchemaTypes } from './generated/schema-types.js';
export type { CodeEntry } from './issues/codes.js';
export {
  type Checked,
  formatPlace,
  type Issue,
  type Language,
  type Level,
  type Place,
} from './issues/issue.js';
export { PipelineError, type PipelineErrorKey } from './issues/pipeline-error.js';
export type { Worded } from './issues/wording.js';
export { type LoadedMapping, loadMapping } from './mapping/load.js';
export { type ParamValues, type ResolvedParams, resolveParams } from './mapping/params.js';
export { type PrepareEvent, type PrepareOptions, prepare } from './pipeline/prepare.js';
export { sealEnvelope } from './pipeline/seal.js';
export type { RunReport } from './report/run-report.js';
export type { ReportOptions, WrittenReport } from './report/write-report.js';
export type { SandboxOptions } from './sandbox/options.js';
export type { Sandbox } from './sandbox/server.js';
export { isSchemaName, schemaJson, schemaNames } from './schema/registry.js';
export { type View, validate } from './schema/validate.js';
export { type Validator, validator, wordIssue } from './schema/validator.js';
export { accounting, type RunAccounting } from './send/accounting.js';
export { closeInOrder, type Journal, openJournal } from './send/journal.js';
export { journalPath } from './send/journal-path.js';
export { type JournalOutcome, outcomes, runIssues, runSkipped } from './send/outcomes.js';
export { PAYROLL } from './send/payroll-kind.js';
export { type CareOptions, forDeployment } from './send/rips/deployment.js';
export { configureHealthAccess, type HealthAccess } from './send/rips/health-access.js';
export { type ResultFile, resultFiles } from './send/rips/result-files.js';
export { RIPS } from './send/rips-kind.js';
export { abandonRun, discardDraft, findRun, listRuns, type Run } from './send/runs.js';
export { type SendOptions, type SendResult, sendRun } from './send/send.js';
export { lockSender } from './send/sender-lock.js';
export { settleByPerson } from './send/settle.js';
export { type Spooled, type SpoolOptions, spoolRun } from './send/spool.js';

/** Starts the local service; its HTTP server is only loaded here. */
export const startSandbox: typeof import('./sandbox/server.js').startSandbox = async (options) =>
  (await import('./sandbox/server.js')).startSandbox(options);

/** Writes the report workbook; its writer is only loaded here. */
export const writeReport: typeof import('./report/write-report.js').writeReport = async (...given) =>
  (await import('./report/write-report.js')).writeReport(...given);
