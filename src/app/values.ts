import { type Checked, type Issue, PipelineError, stop, withParams } from '../core/issue.js';
import type { JsonValue } from '../core/json.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { Phrase } from '../messages/texts.js';
import { validate } from '../schema/validate.js';
import type { Ask, Context } from './context.js';
import type { Message } from './events.js';
import type { Options } from './options.js';

/** A value that comes from an option, from a person, or from what was configured before. */
interface SetupValue<T> {
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
  if (context.ask && !(yes && known !== undefined)) return typed(context, context.ask, wanted);
  if (known !== undefined) return valueOrStop(check(known));
  return stop('usage', { code: 'setup/needs-value', params: { option, expected } });
}

async function typed<T>(context: Context, ask: Ask, { question, known, check }: SetupValue<T>): Promise<T> {
  const prompt: Message =
    known === undefined
      ? { key: 'prompt', params: { question: { key: question } } }
      : { key: 'promptKnown', params: { question: { key: question }, known } };
  for (let tries = 1; ; tries++) {
    const answer = await ask.text(prompt);
    const checked = check(answer === '' ? (known ?? '') : answer);
    if (checked.value !== undefined) return checked.value;
    if (tries === TRIES) return valueOrStop(checked);
    for (const issue of checked.issues) context.tell({ event: 'remark', issue });
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
    .map((issue) => withParams({ ...issue, place: {} }, { field }));

/**
 * Whether to go on: `--yes`, or a person's yes to the question.
 * @throws PipelineError('usage', run/needs-yes) where nobody can answer
 */
export async function confirmed(context: Context, options: Options, question: Message): Promise<boolean> {
  if (options.yes) return true;
  if (context.ask === undefined) return stop('usage', { code: 'run/needs-yes' });
  return context.ask.confirm(question);
}
