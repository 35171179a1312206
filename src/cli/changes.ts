import type { AppEvent } from '../app/events.js';
import type { Mask } from '../app/mask.js';
import { compare } from '../toolkit/core/decimal.js';
import type { Language } from '../toolkit/core/issue.js';
import { amountInWords, dateInWords, type Phrase, translate } from '../toolkit/messages/texts.js';
import { type Terminal, wrapped } from './terminal.js';

type ChangeEvent = Extract<AppEvent, { event: 'change' }>;
type Field = ChangeEvent['change']['fields'][number];
const differenceText = (difference: string, language: Language): string =>
  (compare(difference, '0') > 0 ? '+' : '') + amountInWords(difference, language);

const [FIELD, VALUE] = [44, 18];
const [NARROW_FIELD, NARROW_VALUE] = [20, 15];
/** Indent of a row, and gap between its columns. */
const [INDENT, GAP] = ['    ', '  '];
const ALL = INDENT.length + FIELD + 3 * (GAP.length + VALUE);

/** Returns the widths of a field name and of its three values, for the terminal's width. */
function widthsOf({ columns = ALL }: Terminal): readonly [field: number, value: number] {
  const value = columns < ALL ? NARROW_VALUE : VALUE;
  const field = columns - INDENT.length - 3 * (GAP.length + value);
  return [Math.min(FIELD, Math.max(NARROW_FIELD, field)), value];
}

/** Prints a row of the table; a long name takes more lines, long values a line below. */
function printRow(terminal: Terminal, name: string, values: readonly string[]): void {
  const [field, value] = widthsOf(terminal);
  const named = wrapped(name, field).split('\n');
  const last = named.pop() ?? '';
  for (const line of named) terminal.print(INDENT + line);
  if (values.some((text) => text.length > value)) {
    terminal.print(INDENT + last);
    terminal.print(`${INDENT}${GAP}${values.filter((text) => text !== '').join(' → ')}`);
  } else
    terminal.print(
      (INDENT + [last.padEnd(field), ...values.map((text) => text.padStart(value))].join(GAP)).trimEnd(),
    );
}

const HEADS = ['changeField', 'changeBefore', 'changeAfter', 'changeDifference'] as const;
const PHRASES = { replace: 'changeReplace', delete: 'changeDelete', new: 'changeNew' } as const;

/** Prints the heading above the first change. */
export function printChangesHead(terminal: Terminal): void {
  const { language } = terminal;
  terminal.print();
  terminal.print(translate(language, 'changes'));
  const [field = '', ...others] = HEADS.map((head) => translate(language, head));
  printRow(terminal, field, others);
}

/** Prints a change, field by field; amounts are in full, since the user judges them. */
export function printChange(terminal: Terminal, { change, proposed }: ChangeEvent, mask: Mask): void {
  const { language } = terminal;
  const { kind, key, name = '', number, predecessor, follows } = change;
  const phrase: Phrase = proposed ? 'changeGone' : PHRASES[kind];
  terminal.print(
    translate(language, phrase, {
      who: [mask.person(key), ...(name === '' ? [] : [mask.person(name)])].join(' '),
      number,
      predecessor: predecessor?.number ?? '?',
      after: follows === undefined ? '' : translate(language, 'changeFollows', { number: follows }),
    }),
  );
  if (change.isForgotten) terminal.print(INDENT + translate(language, 'changeForgotten'));
  const shown = (value: Field['before'], { isAmount, isPersonal }: Field): string => {
    if (value === undefined) return '—';
    const text = String(value);
    if (isAmount) return amountInWords(text, language);
    return isPersonal ? mask.person(text) : dateInWords(text);
  };
  for (const field of change.fields) {
    const { difference } = field;
    printRow(terminal, field.titles.join(' › '), [
      shown(field.before, field),
      shown(field.after, field),
      difference === undefined ? '' : differenceText(difference, language),
    ]);
  }
}
