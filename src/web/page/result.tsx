import { useState } from 'preact/hooks';
import { STATES } from '../../generated/texts-report.js';
import type { PageEvent, Summary } from '../api.js';
import { go } from './place.js';
import { Accounts } from './review.js';
import { type ScreenProps, sendingOf } from './screen.js';
import { SendingAct } from './sending.js';
import { useAct, useLoaded } from './server.js';
import { ToMend } from './to-mend.js';
import { count, language, t } from './words.js';

export interface OutcomeEvent extends PageEvent {
  readonly sequence: number;
  readonly key: string;
  readonly name: string | null;
  readonly state: string;
  readonly number: string | null;
  readonly documentCode: string | null;
  readonly row: number | null;
  readonly reasons: readonly { readonly message: string; readonly fix: string }[];
}

/** What became of each document, and what to take away. */
export function Result({ upload }: ScreenProps) {
  const { act, events } = useAct(sendingOf(upload)?.id);
  const { value: outputs } = useLoaded<readonly string[]>(
    act?.state === 'ended' ? `/uploads/${upload.id}/outputs?of=${act.id}` : undefined,
  );
  return (
    <>
      <h1>{t('resultTitle')}</h1>
      <SendingAct act={act} events={events} />
      <Outcomes events={events} />
      <div class="buttons">
        {outputs?.includes('informe.xlsx') && (
          <a class="button" href={`/api/uploads/${upload.id}/outputs/informe.xlsx`} download>
            {t('report')}
          </a>
        )}
        {outputs?.includes('revisado.xlsx') && (
          <a class="button" href={`/api/uploads/${upload.id}/outputs/revisado.xlsx`} download>
            {t('annotated')}
          </a>
        )}
        <ToMend upload={upload.id} act={act} />
        {act?.run != null && (
          <button
            type="button"
            onClick={() => go('run', act.run!, ...(upload.profile ? [upload.profile] : []))}
          >
            {t('run')} {act.run}
          </button>
        )}
        <button type="button" class="primary" onClick={() => go()}>
          {t('another')}
        </button>
      </div>
    </>
  );
}

const MOST_SHOWN = 500;

/** The accounts of a run, and its documents with their codes. */
export function Outcomes({ events }: { readonly events: readonly PageEvent[] }) {
  const summary = events.findLast(({ event }) => event === 'summary') as Summary | undefined;
  const outcomes = events.filter(({ event }) => event === 'outcome') as unknown as OutcomeEvent[];
  const [copied, setCopied] = useState<number>();
  return (
    <>
      {summary !== undefined && 'accepted' in summary.documents && (
        <dl class="tiles">
          {(['accepted', 'rejected', 'pending', 'unknown', 'unsent'] as const).map((state) => (
            <div key={state} class={`tile ${state}`}>
              <dt>{t(state)}</dt>
              <dd>{count(summary.documents[state] ?? 0)}</dd>
            </div>
          ))}
        </dl>
      )}
      {summary !== undefined && <Accounts summary={summary} />}
      {outcomes.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label={t('documents')}>
          <table class="list">
            <thead>
              <tr>
                <th scope="col">{t('key')}</th>
                <th scope="col">{t('name')}</th>
                <th scope="col">{t('number')}</th>
                <th scope="col">{t('state')}</th>
                <th scope="col">{t('code')}</th>
                <th scope="col">{t('reasons')}</th>
              </tr>
            </thead>
            <tbody>
              {outcomes.slice(0, MOST_SHOWN).map((one) => (
                <tr key={one.sequence}>
                  <td>{one.key}</td>
                  <td>{one.name ?? ''}</td>
                  <td>{one.number ?? ''}</td>
                  <td>
                    <span class={`state ${one.state}`}>
                      {STATES[one.state as keyof typeof STATES]?.[language] ?? one.state}
                    </span>
                  </td>
                  <td class="code">
                    {one.documentCode !== null && (
                      <>
                        <span class="code-text">{one.documentCode}</span>{' '}
                        <button
                          type="button"
                          class="plain"
                          aria-label={t('copy', { name: one.name ?? one.key })}
                          onClick={() => {
                            void navigator.clipboard.writeText(one.documentCode!);
                            setCopied(one.sequence);
                          }}
                        >
                          {copied === one.sequence ? t('copied') : t('copyWord')}
                        </button>
                      </>
                    )}
                  </td>
                  <td>{one.reasons.map(({ message, fix }) => `${message} ${fix}`).join(' ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {outcomes.length > MOST_SHOWN && (
        <p class="hint">{t('moreIssues', { shown: count(MOST_SHOWN), count: count(outcomes.length) })}</p>
      )}
    </>
  );
}
