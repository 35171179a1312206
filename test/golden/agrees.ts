import { type Issue, formatPlace } from '../../src/toolkit/core/issue.js';
import type { Prepared } from '../support/prepare-file.js';
import { expect } from 'vitest';

/** What a golden file says of records and of what is wrong with them. */
export interface GoldenCounts {
  readonly rows: { readonly read: number; readonly documents: number; readonly skipped: number; readonly rejected: number };
  readonly issues: readonly (readonly [place: string, level: string, code: string])[];
}

const errorsIn = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.includes(' error ')).sort();

/** Every golden issue is there, and no error beside them; `comparable` is the part of a place that is compared. */
export function agreesOnIssues(
  issues: readonly Issue[],
  golden: GoldenCounts,
  comparable: (place: string) => string = (place) => place,
): void {
  const found = issues.map(({ place, level, code }) => [comparable(formatPlace(place)), level, code].join(' '));
  const expected = golden.issues.map(([place, ...rest]) => [comparable(place), ...rest].join(' '));
  expect(errorsIn(found)).toEqual(errorsIn(expected));
  expect(found).toEqual(expect.arrayContaining(expected));
}

/** No filled column is left without a use or a reason. */
export function accountsForColumns(issues: readonly Issue[]): void {
  const open = issues.filter(({ code }) => code === 'header/label-new' || code === 'header/amounts-new');
  expect(open.map(({ place }) => formatPlace(place))).toEqual([]);
}

/** Records and documents are counted as the golden file has them, and every record is accounted for. */
export function losesNothing({ records, documents }: Prepared, { rows }: GoldenCounts): void {
  expect(records.read).toBe(rows.read);
  expect(records.skipped).toBe(rows.skipped);
  expect(documents).toEqual({
    planned: rows.documents + rows.rejected,
    made: rows.documents,
    heldBack: rows.rejected,
  });
  expect(records.used + records.skipped + records.heldBack).toBe(rows.read);
}

/** Leaves out null members, which a body may have or lack alike. */
export function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNull(inner)]])),
  );
}
