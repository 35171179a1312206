import type { Company, Resolution } from '../companies.js';

/** Ranges of numbers of a company (service.md 4.8, 4.9). */

const OPEN_PREFIX = /^[A-Z]{1,4}$/;
const OPEN_TYPES: readonly number[] = [9, 10];

export const rangesOf = (company: Company, typeDocumentId: number): readonly Resolution[] =>
  company.resolutions.filter((resolution) => resolution.typeDocumentId === typeDocumentId);

/** The service asks for prefix and resolution number once two ranges of a type were configured. */
export const mustName = (company: Company, typeDocumentId: number): boolean =>
  rangesOf(company, typeDocumentId).filter((resolution) => resolution.given === undefined).length >= 2;

/** The range that a document falls under; without a prefix the first one. Undefined where the service crashes. */
export function rangeFor(company: Company, typeDocumentId: number, prefix: string): Resolution | undefined {
  const ranges = rangesOf(company, typeDocumentId);
  if (prefix === '') return ranges[0];
  const found = ranges.find((resolution) => resolution.prefix === prefix);
  if (found !== undefined || !company.openPrefixes) return found;
  if (!OPEN_TYPES.includes(typeDocumentId) || !OPEN_PREFIX.test(prefix)) return undefined;
  return { typeDocumentId, prefix, from: 1, to: 99_999_999, given: true };
}

const sameRange = (a: Resolution, b: Resolution): boolean =>
  a.typeDocumentId === b.typeDocumentId && a.prefix === b.prefix && a.resolution === b.resolution;

/** Upsert by type, resolution and prefix; `alone` drops the other prefixes of the type. */
export function withRange(company: Company, range: Resolution, alone: boolean): Company {
  const stay = company.resolutions.filter(
    (other) => !sameRange(other, range) && !(alone && other.typeDocumentId === range.typeDocumentId),
  );
  return { ...company, resolutions: [...stay, range] };
}
