import type { AppEvent } from '../app/events.js';
import type { Mask } from '../app/mask.js';
import { compare } from '../toolkit/core/decimal.js';
import type { Language } from '../toolkit/core/issue.js';
import { amountInWords, dateInWords, type Phrase, say } from '../toolkit/messages/texts.js';
import { type Terminal, wrapped } from './terminal.js';

type ChangeEvent = Extract<AppEvent, { event: 'change' }>;
type Field = ChangeEvent['change']['fields'][number];
type Leaf = Field['before'];

const differenceText = (difference: string, language: Language): string =>
  (compare(difference, '0') > 0 ? '+' : '') + amountInWords(difference, language);

const [FIELD, VALUE] = [44, 18];
const [NARROW_FIELD, NARROW_VALUE] = [20, 15];
/** What a row begins with, and what parts its columns. */
const [INDENT, GAP] = ['    ', '  '];
const ALL = INDENT.length + FIELD + 3 * (GAP.length + VALUE);

/** Widths of the name of a field and of each of its three values, as far as a terminal is wide. */
function widthsOf({ columns = ALL }: Terminal): readonly [field: number, value: number] {
  const value = columns < ALL ? NARROW_VALUE : VALUE;
  const field = columns - INDENT.length - 3 * (GAP.length + value);
  return [Math.min(FIELD, Math.max(NARROW_FIELD, field)), value];
}

/** A row of the table: a name that is too long takes more lines, values that are too long one of their own. */
function sayRow(terminal: Terminal, name: string, values: readonly string[]): void {
  const [field, value] = widthsOf(terminal);
  const named = wrapped(name, field).split('\n');
  for (const line of named.slice(0, -1)) terminal.say(INDENT + line);
  const last = named.at(-1)!;
  if (values.some((one) => one.length > value)) {
    terminal.say(INDENT + last);
    terminal.say(`${INDENT}${GAP}${values.filter((one) => one !== '').join(' → ')}`);
  } else
    terminal.say(
      (INDENT + [last.padEnd(field), ...values.map((one) => one.padStart(value))].join(GAP)).trimEnd(),
    );
}

const HEADS = ['changeField', 'changeBefore', 'changeAfter', 'changeDifference'] as const;
const PHRASES = { replace: 'changeReplace', delete: 'changeDelete', new: 'changeNew' } as const;

/** Above the first change. */
export function sayChangesHead(terminal: Terminal): void {
  const { language } = terminal;
  terminal.say();
  terminal.say(say(language, 'changes'));
  const [field, ...others] = HEADS.map((head) => say(language, head));
  sayRow(terminal, field!, others);
}

/** What would change for a person, field by field: amounts in full, for they are what is to be judged. */
export function sayChange(terminal: Terminal, { change, proposed }: ChangeEvent, mask: Mask): void {
  const { language } = terminal;
  const { kind, key, name = '', number, predecessor, follows } = change;
  const phrase: Phrase = proposed ? 'changeGone' : PHRASES[kind];
  terminal.say(
    say(language, phrase, {
      who: [mask.person(key), ...(name === '' ? [] : [mask.person(name)])].join(' '),
      number,
      predecessor: predecessor?.number ?? '?',
      after: follows === undefined ? '' : say(language, 'changeFollows', { number: follows }),
    }),
  );
  if (change.isForgotten) terminal.say(INDENT + say(language, 'changeForgotten'));
  const shown = (value: Leaf, { isAmount, isPersonal }: Field): string => {
    if (value === undefined) return '—';
    const text = String(value);
    if (isAmount) return amountInWords(text, language);
    return isPersonal ? mask.person(text) : dateInWords(text);
  };
  for (const field of change.fields) {
    const { difference } = field;
    sayRow(terminal, field.titles.join(' › '), [
      shown(field.before, field),
      shown(field.after, field),
      difference === undefined ? '' : differenceText(difference, language),
    ]);
  }
}
