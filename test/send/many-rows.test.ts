import { expect, test } from 'vitest';
import { MANY } from '../../src/send/documents.js';

test.each([...MANY.values()])('$sql', ({ row, types, sql }) => {
  const columns = [...sql.matchAll(/\bc(\d+)\b/g)].map(([, number]) => Number(number));
  if (row === undefined) {
    expect(columns).toEqual([]);
    return;
  }
  expect(new Set(columns)).toEqual(new Set(types.map((_, index) => index + 1)));
  // Two writes to one row are not made at once: `row` is the value that names it.
  expect(sql).toMatch(new RegExp(`WHERE d\\.id = c${row + 1}$`));
});
