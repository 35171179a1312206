import { useEffect, useState } from 'preact/hooks';
import type { ActName, ActView, PageIssue } from '../api.js';
import { Issues, Working } from './parts.js';
import { type OutcomeEvent, Outcomes } from './result.js';
import { SendingAct } from './sending.js';
import { call, Refused, useAct } from './server.js';
import { t } from './words.js';

const OPEN_STATES = new Set(['pending', 'unknown', 'unsent']);

/** An earlier run: what the journal knows of it, and how to go on. */
export function RunPage({ run, profile }: { readonly run: string; readonly profile: string | undefined }) {
  const [status, setStatus] = useState<ActView>();
  const [resume, setResume] = useState<ActView>();
  const [issues, setIssues] = useState<readonly PageIssue[]>([]);
  const { act, events } = useAct(status?.id);
  const going = useAct(resume?.id);
  const start = async (name: ActName, set: (act: ActView) => void): Promise<void> => {
    try {
      set(
        await call<ActView>('POST', `/runs/${run}/acts/${name}`, {
          options: { ...(profile && { profile }) },
        }),
      );
    } catch (error) {
      if (error instanceof Refused) setIssues(error.issues);
    }
  };
  const isOver = going.act?.state === 'ended';
  useEffect(() => void start('status', setStatus), [run, isOver]);
  const isOpen = events.some(
    (event) => event.event === 'outcome' && OPEN_STATES.has((event as unknown as OutcomeEvent).state),
  );
  return (
    <>
      <h1>
        {t('run')} {run}
      </h1>
      <Issues issues={[...issues, ...(act?.failure ?? [])]} />
      {act?.state === 'running' && <Working act={act} />}
      {resume !== undefined && <SendingAct act={going.act} events={going.events} />}
      <Outcomes events={events} />
      {isOpen && (resume === undefined || isOver) && (
        <div class="buttons">
          <button type="button" class="primary" onClick={() => void start('resume', setResume)}>
            {t('resume')}
          </button>
        </div>
      )}
    </>
  );
}
