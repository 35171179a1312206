import { useEffect, useState } from 'preact/hooks';
import { STATES } from '../../generated/texts-report.js';
import type { ActView, Amount, OutcomeEvent, PageEvent, Summary } from '../api.js';
import type { RunAt } from './documents.js';
import { Figure, Issues } from './parts.js';
import { call, useAct } from './server.js';
import { count, language, moment, t } from './words.js';

interface Facts extends PageEvent {
  readonly run: string;
  readonly company: string;
  readonly service: string;
  readonly environment: string;
  readonly files: readonly string[];
  readonly created: string;
  readonly ended: string | null;
  readonly approval: { readonly by: string; readonly at: string } | null;
  readonly totals: readonly Amount[];
}

/** What became of a run on paper, to be signed: the browser prints it, or saves it as PDF. */
export function useStatement(place: RunAt | undefined) {
  const [work, setWork] = useState<ActView>();
  const { act, events } = useAct(work?.id);
  const isReady = act?.state === 'ended' && act.failure.length === 0;
  useEffect(() => {
    if (isReady) window.print();
  }, [isReady, work?.id]);
  return {
    button: place !== undefined && (
      <button
        type="button"
        onClick={async () =>
          setWork(await call<ActView>('POST', `${place.path}/acts/status`, { options: place.options }))
        }
      >
        {t('statement')}
      </button>
    ),
    sheet:
      act?.state === 'ended' && act.failure.length > 0 ? (
        <Issues issues={act.failure} />
      ) : (
        isReady && <Sheet events={events} />
      ),
  };
}

function Sheet({ events }: { readonly events: readonly PageEvent[] }) {
  const facts = events.find(({ event }) => event === 'facts') as Facts | undefined;
  const summary = events.findLast(({ event }) => event === 'summary') as Summary | undefined;
  if (facts === undefined || summary === undefined) return null;
  const outcomes = events.filter(({ event }) => event === 'outcome') as unknown as readonly OutcomeEvent[];
  const { documents } = summary;
  const others = outcomes.filter(({ state }) => state !== 'accepted');
  const accepted = outcomes.filter(({ state }) => state === 'accepted');
  return (
    <article class="statement">
      <h1>{t('statementTitle')}</h1>
      <dl class="accounts">
        <Figure name={t('company')}>{facts.company}</Figure>
        <Figure name={t('environment')}>
          {t(facts.environment === 'production' ? 'productionEnvironment' : 'testEnvironment')}
        </Figure>
        <Figure name={t('service')}>{facts.service}</Figure>
        <Figure name={t('run')}>{facts.run}</Figure>
        <Figure name={t('files')}>{facts.files.join(', ')}</Figure>
        <Figure name={t('date')}>
          {[facts.created, facts.ended].flatMap((at) => (at === null ? [] : moment(at))).join(' – ')}
        </Figure>
        {facts.approval !== null && (
          <Figure name={t('approvedBy')}>
            {facts.approval.by} ({moment(facts.approval.at)})
          </Figure>
        )}
        <Figure name={t('documents')}>
          {t('documentsAre', {
            planned: count(documents['planned'] ?? 0),
            made: count(documents['made'] ?? 0),
            heldBack: count(documents['heldBack'] ?? 0),
          })}
        </Figure>
        {(['accepted', 'rejected', 'pending', 'unknown', 'unsent'] as const).map((state) => (
          <Figure key={state} name={t(state)}>
            {count(documents[state] ?? 0)}
          </Figure>
        ))}
        {facts.totals.map(({ key, name, amount }) => (
          <Figure key={key} name={t('acceptedAmount', { name })}>
            {amount}
          </Figure>
        ))}
      </dl>
      {(documents['heldBack'] ?? 0) > 0 && (
        <p>
          <strong>{t('heldBackToo', { count: count(documents['heldBack'] ?? 0) })}</strong>
        </p>
      )}
      {others.length > 0 && <Listed title="notAccepted" outcomes={others} />}
      {accepted.length > 0 && <Listed title="accepted" outcomes={accepted} />}
      {outcomes.length < (documents['made'] ?? 0) && (
        <p>{t('moreIssues', { shown: count(outcomes.length), count: count(documents['made'] ?? 0) })}</p>
      )}
      <div class="signatures">
        {(['preparedBy', 'reviewedBy', 'approvedBy'] as const).map((who) => (
          <p key={who}>{t(who)}</p>
        ))}
      </div>
    </article>
  );
}

interface ListedProps {
  readonly title: 'accepted' | 'notAccepted';
  readonly outcomes: readonly OutcomeEvent[];
}

function Listed({ title, outcomes }: ListedProps) {
  const isAccepted = title === 'accepted';
  return (
    <>
      <h2>{t(title)}</h2>
      <table class="list">
        <thead>
          <tr>
            {(['key', 'name', 'number', isAccepted ? 'code' : 'reasons'] as const).map((head) => (
              <th key={head} scope="col">
                {t(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {outcomes.map(({ sequence, key, name, number, state, documentCode, reasons }) => (
            <tr key={sequence}>
              <td>{key}</td>
              <td>{name ?? ''}</td>
              <td>{number ?? ''}</td>
              {isAccepted ? (
                <td class="code">{documentCode ?? ''}</td>
              ) : (
                <td>
                  {STATES[state as keyof typeof STATES]?.[language] ?? state}.{' '}
                  {reasons.map(({ message }) => message).join(' ')}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
