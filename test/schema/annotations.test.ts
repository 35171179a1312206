import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parsePointer } from '../../src/toolkit/core/json.js';
import { catalogue } from '../../src/toolkit/schema/catalogue.js';
import {
  childKeys,
  isList,
  resolved,
  resolveNode,
  rootNode,
  type SchemaNode,
  schemaJson,
  schemaNames,
} from '../../src/toolkit/schema/registry.js';
import { ruleData } from '../../src/toolkit/schema/rule-data.js';

interface Member {
  readonly where: string;
  /** As it stands in its file, and with what its `$ref` says merged in. */
  readonly own: SchemaNode;
  readonly node: SchemaNode;
}

/** Every member of a file, nested ones too; the files that it refers to speak for themselves. */
function members(where: string, node: SchemaNode): Member[] {
  const own = Object.entries(node.properties ?? {}).map(([key, child]) => ({
    where: `${where}/${key}`,
    own: child,
    node: resolved(child),
  }));
  const inner = [node.items, ...(node.oneOf ?? []), ...(node.anyOf ?? [])].filter(
    (part) => part !== undefined,
  );
  return [
    ...own,
    ...own.flatMap((member) => members(member.where, member.own)),
    ...inner.flatMap((part) => members(where, part)),
  ];
}

const all = schemaNames().flatMap((name) => members(name, rootNode(name)));
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
  const layers = ['contract', 'observed', 'national'];
  expect(all.filter(({ node }) => !layers.includes(node['x-layer'] ?? '')).map(at)).toEqual([]);
});

test('every body is closed, every answer is open and promises nothing', () => {
  for (const name of schemaNames()) {
    const json = schemaJson(name);
    if (json.type !== 'object') continue;
    expect(json.additionalProperties === false, name).toBe(!name.startsWith('responses/'));
    if (name.startsWith('responses/')) expect(json.required, name).toBeUndefined();
  }
});

test('every id of the service names a catalogue', () => {
  const ids = all.filter(({ own }) => own.$ref?.endsWith('/id.schema.json'));
  expect(ids.length).toBeGreaterThan(15);
  expect(ids.filter(({ node }) => node['x-catalogue'] === undefined).map(at)).toEqual([]);
});

test('every catalogue that is named ships, with the column that values come from', () => {
  const wanted = all.filter(({ node }) => node['x-catalogue'] !== undefined);
  const lost = wanted.filter(({ node }) => {
    const list = catalogue(node['x-catalogue']!);
    return list === undefined || !list.columns.includes(node['x-catalogue-column'] ?? 'id');
  });
  expect(wanted.length).toBeGreaterThan(60);
  expect(lost.map(at)).toEqual([]);
});

const marked = (annotation: string): string[] =>
  all
    .filter(({ node }) => node[annotation] === true)
    .map(at)
    .sort();

test('what is filled after validation, and what a hash leaves out, are these', () => {
  const payroll = ['payroll/adjust-note-delete', 'payroll/adjust-note-replace', 'payroll/payroll'].map(
    (n) => `${n}/consecutive`,
  );
  const rips = 'rips/document/note_number';
  expect(marked('x-series')).toEqual([...payroll, rips]);
  const national = 'rips/attention/national';
  const numbered = payroll.flatMap((place) => [place, place.replace('consecutive', 'resolution_number')]);
  expect(marked('x-outside-hash')).toEqual([...numbered, 'payroll/period/issue_date', national, rips]);
  const record = ['de', 'transaccion', 'usuario'].map((part) => `rips/national/record/${part}`);
  expect(marked('x-derived')).toEqual([national, ...record]);
  expect(marked('x-assigned')).toEqual(['rips/appointment/patient_id', 'rips/document/appointment_id']);
});

/** Every leaf of a document of payroll that is an amount, by its pointer. */
const amounts = (keys: readonly string[]): readonly string[] => {
  const node = resolveNode('payroll/payroll', keys)!;
  if (node.format === 'money') return [`/${keys.join('/')}`];
  return (isList(node) ? ['*'] : childKeys(node)).flatMap((key) => amounts([...keys, key]));
};

test('every amount of a payroll is in its total and in the XML, but those that have a reason', () => {
  const all = ['accrued', 'deductions'].flatMap((part) => amounts([part]));
  const without = (annotation: string): readonly string[] =>
    all.filter((pointer) => resolveNode('payroll/payroll', parsePointer(pointer))![annotation] === undefined);
  const totals = ['/accrued/accrued_total', '/deductions/deductions_total']; // made of the others
  const refund = '/accrued/refund'; // the service drops it
  expect(all.length).toBeGreaterThan(60);
  expect(without('x-total')).toEqual([totals[0], refund, totals[1]]);
  expect(without('x-xml')).toEqual([totals[0], refund, totals[1]]);
  const { rules, terms } = ruleData();
  const counted = rules.flatMap(({ derive }) => derive?.formula.match(/\/\w+\/[\w/*]+/g) ?? []);
  expect(counted.sort()).toEqual(all.filter((pointer) => pointer !== refund).sort()); // net names both totals
  const salary = terms.find(({ name }) => name === 'salary_pay')!.formula;
  expect(salary).toContain('/accrued/bonuses/*/salary_bonus');
  expect(salary).not.toContain('non_salary');
});

const PATIENT = ['birth_date', 'document_number', 'email', 'last_name', 'name'];

test('secrets and personal data are marked', () => {
  expect(marked('writeOnly')).toEqual([
    'payroll/resolution/technical_key',
    'payroll/smtp-parameters/password',
    'payroll/software/pin',
    'payroll/software/pinpayroll',
    'responses/rips-configured/configuration/password',
    'rips/configuration/password',
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
      'events/issuer-party/identification_number',
      ...PATIENT.map((key) => `rips/patient/${key}`),
      'responses/patient-row/birth_date',
      'rips/national/fields/numDocumentoIdentificacion',
      'rips/services/consultation/codDiagnosticoPrincipal',
      'rips/services/newborn/fechaNacimiento',
      'rips/national/948-v003/urgencia/nomCodDiagnosticoCausaMuerteCIE11',
    ]),
  );
});

/** The names of service.md 4, 6 and 7, contract first: a spelling here is a spelling on the wire. */
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
  'events/event-by-cufe':
    'event_id document_reference type_rejection_id issuer_party sendmail sendmailtome email_cc_list resend_consecutive',
  'events/event-by-document':
    'event_id base64_attacheddocument base64_attacheddocument_name type_rejection_id issuer_party sendmail ' +
    'sendmailtome email_cc_list resend_consecutive',
  'events/issuer-party': 'identification_number first_name last_name organization_department job_title',
  'events/seller-reception': 'company_idnumber xml_document',
  'rips/configuration': 'type_document_identification_id number_identification password url',
  'rips/service-provider': 'document_type_id name email code document_number',
  'rips/service-provider-update': 'document_type_id name email code document_number',
  'rips/patient':
    'type_document_identification_id document_number name last_name email birth_date rips_user_type_id ' +
    'rips_gender_id municipality_id rips_zone_id country_code',
  'rips/appointment': 'patient_id user_id date time',
  'rips/document': 'appointment_id services',
  'rips/services/consultation':
    'service_type_id fechaInicioAtencion codConsulta modalidadGrupoServicioTecSal grupoServicios codServicio ' +
    'finalidadTecnologiaSalud causaMotivoAtencion codDiagnosticoPrincipal tipoDiagnosticoPrincipal vrServicio ' +
    'conceptoRecaudo valorPagoModerador consecutivo',
  'rips/services/procedure': 'service_type_id',
  'rips/services/emergency': 'service_type_id',
  'rips/services/hospitalization': 'service_type_id',
  'rips/services/newborn': 'service_type_id',
  'rips/services/medication': 'service_type_id',
  'rips/services/other-service': 'service_type_id',
};

test('what the contract names is marked so, and nothing else', () => {
  const contract: Record<string, string> = {};
  for (const name of schemaNames()) {
    const keys = Object.entries(rootNode(name).properties ?? {}).filter(
      ([, node]) => resolved(node)['x-layer'] === 'contract',
    );
    if (keys.length > 0) contract[name] = keys.map(([key]) => key).join(' ');
  }
  expect(contract).toEqual(CONTRACT);
});
