import { stop } from '../core/issue.js';
import { type Sandbox, startSandbox } from '../sandbox/server.js';
import type { UseCase } from './context.js';
import type { Options } from './options.js';

async function start(options: Options): Promise<Sandbox> {
  try {
    return await startSandbox({
      ...(options.port !== undefined && { port: options.port }),
      ...(options.data !== undefined && { stateFile: options.data }),
    });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return stop('usage', { code: 'run/sandbox', params: { reason: code ?? message } }, cause);
  }
}

/** `cargue sandbox`: serves until it is stopped. */
export const sandbox: UseCase = async (context, _args, options) => {
  const sandbox = await start(options);
  const { url, token, adminToken } = sandbox;
  context.tell({ event: 'sandbox', url, token, adminToken });
  await new Promise<void>((resolve) => context.onInterrupt(resolve, resolve));
  await sandbox.close();
  return 'fine';
};
