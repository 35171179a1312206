import { stop } from '../issues/pipeline-error.js';

/** Where the numbers of adjust notes come from, which are no business of a mapping of payrolls. */
export interface NoteParams {
  readonly prefix?: string;
  /** Used when the journal has no note of that prefix yet. */
  readonly first?: number;
}

const PREFIX = 'note_prefix';
const FIRST = 'first_note_consecutive';

/**
 * Takes the parameters of notes out of those of a call, which may stand in the same file for every command.
 * @throws PipelineError('usage', param/wrong)
 */
export function takeNoteParams(all: Readonly<Record<string, unknown>>): {
  readonly given: Readonly<Record<string, unknown>>;
  readonly notes: NoteParams;
} {
  const { [PREFIX]: prefix, [FIRST]: first, ...given } = all;
  const wrong = (name: string, value: unknown, type: string): never =>
    stop('usage', { code: 'param/wrong', value: String(value), params: { name, type } });
  if (prefix !== undefined && !/^[A-Z]{1,4}$/.test(String(prefix))) wrong(PREFIX, prefix, 'A … ZZZZ');
  if (first !== undefined && !/^[1-9]\d*$/.test(String(first))) wrong(FIRST, first, 'integer');
  return {
    given,
    notes: {
      ...(prefix !== undefined && { prefix: String(prefix) }),
      ...(first !== undefined && { first: Number(first) }),
    },
  };
}
