import { DELETION, REPLACEMENT } from '../payroll/adjust-note.js';
import { type Change, changesBetween, isAmount, titlesOf, wholeAs } from '../payroll/changes.js';
import type { Journal } from '../send/journal.js';
import { type PlannedChange, plannedChanges } from '../send/planned-changes.js';
import { compare, isDecimal } from '../values/decimal.js';
import type { Context } from './context.js';
import { isPersonal, shownPerson } from './mask.js';
import { formatMoney } from './money.js';
import type { Options } from './options.js';
import { type Phrase, say } from './say.js';

type Kind = 'replace' | 'delete' | 'new';

const kindOf = ({ schema }: PlannedChange): Kind =>
  schema === REPLACEMENT ? 'replace' : schema === DELETION ? 'delete' : 'new';

const PHRASES = { replace: 'changeReplace', delete: 'changeDelete', new: 'changeNew' } as const;

/** What changes for a person: leaf by leaf where the document of before is known, else the totals. */
function fieldsOf(change: PlannedChange): readonly Change[] {
  const { body, predecessor } = change;
  if (kindOf(change) === 'delete')
    return predecessor === undefined ? [] : wholeAs('before', predecessor.body);
  return predecessor === undefined ? wholeAs('after', body) : changesBetween(predecessor.body, body);
}

/** Whether a change takes out somebody who is merely not in the file any more. */
const isProposed = (change: PlannedChange, comparesMonth: boolean): boolean =>
  comparesMonth && kindOf(change) === 'delete' && change.leads === undefined;

/** A change as an object of `--json`. */
const changeEvent = (change: PlannedChange, comparesMonth: boolean, options: Options): string =>
  JSON.stringify({
    event: 'change',
    change: kindOf(change),
    sequence: change.sequence,
    key: shownPerson(options)(change.key),
    name: change.name === undefined ? null : shownPerson(options)(change.name),
    number: change.number,
    predecessor: change.predecessor?.number ?? null,
    predecessorCode: change.predecessor?.cune ?? null,
    proposed: isProposed(change, comparesMonth),
    follows: change.follows ?? null,
    fields: fieldsOf(change).map(({ pointer, before, after, difference }) => ({
      pointer,
      title: titlesOf(pointer).join(' › '),
      before: given(before, pointer, options),
      after: given(after, pointer, options),
      difference: difference ?? null,
    })),
  });

/** As programs see it: amounts are what is to be judged, of what else is personal only a hint. */
function given(
  value: Change['before'],
  pointer: string,
  options: Pick<Options, 'showValues'>,
): Change['before'] | null {
  if (value === undefined) return null;
  return isAmount(pointer) || !isPersonal(REPLACEMENT, pointer) ? value : shownPerson(options)(String(value));
}

function amountText(value: string, language: Context['language']): string {
  if (!isDecimal(value)) return value;
  const [sign, size] = value.startsWith('-') ? ['-', value.slice(1)] : ['', value];
  return sign + formatMoney(size, language);
}

const differenceText = (difference: string, language: Context['language']): string =>
  (compare(difference, '0') > 0 ? '+' : '') + amountText(difference, language);

/** A value as the screen shows it: amounts in full, for they are what is to be judged; of what else is personal, a hint. */
function valueText(
  value: Change['before'],
  pointer: string,
  { language }: Context,
  options: Options,
): string {
  if (value === undefined) return '—';
  const text = String(value);
  if (isAmount(pointer)) return amountText(text, language);
  return isPersonal(REPLACEMENT, pointer) ? shownPerson(options)(text) : text;
}

const WIDTHS = [44, 18, 18] as const;

function fieldLine(change: Change, context: Context, options: Options): string {
  const { pointer, before, after, difference } = change;
  const cells = [
    titlesOf(pointer).join(' › ').padEnd(WIDTHS[0]),
    valueText(before, pointer, context, options).padStart(WIDTHS[1]),
    valueText(after, pointer, context, options).padStart(WIDTHS[2]),
    difference === undefined ? '' : differenceText(difference, context.language).padStart(WIDTHS[2]),
  ];
  return `    ${cells.join('  ')}`.trimEnd();
}

/**
 * Shows what a draft would change, per person and field, before anything is sent. `comparesMonth`: the file is a whole
 * month, so that a deletion means that somebody is not in it any more.
 */
export async function tellChanges(
  context: Context,
  options: Options,
  { journal, run, comparesMonth }: { journal: Journal; run: string; comparesMonth: boolean },
): Promise<void> {
  const { terminal, language } = context;
  const shown = shownPerson(options);
  const line = (phrase: Phrase, params = {}): void => terminal.say(say(language, phrase, params));
  let any = false;
  for (const change of plannedChanges(journal, run)) {
    if (options.json) {
      terminal.out(changeEvent(change, comparesMonth, options));
      await terminal.drained();
      continue;
    }
    if (!any) {
      terminal.say();
      line('changes');
      const heads = ['changeField', 'changeBefore', 'changeAfter', 'changeDifference'] as const;
      const [field, ...others] = heads.map((head) => say(language, head));
      terminal.say(`    ${field!.padEnd(WIDTHS[0])}  ${others.map((head) => head.padStart(18)).join('  ')}`);
      any = true;
    }
    const { key, name = '', number, predecessor, follows } = change;
    const who = [shown(key), ...(name === '' ? [] : [shown(name)])].join(' ');
    line(isProposed(change, comparesMonth) ? 'changeGone' : PHRASES[kindOf(change)], {
      who,
      number,
      predecessor: predecessor?.number ?? '?',
      after: follows === undefined ? '' : say(language, 'changeFollows', { number: follows }),
    });
    for (const field of fieldsOf(change)) terminal.say(fieldLine(field, context, options));
  }
}
