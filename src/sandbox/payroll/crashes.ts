import { OPERATIONS } from '../../generated/operations.js';
import { validate } from '../../schema/validate.js';
import { parsePointer, valueAt } from '../../values/pointer.js';
import type { Call } from '../answer.js';
import { member } from '../members.js';
import { rowById } from './field-faults.js';

/** What the service's validator lets through and its code then trips over (service.md 4.1, 4.3, 4.7, 8). */
export interface Crash {
  readonly reason: string;
  /** The 2026 line answers 400 to a date it cannot read. */
  readonly kind?: 'date';
}

type Check = (call: Call) => Crash | undefined;

const ITEM_DATES: readonly string[] = ['start_date', 'end_date', 'start_time', 'end_time'];

/** `/accrued/HEDs/0/payment`: inside an item of a nested list, where the service validates nothing. */
const isNested = (keys: readonly string[]): boolean =>
  (keys[0] === 'accrued' || keys[0] === 'deductions') && keys.length > 3 && /^\d+$/.test(keys[2]!);

const CHECKS: Readonly<Record<string, Check>> = {
  'a date or time of its own at the top': ({ body }) =>
    ['date', 'time'].some((name) => name in body)
      ? { reason: 'Cannot redeclare the document date' }
      : undefined,

  'establishment data that are null': ({ body }) => {
    const field = Object.keys(body).find((name) => name.startsWith('establishment_') && body[name] === null);
    return field === undefined ? undefined : { reason: `Trying to get property '${field}' of non-object` };
  },

  'a municipality that is not in the table': ({ body }) => {
    const id = member(body, 'worker', 'municipality_id');
    return id === undefined || rowById('municipalities', id) !== undefined
      ? undefined
      : { reason: "Trying to get property 'department' of non-object" };
  },

  'items of nested lists': nestedCrash,
};

/** Of the strict faults only those that hurt: a missing member, a date or an amount that cannot be read. */
function nestedCrash({ operation, body }: Call): Crash | undefined {
  const { body: schema } = OPERATIONS[operation];
  if (schema === null) return undefined;
  for (const issue of validate(schema, 'strict', body)) {
    const keys = parsePointer(issue.place.pointer ?? '');
    if (!isNested(keys)) continue;
    const name = keys.at(-1)!;
    if (issue.code === 'document/required') return { reason: `Undefined index: ${name}` };
    const value = valueAt(body, issue.place.pointer ?? '');
    if (ITEM_DATES.includes(name))
      return { reason: `Failed to parse time string (${String(value)})`, kind: 'date' };
    if (typeof value !== 'number' && Number.isNaN(Number.parseFloat(String(value))))
      return { reason: 'number_format() expects parameter 1 to be float' };
  }
  return undefined;
}

/** The first reason for which the service would answer 500, once its validator is content. */
export function crashOf(call: Call): Crash | undefined {
  for (const check of Object.values(CHECKS)) {
    const crash = check(call);
    if (crash !== undefined) return crash;
  }
  return undefined;
}

export const NO_RESOLUTION: Crash = { reason: "Trying to get property 'id' of non-object" };
