import type { Derive } from '../documents/run.js';
import { EVENTS, RECEPTION } from './events/family.js';
import type { Family } from './family.js';
import { PAYROLL } from './payroll/family.js';
import { RIPS } from './rips/family.js';

/** The families that the program knows by itself; the first one is that of a run without documents. */
export const FAMILIES: readonly Family[] = [PAYROLL, RIPS, EVENTS, RECEPTION];

/** The family whose documents follow a schema. */
export const familyOf = (families: readonly Family[], schema: string): Family | undefined =>
  families.find(({ schemas }) => schemas.some((own) => own === schema));

/** What each family derives, for documents of any. */
export const deriveWith =
  (families: readonly Family[]): Derive =>
  (schema, params, today) =>
    familyOf(families, schema)?.derive?.(params, schema, today);
