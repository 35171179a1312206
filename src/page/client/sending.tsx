import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { PageEvent, PageIssue, RunView, Summary, TaskView } from '../api.js';
import { useInspection } from './columns.js';
import { NoService } from './company.js';
import { useDocumentActions } from './documents.js';
import { allowNotices, mayAskForNotices, useEndNotice } from './end-notice.js';
import { Footer } from './frame.js';
import { Outcomes } from './outcomes.js';
import {
  Figure,
  IssueList,
  Issues,
  Messages,
  type NumberHead,
  QuestionForm,
  ShownOf,
  Table,
} from './parts.js';
import { go, usePlace } from './place.js';
import {
  companyOf,
  isCurrent,
  mayDo,
  type ScreenProps,
  sendingOf,
  useLooksOnly,
  useMayPrepare,
} from './screen.js';
import { call, eventsNamed, lastEvent, useAttempts, useLoaded, useTask } from './server.js';
import { count, day, environmentText, moment, money, month as monthText, t } from './words.js';

interface Figures extends PageEvent {
  readonly company: string;
  readonly environment: string;
  readonly months: readonly string[];
  readonly planned: number;
  readonly totals: readonly { readonly key: string; readonly name: string; readonly amount: string }[];
  readonly earlier: number;
  readonly blocked: number;
  readonly errors: number;
  readonly warnings: number;
}

/** Shows the plan, asks for its confirmation, and follows the sending. */
export function Sending(props: ScreenProps) {
  const { upload, home, reload } = props;
  const company = companyOf(home, upload.profile ?? '');
  const known = sendingOf(upload);
  const [, , , corrects] = usePlace();
  const [again, setAgain] = useState(corrects !== undefined);
  const { task, events } = useTask(known?.id, reload);
  const inspection = useInspection(props);
  const mayDraw = lastEvent(inspection.events, 'summary')?.['preview'] === true;
  const isOver = task?.state === 'ended';
  const isNow = isCurrent(upload, known);
  const looksOnly = useLooksOnly();
  const choosesWay = known === undefined || (isOver && (again || !isNow));
  useEndNotice(task);
  useEffect(() => {
    if (task?.hasBegunToSend) void reload(); // the company is fixed from here on
  }, [task?.hasBegunToSend]);
  return (
    <>
      <h1>
        {isOver && !choosesWay && task.hasBegunToSend
          ? t('sentTitle', { moment: moment(task.startedAt) })
          : t(
              choosesWay || isOver || task?.run == null || task.pending !== null
                ? 'confirmTitle'
                : 'sendingTitle',
            )}
      </h1>
      {known !== undefined && !isNow && <Outdated task={known} />}
      {isOver && !choosesWay && task.run !== null && !task.hasBegunToSend && (
        <ApprovalState run={task.run} profile={upload.profile ?? ''} />
      )}
      {choosesWay ? (
        <WayForm
          {...props}
          onStarted={async () => {
            setAgain(false);
            await reload();
          }}
        />
      ) : (
        <SendingTask task={task} events={events}>
          {task?.pending != null && task.run !== null && (
            <PlannedDocuments path={`/uploads/${upload.id}/runs/${task.run}`} mayDraw={mayDraw} />
          )}
        </SendingTask>
      )}
      <Footer
        text={t(choosesWay ? (company?.needsTwo ? 'askApproval' : 'prepare') : 'next')}
        {...(choosesWay && { form: 'way' })}
        reason={
          choosesWay
            ? !mayDo(company, 'prepare')
              ? t('whyNoRight')
              : upload.hasService
                ? undefined
                : t('whyNoCompany')
            : task?.pending != null
              ? t(looksOnly ? 'whyNoRight' : 'whyAsked')
              : !isOver
                ? t('whyBusy')
                : task.run === null
                  ? t('notSentYet')
                  : undefined
        }
        forward={() => go('upload', upload.id, 'result')}
      >
        {(choosesWay || isOver) && (
          <button type="button" onClick={() => go('upload', upload.id, 'review')}>
            {t('back')}
          </button>
        )}
        {isOver && !choosesWay && mayDo(company, 'prepare') && (
          <button type="button" onClick={() => setAgain(true)}>
            {t('again')}
          </button>
        )}
      </Footer>
    </>
  );
}

/** Explains that the data changed after the run was planned; the changes are not sent. */
export function Outdated({ task: { hasBegunToSend, startedAt } }: { readonly task: TaskView }) {
  return (
    <p class="notice" role="status">
      {hasBegunToSend ? t('changedSince', { moment: moment(startedAt) }) : t('withdrawn')}
    </p>
  );
}

/** Lists everyone of a plan, also who is left out and why, and shows the PDF of one document before any is sent. */
function PlannedDocuments({ path, mayDraw }: { readonly path: string; readonly mayDraw: boolean }) {
  const [work, setWork] = useState<TaskView>();
  const ask = (): Promise<void> => call<TaskView>('POST', `${path}/tasks/status`, {}).then(setWork);
  const { task, events } = useTask(work?.id, ask);
  const actions = useDocumentActions({ path });
  useEffect(() => void ask(), [path]);
  if (task?.state !== 'ended') return null;
  const first = events.find(({ event, number }) => event === 'outcome' && number !== null);
  const leftOut = eventsNamed(events, 'left-out');
  return (
    <>
      {mayDraw && first !== undefined && (
        <p>
          <button
            type="button"
            onClick={() =>
              actions.preview({
                number: String(first['number']),
                name: String(first['name'] ?? first['key']),
              })
            }
          >
            {t('onePdf')}
          </button>
        </p>
      )}
      {actions.panel}
      <details open={leftOut.length > 0}>
        <summary>
          {t('everyone', { count: eventsNamed(events, 'outcome').length, out: leftOut.length })}
        </summary>
        <Outcomes events={events.filter(({ event }) => event === 'outcome' || event === 'left-out')} />
      </details>
    </>
  );
}

interface WayProps extends ScreenProps {
  onStarted(): Promise<void>;
}

/** Asks how to send: as new documents, as corrections, or held until another user approves. */
function WayForm(props: WayProps) {
  const { upload, onStarted } = props;
  const { events } = useInspection(props);
  const { refused, attempt } = useAttempts();
  const mayPrepare = useMayPrepare();
  const isDeletion = usePlace()[3] === 'delete';
  const [way, setWay] = useState<'send' | 'adjust'>(isDeletion ? 'adjust' : 'send');
  const [deletes, setDeletes] = useState(isDeletion);
  const [hold, setHold] = useState(false);
  const [note, setNote] = useState('');
  const needsTwo = companyOf(props.home, upload.profile ?? '')?.needsTwo === true;
  const [notes, setNotes] = useState<NoteParams>({
    note_prefix: String(upload.params['note_prefix'] ?? ''),
    first_note_consecutive: String(upload.params['first_note_consecutive'] ?? ''),
  });
  const corrections = lastEvent(events, 'summary')?.['corrections'] ?? null;
  const name = corrections === 'notes' ? 'adjust' : way;
  return (
    <form
      id="way"
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        const options = {
          ...((hold || needsTwo) && { hold: true, ...(note.trim() !== '' && { note }) }),
          ...(name === 'adjust' && deletes && { deleteMissing: true }),
        };
        void attempt(async () => {
          if (name === 'adjust') {
            const given = Object.entries(notes).filter(([, value]) => value !== '');
            const params = { ...upload.params, ...Object.fromEntries(given) };
            await call('PUT', `/uploads/${upload.id}/params`, params);
          }
          await call('POST', `/uploads/${upload.id}/tasks/${name}`, { options });
          await onStarted();
        });
      }}
    >
      <Issues issues={refused} />
      <fieldset disabled={!mayPrepare}>
        <legend>{t('wayTitle')}</legend>
        {corrections === 'whole' &&
          (['send', 'adjust'] as const).map((kind) => (
            <label key={kind} class="choice">
              <input type="radio" name="way" checked={way === kind} onChange={() => setWay(kind)} />
              {t(kind === 'send' ? 'waySend' : 'wayAdjust')}
            </label>
          ))}
        {corrections === 'whole' && way === 'adjust' && (
          <label class="choice">
            <input
              type="checkbox"
              checked={deletes}
              onChange={({ currentTarget }) => setDeletes(currentTarget.checked)}
            />
            {t('wayDelete')}
          </label>
        )}
        {corrections === 'whole' && way === 'adjust' && <NoteSeries notes={notes} change={setNotes} />}
        {!needsTwo && (
          <label class="choice">
            <input
              type="checkbox"
              checked={hold}
              onChange={({ currentTarget }) => setHold(currentTarget.checked)}
            />
            {t('wayHold')}
          </label>
        )}
        {needsTwo && <p class="hint">{t('askApprovalAbout')}</p>}
        {(hold || needsTwo) && <NoteField text="noteToApprover" note={note} change={setNote} />}
      </fieldset>
      <NoService upload={upload} />
    </form>
  );
}

interface NoteFieldProps {
  readonly text: 'noteToApprover' | 'noteToPreparer';
  readonly note: string;
  readonly isRequired?: boolean;
  change(note: string): void;
}

/** Asks for a note to the other person. */
export function NoteField({ text, note, isRequired, change }: NoteFieldProps) {
  return (
    <div class="field">
      <label for={text}>{t(text)}</label>
      <textarea
        id={text}
        rows={2}
        maxLength={500}
        required={isRequired}
        value={note}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </div>
  );
}

/** Shows the outcome of a request for an approval: who asks, who returned or approved it. */
function ApprovalState({ run, profile }: { readonly run: string; readonly profile: string }) {
  const { value: runs } = useLoaded<readonly RunView[]>(`/runs?profile=${encodeURIComponent(profile)}`);
  const known = runs?.find((candidate) => candidate.run === run);
  return known?.state === 'held' ? <Request run={known} /> : null;
}

/** Shows who asks for the approval of a held run, with the notes of both people. */
export function Request({ run: { by, note, returned, approval } }: { readonly run: RunView }) {
  return (
    <section class="notice" role="status">
      {by !== undefined && (
        <p>
          {t('asksApproval', { by })} {note}
        </p>
      )}
      {returned !== undefined && (
        <p>
          <b>{t('returnedWith', { by: returned.by, note: returned.note ?? '—' })}</b>
        </p>
      )}
      {approval !== undefined && <p>{t('approvedPlan', { by: approval.by })}</p>}
    </section>
  );
}

type NoteParams = Readonly<Record<(typeof NOTE_FIELDS)[number][0], string>>;

const NOTE_FIELDS = [
  ['note_prefix', 'notePrefix', '[A-Z]{1,4}'],
  ['first_note_consecutive', 'firstNote', '[1-9][0-9]*'],
] as const;

/** Asks for the number series of adjust notes. */
function NoteSeries({ notes, change }: { readonly notes: NoteParams; change(notes: NoteParams): void }) {
  return (
    <div class="form">
      {NOTE_FIELDS.map(([name, text, pattern]) => (
        <div key={name} class="field">
          <label for={name}>{t(text)}</label>
          <input
            id={name}
            required={name === 'note_prefix'}
            inputMode={name === 'note_prefix' ? 'text' : 'numeric'}
            pattern={pattern}
            value={notes[name]}
            onInput={({ currentTarget }) => change({ ...notes, [name]: currentTarget.value.toUpperCase() })}
          />
        </div>
      ))}
    </div>
  );
}

interface TaskProps {
  /**
   * True if the data is unchanged since the run was planned; otherwise no run counts as accepted. @default
   * true
   */
  readonly isNow?: boolean;
  readonly task: TaskView | undefined;
  readonly events: readonly PageEvent[];
}

/** Shows a running task: plan, questions, progress and messages. */
export function SendingTask({ children, ...props }: TaskProps & { readonly children?: ComponentChildren }) {
  return (
    <>
      <Plan {...props} />
      {children}
      <Verdict {...props} />
      <MessageList {...props} />
    </>
  );
}

/** True if every document was accepted; a declined or held run ends well too, but accepts nothing. */
function isAccepted({ task, events, isNow = true }: TaskProps): boolean {
  const { made = 0, accepted = 0 } = lastEvent<Summary>(events, 'summary')?.documents ?? {};
  return isNow && task?.outcome === 'fine' && made > 0 && accepted === made;
}

/** Shows the pending question, the progress, and how the task ended. */
export function Verdict({ task, events, isNow = true }: TaskProps) {
  const looksOnly = useLooksOnly();
  if (task === undefined) return <p role="status">{t('preparing')}</p>;
  const { id, failure, pending, outcome } = task;
  const accepted = isAccepted({ task, events, isNow });
  return (
    <>
      <Issues issues={failure} />
      {pending !== null &&
        (looksOnly ? (
          <p class="hint">{pending.text}</p>
        ) : (
          <QuestionForm key={pending.id} task={id} pending={pending} />
        ))}
      {task.state === 'running' && pending === null && <LiveProgress task={task} />}
      {outcome !== null && (
        <p class={`notice ${accepted ? 'good' : outcome === 'fine' ? '' : 'error'}`}>
          {t(outcome === 'fine' && !accepted ? 'outcome-done' : (`outcome-${outcome}` as 'outcome-fine'))}
        </p>
      )}
    </>
  );
}

/** Lists issues and messages of the task. */
export function MessageList(props: TaskProps) {
  const { events } = props;
  const messages = events.filter(
    ({ event }) => event === 'message' || event === 'remark' || event === 'stopped',
  );
  const issues = useMemo(() => eventsNamed<PageIssue>(events, 'issue'), [events]);
  return (
    <>
      {issues.length > 0 && <IssueList issues={issues} />}
      {messages.length > 0 && (
        <details open={!isAccepted(props)}>
          <summary>{t('sayings')}</summary>
          <Messages events={messages} />
        </details>
      )}
    </>
  );
}

/** Shows what will be sent, and what differs from earlier documents. */
export function Plan({ events }: TaskProps) {
  const figures = lastEvent<Figures>(events, 'figures');
  return (
    <>
      {figures !== undefined && <FiguresList figures={figures} />}
      <Irreversible events={events} />
      <ToDecide events={events} />
      <Changes events={events} />
      <MonthDifferences events={events} />
    </>
  );
}

const Count = ({ of }: { readonly of: number }) => <span class="amount">{count(of)}</span>;

function FiguresList({ figures }: { readonly figures: Figures }) {
  const { company, environment, months, planned, totals } = figures;
  return (
    <dl class="accounts plan">
      <Figure name={t('company')}>{company}</Figure>
      <Figure name={t('environment')}>
        <span class={environment === 'production' ? 'badge final' : 'badge'}>
          {environmentText(environment)}
        </span>
      </Figure>
      {months.length > 0 && <Figure name={t('month')}>{months.map(monthText).join(', ')}</Figure>}
      <Figure name={t('toSend')}>
        <Count of={planned} />
      </Figure>
      {totals.map(({ key, name, amount }) => (
        <Figure key={key} name={name}>
          <span class="amount">{money(amount)}</span>
        </Figure>
      ))}
      {(['earlier', 'blocked', 'errors', 'warnings'] as const).map(
        (name) =>
          figures[name] > 0 && (
            <Figure key={name} name={t(name)}>
              <Count of={figures[name]} />
            </Figure>
          ),
      )}
    </dl>
  );
}

interface ChangeEvent extends PageEvent {
  /** `replace`, `delete` or `new`. */
  readonly change: string;
  readonly key: string;
  readonly name: string | null;
  readonly number: string | null;
  readonly predecessor: string | null;
  readonly fields: readonly {
    readonly pointer: string;
    readonly title: string;
    readonly before: unknown;
    readonly after: unknown;
    readonly difference: string | null;
  }[];
}

const CHANGES = { replace: 'changeReplace', delete: 'changeDelete', new: 'changeNew' } as const;
const MAX_CHANGES_SHOWN = 5_000;

/** Formats the value of a field: amounts, which alone have cents, and days. */
function fieldText(value: unknown): string {
  const text = String(value ?? '');
  return /^-?\d+\.\d\d$/.test(text) ? money(text) : day(text);
}

/** Lists changes to accepted documents (who, before, after) for confirmation. */
function Changes({ events }: { readonly events: readonly PageEvent[] }) {
  const changes = eventsNamed<ChangeEvent>(events, 'change');
  if (changes.length === 0) return null;
  return (
    <section aria-label={t('whatChanges')}>
      <h2>{t('whatChanges')}</h2>
      <Table
        label={t('whatChanges')}
        head={[t('name'), t('changeKind'), t('column'), t('before'), t('after'), t('difference')]}
      >
        {changes.slice(0, MAX_CHANGES_SHOWN).flatMap(({ key, name, change, predecessor, fields }) => {
          const who = (
            <>
              <td>
                {name ?? ''} <span class="hint">{key}</span>
              </td>
              <td>
                {t(CHANGES[change as keyof typeof CHANGES])} {predecessor ?? ''}
              </td>
            </>
          );
          if (fields.length === 0)
            return [
              <tr key={key}>
                {who}
                <td colSpan={4} />
              </tr>,
            ];
          return fields.map(({ pointer, title, before, after, difference }) => (
            <tr key={`${key} ${pointer}`}>
              {who}
              <td>{title}</td>
              <td>{fieldText(before)}</td>
              <td>{fieldText(after)}</td>
              <td class="number">{difference === null ? '' : money(difference)}</td>
            </tr>
          ));
        })}
      </Table>
      <ShownOf shown={MAX_CHANGES_SHOWN} all={changes.length} isGrave />
    </section>
  );
}

/** Lists in full what cannot be undone. */
function Irreversible({ events }: { readonly events: readonly PageEvent[] }) {
  const tasks = eventsNamed(events, 'irreversible');
  if (tasks.length === 0) return null;
  return (
    <section class="notice error" aria-label={t('irreversible')}>
      <p>
        <strong>{t('irreversible')}</strong>
      </p>
      <ul>
        {tasks.map((event) => (
          <li key={String(event['act'])}>
            {String(event['act'])} ({count(Number(event['count']))}):
            <DocumentList event={event} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Lists the first documents to be sent, by whom they are about. */
function ToDecide({ events }: { readonly events: readonly PageEvent[] }) {
  const event = events.findLast(({ event: name }) => name === 'to-decide');
  return (
    event !== undefined && (
      <section aria-label={t('toSend')}>
        <h2>{t('toSend')}</h2>
        <DocumentList event={event} />
      </section>
    )
  );
}

interface ListedDocument {
  readonly number: string;
  readonly act?: string;
  readonly name?: string;
  readonly total?: string;
}

function DocumentList({ event }: { readonly event: PageEvent }) {
  const documents = event['decided'] as readonly ListedDocument[];
  const more = Number(event['count']) - documents.length;
  return (
    <ul>
      {documents.map(({ number, act: does, name, total }) => (
        <li key={`${number} ${does ?? ''}`}>
          {[number, does, name, total && money(total)].filter(Boolean).join(' · ')}
        </li>
      ))}
      {more > 0 && <li>{t('moreDecided', { count: count(more) })}</li>}
    </ul>
  );
}

interface DifferenceEvent extends PageEvent {
  readonly month: string;
  readonly key: string;
  readonly name: string | null;
  readonly was: string | null;
  readonly is: string | null;
  readonly difference: string | null;
}

/** Lists whose pay differs from the previous month, the greatest differences first. */
function MonthDifferences({ events }: { readonly events: readonly PageEvent[] }) {
  const all = eventsNamed<DifferenceEvent>(events, 'difference');
  const counts = eventsNamed(events, 'differences');
  const size = ({ difference, was, is }: DifferenceEvent): number =>
    Math.abs(Number(difference ?? is ?? was ?? 0));
  const sorted = useMemo(() => [...all].sort((a, b) => size(b) - size(a)), [all.length]);
  if (all.length === 0) return null;
  const counted = counts.reduce(
    (sum, { changed, fresh, missing }) => sum + Number(changed) + Number(fresh) + Number(missing),
    0,
  );
  const cut = Math.max(0, counted - all.length);
  return (
    <details>
      <summary>
        {counts
          .map(({ month, changed, fresh, missing }) =>
            t('againstMonth', {
              month: String(month),
              changed: count(Number(changed)),
              fresh: count(Number(fresh)),
              missing: count(Number(missing)),
            }),
          )
          .join(' ')}
      </summary>
      <Table
        label={t('monthDifferences')}
        head={[
          t('name'),
          ...(['before', 'after', 'difference'] as const).map((head): NumberHead => [t(head), 'number']),
        ]}
      >
        {sorted.slice(0, MAX_CHANGES_SHOWN).map(({ key, name, month, was, is, difference }) => (
          <tr key={`${key} ${month}`}>
            <td>
              {name ?? ''} <span class="hint">{key}</span>
            </td>
            <td class="number">{was === null ? '—' : money(was)}</td>
            <td class="number">{is === null ? '—' : money(is)}</td>
            <td class="number">{difference === null ? '' : money(difference)}</td>
          </tr>
        ))}
      </Table>
      <ShownOf shown={Math.min(MAX_CHANGES_SHOWN, all.length)} all={all.length + cut} isGrave />
    </details>
  );
}

const MINUTE_MS = 60_000;

function LiveProgress({ task }: { readonly task: TaskView }) {
  const looksOnly = useLooksOnly();
  const [stopped, setStopped] = useState(false);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const { progress } = task;
  const passed = progress === null ? 0 : Date.now() - progress.since;
  const perMinute =
    progress === null || passed < 2_000 ? 0 : ((progress.done - progress.before) * MINUTE_MS) / passed;
  const secondsLeft =
    progress === null || progress.total === null || perMinute <= 0
      ? undefined
      : Math.ceil(((progress.total - progress.done) / perMinute) * 60);
  return (
    <section class="live" aria-label={t('sendingTitle')}>
      <p role="status">{progress?.text ?? t('preparing')}</p>
      {progress !== null && progress.total !== null && (
        <>
          <progress value={progress.done} max={progress.total} aria-label={progress.text} />
          <p class="figure">
            {t('progress', { done: count(progress.done), total: count(progress.total) })}
            {perMinute > 0 && ` · ${t('rate', { rate: count(Math.round(perMinute)) })}`}
            {secondsLeft !== undefined && ` · ${t('timeLeft', { time: duration(secondsLeft) })}`}
          </p>
        </>
      )}
      <p class="hint">{t('closeTab')}</p>
      {mayAskForNotices() && (
        <button type="button" onClick={() => void allowNotices().then(() => redraw(undefined))}>
          {t('tellEnd')}
        </button>
      )}
      {!looksOnly && (
        <button
          type="button"
          onClick={() => {
            setStopped(true);
            void call('POST', `/task/${task.id}/stop`);
          }}
        >
          {t(stopped ? 'stopNow' : 'stop')}
        </button>
      )}
    </section>
  );
}

const duration = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
