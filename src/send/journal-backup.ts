import { openDatabase } from './database.js';
import type { Journal } from './journal.js';
import { readWhole } from './journal-check.js';
import { COPY_MARK } from './journal-proof.js';

/**
 * Copies a journal as it is at this moment, whoever is sending meanwhile, and reads the copy whole. The file must be
 * missing or empty; made before, it keeps its rights.
 * @throws PipelineError('journal', journal/damaged or journal/not-writable)
 */
export function backupJournal(journal: Journal, file: string): void {
  journal.prepare('VACUUM INTO ?').run(file);
  const copy = openDatabase(file, 0);
  try {
    // What is sent from now on is not in it: whoever opens it is to know.
    copy.exec(`UPDATE identity SET copy = 1; PRAGMA application_id = ${COPY_MARK}`);
    readWhole(copy);
  } finally {
    copy.close();
  }
}
