/** DIAN's environment that a company is set to: 1 production, 2 tests. */
export type Environment = 'test' | 'production';
/** How the service refuses: plain framework answers, or the 2026 line that turns nearly all into 500 (service.md 8). */
export type ErrorStyle = 'stock' | '2026';
/** `{type}/{prefix?}`, or the form since 2024 with a flag between them (service.md 4.10). */
export type CurrentNumberPath = 'contract' | 'since2024';

export interface ResolutionOptions {
  /** 9 payroll, 10 adjust notes. */
  readonly typeDocumentId: 9 | 10;
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
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
}

export interface SandboxOptions {
  /** 0 lets the system choose. @default 0 */
  readonly port?: number;
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
  /** Keeps one entry a request; the count is kept in any case. @default true */
  readonly requestLog?: boolean;
  /** File that keeps the state over restarts, readable by its owner only. @default memory */
  readonly stateFile?: string;
  /** @default the system's clock */
  readonly now?: () => Date;
}

export const DEFAULT_OPTIONS = {
  port: 0,
  companies: [{ nit: '900123456' }] as readonly CompanyOptions[],
  errorStyle: 'stock' as ErrorStyle,
  currentNumberPath: 'contract' as CurrentNumberPath,
  zipPolls: 1,
  validateBeforeSending: false,
  requestLog: true,
  now: (): Date => new Date(),
} satisfies SandboxOptions;

export type Settings = SandboxOptions & typeof DEFAULT_OPTIONS;

/** Undefined options count as not given. */
export function settingsOf(options: SandboxOptions): Settings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...DEFAULT_OPTIONS, ...given };
}
