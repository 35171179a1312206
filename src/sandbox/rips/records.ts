import type { JsonObject } from '../../toolkit/core/json.js';
import type { CompanyOptions, ProfessionalOptions } from '../options.js';
import type { Collection, Store } from '../store.js';

/** User of the service who attends patients, created in the web panel of the real service. */
export interface Professional extends ProfessionalOptions {
  /** NIT. */
  readonly company: string;
}

export type Professionals = ReturnType<typeof openProfessionals>;

/** Fictitious people of a fictitious site. */
const DEFAULT_PROFESSIONALS: readonly ProfessionalOptions[] = [
  { id: 7, name: 'Marta Ruiz', documentType: 'CC', documentNumber: '9900000007', siteCode: '110010990101' },
  { id: 11, name: 'Luis Vega', documentType: 'CC', documentNumber: '9900000011', siteCode: '110010990101' },
  { id: 12, name: 'Sara Mesa', documentType: 'CC', documentNumber: '9900000012', siteCode: '110010990101' },
  { id: 15, name: 'Jean Roux', documentType: 'CE', documentNumber: '990015', siteCode: '110010990101' },
];

/** Opens the users; options replace the given ones, and users added by the admin route stay. */
export function openProfessionals(store: Store, companies: readonly CompanyOptions[]) {
  const collection: Collection<Professional> = store.collection('professionals');
  const key = (company: string, id: unknown): string => `${company}|${id}`;
  const save = (professional: Professional): Professional => {
    collection.put(key(professional.company, professional.id), professional);
    return professional;
  };
  const firstOf = new Map<string, number>();
  for (const { nit, professionals = DEFAULT_PROFESSIONALS } of companies) {
    for (const professional of professionals) save({ ...professional, company: nit });
    if (professionals[0] !== undefined) firstOf.set(nit, professionals[0].id);
  }
  const of = (company: string, id: unknown): Professional | undefined => collection.get(key(company, id));
  return {
    of,
    /** Returns the user of the company's token: the first one. */
    tokenUser: (company: string) => of(company, firstOf.get(company)),
    /** Adds a user, or replaces the one with the same id. */
    save,
    list: () => [...collection.values()],
  };
}

export interface Row {
  readonly id: number;
  /** NIT of the company that made it. */
  readonly company: string;
}

/** Rows with ids counted over the whole service, as in its database; ids are never reused. */
export type Table<T extends Row> = ReturnType<typeof openTable<T>>;

function openTable<T extends Row>(store: Store, name: string, unique: readonly (keyof T & string)[] = []) {
  const rows: Collection<T> = store.collection(name);
  const lastIds: Collection<number> = store.collection('lastIds');
  const holders = new Map(unique.map((column) => [column as string, new Map<unknown, number>()]));

  const index = (row: T): void => {
    for (const [column, byValue] of holders) byValue.set(row[column as keyof T], row.id);
  };
  const forget = (row: T): void => {
    for (const [column, byValue] of holders) byValue.delete(row[column as keyof T]);
  };
  const put = (row: T): void => {
    const before = rows.get(String(row.id));
    if (before !== undefined) forget(before);
    rows.put(String(row.id), row);
    index(row);
  };

  for (const row of rows.values()) index(row);
  return {
    add: (columns: Omit<T, 'id'>) => {
      const id = (lastIds.get(name) ?? 0) + 1;
      lastIds.put(name, id);
      const row = { id, ...columns } as T;
      put(row);
      return row;
    },
    /** Returns the row if it belongs to the company. */
    find: (company: string, id: unknown) => {
      const row = rows.get(String(id));
      return row?.company === company ? row : undefined;
    },
    put,
    delete: (row: T) => {
      forget(row);
      rows.delete(String(row.id));
    },
    /** Returns the row of any company with a value in a unique column. */
    holder: (column: keyof T & string, value: unknown) =>
      rows.get(String(holders.get(column)?.get(value) ?? '')),
    all: () => [...rows.values()],
    ofCompany: (company: string) => [...rows.values()].filter((row) => row.company === company),
  };
}

/** Login at the health system, one per company. */
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
  /** Service items as received. */
  readonly services: readonly JsonObject[];
}

/** Package accepted by the health system: a row per generation. */
export interface Package extends Row {
  readonly documentId: number;
  readonly noteNumber: string;
  /** Document of the patient. */
  readonly patient: string;
  /** Code given by the health system, 96 hex characters. */
  readonly cuv: string;
  readonly processId: number;
  /** ISO instant. */
  readonly acceptedAt: string;
  readonly rips: JsonObject;
}

/** Records of the service's health module, and packages at the health system. */
export type Records = ReturnType<typeof openRecords>;

const FIRST_PROCESS = 812345;

/** Opens the records. Some values are unique across the whole service (service.md 6.2, 6.3). */
export function openRecords(store: Store) {
  const processes: Collection<number> = store.collection('ripsProcesses');
  return {
    configurations: openTable<Configuration>(store, 'ripsConfigurations', ['company']),
    providers: openTable<Provider>(store, 'ripsProviders', ['email', 'code', 'document_number']),
    patients: openTable<Patient>(store, 'ripsPatients', ['email']),
    appointments: openTable<Appointment>(store, 'ripsAppointments'),
    documents: openTable<Document>(store, 'ripsDocuments'),
    packages: openTable<Package>(store, 'ripsPackages'),
    /** Returns the number of a validation at the health system. */
    nextProcess: () => {
      const next = processes.get('next') ?? FIRST_PROCESS;
      processes.put('next', next + 1);
      return next;
    },
  };
}
