import { randomInt } from 'node:crypto';

/** DIAN environment of a company: 1 production, 2 test. */
export type Environment = 'test' | 'production';
/**
 * Form of the service's errors: plain framework responses, or the 2026 version with 500 for nearly all (service.md 8).
 */
export type ErrorStyle = 'stock' | '2026';
/**
 * Path of the current number: `{type}/{prefix?}`, or the form since 2024 with a flag between them (service.md 4.10).
 */
export type CurrentNumberPath = 'contract' | 'since2024';

/** Treatment of appointments in the past (service.md 6.4). */
export type PastAppointments = 'accept' | 'refuse';
/** Form in which a refused RIPS package is returned: an error, or a 200 (service.md 6.7). */
export type RipsRefusal = '500' | '200';

/** Options of an event that each of the two paths accepts: the observed one, or both (service.md 7.2). */
export type EventPaths = 'observed' | 'contract';
/** Treatment of unknown invoices at DIAN: a credit sale by a fictitious seller, or a refusal. */
export type UnknownInvoices = 'invent' | 'refuse';

/** Named response times (chance.ts). */
export type LatencyProfile = 'none' | 'quick' | 'service' | 'three-minutes';

/** Response times in milliseconds; `sigma` is the spread of the logarithm. */
export interface Latency {
  readonly median: number;
  readonly sigma: number;
  readonly longest: number;
}

/** Received invoice at DIAN; missing members are invented from the CUFE. */
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

/** User of the service who attends patients. */
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
  /** Text of the resolution, by which documents name it if a type has two. */
  readonly resolution?: string;
}

export interface CompanyOptions {
  /** NIT without check digit. */
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
  /** Users of the company; the token belongs to the first one. @default ids 7, 11, 12 and 15 of one site */
  readonly professionals?: readonly ProfessionalOptions[];
}

export interface SandboxOptions {
  /** 0 lets the system choose. @default 0 */
  readonly port?: number;
  /** Address to listen on; beyond the loopback, anyone who reaches it can call. @default '127.0.0.1' */
  readonly host?: string;
  /** @default one company with NIT 900123456 */
  readonly companies?: readonly CompanyOptions[];
  /** @default random */
  readonly adminToken?: string;
  /** @default 'stock' */
  readonly errorStyle?: ErrorStyle;
  /** @default 'contract' */
  readonly currentNumberPath?: CurrentNumberPath;
  /** Number of status queries for which a test-set send stays in process. @default 1 */
  readonly zipPolls?: number;
  /** Refuses numbers that the service has recorded as accepted (service.md 5.4). @default false */
  readonly validateBeforeSending?: boolean;
  /** @default 'accept' */
  readonly pastAppointments?: PastAppointments;
  /** @default 'contract' */
  readonly eventPaths?: EventPaths;
  /** @default 'invent' */
  readonly unknownInvoices?: UnknownInvoices;
  /** Invoices at DIAN from the start. @default none */
  readonly invoices?: readonly InvoiceOptions[];
  /** Returns the digit, 0 to 9, at the end of the number of a resent event. @default random */
  readonly resendDigit?: () => number;
  /** @default '500' */
  readonly ripsRefusal?: RipsRefusal;
  /** Max characters of the health system's refusal in a 500. @default 120 */
  readonly ripsRefusalLength?: number;
  /** Logs each request; requests are counted in any case. @default true */
  readonly requestLog?: boolean;
  /** File that stores the state across restarts, readable by its owner only. @default memory */
  readonly stateFile?: string;
  /** Response time of every call. @default 'none' */
  readonly latency?: LatencyProfile | Latency;
  /** Seed of all random events. @default random */
  readonly seed?: number;
  /** ISO instant at which the clock starts. @default now */
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

/** Applies defaults; undefined options count as missing. */
export function settingsOf(options: SandboxOptions): Settings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...DEFAULT_OPTIONS, ...given };
}
