import { optional } from '../send/optional-package.js';

/**
 * Log of a worker, one JSON object per line. Values are numbers, ids of the journal and words of the program; never
 * text of a user, file or service, so that no name, document or secret is in it.
 */
export type WorkerLog = Awaited<ReturnType<typeof openLog>>;

type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Opens the log.
 * @throws PipelineError('usage', journal/needs-package)
 */
export async function openLog(write: (line: string) => void) {
  const { pino } = await optional('pino', import('pino'));
  const log = pino(
    { base: { event: 'log', pid: process.pid } },
    { write: (line: string) => write(line.trimEnd()) },
  );
  return {
    info: (facts: Facts, event: string) => log.info(facts, event),
    warn: (facts: Facts, event: string) => log.warn(facts, event),
  };
}
