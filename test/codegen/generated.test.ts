import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/generated/operations.js';
import { packageFile } from '../../src/values/package-file.js';

const types = readFileSync(packageFile('src/generated/schema-types.ts'), 'utf8');
const operations = readFileSync(packageFile('src/generated/operations.ts'), 'utf8');

test.each([
  "  'payroll/payroll': Payroll;",
  '  identification_number: WorkerDocument;',
  'export type WorkerDocument = number | string;',
  '  worked_days: number;',
  '  worker: PayrollWorker;',
  '  payment_dates: PayrollPaymentDate[];',
  '  notes?: Text;',
  '  type_note: 1;',
  'export type PayrollAdjustNote = PayrollAdjustNoteReplace | PayrollAdjustNoteDelete;',
])('a type says "%s"', (line) => {
  expect(types.split('\n')).toContain(line);
});

test.each(['Payroll', 'PayrollWorker', 'PayrollPeriod', 'PayrollOvertime', 'SoapText'])(
  '%s is declared once',
  (name) => {
    expect(types.match(new RegExp(`^export (interface|type) ${name}\\b`, 'gm'))).toHaveLength(1);
  },
);

test('parameters have the types of their schemas', () => {
  expect(operations).toMatch(/type: 9 \| 10; .*prefix\?: string/);
});

test.each(Object.values(OPERATIONS))(
  '$id names the parameters of its path, optional ones last',
  (operation) => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(operation.pathParameters).toEqual(inPath);
    const optional: readonly string[] = operation.optionalPathParameters;
    expect(inPath.slice(inPath.length - optional.length)).toEqual(optional);
  },
);

test('what changes something is told from what only asks', () => {
  const effects = Object.values(OPERATIONS).filter(({ effect }) => effect);
  expect(effects.map(({ id }) => id)).toEqual([
    'configurePayrollSoftware',
    'configureResolution',
    'sendPayroll',
    'sendPayrollTestSet',
    'sendAdjustNote',
    'sendAdjustNoteTestSet',
    'emailPayroll',
  ]);
});
