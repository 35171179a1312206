import { expect, test } from 'vitest';
import { word } from '../../src/toolkit/messages/wording.js';
import { gridsOf, insert, page, pick, workbook } from '../inspect/grid.js';
import { prepareFiles, SAMPLE } from '../support/prepare-file.js';

const sample = (await gridsOf(SAMPLE))[0]!;

test.each([
  ['Incapacidad', 'Incapacidades'],
  ['Vacaciones', 'Vacaciones disfrutadas'],
])('what an item of %s lacks, where no column has it, is said with what the item is', async (title, item) => {
  const rest = pick(
    sample,
    sample.labels.filter((label) => !label.startsWith(title)),
  );
  const days = insert(rest, 0, `${title} días`, (row) => (row === 0 ? 3 : null));
  const grid = insert(days, 0, `${title} valor`, (row) => (row === 0 ? 100_000 : null));
  const { issues } = await prepareFiles({ files: [await workbook([page(grid)])] });
  const lacking = issues.filter(({ code }) => code === 'document/required');
  expect(lacking.map((issue) => word(issue, 'es').message)).toContain(`Falta Inicio (${item}).`);
});
