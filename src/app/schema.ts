import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Terminal } from '../cli/terminal.js';
import type { Answer } from '../client/answer.js';
import type { CallRequest } from '../client/client.js';
import { editorSchema } from '../codegen/generate.js';
import { bundleOpenApi } from '../codegen/operations.js';
import type { SchemaFiles, SchemaJson } from '../codegen/schema-files.js';
import { stop } from '../core/issue.js';
import type { JsonValue } from '../core/json.js';
import { suggest } from '../core/text.js';
import { CODES } from '../generated/codes.js';
import { OPERATIONS, type Operation, type OperationId } from '../generated/operations.js';
import { loadMapping } from '../mapping/load.js';
import { templatePlan } from '../mapping/template.js';
import { say } from '../messages/texts.js';
import { entryOf } from '../messages/wording.js';
import { writeTemplate } from '../report/template.js';
import { OWN_SCHEMAS, openApi, schemaJson, schemaNames } from '../schema/registry.js';
import { codesOf, ruleCodes, ruleEntry } from '../schema/rule-data.js';
import { mappingWithTargets } from '../schema/views.js';
import { EXIT, type UseCase } from './context.js';
import { chooseMapping } from './job.js';
import { namedValues } from './options.js';
import { outputOf, refuseOutput } from './outputs.js';
import { redact, redactExcerpt, secretNames, secretsIn } from './secrets.js';
import { clientFor, isElsewhere, serviceAddress } from './service.js';
import { confirmed } from './values.js';

/** `cargue schema list`: one name a line, those of the service first. */
export const schemaList: UseCase = async ({ terminal }) => {
  for (const name of [...schemaNames(), ...OWN_SCHEMAS]) terminal.out(name);
  return EXIT.fine;
};

/** `cargue schema openapi`: every operation of the service, as one document that stands by itself. */
export const schemaOpenapi: UseCase = async ({ terminal }) => {
  const files: SchemaFiles = new Map(schemaNames().map((name) => [name, schemaJson(name) as SchemaJson]));
  terminal.out(JSON.stringify(bundleOpenApi(openApi(), files), undefined, 2));
  return EXIT.fine;
};

/** `cargue schema show NAME`: the file as it is, or as editors want it: mappings then know the fields of their targets. */
export const schemaShow: UseCase = async ({ terminal }, [name = ''], { draft07 }) => {
  const names: readonly string[] = [...schemaNames(), ...OWN_SCHEMAS];
  if (!names.includes(name))
    return stop('usage', {
      code: 'run/unknown-name',
      value: name,
      params: { list: 'schema list' },
      suggestions: suggest(name, names),
    });
  const schema = draft07 && name === 'mapping' ? mappingWithTargets() : schemaJson(name);
  terminal.out(JSON.stringify(draft07 ? editorSchema({ ...schema }) : schema, undefined, 2));
  return EXIT.fine;
};

/** What can be asked for by the name of its documents: the mapping with a sheet for each concept. */
const TARGETS: Readonly<Record<string, string>> = { payroll: 'payroll/multi-sheet' };

/** `plantilla-payroll-wide.xlsx`, in the current folder. */
const defaultName = (target: string): string =>
  `plantilla-${target.replace(/\.[a-z]+$/i, '').replace(/[^\p{L}\p{N}]+/gu, '-')}.xlsx`;

/** `cargue template TARGET`: an empty workbook to fill, made of the mapping that will read it. */
export const template: UseCase = async (context, [target = ''], options) => {
  const { terminal, language, now } = context;
  const planned = templatePlan(await loadMapping(await chooseMapping(TARGETS[target] ?? target)));
  // The instructions name the mapping as the next call must: a file of one's own by its path.
  const plan = existsSync(target) ? { ...planned, mapping: target } : planned;
  const wanted = options.output ?? defaultName(target);
  refuseOutput(context, options, { purpose: 'template', output: wanted, files: [target] });
  const placing = outputOf(context, options, 'template');
  const file = await writeTemplate(plan, { file: wanted, language, now: now(), placing });
  terminal.say(say(language, 'written', { file }));
  if (options.json) terminal.out(JSON.stringify({ event: 'template', mapping: plan.mapping, file }));
  return EXIT.fine;
};

/** An id of an authority as it writes it: `rvc061` is RVC061, `NIE199A` is NIE199a. */
const authorityId = (given: string): string =>
  given.replace(
    /^([a-z]+)(\d+)([a-z]?)$/i,
    (_, family, number, suffix) => family.toUpperCase() + number + suffix.toLowerCase(),
  );

/** The codes that an id of an authority belongs to, those of rules first. */
const belongingTo = (id: string): readonly string[] => [
  ...codesOf(id),
  ...Object.keys(CODES).filter((code) => CODES[code]!.authority?.includes(id)),
];

/**
 * `cargue explain CODE`: what a code means and what to do about it; an authority's own code (`RVC061`) is explained by
 * ours; without a code, the list of them.
 */
export const explain: UseCase = async ({ terminal, language }, [given], options) => {
  const codes = [...Object.keys(CODES), ...ruleCodes()].sort();
  const id = given === undefined || entryOf(given, ruleEntry) !== undefined ? undefined : authorityId(given);
  const list = given === undefined ? codes : id === undefined ? [given] : belongingTo(id);
  if (list.length === 0)
    return stop('usage', {
      code: 'run/unknown-name',
      value: given!,
      params: { list: 'explain' },
      suggestions: suggest(given!, codes),
    });
  for (const code of list) {
    const { level, authority, ...words } = entryOf(code, ruleEntry)!;
    const title = words.title[language];
    const message = words.message[language];
    const fix = words.fix[language];
    if (options.json)
      terminal.out(
        JSON.stringify({ code, level, title, message, fix, ...(authority && { rules: authority }) }),
      );
    else terminal.out(`${id === undefined ? '' : `${id} → `}${code}: ${title}`);
    if (options.json || given === undefined) continue;
    terminal.out(say(language, 'explainLevel', { level }));
    if (authority !== undefined) terminal.out(say(language, 'explainRules', { rules: authority.join(', ') }));
    terminal.out(say(language, 'explainMessage', { message }));
    terminal.out(say(language, 'explainFix', { fix }));
  }
  return EXIT.fine;
};

const isOperation = (id: string): id is OperationId => Object.hasOwn(OPERATIONS, id);

function operationNamed(id: string): Operation & { readonly id: OperationId } {
  if (isOperation(id)) return OPERATIONS[id];
  const ids = Object.keys(OPERATIONS);
  const params = { list: 'api --help' };
  return stop('usage', { code: 'run/unknown-name', value: id, params, suggestions: suggest(id, ids) });
}

function knownValues(option: string, pairs: readonly string[] | undefined, known: readonly string[]) {
  const values = namedValues(option, pairs);
  for (const name of Object.keys(values))
    if (!known.includes(name))
      stop('usage', {
        code: 'run/bad-option',
        value: name,
        params: { option, expected: known.join(' | ') || '–' },
      });
  return values;
}

async function readBody(source: string): Promise<string> {
  try {
    const raw = source === '-' ? await text(process.stdin) : await readFile(source, 'utf8');
    const body = raw.replace(/^\uFEFF/, '');
    JSON.parse(body);
    return body;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return stop('usage', { code: 'run/bad-body', params: { reason: code ?? message } }, cause);
  }
}

/** The answer as it came, but for secrets: those that schemas know, and those that the request held. */
function show(terminal: Terminal, answer: Answer, bodyText = 'null'): void {
  if (answer.kind === 'failure') return;
  const isSecret = secretNames();
  const secrets = secretsIn(JSON.parse(bodyText) as JsonValue, isSecret);
  if (answer.kind === 'text') terminal.out(redactExcerpt(answer.text, secrets));
  else terminal.out(JSON.stringify(redact(answer.body, isSecret, secrets), undefined, 2));
}

/** `cargue api OPERATION`: one call, the answer as it came but for secrets. */
export const api: UseCase = async (context, [id = ''], options) => {
  const operation = operationNamed(id);
  const path = knownValues('--path', options.path, operation.pathParameters);
  const query = knownValues('--query', options.query, operation.queryParameters);
  const bodyText = options.body === undefined ? undefined : await readBody(options.body);
  const url = serviceAddress(context, options);
  const question = say(context.language, 'askCall', { operation: operation.id, url: url.origin });
  if (isElsewhere(url) && !(await confirmed(context, options, question))) return EXIT.fine;
  const client = await clientFor(context, options, url);
  try {
    const request = { path, query, ...(bodyText !== undefined && { bodyText }) } as CallRequest;
    const answer = await client.call(operation.id, request);
    if (answer.kind === 'failure')
      return stop('service', { code: 'run/no-answer', value: url.origin, params: { reason: answer.reason } });
    show(context.terminal, answer, bodyText);
    return answer.status < 400 ? EXIT.fine : EXIT.dataErrors;
  } finally {
    await client.close();
  }
};
