import { useEffect, useRef, useState } from 'preact/hooks';
import type { ActView, PageIssue } from '../api.js';
import type { RunAt } from './documents.js';
import { Asked, Issues, Working } from './parts.js';
import { call, refusalOf, useAct } from './server.js';
import { t } from './words.js';

interface SettleProps {
  readonly place: RunAt;
  readonly document: { readonly number: string; readonly name: string };
  /** Closes the dialog. */
  leave(): void;
  /** Shows what the run knows now. */
  settled(): void;
}

const CHOICES = ['settleAsk', 'settleAccepted', 'settleNone'] as const;

/** Asks what became of a document that nobody could be asked about, and goes on with its run. */
export function Settle({ place, document: { number, name }, leave, settled }: SettleProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [choice, setChoice] = useState<(typeof CHOICES)[number]>();
  const [code, setCode] = useState('');
  const [refused, setRefused] = useState<readonly PageIssue[]>([]);
  const [work, setWork] = useState<ActView>();
  const { act, events } = useAct(work?.id);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (act?.state === 'ended' && act.failure.length === 0) settled();
  }, [act?.state]);
  const isReady = choice !== undefined && (choice !== 'settleAccepted' || code.trim() !== '');
  const isBusy = act?.state === 'running';
  const go = async (): Promise<void> => {
    const word = choice === 'settleAccepted' ? `accepted:${code.trim()}` : 'none';
    const options = {
      ...place.options,
      ...(choice !== 'settleAsk' && { settle: [`${number}=${word}`] }),
    };
    setRefused([]);
    try {
      setWork(await call<ActView>('POST', `${place.path}/acts/resume`, { options }));
    } catch (error) {
      setRefused(refusalOf(error));
    }
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
        <Issues
          issues={[
            ...refused,
            ...(act?.failure ?? []),
            ...(events.filter(({ event }) => event === 'issue') as unknown as PageIssue[]),
          ]}
        />
        <fieldset disabled={isBusy}>
          {CHOICES.map((one) => (
            <label key={one} class="choice">
              <input type="radio" name="settle" checked={choice === one} onChange={() => setChoice(one)} />
              {t(one)}
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
        {act?.pending == null && isBusy && <Working act={act} />}
        <div class="buttons">
          <button type="submit" class="primary" disabled={!isReady || isBusy}>
            {t('settle')}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {t('cancel')}
          </button>
        </div>
      </form>
      {act?.pending != null && <Asked key={act.pending.id} act={act.id} pending={act.pending} />}
    </dialog>
  );
}
