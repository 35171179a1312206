import { optional } from '../send/optional-package.js';

/**
 * What a worker did, a JSON object a line. Values are numbers, ids of the journal, and words of the program: nothing that a
 * person, a file or a service wrote, so that no name, document or secret can be in it.
 */
export interface WorkerLog {
  info(facts: Facts, event: string): void;
  warn(facts: Facts, event: string): void;
}

type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

/** @throws PipelineError('usage', journal/needs-package) */
export async function openLog(write: (line: string) => void): Promise<WorkerLog> {
  const { pino } = await optional('pino', import('pino'));
  const log = pino({ base: { pid: process.pid } }, { write: (line: string) => write(line.trimEnd()) });
  return {
    info: (facts, event) => log.info(facts, event),
    warn: (facts, event) => log.warn(facts, event),
  };
}
