import { stop } from '../core/issue.js';
import { say } from '../messages/texts.js';
import { type Sandbox, startSandbox } from '../sandbox/server.js';
import { type Context, EXIT, type UseCase } from './context.js';
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

function tell(
  { terminal, language }: Context,
  { url, token, adminToken }: Sandbox,
  json: boolean | undefined,
): void {
  if (json) {
    terminal.out(JSON.stringify({ event: 'sandbox', url, token, adminToken }));
    return;
  }
  const set = process.platform === 'win32' ? 'set ' : 'export ';
  terminal.out(say(language, 'sandboxAt', { url }));
  terminal.out(say(language, 'sandboxUse'));
  terminal.out(`  ${set}CARGUE_URL=${url}`);
  terminal.out(`  ${set}CARGUE_TOKEN=${token}`);
  terminal.out('  cargue send nomina.xlsx -m payroll/wide --params params.json');
  terminal.out(say(language, 'sandboxAdmin', { token: adminToken }));
  terminal.out(say(language, 'sandboxStop'));
}

/** `cargue sandbox`: serves until it is stopped. */
export const sandbox: UseCase = async (context, _args, options) => {
  const sandbox = await start(options);
  tell(context, sandbox, options.json);
  await new Promise<void>((resolve) => context.onInterrupt(resolve, resolve));
  await sandbox.close();
  return EXIT.fine;
};
