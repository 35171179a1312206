import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ActView, PageEvent, PageIssue, Summary } from '../api.js';
import { useInspection } from './columns.js';
import { NoService } from './company.js';
import { useDocumentActs } from './documents.js';
import { Asked, Figure, IssueList, Issues } from './parts.js';
import { go, usePlace } from './place.js';
import { isCurrent, type ScreenProps, sendingOf } from './screen.js';
import { call, refusalOf, useAct } from './server.js';
import { count, moment, money, t } from './words.js';

interface Figures extends PageEvent {
  readonly company: string;
  readonly url: string;
  readonly environment: string;
  readonly months: readonly string[];
  readonly planned: number;
  readonly totals: readonly { readonly key: string; readonly name: string; readonly amount: string }[];
  readonly earlier: number;
  readonly blocked: number;
  readonly errors: number;
  readonly warnings: number;
}

/** What is about to happen, the yes to it, and how it goes. */
export function Sending(props: ScreenProps) {
  const { upload, reload } = props;
  const known = sendingOf(upload);
  const [, , , corrects] = usePlace();
  const [again, setAgain] = useState(corrects !== undefined);
  const { act, events, lost } = useAct(known?.id);
  const inspection = useInspection(props);
  const mayDraw = inspection.events.findLast(({ event }) => event === 'summary')?.['preview'] === true;
  const isOver = act?.state === 'ended';
  const isNow = isCurrent(upload, known);
  const asksWay = known === undefined || (isOver && (again || !isNow));
  useEffect(() => {
    if (act?.hasBegunToSend) void reload(); // from here on the company is fixed
  }, [act?.hasBegunToSend]);
  return (
    <>
      <h1>
        {isOver && !asksWay && act.hasBegunToSend
          ? t('sentTitle', { moment: moment(act.startedAt) })
          : t(
              asksWay || isOver || act?.run == null || act.pending !== null ? 'confirmTitle' : 'sendingTitle',
            )}
      </h1>
      {known !== undefined && !isNow && <Outdated act={known} />}
      {lost && !isOver && (
        <p class="notice error" role="alert">
          {t('offline')}
        </p>
      )}
      {asksWay ? (
        <Way
          {...props}
          begun={async () => {
            setAgain(false);
            await reload();
          }}
        />
      ) : (
        <SendingAct act={act} events={events}>
          {act?.pending != null && act.run !== null && mayDraw && (
            <OnePdf path={`/uploads/${upload.id}/runs/${act.run}`} />
          )}
        </SendingAct>
      )}
      {(asksWay || isOver) && (
        <div class="buttons forward">
          <button type="button" onClick={() => go('upload', upload.id, 'review')}>
            {t('back')}
          </button>
          {isOver && !asksWay && (
            <button type="button" onClick={() => setAgain(true)}>
              {t('again')}
            </button>
          )}
          {isOver && !asksWay && act.run !== null && (
            <button type="button" class="primary" onClick={() => go('upload', upload.id, 'result')}>
              {t('next')}
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** Says that a run is of data that changed since: what was changed is not sent. */
export function Outdated({ act: { hasBegunToSend, startedAt } }: { readonly act: ActView }) {
  return (
    <p class="notice" role="status">
      {hasBegunToSend ? t('changedSince', { moment: moment(startedAt) }) : t('withdrawn')}
    </p>
  );
}

/** One of the documents as the service draws it, before any is sent. */
function OnePdf({ path }: { readonly path: string }) {
  const [work, setWork] = useState<ActView>();
  const { act, events } = useAct(work?.id);
  const acts = useDocumentActs({ path });
  useEffect(() => {
    const first = events.find(({ event, number }) => event === 'outcome' && number !== null);
    if (act?.state === 'ended' && first !== undefined)
      acts.preview({ number: String(first['number']), name: String(first['name'] ?? first['key']) });
  }, [act?.state]);
  return (
    <>
      <p>
        <button
          type="button"
          onClick={async () => setWork(await call<ActView>('POST', `${path}/acts/status`, {}))}
        >
          {t('onePdf')}
        </button>
      </p>
      {acts.panel}
    </>
  );
}

interface WayProps extends ScreenProps {
  begun(): Promise<void>;
}

/** How the documents leave: as they are, as corrections, or once another person has approved them. */
function Way(props: WayProps) {
  const { upload, begun } = props;
  const { events } = useInspection(props);
  const [refused, setRefused] = useState<readonly PageIssue[]>([]);
  const isDeletion = usePlace()[3] === 'delete';
  const [way, setWay] = useState<'send' | 'adjust'>(isDeletion ? 'adjust' : 'send');
  const [deletes, setDeletes] = useState(isDeletion);
  const [hold, setHold] = useState(false);
  const [notes, setNotes] = useState<NoteParams>({
    note_prefix: String(upload.params['note_prefix'] ?? ''),
    first_note_consecutive: String(upload.params['first_note_consecutive'] ?? ''),
  });
  const corrections = events.findLast(({ event }) => event === 'summary')?.['corrections'] ?? null;
  const name = corrections === 'notes' ? 'adjust' : way;
  return (
    <form
      class="card"
      onSubmit={async (event) => {
        event.preventDefault();
        const options = {
          ...(hold && { hold }),
          ...(name === 'adjust' && deletes && { deleteMissing: true }),
        };
        try {
          if (name === 'adjust') {
            const given = Object.entries(notes).filter(([, value]) => value !== '');
            await call('PUT', `/uploads/${upload.id}/params`, {
              ...upload.params,
              ...Object.fromEntries(given),
            });
          }
          await call('POST', `/uploads/${upload.id}/acts/${name}`, { options });
          await begun();
        } catch (error) {
          setRefused(refusalOf(error));
        }
      }}
    >
      <Issues issues={refused} />
      <fieldset>
        <legend>{t('wayTitle')}</legend>
        {corrections === 'whole' &&
          (['send', 'adjust'] as const).map((one) => (
            <label key={one} class="choice">
              <input type="radio" name="way" checked={way === one} onChange={() => setWay(one)} />
              {t(one === 'send' ? 'waySend' : 'wayAdjust')}
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
        {corrections === 'whole' && way === 'adjust' && <Notes notes={notes} change={setNotes} />}
        <label class="choice">
          <input
            type="checkbox"
            checked={hold}
            onChange={({ currentTarget }) => setHold(currentTarget.checked)}
          />
          {t('wayHold')}
        </label>
      </fieldset>
      <NoService upload={upload} />
      <button type="submit" class="primary" disabled={!upload.hasService}>
        {t('prepare')}
      </button>
    </form>
  );
}

interface NoteParams {
  readonly note_prefix: string;
  readonly first_note_consecutive: string;
}

/** Notes are numbered apart from the documents that they correct. */
function Notes({ notes, change }: { readonly notes: NoteParams; change(notes: NoteParams): void }) {
  return (
    <div class="form">
      <div class="field">
        <label for="note_prefix">{t('notePrefix')}</label>
        <input
          id="note_prefix"
          required
          pattern="[A-Z]{1,4}"
          value={notes.note_prefix}
          onInput={({ currentTarget }) =>
            change({ ...notes, note_prefix: currentTarget.value.toUpperCase() })
          }
        />
      </div>
      <div class="field">
        <label for="first_note_consecutive">{t('firstNote')}</label>
        <input
          id="first_note_consecutive"
          inputMode="numeric"
          pattern="[1-9][0-9]*"
          value={notes.first_note_consecutive}
          onInput={({ currentTarget }) => change({ ...notes, first_note_consecutive: currentTarget.value })}
        />
      </div>
    </div>
  );
}

interface ActProps {
  /** False if the data changed since: then nothing is called accepted as a whole. @default true */
  readonly isNow?: boolean;
  readonly act: ActView | undefined;
  readonly events: readonly PageEvent[];
}

/** A run on its way: figures, questions, progress, and what is said. */
export function SendingAct({ children, ...props }: ActProps & { readonly children?: ComponentChildren }) {
  return (
    <>
      <Plan {...props} />
      {children}
      <Verdict {...props} />
      <Sayings {...props} />
    </>
  );
}

/** A no, or a run that is held, ends well too, and nothing of it is accepted. */
function isAccepted({ act, events, isNow = true }: ActProps): boolean {
  const { made = 0, accepted = 0 } =
    (events.findLast(({ event }) => event === 'summary') as Summary | undefined)?.documents ?? {};
  return isNow && act?.outcome === 'fine' && made > 0 && accepted === made;
}

/** What is asked, how far it is, and how it ended. */
export function Verdict({ act, events, isNow = true }: ActProps) {
  if (act === undefined) return <p role="status">{t('preparing')}</p>;
  const { id, failure, pending, outcome } = act;
  const accepted = isAccepted({ act, events, isNow });
  return (
    <>
      <Issues issues={failure} />
      {pending !== null && <Asked key={pending.id} act={id} pending={pending} />}
      {act.state === 'running' && pending === null && <Live act={act} />}
      {outcome !== null && (
        <p class={`notice ${accepted ? 'good' : outcome === 'fine' ? '' : 'error'}`}>
          {t(outcome === 'fine' && !accepted ? 'outcome-done' : (`outcome-${outcome}` as 'outcome-fine'))}
        </p>
      )}
    </>
  );
}

/** What was found, and what was said on the way. */
export function Sayings(props: ActProps) {
  const { events } = props;
  const said = events.filter(({ event }) => event === 'message' || event === 'remark' || event === 'stopped');
  const issues = useMemo(
    () => events.filter(({ event }) => event === 'issue') as unknown as readonly PageIssue[],
    [events],
  );
  return (
    <>
      {issues.length > 0 && <IssueList issues={issues} />}
      {said.length > 0 && (
        <details open={!isAccepted(props)}>
          <summary>{t('sayings')}</summary>
          <ul class="sayings">
            {said.map((one, at) => (
              <li key={at}>{String(one['text'] ?? `${one['message']} ${one['fix']}`)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** What is to leave, and what is other than before. */
export function Plan({ events }: ActProps) {
  const figures = events.findLast(({ event }) => event === 'figures') as Figures | undefined;
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
  const { company, environment, url, months, planned, totals, earlier, blocked, errors, warnings } = figures;
  return (
    <dl class="accounts plan">
      <Figure name={t('company')}>{company}</Figure>
      <Figure name={t('environment')}>
        <span class={environment === 'production' ? 'badge final' : 'badge'}>
          {t(environment === 'production' ? 'productionEnvironment' : 'testEnvironment')}
        </span>
      </Figure>
      <Figure name={t('service')}>{url}</Figure>
      {months.length > 0 && <Figure name={t('month')}>{months.join(', ')}</Figure>}
      <Figure name={t('toSend')}>
        <Count of={planned} />
      </Figure>
      {totals.map(({ key, name, amount }) => (
        <Figure key={key} name={name}>
          <span class="amount">{amount}</span>
        </Figure>
      ))}
      {earlier > 0 && (
        <Figure name={t('earlier')}>
          <Count of={earlier} />
        </Figure>
      )}
      {blocked > 0 && (
        <Figure name={t('blocked')}>
          <Count of={blocked} />
        </Figure>
      )}
      {errors > 0 && (
        <Figure name={t('errors')}>
          <Count of={errors} />
        </Figure>
      )}
      {warnings > 0 && (
        <Figure name={t('warnings')}>
          <Count of={warnings} />
        </Figure>
      )}
    </dl>
  );
}

interface ChangeEvent extends PageEvent {
  /** `replace`, `delete`, `new`. */
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
const MOST_CHANGES = 5_000;

/** What accepted documents become: of whom, before and after. Nobody says yes to what he cannot see. */
function Changes({ events }: { readonly events: readonly PageEvent[] }) {
  const changes = events.filter(({ event }) => event === 'change') as unknown as readonly ChangeEvent[];
  if (changes.length === 0) return null;
  return (
    <section aria-label={t('whatChanges')}>
      <h2>{t('whatChanges')}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={t('whatChanges')}>
        <table class="list">
          <thead>
            <tr>
              {(['name', 'changeKind', 'column', 'before', 'after', 'difference'] as const).map((head) => (
                <th key={head} scope="col">
                  {t(head)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {changes.slice(0, MOST_CHANGES).flatMap(({ key, name, change, predecessor, fields }) => {
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
                  <td>{String(before ?? '')}</td>
                  <td>{String(after ?? '')}</td>
                  <td class="number">{difference ?? ''}</td>
                </tr>
              ));
            })}
          </tbody>
        </table>
      </div>
      {changes.length > MOST_CHANGES && (
        <p class="notice error">
          {t('moreIssues', { shown: count(MOST_CHANGES), count: count(changes.length) })}
        </p>
      )}
    </section>
  );
}

/** What nobody can take back, named in full. */
function Irreversible({ events }: { readonly events: readonly PageEvent[] }) {
  const acts = events.filter(({ event }) => event === 'irreversible');
  if (acts.length === 0) return null;
  return (
    <section class="notice error" aria-label={t('irreversible')}>
      <p>
        <strong>{t('irreversible')}</strong>
      </p>
      <ul>
        {acts.map((act) => (
          <li key={String(act['act'])}>
            {String(act['act'])} ({count(Number(act['count']))}):
            <DecidedList act={act} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The first documents of what is to leave, by whom they are about. */
function ToDecide({ events }: { readonly events: readonly PageEvent[] }) {
  const act = events.findLast(({ event }) => event === 'to-decide');
  return (
    act !== undefined && (
      <section aria-label={t('toSend')}>
        <h2>{t('toSend')}</h2>
        <DecidedList act={act} />
      </section>
    )
  );
}

interface Decided {
  readonly number: string;
  readonly act?: string;
  readonly name?: string;
  readonly total?: string;
}

function DecidedList({ act }: { readonly act: PageEvent }) {
  const decided = act['decided'] as readonly Decided[];
  const more = Number(act['count']) - decided.length;
  return (
    <ul>
      {decided.map(({ number, act: does, name, total }) => (
        <li key={`${number} ${does ?? ''}`}>{[number, does, name, total].filter(Boolean).join(' · ')}</li>
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

/** Who is paid otherwise than in the month before, the greatest differences first. */
function MonthDifferences({ events }: { readonly events: readonly PageEvent[] }) {
  const all = events.filter(({ event }) => event === 'difference') as unknown as readonly DifferenceEvent[];
  const counts = events.filter(({ event }) => event === 'differences');
  const size = ({ difference, was, is }: DifferenceEvent): number =>
    Math.abs(Number(difference ?? is ?? was ?? 0));
  const sorted = useMemo(() => [...all].sort((a, b) => size(b) - size(a)), [all.length]);
  if (all.length === 0) return null;
  const told = counts.reduce(
    (sum, { changed, fresh, missing }) => sum + Number(changed) + Number(fresh) + Number(missing),
    0,
  );
  const cut = Math.max(0, told - all.length);
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
      <div class="scroll" tabIndex={0} role="region" aria-label={t('monthDifferences')}>
        <table class="list">
          <thead>
            <tr>
              <th scope="col">{t('name')}</th>
              {(['before', 'after', 'difference'] as const).map((head) => (
                <th key={head} scope="col" class="number">
                  {t(head)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, MOST_CHANGES).map(({ key, name, month, was, is, difference }) => (
              <tr key={`${key} ${month}`}>
                <td>
                  {name ?? ''} <span class="hint">{key}</span>
                </td>
                <td class="number">{was === null ? '—' : money(was)}</td>
                <td class="number">{is === null ? '—' : money(is)}</td>
                <td class="number">{difference === null ? '' : money(difference)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {MOST_CHANGES < all.length + cut && (
        <p class="notice error">
          {t('moreIssues', {
            shown: count(Math.min(MOST_CHANGES, all.length)),
            count: count(all.length + cut),
          })}
        </p>
      )}
    </details>
  );
}

const MINUTE = 60_000;

function Live({ act }: { readonly act: ActView }) {
  const [stopped, setStopped] = useState(false);
  const { progress } = act;
  const passed = progress === null ? 0 : Date.now() - progress.since;
  const perMinute =
    progress === null || passed < 2_000 ? 0 : ((progress.done - progress.before) * MINUTE) / passed;
  const left =
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
            {left !== undefined && ` · ${t('timeLeft', { time: duration(left) })}`}
          </p>
        </>
      )}
      <p class="hint">{t('closeTab')}</p>
      <button
        type="button"
        onClick={() => {
          setStopped(true);
          void call('POST', `/act/${act.id}/stop`);
        }}
      >
        {t(stopped ? 'stopNow' : 'stop')}
      </button>
    </section>
  );
}

const duration = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
