/** Exports `cargue/sandbox`: the service on this machine, for the tests of other projects. */

export type * from './sandbox/options.js';
export type { Controls } from './sandbox/server.js';
export { type Sandbox, startSandbox } from './sandbox/server.js';
