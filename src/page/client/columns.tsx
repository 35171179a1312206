import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { withoutCents } from '../amounts.js';
import type { PageEvent, PageIssue, TaskView } from '../api.js';
import { StepFooter } from './frame.js';
import { Issues, Working } from './parts.js';
import { Picker, type PickerOption } from './picker.js';
import { type ScreenProps, taskOf, useMayPrepare } from './screen.js';
import { call, eventsNamed, lastEvent, useAttempts, useTask } from './server.js';
import { count, day, money, readingText, t } from './words.js';

/** Value that leaves a column out. */
const IGNORE = 'ignore';

interface Answer {
  readonly value: string;
  readonly title: string;
  readonly group?: string;
  readonly reason?: string;
  readonly score?: number;
  readonly effect?: { readonly about: string };
  /** Destination of a column's amounts; absent if the field is no amount. */
  readonly amountTo?: 'documents' | 'control';
}

interface Sample {
  readonly cell: string;
  readonly text: string;
}

interface QuestionEvent extends PageEvent {
  readonly id: string;
  readonly title: string;
  readonly why: string | null;
  readonly samples: readonly Sample[];
  readonly answers: readonly Answer[];
  readonly likely: number;
  readonly free: boolean;
  /** Columns of a joint question with their meaning if the answer is yes; empty for other questions. */
  readonly each: readonly { readonly id: string; readonly answer: Answer }[];
}

/** Question that was answered, with the answer in words. */
interface AnsweredEvent extends PageEvent, Pick<QuestionEvent, 'id' | 'title' | 'samples'> {
  readonly answer: Answer;
}

interface LabelEvent extends PageEvent {
  readonly id: string;
  readonly table: string;
  readonly file: string;
  readonly sheet: string | null;
  readonly column: string;
  readonly key: string;
  readonly state: 'decided' | 'open' | 'ignored';
  readonly means: string | null;
  /** Title of the field that it means. */
  readonly title: string | null;
  readonly samples: readonly Sample[];
  readonly cells: number | null;
  readonly amount: string | null;
  readonly score: number | null;
  readonly why: string;
}

interface FieldsEvent extends PageEvent {
  readonly table: string;
  readonly fields: readonly (Answer & { readonly adds: boolean })[];
}

interface TotalsEvent extends PageEvent {
  readonly totals?: readonly {
    readonly label: string | null;
    readonly stated: string;
    readonly computed: string;
    readonly difference: string;
  }[];
}

/** Inspects the files if no inspection exists; each answer starts another one. */
export function useInspection({ upload, reload }: ScreenProps): {
  readonly task: TaskView | undefined;
  readonly events: readonly PageEvent[];
  readonly busy: boolean;
  readonly issues: readonly PageIssue[];
  answer(id: string, value: string): Promise<void>;
} {
  const { refused, attempt } = useAttempts();
  const [starting, setStarting] = useState(false);
  const { task, events } = useTask(taskOf(upload, 'inspect')?.id, reload);
  // The previous result stays visible while a new inspection runs.
  const latest = useRef<readonly PageEvent[]>([]);
  if (task?.state === 'ended' && task.failure.length === 0) latest.current = events;
  const start = (once: boolean) => call('POST', `/uploads/${upload.id}/tasks/inspect`, { once });
  const isDue = taskOf(upload, 'inspect') === undefined && upload.files.length > 0;
  useEffect(() => {
    latest.current = [];
    if (isDue) void attempt(() => start(true)).then(reload);
  }, [upload.id, isDue]);
  return {
    task,
    events: task?.state === 'ended' && task.failure.length === 0 ? events : latest.current,
    busy: starting || task?.state !== 'ended',
    issues: [...refused, ...(task?.failure ?? [])],
    async answer(id, value) {
      setStarting(true);
      await attempt(async () => {
        await call('PUT', `/uploads/${upload.id}/answers`, { [id]: value });
        await start(false);
      })
        .then(reload)
        .finally(() => setStarting(false));
    },
  };
}

/** Column of the file, or a question that is not about a column, as a row of the table. */
interface Row {
  readonly id: string;
  readonly label?: LabelEvent | undefined;
  readonly question?: QuestionEvent | undefined;
  readonly answered?: AnsweredEvent;
  /** Field that is decided or proposed, in words; undefined if the user must choose. */
  readonly field?: string | undefined;
  readonly certainty: string;
}

/** Says that a column is left out, with its pesos if it has any. */
const notUsedText = ({ amount }: LabelEvent): string =>
  amount === null ? t('notUsed') : t('notUsedAmount', { amount: money(amount) });

/** Least score of an answer that is probable. */
const PROBABLE = 0.7;
/** Least score of a field that is certain. */
const CERTAIN = 0.9;

const undecidedButtons = (): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('.undecided'),
];

/** Moves the focus to the next undecided column, or to the one before. */
function goToDoubt(step: 1 | -1 = 1): void {
  const buttons = undecidedButtons();
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  buttons.at((at < 0 && step < 0 ? 0 : at + step) % Math.max(buttons.length, 1))?.focus();
}

/** Lists the columns of the file with their fields: undecided ones first, certain ones folded. */
export function Columns(props: ScreenProps) {
  const { upload } = props;
  const { task, events, busy, issues, answer } = useInspection(props);
  const mayPrepare = useMayPrepare();
  const [previewed, setPreviewed] = useState<PickerOption>();
  const questions = eventsNamed<QuestionEvent>(events, 'question');
  const labels = eventsNamed<LabelEvent>(events, 'label');
  const fields = new Map(
    eventsNamed<FieldsEvent>(events, 'fields').map((event) => [event.table, event.fields]),
  );
  const labelById = new Map(labels.map((label) => [label.id, label]));
  // The focus goes on with the doubt that follows the answered one.
  const answeredAt = useRef<number | undefined>(undefined);
  useEffect(() => {
    const at = answeredAt.current;
    if (busy || at === undefined) return;
    answeredAt.current = undefined;
    const buttons = undecidedButtons();
    (buttons[at] ?? buttons.at(-1) ?? document.querySelector<HTMLElement>('.go'))?.focus();
  }, [busy]);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'F8') return;
      event.preventDefault();
      goToDoubt(event.shiftKey ? -1 : 1);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const take = (id: string, value: string): void => {
    answeredAt.current = Math.max(0, undecidedButtons().indexOf(document.activeElement as HTMLElement));
    void answer(id, value);
  };
  const joint = questions.filter(({ each }) => each.length > 0);
  const jointIds = new Set(joint.flatMap(({ each }) => each.map(({ id }) => id)));
  const open = questions
    .filter(({ each }) => each.length === 0)
    .map((question): Row => {
      const label = labelById.get(question.id);
      return { id: question.id, label, question, certainty: t('undecidedField') };
    });
  const settled = labels.filter(({ id, state }) => state !== 'open' && !jointIds.has(id));
  const answered = eventsNamed<AnsweredEvent>(events, 'answered');
  const answeredIds = new Set(answered.map(({ id }) => id));
  const isGiven = ({ id }: LabelEvent): boolean => answeredIds.has(id);
  const rowOf = (label: LabelEvent): Row => ({
    id: label.id,
    label,
    field: label.state === 'ignored' ? notUsedText(label) : (label.title ?? label.means ?? ''),
    certainty: isGiven(label)
      ? t('byYou')
      : t(label.state === 'ignored' || (label.score ?? 0) >= CERTAIN ? 'certain' : 'probable'),
  });
  const given = [
    ...answered
      .filter(({ id }) => !labelById.has(id))
      .map(
        (event): Row => ({
          id: event.id,
          answered: event,
          field: event.answer.title,
          certainty: t('byYou'),
        }),
      ),
    ...Object.entries(upload.answers)
      .filter(([id, value]) => value !== '' && readingText(id, value) !== undefined)
      .map(([id, value]): Row => ({ id, field: readingText(id, value), certainty: t('byYou') })),
  ];
  const groups: readonly (readonly [title: string, rows: readonly Row[]])[] = [
    [t('decidedByYou'), [...settled.filter(isGiven).map(rowOf), ...given]],
    [t('certainColumns'), settled.filter((label) => label.state === 'decided' && !isGiven(label)).map(rowOf)],
    [t('unusedColumns'), settled.filter((label) => label.state === 'ignored' && !isGiven(label)).map(rowOf)],
  ];
  const undecided = open.length + jointIds.size;
  const isRead = events.length > 0;
  const list = (rows: readonly Row[]) =>
    rows.map((row) => (
      <ColumnRow
        key={row.id}
        row={row}
        disabled={busy}
        options={() => optionsOf(row, fields.get(row.label?.table ?? '') ?? [], labels)}
        take={(value) => take(row.id, value)}
        preview={setPreviewed}
        undo={mayPrepare && row.certainty === t('byYou') ? () => take(row.id, '') : undefined}
      />
    ));
  return (
    <>
      <h1>{t('columnsTitle')}</h1>
      <Issues issues={issues} />
      {busy && <Working task={task} />}
      {isRead && (
        <>
          <p class={undecided === 0 ? 'notice good' : 'hint'} role="status">
            {undecided === 0 ? t('noQuestions') : t('questionsLeft', { count: undecided })}
          </p>
          <div class="split">
            <table class="list columns" aria-busy={busy} aria-label={t('columnsTitle')}>
              <thead>
                <tr>
                  <th scope="col">{t('inYourFile')}</th>
                  <th scope="col" class="number">
                    {t('sum')}
                  </th>
                  <th scope="col">{t('inDocument')}</th>
                  <th scope="col">{t('certainty')}</th>
                </tr>
              </thead>
              {open.length > 0 && (
                <Group title={t('toDecide')} count={open.length} isDoubt>
                  {list(open)}
                </Group>
              )}
              {joint.map(({ id, title, answers: [all], each }) => (
                <Group
                  key={id}
                  title={title}
                  count={each.length}
                  isDoubt
                  act={
                    all &&
                    mayPrepare && (
                      <button
                        type="button"
                        class="undecided"
                        disabled={busy}
                        onClick={() => take(id, all.value)}
                      >
                        {t(all.value === IGNORE ? 'useNone' : 'confirmColumns', { count: each.length })}
                        {all.effect !== undefined && <small>{withoutCents(all.effect.about)}</small>}
                      </button>
                    )
                  }
                >
                  {list(
                    each.map((member) => ({
                      id: member.id,
                      label: labelById.get(member.id),
                      field: member.answer.title,
                      certainty: t('probable'),
                    })),
                  )}
                </Group>
              ))}
              {groups.map(([title, rows]) => (
                <Folded key={title} title={title} rows={rows} list={list} />
              ))}
            </table>
            <Totals
              event={lastEvent<TotalsEvent>(events, 'summary')}
              hasEffects={labels.some(({ amount }) => amount !== null)}
              previewed={previewed}
            />
          </div>
        </>
      )}
      <StepFooter
        upload={upload}
        step="data"
        back="files"
        reason={
          busy
            ? t('whyBusy')
            : !isRead
              ? t('whyNotRead')
              : undecided > 0
                ? t('whyUndecided', { count: undecided })
                : undefined
        }
        progress={
          isRead
            ? {
                done: settled.length + given.length,
                total: settled.length + given.length + undecided,
                text: t('decidedColumns'),
              }
            : undefined
        }
      >
        {undecided > 0 && (
          <button type="button" onClick={() => goToDoubt()}>
            {t('nextDoubt')} <kbd>F8</kbd>
          </button>
        )}
      </StepFooter>
    </>
  );
}

/** Returns the fields that a row can be, or the answers of its question: likely ones first. */
function optionsOf(
  { label, question }: Row,
  fields: FieldsEvent['fields'],
  labels: readonly LabelEvent[],
): readonly PickerOption[] {
  const answers = question?.answers ?? [{ value: IGNORE, title: t('notUsed') }, ...fields];
  const likely = question === undefined || question.likely === answers.length ? 0 : question.likely;
  const hasOne = new Set(fields.flatMap(({ value, adds }) => (adds ? [] : value)));
  /** Returns the column that has the field already, if it can have no other. */
  const takenBy = (value: string): LabelEvent | undefined =>
    hasOne.has(value)
      ? labels.find(
          ({ id, table, file, sheet, means }) =>
            means === value &&
            id !== label?.id &&
            table === label?.table &&
            file === label.file &&
            sheet === label.sheet,
        )
      : undefined;
  return answers.map(({ value, title, group, reason, score, effect, amountTo }: Answer, at) => {
    const other = takenBy(value);
    const to = value === IGNORE ? 'nothing' : amountTo;
    // A decided column has no question, so its options have no effect of their own.
    const outcome =
      effect === undefined
        ? label?.amount != null && to && t(`amountTo-${to}`, { amount: money(label.amount) })
        : withoutCents(effect.about);
    const chance = score !== undefined && value !== IGNORE && t(score >= PROBABLE ? 'probable' : 'possible');
    return {
      value,
      title,
      group: at < likely ? t('alike') : group,
      isTaken: other !== undefined,
      effect: (other === undefined && outcome) || undefined,
      note:
        other === undefined
          ? [at < likely && group, chance, reason, outcome].filter(Boolean).join(' · ') || undefined
          : t('takenBy', { label: other.key }),
    };
  });
}

interface GroupProps {
  readonly title: string;
  readonly count: number;
  readonly isDoubt?: boolean;
  /** Button for all rows of the group. */
  readonly act?: ComponentChildren;
  readonly children: ComponentChildren;
}

const Group = ({ title, count: rows, isDoubt = false, act, children }: GroupProps) => (
  <tbody>
    <tr class="group-row">
      <th colSpan={4} scope="rowgroup">
        {title} <span class={isDoubt ? 'chip doubt' : 'chip'}>{count(rows)}</span> {act}
      </th>
    </tr>
    {children}
  </tbody>
);

interface FoldedProps {
  readonly title: string;
  readonly rows: readonly Row[];
  list(rows: readonly Row[]): ComponentChildren;
}

const FIRST_NAMES = 4;

/** Lists rows once it is opened; folded it names the first ones. */
function Folded({ title, rows, list }: FoldedProps) {
  const [isOpen, setOpen] = useState(false);
  if (rows.length === 0) return null;
  const names = rows
    .slice(0, FIRST_NAMES)
    .map(({ id, label, answered }) => label?.key ?? answered?.title ?? readingText(id, '') ?? id);
  return (
    <tbody>
      <tr class="group-row">
        <th colSpan={4} scope="rowgroup">
          <button type="button" class="plain fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {title}
          </button>{' '}
          <span class="chip">{count(rows.length)}</span>{' '}
          {!isOpen && (
            <span class="hint">
              {names.join(', ')}
              {rows.length > names.length && '…'}
            </span>
          )}
        </th>
      </tr>
      {isOpen && list(rows)}
    </tbody>
  );
}

interface ColumnRowProps {
  readonly row: Row;
  readonly disabled: boolean;
  options(): readonly PickerOption[];
  take(value: string): void;
  preview(option: PickerOption | undefined): void;
  /** Takes back the user's answer; absent if there is none. */
  readonly undo: (() => void) | undefined;
}

function ColumnRow({ row, disabled, options, take, preview, undo }: ColumnRowProps) {
  const { id, label, question, answered, field, certainty } = row;
  const name = label?.key ?? (question ?? answered)?.title ?? readingText(id, '') ?? id;
  const { samples } = label ?? question ?? answered ?? { samples: [] };
  // Repeated columns, such as the first and second overtime, are found by their titles alone.
  const isFixed = label === undefined ? question === undefined : label.means?.includes('.') === true;
  const sheet = label?.sheet ?? undefined;
  const mayPrepare = useMayPrepare();
  return (
    <tr>
      <td>
        {label !== undefined && (
          <span class="letter" title={sheet}>
            {label.column}
          </span>
        )}{' '}
        <b>{name}</b>
        {question?.why != null && <p class="hint">{question.why}</p>}
        {samples.length > 0 && (
          <p class="samples">
            {samples.slice(0, 3).map(({ cell, text }) => (
              <span key={cell} class="sample" title={cell}>
                {label?.amount == null ? day(text) : money(text)}
              </span>
            ))}
          </p>
        )}
      </td>
      <td class="number">
        {label?.amount != null && money(label.amount)}
        {label?.cells != null && <p class="hint">{t('cells', { count: label.cells })}</p>}
      </td>
      <td>
        {isFixed || !mayPrepare ? (
          (field ?? t('undecidedField'))
        ) : (
          <Picker
            label={t('fieldOf', { label: name })}
            className={field === undefined ? 'field-button undecided' : 'field-button'}
            options={options}
            disabled={disabled}
            free={question?.free}
            choose={take}
            preview={preview}
          >
            <span class="unseen">{t('fieldOf', { label: name })}: </span>
            {field ?? t('undecidedField')}
          </Picker>
        )}
      </td>
      <td>
        <span class={field === undefined ? 'chip doubt' : 'chip'}>{certainty}</span>{' '}
        {undo !== undefined && (
          <button
            type="button"
            class="plain"
            disabled={disabled}
            aria-label={`${t('undo')}: ${name}`}
            onClick={undo}
          >
            {t('undo')}
          </button>
        )}
      </td>
    </tr>
  );
}

interface TotalsProps {
  readonly event: TotalsEvent | undefined;
  /** True if columns have amounts, so that an answer says what it would do. */
  readonly hasEffects: boolean;
  /** Answer that is active or under the pointer. */
  readonly previewed: PickerOption | undefined;
}

/**
 * Compares the totals that the file states with those of its columns, before and after the latest answer, and says what
 * an answer would do before it is chosen.
 */
function Totals({ event, hasEffects, previewed }: TotalsProps) {
  const totals = event?.totals ?? [];
  const shown = useRef<{ readonly now: typeof totals; readonly before?: typeof totals }>({ now: totals });
  // An inspection that changes nothing leaves what stood before.
  if (totals.length > 0 && JSON.stringify(shown.current.now) !== JSON.stringify(totals))
    shown.current = { now: totals, before: shown.current.now };
  if (totals.length === 0 && !hasEffects) return null;
  const { title, effect } = previewed ?? {};
  return (
    <aside class="card" aria-labelledby="totals">
      <h2 id="totals">{t('effectOnTotals')}</h2>
      {totals.map(({ label, stated, computed, difference }) => {
        const before = shown.current.before?.find((total) => total.label === label)?.computed ?? computed;
        return (
          <dl key={label} class="sums">
            <dt>{t('sumOfConcepts')}</dt>
            <dd>
              {money(computed)}
              {before !== computed && (
                <small class="hint"> {t('beforeAnswer', { amount: money(before) })}</small>
              )}
            </dd>
            <dt>{label}</dt>
            <dd>{money(stated)}</dd>
            <dt>
              <b>{t('difference')}</b>
            </dt>
            <dd class={Number(difference) === 0 ? 'good' : 'doubt'}>
              <b>{money(difference)}</b>
            </dd>
          </dl>
        );
      })}
      {hasEffects && (
        <p class="hint" role="status">
          {title === undefined || effect === undefined ? t('effectHint') : t('effectOf', { title, effect })}
        </p>
      )}
    </aside>
  );
}
