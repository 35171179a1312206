import { useEffect, useRef, useState } from 'preact/hooks';
import type { CompanyMonth, FoundDocument, MonthJob } from '../../app/month-view.js';
import { JOBS } from '../../generated/texts-page.js';
import { STATES } from '../../generated/texts-report.js';
import { addMonths } from '../../toolkit/core/plain-date.js';
import type { HomeView, RunView, UploadView } from '../api.js';
import { PendingConfirmations } from './company.js';
import { Drop, Issues, type NumberHead, OUTCOME_STATES, Table } from './parts.js';
import { go } from './place.js';
import { companyOf, isLeftOpen, mayDo, sendingOf } from './screen.js';
import { call, useAttempts, useLoaded } from './server.js';
import { count, day, language, moment, money, month as monthText, t } from './words.js';

/** Adds a query to a path; undefined values are left out. */
export const withQuery = (path: string, query: Readonly<Record<string, string | undefined>>): string =>
  `${path}?${new URLSearchParams(Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined))}`;

const runAddress = (run: string, profile: string): string =>
  `#/run/${run}${profile && `/${encodeURIComponent(profile)}`}`;

/** Time between two looks at what came into watched folders, in ms. */
const RELOAD_MS = 4_000;

/** Reloads again and again while folders are watched or files are read. */
export function useReload(home: HomeView | undefined, reload: () => Promise<void>): void {
  const isMoving =
    home !== undefined &&
    (home.inboxes.length > 0 ||
      home.uploads.some(({ tasks }) => tasks.some(({ state }) => state === 'running')));
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => void (document.visibilityState === 'visible' && reload()), RELOAD_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
}

interface HomeProps {
  readonly home: HomeView | undefined;
  /** Month in the address, such as `2026-10`; undefined for the one to send next. */
  readonly month: string | undefined;
  /** Reloads the company and the uploads. */
  reload(): Promise<void>;
}

/** Shows the first screen: the month of the company, its open uploads, and earlier runs. */
export function Home({ home, month: wanted, reload }: HomeProps) {
  const { refused: notTaken, attempt } = useAttempts();
  const known = home?.profiles.find(({ name }) => name === home.profile)?.name ?? '';
  const { value: month, refused } = useLoaded<CompanyMonth>(
    home && (home.person === undefined || known !== '')
      ? withQuery('/month', { profile: known, month: wanted })
      : undefined,
  );
  useReload(home, reload);
  const begin = (files: readonly File[], demo = false): Promise<void> =>
    attempt(async () => {
      const upload = await call<UploadView>('POST', '/uploads', { ...(known && { profile: known }), demo });
      for (const file of files)
        await call('PUT', `/uploads/${upload.id}/files?name=${encodeURIComponent(file.name)}`, file);
      go('upload', upload.id, 'files');
    });
  if (home === undefined) return <p role="status">{t('working')}</p>;
  // The files of other companies stand with theirs.
  const uploads = home.uploads.filter(({ profile }) => known === '' || profile === null || profile === known);
  const discard = async (id: string): Promise<void> => {
    await call('DELETE', `/uploads/${id}`);
    await reload();
  };
  return (
    <div class="home">
      <Issues issues={notTaken} />
      <div class="month-head">
        <div>
          {month === undefined ? (
            <h1>{t('monthScreen')}</h1>
          ) : (
            <MonthHead
              title={monthText(month.month)}
              turn={(by) => `#/month/${addMonths(month.month, by)}`}
            />
          )}
          {month !== undefined && <p class="hint">{t('todayIs', { date: day(month.today) })}</p>}
        </div>
        {mayDo(companyOf(home, known), 'prepare') && (
          <Drop text={t('dropMonth')} onFiles={(files) => void begin(files)} />
        )}
      </div>
      {home.profiles.length === 0 && (
        <p class="notice">
          {home.person !== undefined ? (
            t('noRights')
          ) : (
            <>
              {t('company')}: {t('noProfile')} <a href="#/settings">{t('addCompany')}</a>
            </>
          )}
        </p>
      )}
      <PendingConfirmations home={home} profile={known} />
      <Issues
        issues={home.inboxes.flatMap(({ profile, issues }) => (['', profile].includes(known) ? issues : []))}
      />
      <Issues issues={refused} />
      {month !== undefined && (
        <Jobs
          month={month}
          uploads={uploads}
          profile={known}
          mayPrepare={(profile) => mayDo(companyOf(home, profile), 'prepare')}
          discard={discard}
        />
      )}
      {home.person === undefined && (
        <section class="demo">
          <button type="button" onClick={() => void begin([], true)}>
            {t('demo')}
          </button>
          <p class="hint">{t('demoAbout')}</p>
        </section>
      )}
      {(home.person === undefined || known !== '') && <EarlierRuns profile={known} />}
    </div>
  );
}

interface MonthHeadProps {
  readonly title: string;
  /** Returns the address of the same screen some months later. */
  turn(months: number): string;
}

/** Shows the title of a month between the ways to those next to it. */
export const MonthHead = ({ title, turn }: MonthHeadProps) => (
  <div class="month">
    <a class="button" href={turn(-1)} aria-label={t('monthBefore')} rel="prev">
      ‹
    </a>
    <h1>{title}</h1>
    <a class="button" href={turn(1)} aria-label={t('monthAfter')} rel="next">
      ›
    </a>
  </div>
);

interface JobsProps {
  readonly month: CompanyMonth;
  readonly uploads: readonly UploadView[];
  readonly profile: string;
  /** True if the person may change the uploads of a company. */
  mayPrepare(profile: string): boolean;
  discard(id: string): Promise<void>;
}

/** Lists the jobs of the month with what is next for each, and the open uploads. */
function Jobs({ month: { month, jobs }, uploads, profile, mayPrepare, discard }: JobsProps) {
  if (jobs.length + uploads.length === 0) return <p class="hint">{t('noJobs')}</p>;
  return (
    <div class="jobs">
      <Table
        label={t('jobs')}
        head={[t('job'), t('state'), t('documents'), [t('pesos'), 'number'], t('byLaw'), t('nextAct')]}
      >
        {uploads.map((upload) => (
          <UploadRow
            key={upload.id}
            upload={upload}
            discard={mayPrepare(upload.profile ?? '') ? () => discard(upload.id) : undefined}
          />
        ))}
        {jobs.map((job) => (
          <JobRow
            key={job.family}
            job={job}
            month={month}
            profile={profile}
            mayPrepare={mayPrepare(profile)}
          />
        ))}
      </Table>
    </div>
  );
}

/** Returns the state of an open upload, its mark, and the step that continues it. */
export function uploadState({
  files,
  tasks,
  found,
}: UploadView): readonly [text: string, mark: '' | 'good' | 'doubt' | 'bad' | 'live', step: string] {
  const sending = sendingOf({ tasks });
  if (sending?.pending != null) return [t('uploadAsks'), 'doubt', 'confirm'];
  if (sending?.state === 'running') return [t('uploadWorking'), 'live', 'confirm'];
  if (sending?.hasBegunToSend)
    return isLeftOpen(sending) ? [t('uploadLeftOpen'), 'bad', 'result'] : [t('uploadSent'), 'good', 'result'];
  const isChecked = tasks.some(({ name }) => name === 'check');
  if (found !== null)
    return {
      ready: [t('uploadReady'), 'good', isChecked ? 'confirm' : 'data'] as const,
      doubts: [t('uploadDoubts', { count: found.doubts }), 'doubt', 'columns'] as const,
      errors: [t('uploadErrors', { count: found.errors }), 'bad', isChecked ? 'review' : 'data'] as const,
    }[found.state];
  if (tasks.some(({ state }) => state === 'running')) return [t('uploadReading'), 'live', 'files'];
  if (files.length === 0) return [t('uploadEmpty'), '', 'files'];
  if (isChecked) return [t('uploadToReview'), '', 'review'];
  const inspection = tasks.find(({ name }) => name === 'inspect');
  if (inspection === undefined || inspection.failure.length > 0) return [t('uploadBegun'), '', 'files'];
  return [t('uploadLacksData'), '', 'data'];
}

interface UploadRowProps {
  readonly upload: UploadView;
  /** Absent if the person may not discard it. */
  readonly discard: (() => Promise<void>) | undefined;
}

function UploadRow({ upload, discard }: UploadRowProps) {
  const [text, mark, step] = uploadState(upload);
  const name = upload.files.map((file) => file.name).join(', ') || '—';
  return (
    <tr>
      <td>
        <b>{name}</b> {upload.demo && <span class="badge">{t('demoBadge')}</span>}
        {upload.profile !== null && <p class="hint">{upload.profile}</p>}
      </td>
      <td>
        <span class={`chip ${mark}`}>{text}</span>
      </td>
      <td>{upload.found !== null && upload.found.documents > 0 && count(upload.found.documents)}</td>
      <td />
      <td />
      <td class="actions">
        <a class="button primary" href={`#/upload/${upload.id}/${step}`} aria-label={`${t('open')} ${name}`}>
          {t('open')}
        </a>
        {discard !== undefined && (
          <button
            type="button"
            class="plain"
            aria-label={`${t('discard')} ${name}`}
            onClick={() => void discard()}
          >
            {t('discard')}
          </button>
        )}
      </td>
    </tr>
  );
}

export type JobKind = 'held' | 'open' | 'refused' | 'sent' | 'missing';

interface JobState {
  readonly kind: JobKind;
  readonly text: string;
  readonly mark: string;
  /** Text of the next act. */
  readonly act: string;
}

export function jobState({ accepted, open, refused, held }: MonthJob): JobState {
  if (held.length > 0) return { kind: 'held', text: t('jobHeld'), mark: 'live', act: t('seeApproval') };
  if (open > 0)
    return { kind: 'open', text: t('jobOpen', { count: count(open) }), mark: 'bad', act: t('seeRest') };
  if (refused > 0) {
    const text = t('jobRefused', { count: count(refused) });
    return { kind: 'refused', text, mark: 'bad', act: t('seeResult') };
  }
  if (accepted > 0) return { kind: 'sent', text: t('jobSent'), mark: 'good', act: t('seeResult') };
  return { kind: 'missing', text: t('jobMissing'), mark: '', act: t('choose') };
}

interface JobRowProps {
  readonly job: MonthJob;
  readonly month: string;
  readonly profile: string;
  readonly mayPrepare: boolean;
}

function JobRow({ job, month, profile, mayPrepare }: JobRowProps) {
  const { family, accepted, open, refused, total, before, difference, missing, fresh, run, held } = job;
  const { text, mark, act } = jobState(job);
  const title = JOBS[family as keyof typeof JOBS]?.[language] ?? family;
  const made = accepted + open + refused;
  const last = monthText(addMonths(month, -1));
  const target = held[0] ?? run;
  return (
    <tr>
      <td>
        <b>{title}</b>
        {job.isBySending && <p class="hint">{t('sentInMonth')}</p>}
      </td>
      <td>
        <span class={`chip ${mark}`}>{text}</span>
      </td>
      <td>
        {made > 0 && <p>{t('sentOf', { done: count(accepted), total: count(made) })}</p>}
        {made === 0 && before !== null && (
          <p class="hint">{t('sentBefore', { month: last, count: before.accepted })}</p>
        )}
        {missing.length > 0 && <p>{t('missingPeople', { month: last, list: namesOf(missing) })}</p>}
        {fresh.length > 0 && <p>{t('freshPeople', { list: namesOf(fresh) })}</p>}
      </td>
      <td class="number">
        {total !== null && <b>{money(total)}</b>}
        {difference !== null && (
          <p class="hint">{t('againstBefore', { amount: signed(difference), month: last })}</p>
        )}
        {total === null && before?.total != null && (
          <p class="hint">
            {last}: {money(before.total)}
          </p>
        )}
      </td>
      <td>
        {job.deadlines.length > 0 && <Deadline of={job} isDone={accepted > 0 && accepted === made} />}
        {job.deadlines.length > 0 && job.isBySending && (
          <p class="hint">{t('termOfMonth', { month: last })}</p>
        )}
      </td>
      <td class="actions">
        {target === null ? (
          mayPrepare && (
            <button type="button" aria-label={`${act}: ${title}`} onClick={chooseFiles}>
              {act}
            </button>
          )
        ) : (
          <a
            class={mark === 'good' ? 'button' : 'button primary'}
            href={runAddress(target, profile)}
            aria-label={`${act}: ${title}`}
          >
            {act}
          </a>
        )}
      </td>
    </tr>
  );
}

/** Opens the files of this computer, as the button of the drop zone does. */
const chooseFiles = (): void =>
  document.querySelector<HTMLInputElement>('.month-head input[type=file]')?.click();

const MAX_NAMES = 5;

function namesOf(people: MonthJob['missing']): string {
  const names = people.slice(0, MAX_NAMES).map(({ name, key }) => name ?? key);
  const more = people.length - names.length;
  return [...names, ...(more > 0 ? [t('morePeople', { count: count(more) })] : [])].join(', ');
}

export const signed = (amount: string): string =>
  amount.startsWith('-') ? `− ${money(amount.slice(1))}` : `+ ${money(amount)}`;

/** Shows the last day by law, and how many days are left by the next of its readings; it is late by the latest. */
export function Deadline({ of: { deadlines }, isDone }: { readonly of: MonthJob; readonly isDone: boolean }) {
  const [first, ...others] = deadlines;
  const { left } = deadlines.find((deadline) => deadline.left >= 0) ?? deadlines.at(-1)!;
  return (
    <>
      <b>{day(first!.date)}</b>
      {others.map(({ date }) => (
        <p key={date} class="hint">
          {t('orBusiness', { date: day(date) })}
        </p>
      ))}
      {!isDone && (
        <p class={left < 0 ? 'bad' : left <= 3 ? 'doubt' : 'hint'}>
          {left === 0 ? t('dueToday') : t(left < 0 ? 'daysLate' : 'daysLeft', { count: Math.abs(left) })}
        </p>
      )}
    </>
  );
}

/** Lists earlier runs by month, and searches their documents. */
function EarlierRuns({ profile }: { readonly profile: string }) {
  const { value: runs, refused } = useLoaded<readonly RunView[]>(withQuery('/runs', { profile }));
  const [text, setText] = useState('');
  const [wanted, setWanted] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const { value: found } = useLoaded<readonly FoundDocument[]>(
    wanted === '' ? undefined : withQuery('/documents', { profile, text: wanted }),
  );
  const months = [...new Set(runs?.map(({ created }) => created.slice(0, 7)))];
  return (
    <section aria-label={t('runs')}>
      <div class="bar">
        <h2>{t('runs')}</h2>
        {(runs?.length ?? 0) > 0 && (
          <input
            type="search"
            class="search"
            aria-label={t('searchDocuments')}
            placeholder={t('searchDocuments')}
            value={text}
            onInput={({ currentTarget: { value } }) => {
              setText(value);
              clearTimeout(timer.current);
              timer.current = setTimeout(() => setWanted(value.trim()), SEARCH_DELAY_MS);
            }}
          />
        )}
      </div>
      <Issues issues={refused} />
      {found !== undefined && <FoundDocuments documents={found} text={wanted} profile={profile} />}
      {runs === undefined || runs.length === 0 ? (
        <p class="hint">{t('noRuns')}</p>
      ) : (
        <Table
          head={[
            t('run'),
            t('date'),
            t('files'),
            ...OUTCOME_STATES.map((state): NumberHead => [t(state), 'number']),
          ]}
        >
          {months.map((name) => [
            <tr key={name} class="group-row">
              <th colSpan={3 + OUTCOME_STATES.length} scope="rowgroup">
                {monthText(name)}
              </th>
            </tr>,
            ...runs
              .filter(({ created }) => created.startsWith(name))
              .map((run) => (
                <tr key={run.run}>
                  <td>
                    <a href={runAddress(run.run, profile)}>{run.run}</a>
                  </td>
                  <td>{moment(run.created)}</td>
                  <td>{run.files.join(', ')}</td>
                  {OUTCOME_STATES.map((state) => (
                    <td key={state} class="number">
                      {count(run.documents[state] ?? 0)}
                    </td>
                  ))}
                </tr>
              )),
          ])}
        </Table>
      )}
    </section>
  );
}

/** Delay between the last key and the search, in ms. */
const SEARCH_DELAY_MS = 250;
const MAX_FOUND = 100;

interface FoundProps {
  readonly documents: readonly FoundDocument[];
  readonly text: string;
  readonly profile: string;
}

/** Lists the documents that a search found; a state narrows them. */
function FoundDocuments({ documents, text, profile }: FoundProps) {
  const [state, setState] = useState('');
  const states = [...new Set(documents.map((document) => document.state))];
  const shown = documents.filter((document) => state === '' || document.state === state);
  const stateText = (name: string): string => STATES[name as keyof typeof STATES]?.[language] ?? name;
  return (
    <>
      <div class="bar">
        <p role="status">{t('foundDocuments', { count: shown.length, text })}</p>
        {states.length > 1 && (
          <select
            aria-label={t('state')}
            value={state}
            onChange={({ currentTarget }) => setState(currentTarget.value)}
          >
            <option value="">{t('anyState')}</option>
            {states.map((name) => (
              <option key={name} value={name}>
                {stateText(name)}
              </option>
            ))}
          </select>
        )}
      </div>
      {documents.length === MAX_FOUND && <p class="hint">{t('foundFirst')}</p>}
      {shown.length > 0 && (
        <Table
          label={t('documents')}
          head={[t('name'), t('key'), t('number'), t('state'), t('code'), t('run')]}
        >
          {shown.map(({ run, key, name, number, state: is, documentCode }) => (
            <tr key={`${run} ${number ?? key}`}>
              <td>{name ?? ''}</td>
              <td>{key}</td>
              <td>{number ?? ''}</td>
              <td>
                <span class={`state ${is}`}>{stateText(is)}</span>
              </td>
              <td class="code">{documentCode ?? ''}</td>
              <td>
                <a href={runAddress(run, profile)}>{run}</a>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
