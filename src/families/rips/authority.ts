import type { JsonObject, Pointer } from '../../toolkit/core/json.js';
import { blamedLeaves } from '../../toolkit/schema/rule-data.js';
import type { Authority, DocumentForm } from '../family.js';
import { paperIn, sourceForm } from './answer.js';
import { transactionOf } from './attention.js';
import { recordPart } from './national-file.js';
import { resultFiles } from './report.js';

/** The national JSON of a package, named by the number of its note, or of its invoice. */
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

/** The ministry's rules are about the national form; people know the leaves behind it. */
const blame = (rule: string): readonly Pointer[] => [
  ...new Set(blamedLeaves(rule).flatMap((leaf) => sourceForm(leaf) ?? [])),
];

/** The ministry's JSON files: packages, and its answers to them. */
export const AUTHORITY: Authority = { form: NATIONAL, blame, results: resultFiles, paperIn };
