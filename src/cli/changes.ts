import type { AppEvent } from '../app/events.js';
import type { Mask } from '../app/mask.js';
import { compare } from '../core/decimal.js';
import type { Language } from '../core/issue.js';
import { amountInWords, type Phrase, say } from '../messages/texts.js';
import type { Terminal } from './terminal.js';

type ChangeEvent = Extract<AppEvent, { event: 'change' }>;
type Field = ChangeEvent['change']['fields'][number];
type Leaf = Field['before'];

const differenceText = (difference: string, language: Language): string =>
  (compare(difference, '0') > 0 ? '+' : '') + amountInWords(difference, language);

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
  const shown = (value: Leaf, { isAmount, isPersonal }: Field): string => {
    if (value === undefined) return '—';
    const text = String(value);
    if (isAmount) return amountInWords(text, language);
    return isPersonal ? mask.person(text) : text;
  };
  for (const field of change.fields) {
    const { difference } = field;
    const cells = [
      field.titles.join(' › ').padEnd(WIDTHS[0]),
      shown(field.before, field).padStart(WIDTHS[1]),
      shown(field.after, field).padStart(WIDTHS[2]),
      difference === undefined ? '' : differenceText(difference, language).padStart(WIDTHS[2]),
    ];
    terminal.say(`    ${cells.join('  ')}`.trimEnd());
  }
}
