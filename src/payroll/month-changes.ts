import type { JsonObject } from '../values/json.js';
import { type Pointer, valueAt } from '../values/pointer.js';

/** What people should look at twice when it is not as the month before. */
export interface MonthChange {
  readonly code: 'payroll/salary-changed' | 'payroll/account-changed';
  readonly pointer: Pointer;
  /** What it is now. */
  readonly value: string;
}

const WATCHED: readonly Pick<MonthChange, 'code' | 'pointer'>[] = [
  { code: 'payroll/salary-changed', pointer: '/worker/salary' },
  { code: 'payroll/account-changed', pointer: '/payment/account_number' },
];

const textAt = (body: JsonObject, pointer: Pointer): string => String(valueAt(body, pointer) ?? '');

/** Base salary and bank account of a worker against the month before; what one of the months lacks is no change. */
export const changesSince = (before: JsonObject, now: JsonObject): readonly MonthChange[] =>
  WATCHED.flatMap(({ code, pointer }) => {
    const [old, value] = [textAt(before, pointer), textAt(now, pointer)];
    return old === '' || value === '' || old === value ? [] : [{ code, pointer, value }];
  });
