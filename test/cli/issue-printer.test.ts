import { expect, test } from 'vitest';
import { issueEmitter } from '../../src/app/events.js';
import { maskFor } from '../../src/app/mask.js';
import { createIssuePrinter } from '../../src/cli/issue-printer.js';
import { createRenderer } from '../../src/cli/render.js';
import type { Issue } from '../../src/toolkit/core/issue.js';
import { screen } from './screen.js';

const at = (row: number, label = 'Sueldo'): Issue => ({
  code: 'cell/not-a-number',
  level: label === 'Sueldo' ? 'error' : 'warning',
  params: {},
  place: { file: 'n.xlsx', sheet: 'Nómina', row, column: 'F', label },
  value: 'x',
});

const issues = [...Array.from({ length: 25 }, (_, index) => at(index + 2)), at(2, 'Bono'), at(3, 'Bono')];

test('people see the first three of a cause and how many more there are', () => {
  const { terminal, said } = screen();
  const printer = createIssuePrinter(terminal);
  for (const issue of issues) printer.print(issue);
  printer.finish();
  expect(said().map((line) => /Nómina!F\d+ \w+|y \d+ más/.exec(line)?.[0])).toEqual([
    'Nómina!F2 Sueldo',
    'Nómina!F3 Sueldo',
    'Nómina!F4 Sueldo',
    'Nómina!F2 Bono',
    'Nómina!F3 Bono',
    'y 22 más',
  ]);
});

test('of a folder of JSON files, one member is one cause', () => {
  const { terminal, said } = screen();
  const printer = createIssuePrinter(terminal);
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    printer.print({
      code: 'cell/not-a-number',
      level: 'error',
      params: {},
      place: { file: `${name}.json`, json: `/usuarios/${name.charCodeAt(0)}/tipoNota`, line: 4 },
    });
  printer.finish();
  expect(said()).toHaveLength(4);
  expect(said().at(-1)).toMatch(/y 2 más/);
});

test('programs get all of them, masked as on the screen, and the use case knows how many', () => {
  const { terminal, said, out } = screen();
  const mask = { ...maskFor(false), issue: (issue: Issue) => ({ ...issue, value: '•••' }) };
  const tell = createRenderer(terminal, { json: true, mask, command: (next) => next });
  const teller = issueEmitter({ tell });
  for (const issue of issues) teller.emit(issue);
  teller.end();
  expect(out().map((line) => JSON.parse(line).value)).toEqual(issues.map(() => '•••'));
  expect(said()).toEqual([]);
  expect([teller.errors, teller.warnings]).toEqual([25, 2]);
});
