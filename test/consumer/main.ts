// Another project's program: compiled and run by test/packaging.mjs against the packed package.
import { readFileSync } from 'node:fs';
import { createServiceClient as createFromRoot, schemaNames, startSandbox as startFromRoot } from 'cargue';
import { createServiceClient } from 'cargue/client';
import { startSandbox } from 'cargue/sandbox';
import type { Payroll, RipsPatient } from 'cargue/types';
import { formatPlace, type Issue, validator, wordIssue } from 'cargue/validate';

function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
  console.log(`ok: ${what}`);
}

const [documents = ''] = process.argv.slice(2);
const [first] = readFileSync(documents, 'utf8').split('\n');
const given = JSON.parse(first!) as Payroll;

const checkPayroll = validator('payroll/payroll');
const broken: Payroll = { ...given, consecutive: 1, worker: { ...given.worker, salary: 'mucho' } };
const issues: readonly Issue[] = checkPayroll(broken).issues;
must(
  issues.map(({ place }) => formatPlace(place)).join() === '/worker/salary',
  'the validator points at the leaf',
);
must(wordIssue(issues[0]!, 'es').fix !== '', 'an issue says how to fix it');

const payroll: Payroll | undefined = checkPayroll({ ...given, consecutive: 1 }).value;
must(payroll !== undefined, 'a good document comes back typed');

const patient: RipsPatient = {
  type_document_identification_id: 3,
  document_number: '1020304050',
  name: 'Ana',
  last_name: 'Ruiz',
  email: 'ana@example.com',
  birth_date: '1990-01-31',
  rips_user_type_id: 1,
  rips_gender_id: 1,
  municipality_id: 1,
  rips_zone_id: 2,
};
must(validator('rips/patient')(patient).issues.length === 0, 'a patient is valid');

const sandbox = await startSandbox({ companies: [{ nit: '900123456', environment: 'production' }] });
const client = createServiceClient({ url: sandbox.url, token: sandbox.token });
try {
  const sent = await client.payroll.send(payroll!);
  must(sent.kind === 'json' && typeof sent.body.cune === 'string', 'a payroll document gets its CUNE');
  const created = await client.rips.patients.create(patient);
  must(created.kind === 'json' && created.status === 201, 'a patient is created');
} finally {
  await client.close();
  await sandbox.close();
}

const other = await startFromRoot();
const sameClient = createFromRoot({ url: other.url, token: other.token });
const tables = await sameClient.rips.patients.tables();
must(tables.kind === 'json' && tables.status === 200, 'the one big door gives the same');
must(schemaNames().includes('events/event'), 'schemas are listed');
await sameClient.close();
await other.close();
