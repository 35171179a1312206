/** Exports `cargue/client`: the service's operations as typed methods. Needs neither validator nor files. */

export type { Answer, FailureReason } from './client/answer.js';
export {
  type CallOptions,
  type CallRequest,
  type Client,
  type ClientOptions,
  createClient,
} from './client/client.js';
export { createServiceClient, type Method, type ServiceClient } from './client/service-client.js';
export { OPERATIONS, type Operation, type OperationId, type OperationTypes } from './generated/operations.js';
export type { SchemaName, SchemaTypes } from './generated/schema-types.js';
export { PipelineError, type PipelineErrorKey } from './toolkit/core/issue.js';
