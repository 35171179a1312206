import { type Decimal, isDecimal } from '../../core/decimal.js';
import type { Place } from '../../core/issue.js';
import type { JsonObject } from '../../core/json.js';
import type { DocumentFate, DocumentState, Trace } from '../../schema/document.js';
import { traceFromText } from '../../send/documents.js';
import type { Journal } from '../../send/journal.js';
import { fateOf, HELD_BACK, PAGE, pages } from '../../send/runs.js';
import { textOf } from '../../send/shown.js';
import { memberOf } from './answer.js';
import type { AttentionParts } from './family.js';
import { groupOf, type RipsGroup, STARTS, WHATS } from './national.js';

/** A service item of a package. */
export interface CareService {
  readonly group: RipsGroup;
  /** The record that most of its leaves came from. */
  readonly place?: Place;
  /** Of what was done, or the diagnosis (rips/groups.ts). */
  readonly code?: string;
  /** `YYYY-MM-DD HH:MM` */
  readonly date?: string;
  /** Whole pesos; some groups have no value. */
  readonly value?: Decimal;
}

/** A package of a run: one patient's visit and its services. */
export interface CarePackage {
  /** `CC 9800020000` */
  readonly document: string;
  readonly name: string;
  readonly state: DocumentFate;
  /** Of the note; absent where it never got one. */
  readonly number?: string;
  /** Once it is proven. */
  readonly cuv?: string;
  readonly services: readonly CareService[];
}

interface Row {
  readonly sequence: number;
  readonly state: DocumentState;
  readonly heldBack: number | null;
  readonly number: string | null;
  readonly code: string | null;
  readonly body: string;
  readonly trace: string | null;
}

/**
 * The packages of a run in order, a page at a time; those of an earlier run that this one found accepted too. Services
 * have places only when they are asked for, since traces are larger than bodies.
 */
export function* runCare(journal: Journal, run: string, places: boolean): Iterable<CarePackage> {
  // Cells are those of this run, whichever run sent the package.
  const page = journal.prepare(`
    SELECT d.sequence, d.state, ${HELD_BACK} AS heldBack, coalesce(d.number, e.number) AS number, d.document_code AS code, c.body,
      ${places ? 'c.trace' : 'NULL'} AS trace
    FROM document d JOIN content c ON c.document = d.id LEFT JOIN document e ON e.id = d.earlier
    WHERE d.run = ? AND d.sequence > ? AND d.schema = 'rips/attention' ORDER BY d.sequence LIMIT ${PAGE}`);
  for (const row of pages<Row>(page, run)) yield toPackage(row);
}

const filledText = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : String(value);

function toPackage({ state, heldBack, number, code, body, trace }: Row): CarePackage {
  const { patient, document, national } = JSON.parse(body) as unknown as AttentionParts;
  const type = national?.usuario?.['tipoDocumentoIdentificacion'];
  const records = trace === null ? [] : recordsOf(traceFromText(trace), document.services.length);
  return {
    document: [type, patient['document_number']].flatMap((part) => filledText(part) ?? []).join(' '),
    name: [patient['name'], patient['last_name']].flatMap((part) => filledText(part) ?? []).join(' '),
    state: fateOf(state, heldBack),
    ...(number !== null && { number }),
    ...(state === 'accepted' && code !== null && { cuv: code }),
    services: document.services.flatMap((item, at) => serviceOf(item, records[at]) ?? []),
  };
}

function serviceOf(item: JsonObject, place: Place | undefined): CareService | undefined {
  const group = groupOf(item['service_type_id']);
  if (group === undefined) return undefined;
  const code = filledText(item[WHATS[group]]);
  const date = filledText(item[STARTS[group]])?.replace('T', ' ').slice(0, 16);
  const value = filledText(item['vrServicio']);
  return {
    group,
    ...(place !== undefined && { place }),
    ...(code !== undefined && { code }),
    ...(date !== undefined && { date }),
    ...(value !== undefined && isDecimal(value) && { value }),
  };
}

const SERVICE = /^\/document\/services\/(\d+)\//;

/** The record of each service. A leaf may come from a table beside it, so the record that fed most of them counts. */
function recordsOf(trace: Trace, services: number): readonly (Place | undefined)[] {
  const tallies = Array.from({ length: services }, () => new Map<string, { place: Place; leaves: number }>());
  for (const [pointer, [place]] of trace) {
    const tally = tallies[Number(SERVICE.exec(pointer)?.[1] ?? -1)];
    if (tally === undefined || place === undefined) continue;
    const { column, label, ...record } = place;
    const key = `${record.file}\n${record.sheet}\n${record.row}`;
    const known = tally.get(key);
    if (known === undefined) tally.set(key, { place: record, leaves: 1 });
    else known.leaves += 1;
  }
  return tallies.map((tally) => [...tally.values()].sort((a, b) => b.leaves - a.leaves)[0]?.place);
}

/** A result of the ministry as clinics keep and forward it. */
export interface ResultFile {
  /** `ResultadosMSPS_<factura>_ID<proceso>_A_CUV.json`, or `…_R.json` for a rejection. */
  readonly name: string;
  /** As the answer had it. */
  readonly text: string;
}

interface AnswerRow {
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
  for (const { state, number, body } of pages<AnswerRow>(page, run)) {
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
