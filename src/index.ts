/** The public door: read a customer's file, get checked documents, send them, report. */

export { type Client, type ClientOptions, createClient } from './client/client.js';
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
export { type Worded, word } from './issues/wording.js';
export { type LoadedMapping, loadMapping } from './mapping/load.js';
export { type ParamValues, type ResolvedParams, resolveParams } from './mapping/params.js';
export { type PrepareEvent, type PrepareOptions, prepare } from './pipeline/prepare.js';
export { sealEnvelope } from './pipeline/seal.js';
export type { RunReport } from './report/run-report.js';
export { type ReportOptions, type WrittenReport, writeReport } from './report/write-report.js';
export type { SandboxOptions } from './sandbox/options.js';
export { type Sandbox, startSandbox } from './sandbox/server.js';
export { schemaJson, schemaNames } from './schema/registry.js';
export { ruleEntry } from './schema/rules.js';
export { accounting, type RunAccounting } from './send/accounting.js';
export { type Journal, openJournal } from './send/journal.js';
export { journalPath } from './send/journal-path.js';
export { type JournalOutcome, outcomes, runIssues, runSkipped } from './send/outcomes.js';
export { PAYROLL } from './send/payroll-kind.js';
export { abandonRun, discardDraft, findRun, listRuns, type Run } from './send/runs.js';
export { type SendOptions, type SendResult, sendRun } from './send/send.js';
export { lockSender } from './send/sender-lock.js';
export { type Spooled, type SpoolOptions, spoolRun } from './send/spool.js';
