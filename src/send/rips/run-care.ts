import type { DocumentFate, DocumentState } from '../../document/outcome.js';
import type { Trace } from '../../document/trace.js';
import type { Place } from '../../issues/issue.js';
import { groupOf, type RipsGroup, STARTS, WHATS } from '../../rips/groups.js';
import { type Decimal, isDecimal } from '../../values/decimal.js';
import type { JsonObject } from '../../values/json.js';
import { fateOf, HELD_BACK } from '../accounting.js';
import type { Journal } from '../journal.js';
import { PAGE, pages } from '../pages.js';
import { traceFromText } from '../trace-text.js';
import type { AttentionParts } from './attention-parts.js';

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

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : String(value);

function toPackage({ state, heldBack, number, code, body, trace }: Row): CarePackage {
  const { patient, document, national } = JSON.parse(body) as unknown as AttentionParts;
  const type = national?.usuario?.['tipoDocumentoIdentificacion'];
  const records = trace === null ? [] : recordsOf(traceFromText(trace), document.services.length);
  return {
    document: [type, patient['document_number']].flatMap((part) => textOf(part) ?? []).join(' '),
    name: [patient['name'], patient['last_name']].flatMap((part) => textOf(part) ?? []).join(' '),
    state: fateOf(state, heldBack),
    ...(number !== null && { number }),
    ...(state === 'accepted' && code !== null && { cuv: code }),
    services: document.services.flatMap((item, at) => serviceOf(item, records[at]) ?? []),
  };
}

function serviceOf(item: JsonObject, place: Place | undefined): CareService | undefined {
  const group = groupOf(item['service_type_id']);
  if (group === undefined) return undefined;
  const code = textOf(item[WHATS[group]]);
  const date = textOf(item[STARTS[group]])?.replace('T', ' ').slice(0, 16);
  const value = textOf(item['vrServicio']);
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
