import open from 'open';
import type { UseCase } from '../../app/context.js';
import { say } from '../../app/events.js';
import type { ServiceOptions } from '../../app/options.js';
import { stop } from '../../toolkit/core/issue.js';
import { startWeb } from './server.js';

export interface WebOptions extends ServiceOptions {
  readonly port?: number;
  readonly open?: boolean;
}

/** `cargue web`: the whole job on a page of this machine, until it is stopped. */
export const web: UseCase<WebOptions> = async (context, _args, options) => {
  const { tell: _t, taken: _k, ask: _a, onInterrupt, ...surroundings } = context;
  const { port, open: opens, ...rest } = options;
  const server = await startWeb({ surroundings, options: rest, port }).catch((cause: NodeJS.ErrnoException) =>
    stop('usage', { code: 'web/not-served', params: { reason: cause.code ?? cause.message } }, cause),
  );
  const link = server.invite();
  say(context, 'pageAt', { url: link });
  if (opens !== false) await open(link).catch(() => undefined); // the link is there to be opened by hand
  // What is on its way is waited for; at the second word it is given up, and the journal says so.
  await new Promise<void>((resolve) => onInterrupt(resolve, () => server.hangUp()));
  await server.close();
  return 'fine';
};
