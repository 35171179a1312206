/** Door `cargue/sandbox`: the service on this machine, for the tests of other projects. */

export type { Controls } from './sandbox/controls.js';
export type * from './sandbox/options.js';
export { type Sandbox, startSandbox } from './sandbox/server.js';
