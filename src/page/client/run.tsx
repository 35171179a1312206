import { useEffect, useState } from 'preact/hooks';
import type { ActName, ActView, OutcomeEvent, PageIssue, RunView } from '../api.js';
import { Issues, Working } from './parts.js';
import { Outcomes } from './result.js';
import { SendingAct } from './sending.js';
import { call, refusalOf, useAct, useLoaded } from './server.js';
import { useStatement } from './statement.js';
import { t } from './words.js';

const OPEN_STATES = new Set(['pending', 'unknown', 'unsent']);

/** An earlier run: what the journal knows of it, and how to go on. */
export function RunPage({ run, profile }: { readonly run: string; readonly profile: string | undefined }) {
  const [status, setStatus] = useState<ActView>();
  const [work, setWork] = useState<ActView>();
  const [issues, setIssues] = useState<readonly PageIssue[]>([]);
  const { act, events } = useAct(status?.id);
  const going = useAct(work?.id);
  const { value: runs, reload } = useLoaded<readonly RunView[]>(
    `/runs?profile=${encodeURIComponent(profile ?? '')}`,
  );
  const known = runs?.find((one) => one.run === run);
  const start = async (name: ActName, set: (act: ActView) => void): Promise<void> => {
    try {
      set(
        await call<ActView>('POST', `/runs/${run}/acts/${name}`, {
          options: { ...(profile && { profile }) },
        }),
      );
    } catch (error) {
      setIssues(refusalOf(error));
    }
  };
  const place = { path: `/runs/${run}`, ...(profile && { options: { profile } }) };
  const statement = useStatement(place);
  const isOver = going.act?.state === 'ended';
  useEffect(() => {
    void start('status', setStatus);
    void reload();
  }, [run, isOver]);
  const isOpen = events.some(
    (event) => event.event === 'outcome' && OPEN_STATES.has((event as unknown as OutcomeEvent).state),
  );
  const waits = known?.state === 'held' && known.approval === undefined;
  const isFree = work === undefined || isOver;
  const button = (name: ActName, text: 'approve' | 'resume' | 'send') => (
    <button type="button" class="primary" onClick={() => void start(name, setWork)}>
      {t(text)}
    </button>
  );
  return (
    <>
      <h1>
        {t('run')} {run}
      </h1>
      <Issues issues={[...issues, ...(act?.failure ?? [])]} />
      {act?.state === 'running' && <Working act={act} />}
      {waits && <p class="notice">{t('heldFor')}</p>}
      {waits && <Invitation />}
      {work !== undefined && <SendingAct act={going.act} events={going.events} />}
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
          {!waits && events.length > 0 && (
            <a
              class="button"
              href={`/api/runs/${run}/report?profile=${encodeURIComponent(profile ?? '')}`}
              download
            >
              {t('report')}
            </a>
          )}
          {!waits && statement.button}
          {waits
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

/** Who approves looks at the run by a link of his own. */
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
