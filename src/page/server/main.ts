import type { UseCase } from '../../app/context.js';
import { emitMessage } from '../../app/events.js';
import type { ServiceOptions } from '../../app/options.js';
import { PipelineError, stop } from '../../toolkit/core/issue.js';
import { startWeb } from './server.js';

export interface WebOptions extends ServiceOptions {
  readonly port?: number;
  readonly open?: boolean;
  /** File of a server for several people. */
  readonly server?: string;
}

/** Runs `cargue web`: serves the page on this computer until it is stopped. */
export const web: UseCase<WebOptions> = async (context, _args, options) => {
  const { tell: _t, taken: _k, ask: _a, onInterrupt, ...surroundings } = context;
  const { port, open: opens, server: file, ...rest } = options;
  const server = await startWeb({ surroundings, options: rest, port, server: file }).catch(
    (cause: NodeJS.ErrnoException) => {
      if (cause instanceof PipelineError) throw cause;
      return stop(
        'usage',
        { code: 'web/not-served', params: { reason: cause.code ?? cause.message } },
        cause,
      );
    },
  );
  const link = server.invite();
  emitMessage(context, file === undefined ? 'pageAt' : 'pageServed', { url: link });
  if (opens !== false && file === undefined) {
    const { default: open } = await import('open'); // an ES module alone, which cannot be required
    await open(link).catch(() => undefined); // the user can open the link by hand
  }
  // The first interrupt waits for requests under way; the second gives up, and the journal records it.
  await new Promise<void>((resolve) => onInterrupt(resolve, () => server.hangUp()));
  await server.close();
  return 'fine';
};
