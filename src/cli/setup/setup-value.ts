import type { SchemaName } from '../../generated/schema-types.js';
import type { Checked, Issue } from '../../issues/issue.js';
import { PipelineError, stop } from '../../issues/pipeline-error.js';
import { validate } from '../../schema/validate.js';
import type { JsonValue } from '../../values/json.js';
import { valueAt } from '../../values/pointer.js';
import type { Context } from '../context.js';
import { issueLine } from '../issue-line.js';
import type { Options } from '../options.js';
import { type Phrase, say } from '../say.js';

/** A value that comes from an option, from a person, or from what was configured before. */
export interface SetupValue<T> {
  readonly option: string;
  readonly given: string | undefined;
  readonly question: Phrase;
  /** Taken where nobody says anything else. */
  readonly known?: string;
  /** What the option takes, for who left it out. */
  readonly expected: string;
  readonly check: (text: string) => Checked<T>;
}

/** Times that a person is asked for the same. */
export const TRIES = 3;

/**
 * The option's value; else a person's answer, asked again while it will not do; with `--yes`, or where nobody is
 * there, what is known.
 * @throws PipelineError('usage') for a value that will not do, or setup/needs-value where there is none
 */
export async function setupValue<T>(context: Context, { yes }: Options, wanted: SetupValue<T>): Promise<T> {
  const { given, known, option, expected, check } = wanted;
  if (given !== undefined) return valueOrStop(check(given));
  if (context.terminal.interactive && !(yes && known !== undefined)) return typed(context, wanted);
  if (known !== undefined) return valueOrStop(check(known));
  return stop('usage', { code: 'setup/needs-value', params: { option, expected } });
}

async function typed<T>(context: Context, { question, known, check }: SetupValue<T>): Promise<T> {
  const { terminal, language, ask } = context;
  const text = `${say(language, question)}${known === undefined ? '' : ` [${known}]`}: `;
  for (let tries = 1; ; tries++) {
    const answer = await ask.text(text);
    const checked = check(answer === '' ? (known ?? '') : answer);
    if (checked.value !== undefined) return checked.value;
    if (tries === TRIES) return valueOrStop(checked);
    for (const issue of checked.issues)
      terminal.say(terminal.paint('red', '✗ ') + issueLine(issue, language));
  }
}

const valueOrStop = <T>({ value, issues }: Checked<T>): T => {
  if (value === undefined) throw new PipelineError('usage', issues);
  return value;
};

/** What a schema says of one field of a body, whatever the others are. */
export const fieldIssues = (schema: SchemaName, field: string, value: JsonValue): readonly Issue[] =>
  validate(schema, 'strict', { [field]: value })
    .filter(({ place }) => place.pointer === `/${field}`)
    .map((issue) => ({ ...issue, place: {}, params: { ...issue.params, field } }));

/** A text that a field of a schema takes. */
export const checkField =
  (schema: SchemaName, field: string) =>
  (text: string): Checked<string> => {
    const issues = fieldIssues(schema, field, text);
    return issues.length === 0 ? { value: text, issues } : { issues };
  };

/** A whole number that a field of a schema takes. */
export const checkNumber =
  (schema: SchemaName, field: string) =>
  (text: string): Checked<number> => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : text;
    const issues = fieldIssues(schema, field, value);
    return typeof value === 'number' && issues.length === 0 ? { value, issues } : { issues };
  };

export const memberText = (body: JsonValue, pointer: string): string | undefined => {
  const value = valueAt(body, pointer);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
};
