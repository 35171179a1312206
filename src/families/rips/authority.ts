import type { JsonObject, Pointer } from '../../toolkit/core/json.js';
import { blamedLeaves } from '../../toolkit/schema/rule-data.js';
import type { Authority, DocumentForm } from '../family.js';
import { resultIn, sourceForm } from './answer.js';
import { transactionOf } from './attention.js';
import { recordPart } from './national-file.js';
import { resultFiles } from './report.js';

/** National JSON of a package, named by the number of its note or invoice. */
const NATIONAL: DocumentForm = {
  name({ document, transaccion }) {
    const { numFactura, numNota } = (transaccion ?? {}) as JsonObject;
    const number = (document as JsonObject | undefined)?.['note_number'] ?? numFactura ?? numNota ?? '';
    return String(number).replace(/[^\p{L}\p{N}._-]+/gu, '_') || 'paquete';
  },
  part: recordPart,
  text(document, { values: { numDocumentoIdObligado: nit } }) {
    return `${JSON.stringify(transactionOf(document, typeof nit === 'string' ? nit : null), null, 2)}\n`;
  },
};

/** Returns the source fields of a ministry's rule, which names fields of the national form. */
const blame = (rule: string): readonly Pointer[] => [
  ...new Set(blamedLeaves(rule).flatMap((leaf) => sourceForm(leaf) ?? [])),
];

/** JSON files of the ministry: packages, and its results. */
export const AUTHORITY: Authority = { form: NATIONAL, blame, results: resultFiles, resultIn };
