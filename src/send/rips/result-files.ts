import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stop } from '../../issues/pipeline-error.js';
import type { JsonObject } from '../../values/json.js';
import type { Journal } from '../journal.js';
import { PAGE, pages } from '../pages.js';
import { textOf } from '../soap-json.js';
import { memberOf } from './ministry-result.js';

/** A result of the ministry as clinics keep and forward it. */
export interface ResultFile {
  /** `ResultadosMSPS_<factura>_ID<proceso>_A_CUV.json`, or `…_R.json` for a rejection. */
  readonly name: string;
  /** As the answer had it. */
  readonly text: string;
}

interface Row {
  readonly sequence: number;
  readonly state: string;
  readonly number: string;
  readonly body: string;
}

/** Every result of a run that the service delivered whole, in the order of the documents. */
export function* resultFiles(journal: Journal, run: string): Iterable<ResultFile> {
  const page = journal.prepare(`
    SELECT d.sequence, d.state, coalesce(d.number, d.key) AS number, a.body
    FROM document d JOIN answer a ON a.document = coalesce(d.earlier, d.id)
    WHERE d.run = ? AND d.sequence > ? AND d.schema = 'rips/attention' ORDER BY d.sequence LIMIT ${PAGE}`);
  for (const { state, number, body } of pages<Row>(page, run)) {
    const result = JSON.parse(body) as JsonObject;
    const invoice = textOf(memberOf(result, 'NumFactura')) ?? number;
    const process = textOf(memberOf(result, 'ProcesoId')) ?? '0';
    const ending = state === 'accepted' ? 'A_CUV' : 'R';
    yield {
      name: `ResultadosMSPS_${plain(invoice)}_ID${plain(process)}_${ending}.json`,
      text: `${JSON.stringify(result, null, 2)}\n`,
    };
  }
}

/** Safe in a file name. */
const plain = (text: string): string => text.replace(/[^\w.-]+/g, '_');

/**
 * Writes the results of a run into a folder, each readable by its owner only; what is there of the same name is the same
 * result. Returns how many. Throws a PipelineError (`output`, report/not-writable) where the folder cannot be written.
 */
export function writeResultFiles(journal: Journal, run: string, folder: string): number {
  let count = 0;
  try {
    for (const { name, text } of resultFiles(journal, run)) {
      if (count === 0) mkdirSync(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, name);
      writeFileSync(file, text, { mode: 0o600 });
      // A file that was there keeps its rights otherwise.
      chmodSync(file, 0o600);
      count += 1;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !code.startsWith('E')) throw error;
    stop('output', { code: 'report/not-writable', params: { file: folder, reason: code } }, error);
  }
  return count;
}
