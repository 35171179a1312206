import { expect, test } from 'vitest';
import { rankFits, reviewLabelFits } from '../../src/toolkit/inspect/fit.js';
import type { LabelFit } from '../../src/toolkit/inspect/labels.js';
import { look } from './answering.js';

test('a label that is a title is decided without a look at what else it may mean', async () => {
  const { fit } = await look(['samples/payroll/nomina-octubre-2026.xlsx']);
  const { mapping, uses, labels } = fit!;
  const titled = labels.filter(({ isTitled }) => isTitled);
  expect(titled.length).toBeGreaterThan(40);
  const unread = labels.map((label): LabelFit => {
    if (!label.isTitled) return label;
    return Object.defineProperty({ ...label }, 'candidates', {
      get: () => expect.fail(`candidates of ${label.label} are worked out`),
    });
  });
  expect(reviewLabelFits(mapping, uses, unread).map(({ means }) => means)).toEqual(
    labels.map(({ means }) => means),
  );
  expect(rankFits([{ ...fit!, labels: unread }, fit!])).toHaveLength(2);
});
