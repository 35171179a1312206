import type { JsonObject } from '../../values/json.js';
import type { Collection, Store } from '../store.js';
import { openTable, type Row, type Table } from './table.js';

/** Access to the health system, one for each company. */
export interface Configuration extends Row {
  readonly type_document_identification_id: number;
  readonly number_identification: string;
  readonly password: string;
  readonly url: string;
}

export interface Provider extends Row {
  readonly document_type_id: number;
  readonly document_number: string;
  readonly name: string;
  readonly email: string;
  readonly code: string;
}

export interface Patient extends Row {
  readonly type_document_identification_id: number;
  readonly document_number: string;
  readonly name: string;
  readonly last_name: string;
  readonly email: string;
  readonly birth_date: string | null;
  readonly rips_user_type_id: number | null;
  readonly rips_gender_id: number | null;
  readonly municipality_id: number | null;
  readonly rips_zone_id: number | null;
  readonly country_code: string;
  /** `SI` or `NO`. */
  readonly incapacity: string;
}

export interface Appointment extends Row {
  readonly patient_id: number;
  readonly user_id: number;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** `HH:MM`. */
  readonly time: string;
}

export interface Document extends Row {
  readonly appointment_id: number;
  readonly note_type: string | null;
  readonly note_number: string | null;
  /** Service items as they came. */
  readonly services: readonly JsonObject[];
}

/** A package that the health system took: a row for each time that one was generated. */
export interface Package extends Row {
  readonly documentId: number;
  readonly noteNumber: string;
  /** Document of the patient. */
  readonly patient: string;
  /** Given by the health system, 96 hex characters. */
  readonly cuv: string;
  readonly processId: number;
  /** ISO instant. */
  readonly acceptedAt: string;
  /** The national JSON. */
  readonly rips: JsonObject;
}

/** What the service remembers of the health module, and what the health system holds. */
export interface Records {
  readonly configurations: Table<Configuration>;
  readonly providers: Table<Provider>;
  readonly patients: Table<Patient>;
  readonly appointments: Table<Appointment>;
  readonly documents: Table<Document>;
  readonly packages: Table<Package>;
  /** Each validation at the health system has a number of its own. */
  nextProcess(): number;
}

const FIRST_PROCESS = 812345;

/** Some values are unique across the whole service, not only within a company (service.md 6.2, 6.3). */
export function openRecords(store: Store): Records {
  const processes: Collection<number> = store.collection('ripsProcesses');
  return {
    configurations: openTable(store, 'ripsConfigurations', ['company']),
    providers: openTable(store, 'ripsProviders', ['email', 'code', 'document_number']),
    patients: openTable(store, 'ripsPatients', ['email']),
    appointments: openTable(store, 'ripsAppointments'),
    documents: openTable(store, 'ripsDocuments'),
    packages: openTable(store, 'ripsPackages'),
    nextProcess: () => {
      const next = processes.get('next') ?? FIRST_PROCESS;
      processes.put('next', next + 1);
      return next;
    },
  };
}
