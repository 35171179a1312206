import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { SandboxFile } from '../generated/sandbox-types.js';
import { isLoopback, type Sandbox, startSandbox } from '../sandbox/server.js';
import { issueOf, type Language, refuse, stop, warning } from '../toolkit/core/issue.js';
import { isObject, type JsonObject, type JsonValue } from '../toolkit/core/json.js';
import { mappingIssue, readYaml } from '../toolkit/mapping/yaml-source.js';
import {
  checkFileShape,
  expectedIn,
  type SchemaNode,
  schemaJson,
  soleType,
} from '../toolkit/schema/registry.js';
import { badOption } from './bad-option.js';
import type { Context, UseCase } from './context.js';
import { emitIssues } from './events.js';
import { namedValues } from './options.js';

export interface StartOptions {
  readonly config?: string;
  readonly set?: readonly string[];
  readonly port?: number;
  readonly host?: string;
  readonly data?: string;
}

/** Setting with a single value: a property of the file or of its first company. */
interface SingleSetting {
  readonly of: 'file' | 'company';
  readonly node: SchemaNode;
}

const isSingle = ({ type, anyOf }: SchemaNode): boolean =>
  anyOf !== undefined || !['array', 'object'].includes(String(type));

function singleSettings(): ReadonlyMap<string, SingleSetting> {
  const { properties = {}, $defs } = schemaJson('sandbox');
  const { company } = $defs as { readonly company: SchemaNode };
  const listed = (of: SingleSetting['of'], nodes: SchemaNode['properties'] = {}) =>
    Object.entries(nodes).flatMap(([name, node]) => (isSingle(node) ? [[name, { of, node }] as const] : []));
  return new Map([...listed('company', company.properties), ...listed('file', properties)]);
}

/** Returns the environment variable of a setting: `errorStyle` → `ERROR_STYLE`. */
const variable = (name: string): string => name.replaceAll(/[A-Z]/g, '_$&').toUpperCase();

const isNumber = (node: SchemaNode): boolean => ['integer', 'number'].includes(soleType(node) ?? '');

function typed(node: SchemaNode, text: string): JsonValue {
  if (isNumber(node) && text.trim() !== '' && !Number.isNaN(Number(text))) return Number(text);
  return node.type === 'boolean' && ['true', 'false'].includes(text) ? text === 'true' : text;
}

const DEFAULT_NIT = '900123456';

/** Adds a setting. @throws PipelineError('usage', run/bad-option) that names the option or variable it came from */
function withSingle(
  known: ReadonlyMap<string, SingleSetting>,
  file: JsonObject,
  name: string,
  text: string,
  option: string,
  language: Language,
): JsonObject {
  const single = known.get(name);
  if (single === undefined) {
    const expected = [...known]
      .flatMap(([setting, { node }]) => (node.writeOnly ? [] : [setting]))
      .join(', ');
    return badOption(option, name, expected);
  }
  const { of, node } = single;
  const value = typed(node, text);
  const [first, ...others] = Array.isArray(file['companies']) ? file['companies'] : [];
  const company = { nit: DEFAULT_NIT, ...(isObject(first) && first), [name]: value };
  const set: JsonObject =
    of === 'file' ? { ...file, [name]: value } : { ...file, companies: [company, ...others] };
  const fault = checkFileShape('sandbox', set)[0];
  if (fault === undefined) return set;
  const { expected } = fault;
  const quoted = node.writeOnly === true ? {} : { value: text };
  return stop('usage', {
    code: 'run/bad-option',
    ...quoted,
    params: { option: `${option} ${name}`, expected: expected[language] },
  });
}

/** Reads a settings file. @throws PipelineError('usage', sandbox/… with file, line and column) */
async function settingsIn(file: string): Promise<JsonObject> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) =>
    stop('usage', { code: 'sandbox/not-readable', params: { file, reason: error.code ?? '' } }),
  );
  const name = basename(file);
  const source = readYaml(name, text);
  // Parser messages may quote the line.
  refuse(source.issues.map(({ place }) => issueOf('sandbox/yaml', 'error', {}, place)));
  refuse(
    checkFileShape('sandbox', source.value).map(({ path, key, kind, known, expected }) =>
      mappingIssue(
        name,
        source.locate(key === undefined || kind === 'missing-key' ? path : [...path, key], 'key'),
        'sandbox/shape',
        {
          params: {
            key: [...path, ...(key === undefined ? [] : [key])].join('.'),
            ...expectedIn(kind === 'unknown-key' ? { es: known.join(', '), en: known.join(', ') } : expected),
          },
        },
      ),
    ),
  );
  const { stateFile, ...settings } = source.value as JsonObject;
  return typeof stateFile === 'string'
    ? { ...settings, stateFile: resolve(dirname(file), stateFile) }
    : settings;
}

/** Merges the settings: options take precedence, then the environment, then the file. */
async function settingsFor(
  { sandboxVariables = {}, language }: Context,
  options: StartOptions,
): Promise<SandboxFile> {
  let settings: JsonObject = options.config === undefined ? {} : await settingsIn(options.config);
  const known = singleSettings();
  for (const name of known.keys()) {
    const text = sandboxVariables[variable(name)];
    if (text)
      settings = withSingle(known, settings, name, text, `CARGUE_SANDBOX_${variable(name)}`, language);
  }
  for (const [name, text] of Object.entries(namedValues('--set', options.set))) {
    // Other users can see arguments.
    const shown = known.get(name)?.node.writeOnly !== true;
    settings = withSingle(known, settings, shown ? name : '', text, '--set', language);
  }
  const { port, host, data } = options;
  return {
    ...(settings as SandboxFile),
    ...(port !== undefined && { port }),
    ...(host !== undefined && { host }),
    ...(data !== undefined && { stateFile: data }),
  };
}

async function start(context: Context, options: StartOptions): Promise<Sandbox> {
  const settings = await settingsFor(context, options);
  try {
    const sandbox = await startSandbox(settings);
    const { host = 'localhost' } = settings;
    if (!isLoopback(host)) emitIssues(context, [warning('sandbox/open-host', { host, port: sandbox.port })]);
    return sandbox;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return stop('usage', { code: 'run/sandbox', params: { reason: code ?? message } }, cause);
  }
}

/** `cargue sandbox`: serves until it is interrupted. */
export const sandbox: UseCase<StartOptions> = async (context, _args, options) => {
  const sandbox = await start(context, options);
  const { url, token, tokens, adminToken } = sandbox;
  context.tell({ event: 'sandbox', url, token, tokens, adminToken });
  await new Promise<void>((resolve) => context.onInterrupt(resolve, resolve));
  await sandbox.close();
  return 'fine';
};
