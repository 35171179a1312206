import { dirname, join } from 'node:path';
import { PipelineError } from '../issues/pipeline-error.js';
import { openDatabase } from './database.js';

/**
 * The right to send for a journal, held until `release`. It is a lock of the operating system on a file of its own,
 * so that a killed process leaves none. Throws a PipelineError (`busy`, send/locked) when another process has it.
 */
export function lockSender(journal: string): { release(): void } {
  const lock = openDatabase(join(dirname(journal), 'sender.lock'), 0);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const isBusy = error instanceof PipelineError && error.issues.some(({ code }) => code === 'send/locked');
    if (isBusy) throw new PipelineError('busy', error.issues, { cause: error });
    throw error;
  }
  return { release: () => lock.close() };
}
