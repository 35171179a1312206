import { describe, expect, test } from 'vitest';
import {
  childKeys,
  isList,
  isRequired,
  isSchemaName,
  leafKind,
  resolveNode,
  schemaJson,
  schemaNames,
} from '../../src/toolkit/schema/registry.js';

const node = (name: string, path: string) => resolveNode(name, path === '' ? [] : path.split('.'));

test.each([
  ['type_document_id', 'integer'],
  ['consecutive', 'integer'],
  ['prefix', 'text'],
  ['period.issue_date', 'date'],
  ['period.worked_time', 'two-decimals'],
  ['worker.identification_number', 'worker-document'],
  ['worker.high_risk_pension', 'boolean'],
  ['worker.salary', 'money'],
  ['accrued.HEDs.0.start_time', 'local-date-time'],
  ['accrued.HEDs.*.quantity', 'quantity'],
  ['accrued.severance.*.percentage', 'two-decimals'],
  ['worker', undefined],
  ['accrued.HEDs', undefined],
])('%s is a leaf of kind %s', (path, kind) => {
  expect(leafKind(node('payroll/payroll', path)!)).toBe(kind);
});

test.each(['worker.surnames', 'workers', 'worker.salary.x', 'accrued.HEDs.quantity', 'payment_dates.0.date'])(
  'there is no place %s',
  (path) => {
    expect(node('payroll/payroll', path)).toBeUndefined();
  },
);

test('a node has the annotations of its own place above those of its form', () => {
  expect(node('payroll/payroll', 'worker.municipality_id')).toMatchObject({
    type: 'integer',
    minimum: 1,
    title: 'Municipio de trabajo',
    'x-catalogue': 'municipalities',
  });
  expect(node('payroll/adjust-note', 'establishment_name')).toMatchObject({
    type: 'string',
    'x-layer': 'observed',
  });
});

test('lists are told from objects', () => {
  expect(isList(node('payroll/payroll', 'accrued.HEDs')!)).toBe(true);
  expect(isList(node('payroll/payroll', 'accrued')!)).toBe(false);
});

describe('children', () => {
  test('keep file order', () => {
    expect(childKeys(node('payroll/payroll', 'payment')!)).toEqual([
      'payment_method_id',
      'bank_name',
      'account_type',
      'account_number',
    ]);
  });
  test('of alternatives are those of every branch', () => {
    expect(childKeys(node('payroll/adjust-note', '')!)).toEqual(
      expect.arrayContaining(['predecessor', 'worker', 'notes']),
    );
  });
});

test.each([
  ['payroll/payroll', '', 'worker', true],
  ['payroll/payroll', '', 'notes', false],
  ['payroll/payroll', 'payment', 'bank_name', false],
  ['payroll/adjust-note', 'payment', 'bank_name', true],
  ['payroll/adjust-note', 'payment', 'payment_method_id', true],
  ['payroll/adjust-note', '', 'predecessor', true],
  ['payroll/adjust-note', '', 'worker', false],
])('in %s, %s.%s is required: %s', (name, parent, key, required) => {
  expect(isRequired(node(name, parent)!, key)).toBe(required);
});

test('names are those of the service; other schemas are found by name all the same', () => {
  expect(schemaNames()).toContain('payroll/payroll');
  expect(isSchemaName('payroll/payroll')).toBe(true);
  expect(isSchemaName('mapping')).toBe(false);
  expect(schemaJson('mapping')['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
  expect(() => schemaJson('payroll/nothing')).toThrow();
});
