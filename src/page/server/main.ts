import open from 'open';
import type { UseCase } from '../../app/context.js';
import { emitMessage } from '../../app/events.js';
import type { ServiceOptions } from '../../app/options.js';
import { stop } from '../../toolkit/core/issue.js';
import { startWeb } from './server.js';

export interface WebOptions extends ServiceOptions {
  readonly port?: number;
  readonly open?: boolean;
}

/** Runs `cargue web`: serves the page on this computer until it is stopped. */
export const web: UseCase<WebOptions> = async (context, _args, options) => {
  const { tell: _t, taken: _k, ask: _a, onInterrupt, ...surroundings } = context;
  const { port, open: opens, ...rest } = options;
  const server = await startWeb({ surroundings, options: rest, port }).catch((cause: NodeJS.ErrnoException) =>
    stop('usage', { code: 'web/not-served', params: { reason: cause.code ?? cause.message } }, cause),
  );
  const link = server.invite();
  emitMessage(context, 'pageAt', { url: link });
  if (opens !== false) await open(link).catch(() => undefined); // the user can open the link by hand
  // The first interrupt waits for requests under way; the second gives up, and the journal records it.
  await new Promise<void>((resolve) => onInterrupt(resolve, () => server.hangUp()));
  await server.close();
  return 'fine';
};
