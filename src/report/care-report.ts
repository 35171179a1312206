import type { DocumentFate } from '../document/outcome.js';
import type { Place } from '../issues/issue.js';
import type { Decimal } from '../values/decimal.js';
import type { GROUPS } from './care-texts.js';
import type { Rows } from './run-report.js';

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
