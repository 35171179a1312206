import { useEffect, useState } from 'preact/hooks';
import type { HomeView, OutcomeEvent, RunView, TaskName, TaskView } from '../api.js';
import { Outcomes } from './outcomes.js';
import { Issues, Working } from './parts.js';
import { Company, companyOf, mayDo } from './screen.js';
import { NoteField, Request, SendingTask } from './sending.js';
import { call, useAttempts, useLoaded, useTask } from './server.js';
import { useStatement } from './statement.js';
import { t } from './words.js';

const OPEN_STATES = new Set(['pending', 'unknown', 'unsent']);

interface RunPageProps {
  readonly run: string;
  readonly profile: string | undefined;
  readonly home: HomeView | undefined;
}

/** Shows an earlier run from the journal, and how to continue it. */
export function RunPage({ run, profile, home }: RunPageProps) {
  const company = companyOf(home, profile ?? '');
  const isShared = home?.person !== undefined;
  const [note, setNote] = useState('');
  const [status, setStatus] = useState<TaskView>();
  const [work, setWork] = useState<TaskView>();
  const { refused, attempt } = useAttempts();
  const { value: runs, reload } = useLoaded<readonly RunView[]>(
    `/runs?profile=${encodeURIComponent(profile ?? '')}`,
  );
  const known = runs?.find((candidate) => candidate.run === run);
  const start = (name: TaskName, set: (task: TaskView) => void, more: object = {}): Promise<void> => {
    const options = { ...(profile && { profile }), ...more };
    return attempt(() => call<TaskView>('POST', `/runs/${run}/tasks/${name}`, { options }).then(set));
  };
  const ask = (): Promise<void> => start('status', setStatus);
  const { task, events } = useTask(status?.id, ask);
  const continuation = useTask(work?.id, async () => {
    setWork(undefined);
    await ask();
  });
  const place = { path: `/runs/${run}`, ...(profile && { options: { profile } }) };
  const statement = useStatement(place);
  const isOver = continuation.task?.state === 'ended';
  useEffect(() => {
    void ask();
    void reload();
  }, [run, isOver]);
  const isOpen = events.some(
    (event) => event.event === 'outcome' && OPEN_STATES.has((event as unknown as OutcomeEvent).state),
  );
  const awaitsApproval = known?.state === 'held' && known.approval === undefined;
  const isFree = work === undefined || isOver;
  const isOwn =
    company?.needsTwo === true &&
    (known?.by === home?.personId || known?.preparers?.includes(home?.personId ?? '') === true);
  const mayApprove = mayDo(company, 'approve') && !isOwn;
  const button = (name: TaskName, text: 'approve' | 'approveIt' | 'resume' | 'send') => (
    <button type="button" class="primary" onClick={() => void start(name, setWork)}>
      {t(text)}
    </button>
  );
  return (
    <Company.Provider value={company}>
      <h1>
        {t('run')} {run}
      </h1>
      <Issues issues={[...refused, ...(task?.failure ?? [])]} />
      {task?.state === 'running' && <Working task={task} />}
      {awaitsApproval && !isShared && <p class="notice">{t('heldFor')}</p>}
      {awaitsApproval && !isShared && <Invitation />}
      {isShared && known?.state === 'held' && <Request run={known} />}
      {isShared && awaitsApproval && !mayApprove && <p class="hint">{t(isOwn ? 'whyOwn' : 'whyNoRight')}</p>}
      {work !== undefined && <SendingTask task={continuation.task} events={continuation.events} />}
      <Outcomes
        events={events}
        place={place}
        settled={() => {
          void start('status', setStatus);
          void reload();
        }}
      />
      {isFree && (
        <div class="buttons">
          {!awaitsApproval && events.length > 0 && (
            <a
              class="button"
              href={`/api/runs/${run}/report?profile=${encodeURIComponent(profile ?? '')}`}
              download
            >
              {t('report')}
            </a>
          )}
          {!awaitsApproval && statement.button}
          {awaitsApproval
            ? mayApprove && button('approve', isShared ? 'approveIt' : 'approve')
            : mayDo(company, 'send') &&
              (known?.state === 'held' ? button('send', 'send') : isOpen && button('resume', 'resume'))}
        </div>
      )}
      {isFree && isShared && awaitsApproval && mayApprove && (
        <form
          class="card"
          onSubmit={(event) => {
            event.preventDefault();
            void start('giveBack', setWork, { note });
          }}
        >
          <NoteField text="noteToPreparer" note={note} isRequired change={setNote} />
          <button type="submit">{t('giveBack')}</button>
        </form>
      )}
      {statement.sheet}
    </Company.Provider>
  );
}

/** Creates a single-use link for the user who approves the run. */
function Invitation() {
  const [link, setLink] = useState('');
  if (link !== '')
    return (
      <p>
        <label for="invitation">{t('invite')}</label>{' '}
        <input
          id="invitation"
          readOnly
          value={link}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </p>
    );
  return (
    <button
      type="button"
      onClick={async () => {
        const { path } = await call<{ path: string }>('POST', '/invitations', {});
        setLink(location.origin + path);
      }}
    >
      {t('invite')}
    </button>
  );
}
