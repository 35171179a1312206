import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Cure } from '../../generated/issue-codes.js';
import type { PageEvent, PageIssue, Pending, RuleView, TaskView } from '../api.js';
import { usePlace } from './place.js';
import { call, useLoaded } from './server.js';
import { count, t } from './words.js';

/** Shows issues with their fixes as an alert. */
export function Issues({ issues }: { readonly issues: readonly PageIssue[] }) {
  if (issues.length === 0) return null;
  return (
    <div class="notice error" role="alert">
      {issues.map((issue) => (
        <p key={issue.code + issue.message}>
          {issue.file !== null && (
            <strong>{[issue.file, placeOf(issue)].filter(Boolean).join(' · ')}: </strong>
          )}
          {issue.message} {issue.fix} <CureLink {...issue} />
        </p>
      ))}
    </div>
  );
}

/** Steps of an upload by cure; `answer` has its buttons in the review. */
const STEPS: Partial<Record<Cure, string>> = {
  files: 'files',
  header: 'files',
  columns: 'columns',
  data: 'data',
  review: 'review',
  answer: 'review',
  confirm: 'confirm',
};

/** Links to the screen where an issue can be fixed. */
function CureLink({ cure, run }: Pick<PageIssue, 'cure' | 'run'>) {
  const [kind, id = '', at] = usePlace();
  if (cure === null || cure === 'terminal' || cure === 'support' || cure === 'other-person') return null;
  if (cure === 'enter' || cure === 'home')
    return <a href={cure === 'enter' ? '/login' : '#/'}>{t(`goTo-${cure}`)}</a>;
  const step = STEPS[cure];
  const href =
    step !== undefined
      ? kind === 'upload' && step !== at && `#/upload/${id}/${step}`
      : cure === 'run' || cure === 'settle'
        ? run !== null && `#/run/${run}`
        : '#/settings';
  return href ? <a href={href}>{t(`goTo-${cure}`)}</a> : null;
}

/** Shows progress; without a known total only that work goes on. */
export function Working({ task }: { readonly task: TaskView | undefined }) {
  const progress = task?.progress;
  const text = progress?.text ?? t('working');
  return (
    <div class="working" role="status">
      <span>{text}</span>
      {progress != null && progress.total !== null ? (
        <>
          <progress value={progress.done} max={progress.total} aria-label={text} />
          <span class="figure">
            {t('progress', { done: count(progress.done), total: count(progress.total) })}
          </span>
        </>
      ) : (
        <progress aria-label={text} />
      )}
      {progress != null && progress.total === null && progress.done > 0 && (
        <span class="figure">{count(progress.done)}</span>
      )}
    </div>
  );
}

/** Asks the question of a task, answered by buttons or by typing. */
export function QuestionForm({ task, pending }: { readonly task: string; readonly pending: Pending }) {
  const [typed, setTyped] = useState('');
  const answer = (value: string | boolean): void =>
    void call('POST', `/task/${task}/answer`, { id: pending.id, said: value });
  const type = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void =>
    setTyped(currentTarget.value);
  if (pending.kind === 'confirm')
    return (
      <div class="asked" role="group" aria-label={pending.text}>
        <p class="question">{pending.text}</p>
        {pending.typed !== null && (
          <label class="field">
            {t('typeIt', { text: pending.typed })}
            <input type="text" autocomplete="off" value={typed} onInput={type} />
          </label>
        )}
        <div class="buttons">
          <button
            type="button"
            class="primary"
            disabled={pending.typed !== null && typed.trim() !== pending.typed}
            onClick={() => answer(true)}
          >
            {t('yes')}
          </button>
          <button type="button" onClick={() => answer(false)}>
            {t('no')}
          </button>
        </div>
      </div>
    );
  return (
    <form
      class="asked"
      onSubmit={(event) => {
        event.preventDefault();
        answer(typed);
      }}
    >
      <label class="question" for="answer">
        {pending.text}
      </label>
      <input
        {...({ type: pending.kind === 'secret' ? 'password' : 'text' } as { type: 'text' })}
        id="answer"
        autocomplete="off"
        value={typed}
        onInput={type}
      />
      <button type="submit" class="primary">
        {t('answer')}
      </button>
    </form>
  );
}

/** Shows the pending question of a task, or its progress. */
export function Activity({ task }: { readonly task: TaskView | undefined }) {
  if (task?.state !== 'running') return null;
  if (task.pending === null) return <Working task={task} />;
  return <QuestionForm key={task.pending.id} task={task.id} pending={task.pending} />;
}

/** Takes files that are dropped, or chosen with a button. */
export function Drop({
  text,
  kinds = t('kinds'),
  onFiles,
}: {
  readonly text: string;
  readonly kinds?: string;
  onFiles(files: readonly File[]): void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  return (
    <section
      aria-label={text}
      class={over ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <p>{text}</p>
      <button type="button" class="primary" onClick={() => input.current?.click()}>
        {t('choose')}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('choose')}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      <p class="hint">{kinds}</p>
    </section>
  );
}

/** Explains a rule of the authority; fetched when it is opened. */
export function RuleDetails({ rule }: { readonly rule: string }) {
  const [isOpen, setOpen] = useState(false);
  const { value: explanation, refused } = useLoaded<RuleView>(
    isOpen ? `/rules/${encodeURIComponent(rule)}` : undefined,
  );
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('ruleSays', { rule })}</summary>
      <Issues issues={refused} />
      {explanation !== undefined && (
        <>
          <p class="hint">
            {[explanation.family, explanation.field].filter((part) => part !== null).join(' · ')}
          </p>
          <p>{explanation.meaning}</p>
          <p>{explanation.fix}</p>
        </>
      )}
    </details>
  );
}

/** Shows a named figure of a list. */
export function Figure({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="figure-line">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Head of a column of numbers. */
export type NumberHead = readonly [text: string, kind: 'number'];

interface TableProps {
  readonly head: readonly (string | NumberHead)[];
  /** Name of the region in which a wide or long table scrolls; without it the table does not. */
  readonly label?: string;
  /** Rows. */
  readonly children: ComponentChildren;
}

export function Table({ head, label, children }: TableProps) {
  const table = (
    <table class="list">
      <thead>
        <tr>
          {head.map((column) => {
            const [text, kind] = typeof column === 'string' ? [column] : column;
            return (
              <th key={text} scope="col" class={kind}>
                {text}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
  if (label === undefined) return <div class="across">{table}</div>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      {table}
    </div>
  );
}

interface ShownOfProps {
  readonly shown: number;
  readonly all: number;
  /** True if the user must not overlook that some are missing. */
  readonly isGrave?: boolean;
}

/** Reports how many entries are shown, unless all are. */
export const ShownOf = ({ shown, all, isGrave = false }: ShownOfProps) =>
  shown < all ? (
    <p class={isGrave ? 'notice error' : 'hint'}>
      {t('moreIssues', { shown: count(shown), count: count(all) })}
    </p>
  ) : null;

export const OUTCOME_STATES = ['accepted', 'rejected', 'pending', 'unknown', 'unsent'] as const;

/** Lists messages, and issues with their fixes. */
export const Messages = ({ events }: { readonly events: readonly PageEvent[] }) => (
  <ul class="sayings">
    {events.map((event, at) => (
      <li key={at}>{String(event['text'] ?? `${event['message']} ${event['fix']}`)}</li>
    ))}
  </ul>
);

interface Cause {
  readonly id: string;
  readonly sample: PageIssue;
  readonly issues: PageIssue[];
}

/** Groups issues by level, code and column; errors first, then by count. */
function causesOf(issues: readonly PageIssue[]): readonly Cause[] {
  const causes = new Map<string, Cause>();
  for (const issue of issues) {
    const id = [issue.level, issue.code, issue.sheet, issue.label ?? issue.column, issue.row === null].join(
      '\n',
    );
    const known = causes.get(id);
    if (known === undefined) causes.set(id, { id, sample: issue, issues: [issue] });
    else known.issues.push(issue);
  }
  return [...causes.values()].sort(
    (a, b) => a.sample.level.localeCompare(b.sample.level) || b.issues.length - a.issues.length,
  );
}

export const placeOf = ({ sheet, cell, row, line, json }: PageIssue): string =>
  // A place in JSON is its line and pointer.
  json !== null
    ? [`:${line}`, json].filter(Boolean).join(' ')
    : [sheet, cell ?? (row === null ? null : `${t('row')} ${row}`)].filter(Boolean).join('!');

interface PlacesProps {
  readonly issues: readonly PageIssue[];
  readonly show: ((issue: PageIssue) => void) | undefined;
}

const FIRST_PLACES = 3;

const Places = ({ issues, show }: PlacesProps) => (
  <>
    {issues.map((issue) =>
      show === undefined || issue.row === null ? (
        <span key={placeOf(issue)} class="hint">
          {placeOrDocument(issue)}{' '}
        </span>
      ) : (
        <button key={placeOf(issue)} type="button" class="plain" onClick={() => show(issue)}>
          {placeOf(issue)}
        </button>
      ),
    )}
  </>
);

const MAX_PLACES_SHOWN = 500;

/** Lists further places when it is opened; those beyond the limit are among the table's rows with errors. */
function OtherPlaces({ issues, show }: PlacesProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="places" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('otherPlaces')}</summary>
      {isOpen && <Places issues={issues.slice(0, MAX_PLACES_SHOWN)} show={show} />}
      {isOpen && issues.length > MAX_PLACES_SHOWN && (
        <span class="hint">+{count(issues.length - MAX_PLACES_SHOWN)}</span>
      )}
    </details>
  );
}

/** Returns the place of an issue, or the key of its document. */
const placeOrDocument = (issue: PageIssue): string => placeOf(issue) || (issue.documentKey ?? '');

const MAX_CAUSES_SHOWN = 200;

/** Lists issues by cause, errors first; `show` scrolls to a cell. */
export function IssueList({
  issues,
  show,
  more,
}: {
  readonly issues: readonly PageIssue[];
  readonly show?: (issue: PageIssue) => void;
  /** Returns further actions for the issues of one cause. */
  readonly more?: (issues: readonly PageIssue[]) => ComponentChildren;
}) {
  const causes = useMemo(() => causesOf(issues), [issues]);
  return (
    <section class="causes" aria-label={t('causes')}>
      <h2>{t('causes')}</h2>
      <ul tabIndex={0} aria-label={t('causes')}>
        {causes.slice(0, MAX_CAUSES_SHOWN).map(({ id, sample, issues: all }) => (
          <li key={id} class={sample.level}>
            <p>
              {sample.label !== null && <strong>{sample.label}: </strong>}
              {sample.message}
            </p>
            <p class="hint">
              {sample.fix} <CureLink {...sample} />
            </p>
            {(sample.row !== null || (show === undefined && placeOrDocument(sample) !== '')) && (
              <p>
                <span class="figure">
                  {all.length === 1 ? t('onePlace') : t('places', { count: count(all.length) })}
                </span>{' '}
                <Places issues={all.slice(0, FIRST_PLACES)} show={show} />
              </p>
            )}
            {show !== undefined && sample.row !== null && all.length > FIRST_PLACES && (
              <OtherPlaces issues={all.slice(FIRST_PLACES)} show={show} />
            )}
            {more?.(all)}
          </li>
        ))}
      </ul>
      <ShownOf shown={MAX_CAUSES_SHOWN} all={causes.length} />
    </section>
  );
}
