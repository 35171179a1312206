import { isLoopback, serviceUrl } from '../client/address.js';
import { stop } from '../issues/pipeline-error.js';
import type { Context } from './context.js';
import type { Options } from './options.js';
import { say } from './say.js';

/**
 * Address of the service, from `--url` or CARGUE_URL, checked but not called.
 * @throws PipelineError('usage', run/needs-url or send/bad-url or send/insecure-url)
 */
export function serviceAddress(context: Context, options: Options): URL {
  const given = options.url ?? context.url;
  if (given === undefined) return stop('usage', { code: 'run/needs-url' });
  return serviceUrl(given);
}

/**
 * The company's token: from CARGUE_TOKEN, else asked where a person is there to answer.
 * @throws PipelineError('usage', run/needs-token)
 */
export async function companyToken(context: Context): Promise<string> {
  if (context.token !== undefined) return context.token;
  const { terminal, language } = context;
  const typed = terminal.interactive ? await context.ask.secret(say(language, 'askToken')) : '';
  return typed === '' ? stop('usage', { code: 'run/needs-token' }) : typed;
}

/**
 * Whether to go on: `--yes`, or a person's yes to the question.
 * @throws PipelineError('usage', run/needs-yes) where nobody can answer
 */
export async function confirmed(context: Context, options: Options, question: string): Promise<boolean> {
  if (options.yes) return true;
  if (!context.terminal.interactive) return stop('usage', { code: 'run/needs-yes' });
  return context.ask.yes(question);
}

/** Beyond this machine, nothing happens without a yes. */
export const isElsewhere = (url: URL): boolean => !isLoopback(url.hostname);
