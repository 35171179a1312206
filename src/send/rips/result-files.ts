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
