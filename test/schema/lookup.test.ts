import { expect, test } from 'vitest';
import { catalogue, catalogueNames, createLookup } from '../../src/toolkit/schema/catalogue.js';
import { lawTables } from '../../src/toolkit/schema/law-tables.js';

const municipalities = createLookup(catalogue('municipalities')!, ['name', 'code'], {
  '11001': ['Bogotá'],
  '11': ['Cundinamarca'],
  '76': ['Valle'],
});
const found = (text: string, within?: Record<string, string>) => {
  const result = municipalities.find(text, within);
  return result.kind === 'found' ? (result.restored ?? result.row['id']) : result.kind;
};

test.each<[string, Record<string, string> | undefined, string | undefined]>([
  ['11001', undefined, '149'],
  ['05001', undefined, '1'],
  ['5001', undefined, '05001'],
  ['BOGOTA D.C.', undefined, '149'],
  ['Bogotá', undefined, '149'],
  ['Armenia', undefined, 'ambiguous'],
  ['ARMENIA', { department: 'Quindio' }, '820'],
  ['Armenia', { department: 'ANTIOQUIA' }, '16'],
  ['Armenia', { department: 'Santander' }, 'unknown'],
  ['Armenia', { department: '5' }, '16'],
  ['Bogotá', { department: 'Cundinamarca' }, '149'],
  ['Chía', { department: 'Cundinamarca' }, '474'],
  ['Bogotá', { department: 'Antioquia' }, 'unknown'],
  ['Cali', { department: 'VALLE' }, '1006'],
  ['99999', undefined, 'unknown'],
  ['05001 - MEDELLIN', undefined, '1'],
  ['5001 Medellín', undefined, '1'],
  ['Medellín (05001)', undefined, '1'],
  ['05001 - CALI', undefined, 'unknown'],
  ['05001 - CAPITAL', undefined, 'unknown'],
  ['5001.0', undefined, '05001'],
  ['05-001', undefined, '1'],
])('municipality %s %j', (text, within, expected) => expect(found(text, within)).toBe(expected));

test('a miss brings the nearest names', () => {
  const result = municipalities.find('Medelin');
  expect(result.kind === 'unknown' && result.suggestions[0]).toEqual({ value: 'Medellín', score: 0.88 });
});

test('a padded code is only taken when it exists', () => {
  const workers = createLookup(catalogue('type_workers')!, ['code']);
  expect(workers.find('1')).toMatchObject({ kind: 'found', restored: '01' });
  expect(workers.find('3').kind).toBe('unknown');
});

test('a code that another norm gives another meaning is no code of ours, however like it the number', () => {
  const users = createLookup(catalogue('rips_user_types')!, ['name', 'code']);
  expect(users.find('01 - Contributivo cotizante')).toMatchObject({ kind: 'found', row: { code: '01' } });
  expect(users.find('2 - Subsidiado').kind).toBe('unknown');
  expect(users.find('3 - Vinculado').kind).toBe('unknown');
});

/** What tells the rows of a list apart, where that is neither an id nor a code alone. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  codigos: ['tabla', 'code'],
  layouts: ['archivo', 'posicion'],
  payroll_rule_places: ['rule'],
  authority_rules: ['rules'],
  rejection_rules: ['rule'],
  event_rules: ['rule', 'event'],
  event_order: ['event', 'relation', 'other'],
  event_terms: ['event'],
  holidays: ['name'],
  ...Object.fromEntries(Object.entries(lawTables()).map(([name, { key }]) => [name, key])),
};

test('every list has ids or codes of its own', () => {
  expect(catalogueNames()).toContain('municipalities');
  for (const name of catalogueNames()) {
    const list = catalogue(name)!;
    const key = KEYS[name] ?? (list.columns.includes('id') ? ['id'] : ['code']);
    expect(list.columns, name).toEqual(expect.arrayContaining([...key]));
    const keys = list.rows.map((row) => key.map((column) => row[column]).join(' '));
    expect(new Set(keys).size, name).toBe(list.rows.length);
  }
});
