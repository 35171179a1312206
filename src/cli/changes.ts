import type { AppEvent } from '../app/events.js';
import { compare, isDecimal } from '../core/decimal.js';
import type { Language } from '../core/issue.js';
import { type Change, isAmount, REPLACEMENT, titlesOf } from '../families/payroll/adjust-note.js';
import { formatMoney, type Phrase, say } from '../messages/texts.js';
import { isPersonal, type Mask } from './mask.js';
import type { Terminal } from './terminal.js';

type ChangeEvent = Extract<AppEvent, { event: 'change' }>;

/** A change as an object of `--json`: amounts are what is to be judged, of what else is personal only a hint. */
export function changeObject({ kind, change, proposed, fields }: ChangeEvent, { person }: Mask): object {
  const given = (value: Change['before'], pointer: string): Change['before'] | null => {
    if (value === undefined) return null;
    return isAmount(pointer) || !isPersonal(REPLACEMENT, pointer) ? value : person(String(value));
  };
  return {
    event: 'change',
    change: kind,
    sequence: change.sequence,
    key: person(change.key),
    name: change.name === undefined ? null : person(change.name),
    number: change.number,
    predecessor: change.predecessor?.number ?? null,
    predecessorCode: change.predecessor?.cune ?? null,
    proposed,
    follows: change.follows ?? null,
    fields: fields.map(({ pointer, before, after, difference }) => ({
      pointer,
      title: titlesOf(pointer).join(' › '),
      before: given(before, pointer),
      after: given(after, pointer),
      difference: difference ?? null,
    })),
  };
}

function amountText(value: string, language: Language): string {
  if (!isDecimal(value)) return value;
  const [sign, size] = value.startsWith('-') ? ['-', value.slice(1)] : ['', value];
  return sign + formatMoney(size, language);
}

const differenceText = (difference: string, language: Language): string =>
  (compare(difference, '0') > 0 ? '+' : '') + amountText(difference, language);

const WIDTHS = [44, 18, 18] as const;
const HEADS = ['changeField', 'changeBefore', 'changeAfter', 'changeDifference'] as const;
const PHRASES = { replace: 'changeReplace', delete: 'changeDelete', new: 'changeNew' } as const;

/** Above the first change. */
export function sayChangesHead(terminal: Terminal): void {
  const { language } = terminal;
  terminal.say();
  terminal.say(say(language, 'changes'));
  const [field, ...others] = HEADS.map((head) => say(language, head));
  terminal.say(`    ${field!.padEnd(WIDTHS[0])}  ${others.map((head) => head.padStart(18)).join('  ')}`);
}

/** What would change for a person, field by field: amounts in full, for they are what is to be judged. */
export function sayChange(
  terminal: Terminal,
  { kind, change, proposed, fields }: ChangeEvent,
  mask: Mask,
): void {
  const { language } = terminal;
  const { key, name = '', number, predecessor, follows } = change;
  const phrase: Phrase = proposed ? 'changeGone' : PHRASES[kind];
  terminal.say(
    say(language, phrase, {
      who: [mask.person(key), ...(name === '' ? [] : [mask.person(name)])].join(' '),
      number,
      predecessor: predecessor?.number ?? '?',
      after: follows === undefined ? '' : say(language, 'changeFollows', { number: follows }),
    }),
  );
  const shown = (value: Change['before'], pointer: string): string => {
    if (value === undefined) return '—';
    const text = String(value);
    if (isAmount(pointer)) return amountText(text, language);
    return isPersonal(REPLACEMENT, pointer) ? mask.person(text) : text;
  };
  for (const { pointer, before, after, difference } of fields) {
    const cells = [
      titlesOf(pointer).join(' › ').padEnd(WIDTHS[0]),
      shown(before, pointer).padStart(WIDTHS[1]),
      shown(after, pointer).padStart(WIDTHS[2]),
      difference === undefined ? '' : differenceText(difference, language).padStart(WIDTHS[2]),
    ];
    terminal.say(`    ${cells.join('  ')}`.trimEnd());
  }
}
