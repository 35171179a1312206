import type { Options } from '../cli/options.js';
import { type Phrase, say } from '../cli/texts.js';
import { compare, isDecimal } from '../core/decimal.js';
import { stop } from '../core/issue.js';
import type { Pointer } from '../core/json.js';
import {
  type Change,
  changesBetween,
  DELETION,
  isAmount,
  NOTE_TYPE,
  REPLACEMENT,
  titlesOf,
  wholeAs,
} from '../families/payroll/adjust-note.js';
import { type PlannedChange, plannedChanges } from '../families/payroll/kind.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { Journal } from '../send/journal.js';
import type { Series } from '../send/kind.js';
import { PREDECESSOR_LEAVES, predecessorFiller } from '../send/known-documents.js';
import { seriesInUse } from '../send/numbering.js';
import type { Context, UseCase } from './context.js';
import { formatMoney, type Job, loadJob } from './job.js';
import { withSender } from './journal-access.js';
import { refuseOutput } from './outputs.js';
import { annotationFor, corrections, writeAnnotation } from './reading.js';
import { isPersonal, shownPerson } from './report.js';
import { type Errand, type Sending, sendAll } from './send.js';
import { serviceAddress } from './service.js';
import { firstNumber, keyIsWorker, spoolJob } from './spool.js';

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
async function tellChanges(
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

const NOTES: readonly SchemaName[] = [REPLACEMENT, DELETION];

/** What `notes` says where nobody gave a reason; it goes to DIAN, in Spanish. */
const REASON = 'Corrección de la nómina';

/** A sheet of corrections makes notes itself; a whole month is compared with the journal. */
function comparesMonth({ mapping }: Job): boolean {
  const schemas = mapping.targets.map(({ schema }) => schema);
  if (schemas.every((schema) => schema === 'payroll/payroll')) return true;
  if (schemas.every((schema) => NOTES.includes(schema))) return false;
  return stop('usage', { code: 'run/not-adjustable', value: schemas.join(', ') });
}

/** A series goes on where the journal has it; only in an empty one the parameters say where it begins. */
const firstNumbers =
  ({ job, journal }: Sending, ofNotes: number | undefined) =>
  (series: Series): number | undefined => {
    if (seriesInUse(journal, series)) return undefined;
    return series.typeDocumentId === NOTE_TYPE ? ofNotes : firstNumber(job);
  };

/** The mapping as it is where no column has to feed these leaves. */
const withoutNeeds = (mapping: LoadedMapping, leaves: readonly Pointer[]): LoadedMapping => ({
  ...mapping,
  targets: mapping.targets.map((target) => {
    const needs = target.tree.needs.filter(({ pointer }) => !leaves.includes(pointer));
    return { ...target, tree: { ...target.tree, needs } };
  }),
});

/** Notes as the sheet says them, with what it leaves blank of their predecessors from the journal. */
function notesErrand(sending: Sending): Errand {
  const { context, options, job, journal } = sending;
  const first = firstNumbers(sending, job.notes.first ?? firstNumber(job));
  const filled = { ...job, mapping: withoutNeeds(job.mapping, PREDECESSOR_LEAVES) };
  const complete = predecessorFiller({
    journal,
    testSet: options.testSet,
    keyIsWorker: keyIsWorker(job.mapping),
  });
  return {
    spool: (call) => spoolJob(context, options, { ...call, job: filled, complete, first }),
    show: ({ run }) => tellChanges(context, options, { journal, run, comparesMonth: false }),
  };
}

/** What the corrected month comes down to; who is not in it any more is deleted only by a yes of its own. */
function monthErrand(sending: Sending): Errand {
  const { context, options, job, journal } = sending;
  const { terminal, language } = context;
  const { reason = REASON, testSet } = options;
  const first = firstNumbers(sending, job.notes.first);

  return {
    spool: (call) =>
      spoolJob(context, options, {
        ...call,
        shaping: corrections(job, { reason }, { journal, testSet }),
        first,
      }),
    async show({ run, findings }) {
      await tellChanges(context, options, { journal, run, comparesMonth: true });
      if (findings.errors > 0) terminal.say(say(language, 'deletionsUnknown'));
    },
    async leavesOut({ proposed }) {
      const count = proposed.length;
      if (count === 0 || options.deleteMissing) return false;
      const asks = terminal.interactive && !options.yes;
      if (asks && (await context.ask.yes(say(language, 'askDelete', { count })))) return false;
      terminal.say(say(language, 'deletionsLeftOut', { count }));
      return true;
    },
  };
}

/** `cargue adjust FILE...`: corrects what was accepted, by notes that a sheet gives or that a corrected month needs. */
export const adjust: UseCase = async (context, files, options) => {
  const job = await loadJob(files, options);
  const errandOf = comparesMonth(job) ? monthErrand : notesErrand;
  const url = serviceAddress(context, options);
  refuseOutput(context, options, { purpose: 'report', output: options.report, files: job.files });
  const annotation = annotationFor(context, job.files, options);
  return withSender(context, options, true, async (journal) => {
    const sending: Sending = { context, options, job, url, journal, annotation };
    const code = await sendAll(sending, errandOf(sending));
    await writeAnnotation(context, annotation, options);
    return code;
  });
};
