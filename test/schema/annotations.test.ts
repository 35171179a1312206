import { existsSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { type SchemaNode, schemaJson, schemaNames } from '../../src/schema/registry.js';
import { packageFile } from '../../src/values/package-file.js';

interface Member {
  readonly where: string;
  readonly node: SchemaNode;
}

/** Every member written out in a file, nested ones too. A bare `$ref` into another file says all it has to say there. */
function members(where: string, node: SchemaNode): Member[] {
  const own = Object.entries(node.properties ?? {}).map(([key, child]) => ({
    where: `${where}/${key}`,
    node: child,
  }));
  const inner = [node.items, ...(node.oneOf ?? []), ...(node.anyOf ?? [])].filter(
    (part) => part !== undefined,
  );
  return [
    ...own.filter((member) => !member.node.$ref?.includes('#')),
    ...own.flatMap((member) => members(member.where, member.node)),
    ...inner.flatMap((part) => members(where, part)),
  ];
}

const all = schemaNames().flatMap((name) => members(name, schemaJson(name)));
const at = (member: Member): string => member.where;

test('every schema is valid draft 2020-12, titled and described', () => {
  const ajv = new Ajv2020({ strict: false });
  for (const name of schemaNames()) {
    const json = schemaJson(name);
    expect(ajv.validateSchema(json), name).toBe(true);
    expect(json, name).toMatchObject({ title: expect.any(String), description: expect.any(String) });
    expect(json, name).not.toHaveProperty('$id');
  }
});

test('every member has title, description and layer', () => {
  expect(all.length).toBeGreaterThan(200);
  expect(all.filter(({ node }) => !node.title || !node.description).map(at)).toEqual([]);
  expect(all.filter(({ node }) => !['contract', 'observed'].includes(node['x-layer'] ?? '')).map(at)).toEqual(
    [],
  );
});

test('every body is closed, every answer is open and promises nothing', () => {
  for (const name of schemaNames()) {
    const json = schemaJson(name);
    if (json.type !== 'object') continue;
    expect(json.additionalProperties === false, name).toBe(name.startsWith('payroll/'));
    if (name.startsWith('responses/')) expect(json.required, name).toBeUndefined();
  }
});

test('every id names a catalogue that ships', () => {
  const ids = all.filter(({ node }) => node.$ref?.endsWith('/id.schema.json'));
  expect(ids.filter(({ node }) => node['x-catalogue'] === undefined).map(at)).toEqual([]);
  const named = new Set(all.map(({ node }) => node['x-catalogue']).filter((name) => name !== undefined));
  expect(
    [...named].filter((name) => !existsSync(packageFile('schemas/catalogues/service', `${name}.csv`))),
  ).toEqual([]);
});

const marked = (annotation: string): string[] =>
  all
    .filter(({ node }) => node[annotation] === true)
    .map(at)
    .sort();

test('the number series, and what a hash leaves out, are these', () => {
  const series = ['payroll/adjust-note-delete', 'payroll/adjust-note-replace', 'payroll/payroll'].map(
    (n) => `${n}/consecutive`,
  );
  expect(marked('x-series')).toEqual(series);
  expect(marked('x-outside-hash')).toEqual([...series, 'payroll/period/issue_date']);
});

test('secrets and personal data are marked', () => {
  expect(marked('writeOnly')).toEqual([
    'payroll/resolution/technical_key',
    'payroll/smtp-parameters/password',
    'payroll/software/pin',
    'payroll/software/pinpayroll',
  ]);
  const worker = [
    'address',
    'email',
    'first_name',
    'identification_number',
    'middle_name',
    'salary',
    'second_surname',
    'surname',
  ];
  expect(marked('x-personal')).toEqual(
    expect.arrayContaining([
      ...worker.map((key) => `payroll/worker/${key}`),
      'payroll/payment/account_number',
    ]),
  );
});

/** The names of service.md 4, contract first: a spelling here is a spelling on the wire. */
const CONTRACT: Readonly<Record<string, string>> = {
  'payroll/payroll':
    'type_document_id prefix consecutive payroll_period_id period worker payment payment_dates accrued deductions',
  'payroll/period': 'admision_date settlement_start_date settlement_end_date worked_time issue_date',
  'payroll/worker':
    'type_worker_id sub_type_worker_id payroll_type_document_identification_id municipality_id type_contract_id ' +
    'identification_number surname second_surname first_name salary',
  'payroll/payment': 'payment_method_id bank_name account_type account_number',
  'payroll/payment-date': 'payment_date',
  'payroll/accrued': 'worked_days salary transportation_allowance accrued_total',
  'payroll/deductions':
    'eps_type_law_deductions_id eps_deduction pension_type_law_deductions_id pension_deduction deductions_total',
  'payroll/resolution': 'type_document_id',
};

test('what the contract names is marked so, and nothing else', () => {
  const contract: Record<string, string> = {};
  for (const name of schemaNames()) {
    const keys = Object.entries(schemaJson(name).properties ?? {}).filter(
      ([, node]) => node['x-layer'] === 'contract',
    );
    if (keys.length > 0) contract[name] = keys.map(([key]) => key).join(' ');
  }
  expect(contract).toEqual(CONTRACT);
});
