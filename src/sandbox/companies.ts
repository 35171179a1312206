import { randomBytes } from 'node:crypto';
import { DIAN_ADDRESS } from '../payroll/dian-address.js';
import type { CompanyOptions, Environment } from './options.js';
import type { Collection, Store } from './store.js';

export interface Software {
  readonly id?: string;
  readonly pin?: string;
  readonly url: string;
  readonly idpayroll: string;
  readonly pinpayroll: string;
  readonly urlpayroll: string;
}

export interface Resolution {
  readonly typeDocumentId: number;
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
  readonly resolution?: string;
  /** Came with the company instead of being configured: does not count towards "two or more". */
  readonly given?: true;
}

export interface Company {
  readonly nit: string;
  readonly name: string;
  readonly token: string;
  readonly environment: Environment;
  readonly testSetId?: string;
  readonly certificateDaysLeft: number;
  readonly software: Software;
  readonly resolutions: readonly Resolution[];
  /** Any prefix of letters gets its range at first use. */
  readonly openPrefixes: boolean;
}

export interface Companies {
  all(): readonly Company[];
  byToken(token: string): Company | undefined;
  /** Replaces the company of the same NIT. */
  save(company: Company): void;
}

const OPEN_RANGES: readonly Resolution[] = [
  { typeDocumentId: 9, prefix: 'NI', from: 1, to: 99_999_999, given: true },
  { typeDocumentId: 10, prefix: 'NA', from: 1, to: 99_999_999, given: true },
];

export const randomToken = (): string => randomBytes(24).toString('hex');

/** Options decide who a company is; what it configured over the wire in earlier runs stays. */
function companyOf(options: CompanyOptions, stored: Company | undefined): Company {
  const environment = options.environment ?? stored?.environment ?? 'test';
  const address = DIAN_ADDRESS[environment];
  const pin = options.softwarePin ?? '12345';
  return {
    nit: options.nit,
    name: options.name ?? 'Empresa de pruebas',
    token: options.token ?? stored?.token ?? randomToken(),
    environment,
    ...(options.testSetId !== undefined && { testSetId: options.testSetId }),
    certificateDaysLeft: options.certificateDaysLeft ?? 210,
    software: stored?.software ?? {
      idpayroll: 'sandbox',
      pinpayroll: pin,
      url: address,
      urlpayroll: address,
    },
    resolutions: stored?.resolutions ?? options.resolutions ?? OPEN_RANGES,
    openPrefixes: options.resolutions === undefined,
  };
}

export function openCompanies(store: Store, options: readonly CompanyOptions[]): Companies {
  const collection: Collection<Company> = store.collection('companies');
  for (const option of options) collection.put(option.nit, companyOf(option, collection.get(option.nit)));
  const nits = options.map((option) => option.nit);
  const nitOf = new Map(nits.map((nit) => [collection.get(nit)!.token, nit]));
  return {
    all: () => nits.map((nit) => collection.get(nit)!),
    byToken: (token) => {
      const nit = nitOf.get(token);
      return nit === undefined ? undefined : collection.get(nit);
    },
    save: (company) => collection.put(company.nit, company),
  };
}
