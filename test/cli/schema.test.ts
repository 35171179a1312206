import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import type { Options } from '../../src/cli/options.js';
import { schemaNames } from '../../src/toolkit/schema/registry.js';
import { fake } from './fake-context.js';
import {
  schemaList as list,
  schemaOpenapi as openapi,
  type ShownUseCase,
  schemaShow as show,
} from './use-cases.js';

/** Schemas of our own files, after those of the service. */
const OWN = ['mapping', 'layout', 'profile', 'project', 'server', 'sandbox', 'output', 'rules/rule'];

async function printed(
  run: ShownUseCase,
  args: readonly string[] = [],
  options: Options = {},
): Promise<string> {
  const { context, shown } = fake();
  expect(await run(context, args, options)).toBe(0);
  return shown.out().join('\n');
}

test('list: those of the service, then those of our own files', async () => {
  expect((await printed(list)).split('\n')).toEqual([...schemaNames(), ...OWN]);
});

test('show: each that the list has', async () => {
  for (const name of (await printed(list)).split('\n'))
    expect(JSON.parse(await printed(show, [name])).$schema, name).toContain('2020-12');
});

test('list --json: each with what it is', async () => {
  const { context, events } = fake();
  await list(context, [], { json: true });
  expect(events()).toHaveLength(schemaNames().length + OWN.length);
  expect(events()).toContainEqual({
    event: 'schema',
    name: 'common/money',
    title: 'Valor en pesos',
    description: { es: expect.stringContaining('pesos'), en: expect.stringContaining('COP') },
  });
});

test('show --bundle: one file that stands by itself', async () => {
  const text = await printed(show, ['payroll/payroll'], { bundle: true });
  expect(text).not.toContain('.schema.json');
  expect(JSON.parse(text).$defs).toMatchObject({ Money: { pattern: expect.any(String) } });
  expect(JSON.parse(await printed(show, ['mapping'], { bundle: true }))).toEqual(
    JSON.parse(await printed(show, ['mapping'])),
  );
});

test('show --draft-07: what an editor of YAML takes', async () => {
  const text = await printed(show, ['mapping'], { draft07: true });
  expect(JSON.parse(text)).toMatchObject({
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: expect.anything(),
  });
  expect(text).not.toContain('$defs');
});

test.each(schemaNames())('show --plain: a strict validator takes %s as it is', async (name) => {
  const text = await printed(show, [name], { plain: true });
  expect(text).not.toMatch(/"x-|\.schema\.json/);
  new Ajv({ strict: true }).compile(JSON.parse(text));
});

test('show: an unknown name', async () => {
  await expect(printed(show, ['mappings'])).rejects.toMatchObject({
    issues: [{ code: 'run/unknown-name', suggestions: [{ value: 'mapping' }] }],
  });
});

test('openapi: one document that stands by itself', async () => {
  const text = await printed(openapi);
  expect(text).not.toContain('.schema.json');
  expect(Object.keys(JSON.parse(text).components.schemas)).toContain('RipsPatient');
  expect(await printed(openapi, [], { plain: true })).not.toMatch(/"x-|"format"/);
});
