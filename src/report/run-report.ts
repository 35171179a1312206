import type { Decimal } from '../core/decimal.js';
import type { Issue, Place } from '../core/issue.js';
import type { Text } from '../generated/issue-codes.js';
import type {
  ColumnAccount,
  DocumentCounts,
  DocumentFate,
  Outcome,
  OutcomeCounts,
  OutcomeState,
  RecordCounts,
} from '../schema/document.js';

/** The service groups as people call them. */
export const GROUPS = {
  consultas: { es: 'Consultas', en: 'Consultations' },
  procedimientos: { es: 'Procedimientos', en: 'Procedures' },
  urgencias: { es: 'Urgencias', en: 'Emergencies' },
  hospitalizacion: { es: 'Hospitalización', en: 'Hospitalization' },
  recienNacidos: { es: 'Recién nacidos', en: 'Newborns' },
  medicamentos: { es: 'Medicamentos', en: 'Medicines' },
  otrosServicios: { es: 'Otros servicios', en: 'Other services' },
} satisfies Record<string, Text>;

export const ALL_GROUPS: Text = { es: 'Total', en: 'Total' };

/** What a list may be: the journal streams, a test hands over an array. */
export type Rows<T> = Iterable<T> | AsyncIterable<T>;

/** A document that an error in the data, or an unfinished run that has it, held back was never made, so it has no outcome. */
export type ReportedState = OutcomeState | 'held-back' | 'elsewhere';

/** What the documents of a run are: columns, and the name of the code that proves one, follow from it. */
export type DocumentFamily = 'payroll' | 'care' | 'events' | 'reception' | 'other';

/** Of a document that is an event: the invoice that it is about, and which one it is. */
export interface ReportedEvent {
  readonly invoice: string;
  readonly cufe: string;
  /** `030` */
  readonly code: string;
  readonly name: string;
}

export interface ReportedDocument extends Omit<Outcome, 'state' | 'sequence'> {
  readonly state: ReportedState;
  /** The first cell of its record. */
  readonly place?: Place;
  readonly event?: ReportedEvent;
}

export interface SkippedRecord {
  readonly place: Place;
  readonly note: string;
}

export interface ReportedInput {
  /** Base name, as places call it. */
  readonly file: string;
  /** Where it lay at the time; cells are linked when it is known. */
  readonly path?: string;
  readonly sha256: string;
}

export interface ReportCounts {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  readonly outcomes: OutcomeCounts;
  /** Every filled column; a run of an older version knows none. */
  readonly columns?: readonly ColumnAccount[];
  readonly errors: number;
  readonly warnings: number;
}

/** What was run, with what, against what. */
export interface RunFacts {
  readonly run: string;
  readonly company: string;
  readonly url?: string;
  readonly testSet?: string;
  /** ISO instants. */
  readonly started?: string;
  readonly ended?: string;
  /** SHA-256 of what was confirmed. */
  readonly digest?: string;
  /** Who let a held run go, and when. */
  readonly approval?: string;
  /** Why the run was given up, and when. */
  readonly abandonment?: string;
  /** Of the program and of Node. */
  readonly versions: Readonly<Record<string, string>>;
  readonly mapping?: string;
  /** Spent on documents that were not accepted: `NOM7–NOM9, NOM12`. */
  readonly rejectedNumbers?: string;
  /** Of every series of the journal, between its first number and its last. */
  readonly numberGaps?: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Constants that no file supplied. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly inputs: readonly ReportedInput[];
}

/** All that the workbook shows. Lists are functions, since a sheet may read them again. */
export interface RunReport {
  readonly facts: RunFacts;
  readonly counts: ReportCounts;
  /** @default 'other' */
  readonly family?: DocumentFamily;
  /** Of a run of RIPS packages. */
  readonly care?: CareReport;
  documents(): Rows<ReportedDocument>;
  /** Issues of the data and of the outcomes together. */
  issues(): Rows<Issue>;
  skipped(): Rows<SkippedRecord>;
}

export type ServiceGroup = keyof typeof GROUPS;

/** A person who was attended, with what became of the packages of this run: the worst of them. */
export interface ReportedPatient {
  /** Kind and number: `CC 9800020000`. */
  readonly document: string;
  readonly name?: string;
  readonly packages: number;
  readonly services: number;
  readonly state: DocumentFate;
}

export interface ReportedService {
  readonly group: ServiceGroup;
  /** Its record. */
  readonly place?: Place;
  /** Document of the patient. */
  readonly patient: string;
  /** Of what was done; where a group has no such code, the diagnosis. */
  readonly code?: string;
  /** `YYYY-MM-DD HH:MM`, Bogotá time. */
  readonly date?: string;
  /** Pesos; some groups have none. */
  readonly value?: Decimal;
  /** Number of the note that the package went with. */
  readonly number?: string;
  readonly state: DocumentFate;
  readonly cuv?: string;
}

export interface ReportedTotal {
  /** Absent in the last one, of all groups. */
  readonly group?: ServiceGroup;
  readonly packages: number;
  readonly patients: number;
  readonly services: number;
  /** Pesos, exact. */
  readonly value: Decimal;
  /** Of packages that have their CUV. */
  readonly accepted: { readonly services: number; readonly value: Decimal };
}

/** What a run of RIPS packages shows beside its documents; of packages that were made. */
export interface CareReport {
  patients(): Rows<ReportedPatient>;
  services(): Rows<ReportedService>;
  totals(): Rows<ReportedTotal>;
}
