import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Cure } from '../../generated/issue-codes.js';
import type { ActView, PageIssue, Pending, RuleView } from '../api.js';
import { usePlace } from './place.js';
import { call, useLoaded } from './server.js';
import { count, t } from './words.js';

/** What went wrong, and how to mend it. */
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

/** Steps of an upload that cure something; `answer` has its buttons where the files are reviewed. */
const STEPS: Partial<Record<Cure, string>> = {
  files: 'files',
  columns: 'columns',
  data: 'data',
  review: 'review',
  answer: 'review',
  confirm: 'confirm',
};

/** Leads to where an issue is cured. */
function CureLink({ cure, run }: Pick<PageIssue, 'cure' | 'run'>) {
  const [kind, id = '', at] = usePlace();
  if (cure === null || cure === 'terminal' || cure === 'support') return null;
  const step = STEPS[cure];
  const href =
    step !== undefined
      ? kind === 'upload' && step !== at && `#/upload/${id}/${step}`
      : cure === 'run' || cure === 'settle'
        ? run !== null && `#/run/${run}`
        : '#/settings';
  return href ? <a href={href}>{t(`goTo-${cure}`)}</a> : null;
}

/** How far the work has come; where its end is not known, that it goes on. */
export function Working({ act }: { readonly act: ActView | undefined }) {
  const progress = act?.progress;
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

/** What the use case asks, to be answered by a button or by typing. */
export function Asked({ act, pending }: { readonly act: string; readonly pending: Pending }) {
  const [said, setSaid] = useState('');
  const answer = (value: string | boolean): void =>
    void call('POST', `/act/${act}/answer`, { id: pending.id, said: value });
  const type = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void =>
    setSaid(currentTarget.value);
  if (pending.kind === 'confirm')
    return (
      <div class="asked" role="group" aria-label={pending.text}>
        <p class="question">{pending.text}</p>
        {pending.typed !== null && (
          <label class="field">
            {t('typeIt', { text: pending.typed })}
            <input type="text" autocomplete="off" value={said} onInput={type} />
          </label>
        )}
        <div class="buttons">
          <button
            type="button"
            class="primary"
            disabled={pending.typed !== null && said.trim() !== pending.typed}
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
        answer(said);
      }}
    >
      <label class="question" for="answer">
        {pending.text}
      </label>
      {pending.kind === 'secret' ? (
        <input id="answer" type="password" autocomplete="off" value={said} onInput={type} />
      ) : (
        <input id="answer" type="text" autocomplete="off" value={said} onInput={type} />
      )}
      <button type="submit" class="primary">
        {t('answer')}
      </button>
    </form>
  );
}

/** Files dropped, or chosen; a button for who has no mouse. */
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

/** Opens what a rule of the authority says; asked of the server once it is opened. */
export function RuleDetails({ rule }: { readonly rule: string }) {
  const [isOpen, setOpen] = useState(false);
  const { value: said, refused } = useLoaded<RuleView>(
    isOpen ? `/rules/${encodeURIComponent(rule)}` : undefined,
  );
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('ruleSays', { rule })}</summary>
      <Issues issues={refused} />
      {said !== undefined && (
        <>
          <p class="hint">{[said.family, said.field].filter((one) => one !== null).join(' · ')}</p>
          <p>{said.meaning}</p>
          <p>{said.fix}</p>
        </>
      )}
    </details>
  );
}

/** A figure with its name, as in an account. */
export function Figure({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="figure-line">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface Cause {
  readonly id: string;
  readonly sample: PageIssue;
  readonly issues: PageIssue[];
}

/** Issues of one kind in one column. */
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
  // Of a JSON file: its line, and the pointer.
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
          {nameOf(issue)}{' '}
        </span>
      ) : (
        <button key={placeOf(issue)} type="button" class="plain" onClick={() => show(issue)}>
          {placeOf(issue)}
        </button>
      ),
    )}
  </>
);

const MOST_PLACES = 500;

/** Drawn when it is opened; those beyond are among the rows with errors of their table. */
function OtherPlaces({ issues, show }: PlacesProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="places" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('otherPlaces')}</summary>
      {isOpen && <Places issues={issues.slice(0, MOST_PLACES)} show={show} />}
      {isOpen && issues.length > MOST_PLACES && (
        <span class="hint">+{count(issues.length - MOST_PLACES)}</span>
      )}
    </details>
  );
}

/** The cell, else the document. */
const nameOf = (issue: PageIssue): string => placeOf(issue) || (issue.documentKey ?? '');

const MOST_CAUSES = 200;

/** Issues by cause, those that stop documents first. `show` leads to a cell. */
export function IssueList({
  issues,
  show,
  more,
}: {
  readonly issues: readonly PageIssue[];
  readonly show?: (issue: PageIssue) => void;
  /** What else can be done about the issues of one cause. */
  readonly more?: (issues: readonly PageIssue[]) => ComponentChildren;
}) {
  const causes = useMemo(() => causesOf(issues), [issues]);
  return (
    <section class="causes" aria-label={t('causes')}>
      <h2>{t('causes')}</h2>
      <ul tabIndex={0} aria-label={t('causes')}>
        {causes.slice(0, MOST_CAUSES).map(({ id, sample, issues: all }) => (
          <li key={id} class={sample.level}>
            <p>
              {sample.label !== null && <strong>{sample.label}: </strong>}
              {sample.message}
            </p>
            <p class="hint">
              {sample.fix} <CureLink {...sample} />
            </p>
            {(sample.row !== null || (show === undefined && nameOf(sample) !== '')) && (
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
      {causes.length > MOST_CAUSES && (
        <p class="hint">{t('moreIssues', { shown: count(MOST_CAUSES), count: count(causes.length) })}</p>
      )}
    </section>
  );
}
