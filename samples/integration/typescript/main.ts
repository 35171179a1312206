// Sends a payroll: the body is checked by ajv with our schema, typed by our OpenAPI, and sent by a client that knows nothing of cargue.
import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { startSandbox } from 'cargue/sandbox';
import { addKeywords } from 'cargue/validate';
import createClient from 'openapi-fetch';
import type { components, paths } from './openapi.js';

const readJson = async (file: string) => JSON.parse(await readFile(file, 'utf8'));

const ajv = addKeywords(new Ajv2020({ allErrors: true, allowUnionTypes: true }));
const isPayroll = ajv.compile<components['schemas']['Payroll']>(await readJson('payroll.schema.json'));

const body: unknown = await readJson(process.argv[2] ?? 'payroll.json');
if (!isPayroll(body)) {
  for (const { instancePath, message } of isPayroll.errors ?? []) console.error(instancePath, message);
  process.exit(1);
}

const service = await startSandbox({ companies: [{ nit: '900123456', environment: 'production' }] });
const client = createClient<paths>({
  baseUrl: service.url,
  headers: { authorization: `Bearer ${service.token}` },
});
const { data, error } = await client.POST('/api/ubl2.1/payroll', { body });
await service.close();
if (data?.cune === undefined) throw new Error(JSON.stringify(error ?? data));
console.log(`${body.prefix}${body.consecutive} ${data.cune}`);
