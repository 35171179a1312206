import { randomInt } from 'node:crypto';

/** DIAN's environment that a company is set to: 1 production, 2 tests. */
export type Environment = 'test' | 'production';
/** How the service refuses: plain framework answers, or the 2026 line that turns nearly all into 500 (service.md 8). */
export type ErrorStyle = 'stock' | '2026';
/** `{type}/{prefix?}`, or the form since 2024 with a flag between them (service.md 4.10). */
export type CurrentNumberPath = 'contract' | 'since2024';

/** Whether appointments before this moment are taken (service.md 6.4). */
export type PastAppointments = 'accept' | 'refuse';
/** How a RIPS package that the health system refuses comes back: an error, or a 200 (service.md 6.7). */
export type RipsRefusal = '500' | '200';

/** Which option of an event each of the two paths takes: the one it was observed with, or both (service.md 7.2). */
export type EventPaths = 'observed' | 'contract';
/** What an invoice is to DIAN that nobody made known: a credit sale by an invented seller, or nothing. */
export type UnknownInvoices = 'invent' | 'refuse';

/** Named courses of latency (chance.ts). */
export type LatencyProfile = 'none' | 'quick' | 'service' | 'three-minutes';

/** Milliseconds; `sigma` is the spread of the logarithm. */
export interface Latency {
  readonly median: number;
  readonly sigma: number;
  readonly longest: number;
}

/** A received invoice as DIAN holds it; what is not given is invented from the CUFE. */
export interface InvoiceOptions {
  /** 96 lower-case hex characters. */
  readonly cufe: string;
  /** NIT. @default the first company */
  readonly buyer?: string;
  readonly buyerName?: string;
  /** NIT. */
  readonly seller?: string;
  readonly sellerName?: string;
  /** Prefix and number joined: `FE2301`. */
  readonly number?: string;
  /** PaymentMeansID 2 or 1. @default 'credit' */
  readonly payment?: 'credit' | 'cash';
  /** `YYYY-MM-DD`. */
  readonly issueDate?: string;
  /** COP, taxes included, two decimals. */
  readonly total?: string;
  /** COP, two decimals. @default '0.00' when there is a total */
  readonly tax?: string;
}

/** A user of the service who attends patients. */
export interface ProfessionalOptions {
  /** The `user_id` of appointments. */
  readonly id: number;
  readonly name: string;
  /** National code of the identity document: CC, CE … */
  readonly documentType: string;
  readonly documentNumber: string;
  /** `codPrestador`: the site in REPS, 12 digits. */
  readonly siteCode: string;
}

export interface ResolutionOptions {
  /** 9 payroll, 10 adjust notes. */
  readonly typeDocumentId: 9 | 10;
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
  /** Its text, by which documents name it once a type has two. */
  readonly resolution?: string;
}

export interface CompanyOptions {
  /** Without check digit. */
  readonly nit: string;
  /** @default 'Empresa de pruebas' */
  readonly name?: string;
  /** @default the one in the state file, else a random one */
  readonly token?: string;
  /** @default 'test' */
  readonly environment?: Environment;
  /** Five digits. @default '12345' */
  readonly softwarePin?: string;
  /** @default any test set is known */
  readonly testSetId?: string;
  /** @default open: any prefix of one to four capital letters, 1 to 99999999 */
  readonly resolutions?: readonly ResolutionOptions[];
  /** 0 is an expired certificate. @default 210 */
  readonly certificateDaysLeft?: number;
  /** The token belongs to the first one. @default ids 7, 11, 12 and 15 of one site */
  readonly professionals?: readonly ProfessionalOptions[];
}

export interface SandboxOptions {
  /** 0 lets the system choose. @default 0 */
  readonly port?: number;
  /** Address to listen on; beyond the loopback everybody who reaches it can call. @default '127.0.0.1' */
  readonly host?: string;
  /** @default one company with NIT 900123456 */
  readonly companies?: readonly CompanyOptions[];
  /** @default random */
  readonly adminToken?: string;
  /** @default 'stock' */
  readonly errorStyle?: ErrorStyle;
  /** @default 'contract' */
  readonly currentNumberPath?: CurrentNumberPath;
  /** How many status queries find a test-set send still in process. @default 1 */
  readonly zipPolls?: number;
  /** Refuses numbers that the service's own book has as accepted (service.md 5.4). @default false */
  readonly validateBeforeSending?: boolean;
  /** @default 'accept' */
  readonly pastAppointments?: PastAppointments;
  /** @default 'contract' */
  readonly eventPaths?: EventPaths;
  /** @default 'invent' */
  readonly unknownInvoices?: UnknownInvoices;
  /** Invoices that DIAN knows from the start. @default none */
  readonly invoices?: readonly InvoiceOptions[];
  /** The digit, 0 to 9, that a resent event gets at the end of its number. @default random */
  readonly resendDigit?: () => number;
  /** @default '500' */
  readonly ripsRefusal?: RipsRefusal;
  /** How many characters of the health system's refusal a 500 still holds. @default 120 */
  readonly ripsRefusalLength?: number;
  /** Keeps one entry a request; the count is kept in any case. @default true */
  readonly requestLog?: boolean;
  /** File that keeps the state over restarts, readable by its owner only. @default memory */
  readonly stateFile?: string;
  /** How long every call takes. @default 'none' */
  readonly latency?: LatencyProfile | Latency;
  /** Of all that happens by chance. @default random */
  readonly seed?: number;
  /** ISO instant at which the clock begins, and from which it goes on. @default now */
  readonly clock?: string;
  /** @default the system's clock */
  readonly now?: () => Date;
}

const DEFAULT_OPTIONS = {
  port: 0,
  host: '127.0.0.1',
  latency: 'none' as LatencyProfile | Latency,
  companies: [{ nit: '900123456' }] as readonly CompanyOptions[],
  errorStyle: 'stock' as ErrorStyle,
  currentNumberPath: 'contract' as CurrentNumberPath,
  zipPolls: 1,
  validateBeforeSending: false,
  pastAppointments: 'accept' as PastAppointments,
  eventPaths: 'contract' as EventPaths,
  unknownInvoices: 'invent' as UnknownInvoices,
  invoices: [] as readonly InvoiceOptions[],
  resendDigit: (): number => randomInt(10),
  ripsRefusal: '500' as RipsRefusal,
  ripsRefusalLength: 120,
  requestLog: true,
  now: (): Date => new Date(),
} satisfies SandboxOptions;

export type Settings = SandboxOptions & typeof DEFAULT_OPTIONS;

/** Undefined options count as not given. */
export function settingsOf(options: SandboxOptions): Settings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...DEFAULT_OPTIONS, ...given };
}
