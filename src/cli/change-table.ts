import { DELETION, REPLACEMENT } from '../payroll/adjust-note.js';
import { type Change, changesBetween, isAmount, titlesOf, wholeAs } from '../payroll/changes.js';
import type { Journal } from '../send/journal.js';
import { type PlannedChange, plannedChanges } from '../send/planned-changes.js';
import { compare, isDecimal } from '../values/decimal.js';
import type { Context } from './context.js';
import { isPersonal, maskText } from './mask.js';
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

/** A change as an object of `--json`; programs see values in full, as in every other object. */
const changeEvent = (change: PlannedChange, comparesMonth: boolean): string =>
  JSON.stringify({
    event: 'change',
    change: kindOf(change),
    sequence: change.sequence,
    key: change.key,
    name: change.name ?? null,
    number: change.number,
    predecessor: change.predecessor?.number ?? null,
    predecessorCode: change.predecessor?.cune ?? null,
    proposed: isProposed(change, comparesMonth),
    follows: change.follows ?? null,
    fields: fieldsOf(change).map(({ pointer, before, after, difference }) => ({
      pointer,
      title: titlesOf(pointer).join(' › '),
      before: before ?? null,
      after: after ?? null,
      difference: difference ?? null,
    })),
  });

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
  { showValues }: Options,
): string {
  if (value === undefined) return '—';
  const text = String(value);
  if (isAmount(pointer)) return amountText(text, language);
  return showValues || !isPersonal(REPLACEMENT, pointer) ? text : maskText(text);
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
  const shown = (text: string): string => (options.showValues ? text : maskText(text));
  const line = (phrase: Phrase, params = {}): void => terminal.say(say(language, phrase, params));
  let any = false;
  for (const change of plannedChanges(journal, run)) {
    if (options.json) {
      terminal.out(changeEvent(change, comparesMonth));
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
