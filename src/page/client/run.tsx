import { useEffect, useState } from 'preact/hooks';
import type { OutcomeEvent, PageIssue, RunView, TaskName, TaskView } from '../api.js';
import { Outcomes } from './outcomes.js';
import { Issues, Working } from './parts.js';
import { SendingTask } from './sending.js';
import { call, refusalOf, useLoaded, useTask } from './server.js';
import { useStatement } from './statement.js';
import { t } from './words.js';

const OPEN_STATES = new Set(['pending', 'unknown', 'unsent']);

/** Shows an earlier run from the journal, and how to continue it. */
export function RunPage({ run, profile }: { readonly run: string; readonly profile: string | undefined }) {
  const [status, setStatus] = useState<TaskView>();
  const [work, setWork] = useState<TaskView>();
  const [issues, setIssues] = useState<readonly PageIssue[]>([]);
  const { task, events } = useTask(status?.id);
  const continuation = useTask(work?.id);
  const { value: runs, reload } = useLoaded<readonly RunView[]>(
    `/runs?profile=${encodeURIComponent(profile ?? '')}`,
  );
  const known = runs?.find((candidate) => candidate.run === run);
  const start = async (name: TaskName, set: (task: TaskView) => void): Promise<void> => {
    try {
      set(
        await call<TaskView>('POST', `/runs/${run}/tasks/${name}`, {
          options: { ...(profile && { profile }) },
        }),
      );
    } catch (error) {
      setIssues(refusalOf(error));
    }
  };
  const place = { path: `/runs/${run}`, ...(profile && { options: { profile } }) };
  const statement = useStatement(place);
  const isOver = continuation.task?.state === 'ended';
  useEffect(() => {
    void start('status', setStatus);
    void reload();
  }, [run, isOver]);
  const isOpen = events.some(
    (event) => event.event === 'outcome' && OPEN_STATES.has((event as unknown as OutcomeEvent).state),
  );
  const awaitsApproval = known?.state === 'held' && known.approval === undefined;
  const isFree = work === undefined || isOver;
  const button = (name: TaskName, text: 'approve' | 'resume' | 'send') => (
    <button type="button" class="primary" onClick={() => void start(name, setWork)}>
      {t(text)}
    </button>
  );
  return (
    <>
      <h1>
        {t('run')} {run}
      </h1>
      <Issues issues={[...issues, ...(task?.failure ?? [])]} />
      {task?.state === 'running' && <Working task={task} />}
      {awaitsApproval && <p class="notice">{t('heldFor')}</p>}
      {awaitsApproval && <Invitation />}
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
            ? button('approve', 'approve')
            : known?.state === 'held'
              ? button('send', 'send')
              : isOpen && button('resume', 'resume')}
        </div>
      )}
      {statement.sheet}
    </>
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
