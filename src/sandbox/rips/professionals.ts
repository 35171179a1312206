import type { CompanyOptions, ProfessionalOptions } from '../options.js';
import type { Collection, Store } from '../store.js';

/** A user of the service who attends patients; in the real one the web panel makes them. */
export interface Professional extends ProfessionalOptions {
  /** NIT. */
  readonly company: string;
}

export interface Professionals {
  of(company: string, id: unknown): Professional | undefined;
  /** The user that the company's token belongs to: the first one. */
  tokenUser(company: string): Professional | undefined;
  /** Replaces the one of the same id. */
  save(professional: Professional): Professional;
  list(): readonly Professional[];
}

/** Invented people of an invented site. */
const DEFAULT_PROFESSIONALS: readonly ProfessionalOptions[] = [
  { id: 7, name: 'Marta Ruiz', documentType: 'CC', documentNumber: '9900000007', siteCode: '110010990101' },
  { id: 11, name: 'Luis Vega', documentType: 'CC', documentNumber: '9900000011', siteCode: '110010990101' },
  { id: 12, name: 'Sara Mesa', documentType: 'CC', documentNumber: '9900000012', siteCode: '110010990101' },
  { id: 15, name: 'Jean Roux', documentType: 'CE', documentNumber: '990015', siteCode: '110010990101' },
];

/** Options decide who the given users are; those added later over the admin route stay. */
export function openProfessionals(store: Store, companies: readonly CompanyOptions[]): Professionals {
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
    tokenUser: (company) => of(company, firstOf.get(company)),
    save,
    list: () => [...collection.values()],
  };
}
