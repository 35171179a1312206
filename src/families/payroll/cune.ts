import { createHash } from 'node:crypto';
import type { Decimal } from '../../toolkit/core/decimal.js';
import type { PlainDate } from '../../toolkit/core/plain-date.js';

/** Parts of a CUNE, named as in the annex (Resolución 000013 of 2021, annex v1.0, section 8.1). */
export interface CuneParts {
  /** NumNE: prefix and consecutive joined, `NI1001`. */
  readonly number: string;
  /** FecNE. */
  readonly issueDate: PlainDate;
  /** HorNE, with its zone: `HH:MM:SS-05:00`. */
  readonly issueTime: string;
  /** ValDev; more than two decimals are cut off, never rounded. */
  readonly accrued: Decimal;
  /** ValDed. */
  readonly deductions: Decimal;
  /** ValTolNE: accrued less deductions. */
  readonly net: Decimal;
  /** NitNE, without check digit. */
  readonly employerNit: string;
  /** DocEmp, without dots or hyphens. */
  readonly workerDocument: string;
  /** TipoXML: 102 payroll, 103 adjust note. */
  readonly xmlType: '102' | '103';
  /** PIN that only the employer and DIAN know; no document contains it. */
  readonly softwarePin: string;
  /** TipAmb: 1 production, 2 tests. */
  readonly environment: '1' | '2';
}

/** Values that a note *Eliminar* has in place of a worker and amounts (annex 8.1). */
export const DELETION_PARTS = {
  accrued: '0.00',
  deductions: '0.00',
  net: '0.00',
  workerDocument: '0',
  xmlType: '103',
} as const satisfies Partial<CuneParts>;

/** Cuts to two decimals: `10.999` → `10.99`, `7` → `7.00`. */
export function truncateToCents(amount: Decimal): Decimal {
  const [integer = '', decimals = ''] = amount.split('.');
  return `${integer}.${decimals.slice(0, 2).padEnd(2, '0')}`;
}

/** Joins the parts, without separator, to the text that is hashed. */
export const cuneInput = (parts: CuneParts): string =>
  [
    parts.number,
    parts.issueDate,
    parts.issueTime,
    truncateToCents(parts.accrued),
    truncateToCents(parts.deductions),
    truncateToCents(parts.net),
    parts.employerNit,
    parts.workerDocument,
    parts.xmlType,
    parts.softwarePin,
    parts.environment,
  ].join('');

/** Hashes the joined parts by SHA-384, as 96 lower-case hex characters. */
export const cune = (parts: CuneParts): string =>
  createHash('sha384').update(cuneInput(parts), 'utf8').digest('hex');
