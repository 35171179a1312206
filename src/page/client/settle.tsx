import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PageIssue, TaskView } from '../api.js';
import type { RunAt } from './documents.js';
import { Issues, QuestionForm, Working } from './parts.js';
import { call, eventsNamed, useAttempts, useTask } from './server.js';
import { t } from './words.js';

interface SettleProps {
  readonly place: RunAt;
  readonly document: { readonly number: string; readonly name: string };
  /** Closes the dialog. */
  leave(): void;
  /** Shows the run again. */
  settled(): void;
}

const CHOICES = ['settleAsk', 'settleAccepted', 'settleNone'] as const;

/** Asks for the outcome of an unknown document that the service cannot tell, and continues its run. */
export function Settle({ place, document: { number, name }, leave, settled }: SettleProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [choice, setChoice] = useState<(typeof CHOICES)[number]>();
  const [code, setCode] = useState('');
  const { refused, attempt } = useAttempts();
  const [work, setWork] = useState<TaskView>();
  const { task, events } = useTask(work?.id);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (task?.state === 'ended' && task.failure.length === 0) settled();
  }, [task?.state]);
  const isReady = choice !== undefined && (choice !== 'settleAccepted' || code.trim() !== '');
  const isBusy = task?.state === 'running';
  const go = async (): Promise<void> => {
    const word = choice === 'settleAccepted' ? `accepted:${code.trim()}` : 'none';
    const options = {
      ...place.options,
      ...(choice !== 'settleAsk' && { settle: [`${number}=${word}`] }),
    };
    await attempt(() => call<TaskView>('POST', `${place.path}/tasks/resume`, { options }).then(setWork));
  };
  return (
    <dialog ref={dialog} class="settle" aria-labelledby="settle-title" onClose={leave}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isBusy) void go();
        }}
      >
        <h2 id="settle-title">{t('settleNamed', { name })}</h2>
        <p>{t('settleAbout', { number, name })}</p>
        <Issues issues={[...refused, ...(task?.failure ?? []), ...eventsNamed<PageIssue>(events, 'issue')]} />
        <fieldset disabled={isBusy}>
          {CHOICES.map((value) => (
            <label key={value} class="choice">
              <input
                type="radio"
                name="settle"
                checked={choice === value}
                onChange={() => setChoice(value)}
              />
              {t(value)}
            </label>
          ))}
          {choice === 'settleAccepted' && (
            <label class="field">
              {t('settleCode')}
              <input
                required
                autocomplete="off"
                value={code}
                onInput={({ currentTarget }) => setCode(currentTarget.value)}
              />
            </label>
          )}
        </fieldset>
        {task?.pending == null && isBusy && <Working task={task} />}
        <div class="buttons">
          <button type="submit" class="primary" disabled={!isReady || isBusy}>
            {t('settle')}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {t('cancel')}
          </button>
        </div>
      </form>
      {task?.pending != null && <QuestionForm key={task.pending.id} task={task.id} pending={task.pending} />}
    </dialog>
  );
}
