import { ALL_GROUPS, GROUPS } from '../../generated/texts-rips.js';
import {
  aboutOf,
  type CellValue,
  codeOf,
  type DocumentLayout,
  type Layout,
  mapRows,
  numberOf,
  placeCell,
  type ReportContext,
  type SheetRows,
  sheetOf,
  stateCell,
} from '../../report/rows.js';
import type { Rows } from '../../report/run-report.js';
import type { Sql } from '../../send/database.js';
import { answerIn } from '../../send/documents.js';
import { fateOf, HELD_BACK, PAGE, pages } from '../../send/runs.js';
import { openTemporary } from '../../send/sqlite.js';
import { traceFromText } from '../../send/trace-text.js';
import { textOf } from '../../send/verdict.js';
import { add, type Decimal, divide, multiply, sum, toPlain } from '../../toolkit/core/decimal.js';
import { isDecimal } from '../../toolkit/core/decimal-text.js';
import type { Place } from '../../toolkit/core/issue.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import { unreachable } from '../../toolkit/core/required.js';
import type { DocumentFate, DocumentState, Trace } from '../../toolkit/schema/document.js';
import type { DocumentDetails, ReportPart, ResultFile } from '../family.js';
import { memberOf } from './answer.js';
import { attentionOf } from './attention.js';
import { groupOf, RIPS_GROUPS, type RipsGroup, STARTS, WHATS } from './national.js';

const RIPS_COLUMNS: DocumentLayout = [
  ['package', 38, 'long', ({ key }) => key],
  ['name', 32, 'long'],
  ['noteNumber', 19, 'code', numberOf],
  ['services', 11, 'count', ({ about }) => about && Number(about['services'])],
  ['careValue', 18, 'amount', aboutOf('careValue')],
  ['state', 15, 'code'],
  ['message', 52, 'long'],
  ['cuv', 44, 'hash', codeOf],
  ['attempts', 10, 'count'],
  ['where', 34, 'code'],
];

const OF_RUN = `
  SELECT d.sequence, c.body FROM document d JOIN content c ON c.document = d.id
  WHERE d.run = ? AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`;

/** Number of services and their charges. */
const ripsAbout: DocumentDetails = {
  page: OF_RUN,
  of({ body }: { readonly sequence: number; readonly body: string }) {
    const attention = JSON.parse(body) as JsonObject;
    return { services: String(attentionOf(attention).document.services.length), ...careTotals(attention) };
  },
};

/** Returns the total charge of a package's services. */
export function careTotals(body: JsonObject): { readonly careValue: Decimal } {
  const charges = attentionOf(body).document.services.map(({ vrServicio }) => String(vrServicio ?? 0));
  return { careValue: sum(['0.00', ...charges]) };
}

/** Service of a package. */
interface RipsService {
  readonly group: RipsGroup;
  /** Record most of its fields came from. */
  readonly place?: Place;
  /** Code of the procedure or product, else the diagnosis (`WHATS`). */
  readonly code?: string;
  /** Date and time in Bogotá: `YYYY-MM-DD HH:MM`. */
  readonly date?: string;
  /** Amount in whole pesos; some groups have none. */
  readonly value?: Decimal;
}

/** Package of a run: a patient's visit and its services. */
interface RipsPackage {
  /** Type and number: `CC 9800020000`. */
  readonly document: string;
  readonly name: string;
  readonly state: DocumentFate;
  /** Number of the note; absent if it never got one. */
  readonly number?: string;
  /** CUV, once proven. */
  readonly cuv?: string;
  readonly services: readonly RipsService[];
}

interface Row {
  readonly sequence: number;
  readonly state: DocumentState;
  readonly heldBack: unknown;
  readonly number: string | null;
  readonly code: string | null;
  readonly body: string;
  readonly trace: string | null;
}

/**
 * Yields the packages of a run in order, including accepted ones of earlier runs. Services have places only if
 * requested, since traces are larger than bodies.
 */
async function* packagesOf(journal: Sql, run: string, places: boolean): AsyncIterable<RipsPackage> {
  // The places are this run's, even if an earlier run sent the package.
  const page = `
    SELECT d.sequence, d.state, ${HELD_BACK} AS "heldBack", coalesce(d.number, e.number) AS number, d.document_code AS code, c.body,
      ${places ? 'c.trace' : 'NULL'} AS trace
    FROM document d JOIN content c ON c.document = d.id LEFT JOIN document e ON e.id = d.earlier
    WHERE d.run = ? AND d.sequence > ? AND d.schema = 'rips/attention' ORDER BY d.sequence LIMIT ${PAGE}`;
  for await (const row of pages<Row>(journal, page, run)) yield toPackage(row);
}

const filledText = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : String(value);

function toPackage({ state, heldBack, number, code, body, trace }: Row): RipsPackage {
  const { patient, document, national } = attentionOf(JSON.parse(body) as JsonObject);
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

function serviceOf(item: JsonObject, place: Place | undefined): RipsService | undefined {
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

/** Returns the record of each service: the one most of its fields came from, since some come from a joined table. */
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

interface Sum {
  packages: number;
  services: number;
  value: Decimal;
  readonly accepted: { services: number; value: Decimal };
}

const nothing = (): Sum => ({ packages: 0, services: 0, value: '0', accepted: { services: 0, value: '0' } });

/** Adds the services of a package, of one group or all. */
function addTo(sum: Sum, { state, services }: RipsPackage, group?: RipsGroup): void {
  let isIn = group === undefined;
  for (const { group: groupOfService, value = '0' } of services) {
    if (group !== undefined && groupOfService !== group) continue;
    isIn = true;
    for (const part of state === 'accepted' ? [sum, sum.accepted] : [sum]) {
      part.services += 1;
      part.value = add(part.value, value);
    }
  }
  if (isIn) sum.packages += 1;
}

/** Computes patients and totals in one pass. */
async function tally(journal: Sql, run: string) {
  const patients = patientTable();
  const all = nothing();
  const groups = new Map<RipsGroup, Sum>();
  for await (const ripsPackage of packagesOf(journal, run, false)) {
    patients.add(ripsPackage);
    addTo(all, ripsPackage);
    for (const group of new Set(ripsPackage.services.map((service) => service.group))) {
      const sum = groups.get(group) ?? nothing();
      groups.set(group, sum);
      addTo(sum, ripsPackage, group);
    }
  }
  const totals: ReportedTotal[] = RIPS_GROUPS.flatMap((group) => {
    const sum = groups.get(group);
    return sum === undefined ? [] : { group, ...sum, patients: patients.count(group) };
  });
  return { patients, totals: [...totals, { ...all, patients: patients.count() }] };
}

async function* servicesOf(journal: Sql, run: string): AsyncIterable<ReportedService> {
  for await (const { services, document, number, state, cuv } of packagesOf(journal, run, true))
    for (const service of services)
      yield {
        ...service,
        patient: document,
        state,
        ...(number !== undefined && { number }),
        ...(cuv !== undefined && { cuv }),
      };
}

/** Creates the report of a run from the journal. */
function reportOf(journal: Sql, run: string): RipsReport {
  let known: ReturnType<typeof tally> | undefined;
  const tallied = () => {
    known ??= tally(journal, run);
    return known;
  };
  return {
    async *patients() {
      yield* (await tallied()).patients.all();
    },
    services: () => servicesOf(journal, run),
    async *totals() {
      yield* (await tallied()).totals;
    },
  };
}

/** States in order of severity; a patient shows the most severe of its packages. */
const WORST_LAST: readonly DocumentFate[] = [
  'accepted',
  'unsent',
  'pending',
  'unknown',
  'held-back',
  'rejected',
];

interface PatientRow {
  readonly document: string;
  readonly name: string;
  readonly packages: number;
  readonly services: number;
  readonly worst: number;
  /** Whole numbers as text, since they may exceed a double. */
  readonly cents: Decimal;
  readonly acceptedCents: Decimal;
}

const pesosOf = (cents: Decimal): Decimal => toPlain(divide(cents, '100', 2));

const PATIENTS_AT_ONCE = 512;

const bitOf = (group: RipsGroup): number => 1 << RIPS_GROUPS.indexOf(group);

/** Creates a table of the patients of a run in a temporary SQLite file, so that any run fits in memory. */
function patientTable() {
  const table = openTemporary();
  table.exec(`
    CREATE TABLE patient (
      document TEXT PRIMARY KEY, name TEXT NOT NULL, packages INTEGER NOT NULL, services INTEGER NOT NULL,
      worst INTEGER NOT NULL, groups INTEGER NOT NULL, cents INTEGER NOT NULL, accepted INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`);
  const add = table.prepare(`
    INSERT INTO patient VALUES (?, ?, 1, ?, ?, ?, ?, ?) ON CONFLICT (document) DO UPDATE SET
      packages = packages + 1, services = services + excluded.services, worst = max(worst, excluded.worst),
      groups = groups | excluded.groups, cents = cents + excluded.cents, accepted = accepted + excluded.accepted`);
  const count = table.prepare('SELECT count(*) AS patients FROM patient WHERE groups & ? OR ? = 0');
  const page = table.prepare(
    `SELECT document, name, packages, services, worst, CAST(cents AS TEXT) AS cents, CAST(accepted AS TEXT) AS "acceptedCents" FROM patient WHERE document > ? ORDER BY document LIMIT ${PATIENTS_AT_ONCE}`,
  );
  return {
    add({ document, name, services, state }: RipsPackage): void {
      const groups = services.reduce((bits, { group }) => bits | bitOf(group), 0);
      const total = sum(['0.00', ...services.map(({ value = '0' }) => value)]);
      const cents = divide(multiply(total, '100'), '1', 0); // which SQLite adds without loss
      const accepted = state === 'accepted' ? cents : '0';
      add.run(document, name, services.length, WORST_LAST.indexOf(state), groups, cents, accepted);
    },
    count(group?: RipsGroup) {
      const bit = group === undefined ? 0 : bitOf(group);
      return count.first<{ patients: number }>(bit, bit)?.patients ?? 0;
    },
    /** Yields the patients in order of their documents. */
    *all(): Iterable<ReportedPatient> {
      for (let after = ''; ; ) {
        const rows = page.all<PatientRow>(after);
        for (const { worst, cents, acceptedCents, ...patient } of rows)
          yield {
            ...patient,
            state: WORST_LAST[worst] ?? unreachable(`state ${worst}`),
            value: pesosOf(cents),
            accepted: pesosOf(acceptedCents),
          };
        const last = rows.at(-1);
        if (last === undefined || rows.length < PATIENTS_AT_ONCE) return;
        after = last.document;
      }
    },
  };
}

/** Patient with the most severe state of this run's packages. */
export interface ReportedPatient {
  /** Type and number: `CC 9800020000`. */
  readonly document: string;
  readonly name?: string;
  readonly packages: number;
  readonly services: number;
  readonly state: DocumentFate;
  /** Amounts in pesos, of all packages and of those with a CUV. */
  readonly value: Decimal;
  readonly accepted: Decimal;
}

export interface ReportedService extends RipsService {
  /** Document of the patient. */
  readonly patient: string;
  /** Number of the package's note. */
  readonly number?: string;
  readonly state: DocumentFate;
  readonly cuv?: string;
}

export interface ReportedTotal {
  /** Absent in the last row, for all groups. */
  readonly group?: RipsGroup;
  readonly packages: number;
  readonly patients: number;
  readonly services: number;
  /** Amount in pesos, exact. */
  readonly value: Decimal;
  /** Services and amount of packages with a CUV. */
  readonly accepted: { readonly services: number; readonly value: Decimal };
}

/** Patients, services and totals of a run's packages. */
export interface RipsReport {
  patients(): Rows<ReportedPatient>;
  services(): Rows<ReportedService>;
  totals(): Rows<ReportedTotal>;
}

const PATIENTS: Layout = [
  ['document', 22, 'code'],
  ['name', 40, 'long'],
  ['packages', 12, 'count'],
  ['services', 12, 'count'],
  ['amount', 18, 'count'],
  ['amountAccepted', 20, 'count'],
  ['state', 16, 'code'],
];
const SERVICES: Layout = [
  ['file', 24, 'long'],
  ['record', 20, 'code'],
  ['patient', 18, 'code'],
  ['group', 17, 'code'],
  ['serviceCode', 15, 'code'],
  ['date', 17, 'date'],
  ['amount', 14, 'count'],
  ['noteNumber', 19, 'code'],
  ['state', 14, 'code'],
  ['cuv', 44, 'hash'],
];
const TOTALS: Layout = [
  ['group', 20, 'code'],
  ['packages', 12, 'count'],
  ['patients', 12, 'count'],
  ['services', 12, 'count'],
  ['amount', 18, 'count'],
  ['servicesAccepted', 20, 'count'],
  ['amountAccepted', 22, 'count'],
];

export const patientRow = (patient: ReportedPatient, saying: ReportContext): readonly CellValue[] => [
  patient.document,
  patient.name,
  patient.packages,
  patient.services,
  amountCell(patient.value),
  amountCell(patient.accepted),
  stateCell(patient.state, saying),
];

export const serviceRow = (service: ReportedService, saying: ReportContext): readonly CellValue[] => [
  service.place?.file,
  recordCell(service.place, saying),
  service.patient,
  GROUPS[service.group][saying.language],
  service.code,
  service.date,
  service.value === undefined ? undefined : amountCell(service.value),
  service.number,
  stateCell(service.state, saying),
  service.cuv,
];

export const totalRow = (total: ReportedTotal, { language }: ReportContext): readonly CellValue[] => [
  total.group === undefined ? { text: ALL_GROUPS[language], tone: 'idle' } : GROUPS[total.group][language],
  total.packages,
  total.patients,
  total.services,
  amountCell(total.value),
  total.accepted.services,
  amountCell(total.accepted.value),
];

export const sheetsOf = (report: RipsReport, saying: ReportContext): readonly SheetRows[] => [
  {
    ...sheetOf(
      'patients',
      PATIENTS,
      mapRows(report.patients(), (item) => patientRow(item, saying)),
      saying,
    ),
    paper: true,
  },
  sheetOf(
    'services',
    SERVICES,
    mapRows(report.services(), (item) => serviceRow(item, saying)),
    saying,
  ),
  {
    ...sheetOf(
      'totals',
      TOTALS,
      mapRows(report.totals(), (item) => totalRow(item, saying)),
      saying,
    ),
    paper: true,
  },
];

/** Numbers Excel stores exactly; longer amounts, or with cents, stay texts. */
const WHOLE = /^-?\d{1,15}$/;
const amountCell = (amount: Decimal): CellValue => {
  const plain = toPlain(amount);
  return WHOLE.test(plain) ? Number(plain) : plain;
};

/** Formats a record as Excel shows it: `Consultas!12`, or `12` if the file has no sheets. */
function recordCell(place: Place | undefined, saying: ReportContext): CellValue {
  if (place?.row === undefined) return undefined;
  const { column, file, ...record } = place;
  const text = record.sheet === undefined ? String(record.row) : `${record.sheet}!${record.row}`;
  return placeCell({ ...place, column: 'A' }, saying, { text });
}

interface AnswerRow {
  readonly sequence: number;
  readonly state: string;
  readonly number: string;
  readonly body: string;
}

/** Yields the complete results of a run, in the order of the documents. */
export async function* resultFiles(journal: Sql, run: string): AsyncIterable<ResultFile> {
  const page = `
    SELECT d.sequence, d.state, coalesce(d.number, d.key) AS number, a.body
    FROM document d JOIN answer a ON a.document = coalesce(d.earlier, d.id)
    WHERE d.run = ? AND d.sequence > ? AND d.schema = 'rips/attention' ORDER BY d.sequence LIMIT ${PAGE}`;
  for await (const { state, number, body } of pages<AnswerRow>(journal, page, run)) {
    const result = answerIn(body);
    const invoice = textOf(memberOf(result, 'NumFactura')) ?? number;
    const process = textOf(memberOf(result, 'ProcesoId')) ?? '0';
    const ending = state === 'accepted' ? 'A_CUV' : 'R';
    yield {
      name: `ResultadosMSPS_${plain(invoice)}_ID${plain(process)}_${ending}.json`,
      text: `${JSON.stringify(result, null, 2)}\n`,
    };
  }
}

/** Returns the text with characters safe in a file name. */
const plain = (text: string): string => text.replace(/[^\w.-]+/g, '_');

export const REPORT: ReportPart = {
  columns: () => RIPS_COLUMNS,
  about: ripsAbout,
  sheets: (journal, run, saying) => sheetsOf(reportOf(journal, run), saying),
};
