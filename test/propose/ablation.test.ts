import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withInputs } from '../../src/documents/locate.js';
import { loadMapping } from '../../src/mapping/load.js';
import { fitMapping } from '../../src/propose/fit.js';
import { survey } from '../../src/propose/inspect.js';
import { shownScore } from '../../src/propose/labels.js';
import { HEURISTICS, type Heuristic, usesOf } from '../../src/propose/uses.js';
import { gridsOf, page, rename, workbook } from './grid.js';
import { LISTS } from './list-variants.js';
import { WIDE } from './wide-variants.js';

const ready = await Promise.all(
  readdirSync('mappings', { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(?!synonyms).*\/.*\.yaml$/.test(file))
    .map(async (file) => {
      const name = file.replace('.yaml', '');
      return { name, mapping: await loadMapping(`mappings/${file}`) };
    }),
);

/** Samples, which are tried first, by kind of document, and variants of some of them by their layout. */
const inputs: { readonly files: () => Promise<readonly string[]>; readonly layout: string }[] = [
  ...readdirSync('samples', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(xlsx|csv)$/.test(file))
    .map((file) => ({ files: async () => [`samples/${file}`], layout: file.split(/[/\\]/)[0]! })),
  { files: onlySalary, layout: 'payroll/wide' },
  { files: healthTwice, layout: 'payroll/wide' },
  ...WIDE,
  ...LISTS,
];

/** A payroll whose one salary may be that of the month or what was earned. */
async function onlySalary(): Promise<readonly string[]> {
  const [grid] = await gridsOf('samples/payroll/nomina-octubre-2026.xlsx');
  return [await workbook([page(rename(grid!, { 'Sueldo mensual': 'SUELDO', 'Salario devengado': 'XYZ' }))])];
}

/** A payroll in which two labels say one thing. */
async function healthTwice(): Promise<readonly string[]> {
  const [grid] = await gridsOf('samples/payroll/nomina-octubre-2026.xlsx');
  return [await workbook([page(rename(grid!, { Pensión: 'EPS' }))])];
}

/** What people see of the proposal for a file, by the layout that fits best. */
async function proposals(files: readonly string[], layout: string) {
  const tried = ready.filter(({ name }) => name.startsWith(layout));
  const { sheets, ranked } = await withInputs(files, (opened) => survey(opened, tried));
  const { name, mapping } = ranked[0]!;
  return (without?: Heuristic): string => {
    const uses = usesOf(mapping, new Set(without === undefined ? [] : [without]));
    const { labels, open, tables } = fitMapping(name, mapping, sheets, uses);
    return JSON.stringify([
      labels.map(({ id, state, why, means, candidates }) => [
        [id, state, why, means],
        candidates.map((one) => [one.value, shownScore(one)]),
      ]),
      tables.map(({ table, sheet }) => [table.id, sheet.name]),
      open.map(({ sheet }) => sheet.name),
    ]);
  };
}

test('every heuristic changes what is proposed for some input', { timeout: 600_000 }, async () => {
  const idle = new Set<Heuristic>(HEURISTICS);
  for (const { files, layout } of inputs) {
    if (idle.size === 0) break;
    const propose = await proposals(await files(), layout);
    const whole = propose();
    for (const heuristic of idle) if (propose(heuristic) !== whole) idle.delete(heuristic);
  }
  expect([...idle]).toEqual([]);
});
