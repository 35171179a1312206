import { useEffect, useState } from 'preact/hooks';
import { STATES } from '../../generated/texts-report.js';
import type { Amount, OutcomeEvent, PageEvent, Summary, TaskView } from '../api.js';
import type { RunAt } from './documents.js';
import { Figure, Issues, OUTCOME_STATES, ShownOf, Table } from './parts.js';
import { call, eventsNamed, lastEvent, useTask } from './server.js';
import { count, environmentText, language, moment, money, t } from './words.js';

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

/** Prints a statement of the run's outcomes for signature, through the browser. */
export function useStatement(place: RunAt | undefined) {
  const [work, setWork] = useState<TaskView>();
  const { task, events } = useTask(work?.id);
  const isReady = task?.state === 'ended' && task.failure.length === 0;
  useEffect(() => {
    if (isReady) window.print();
  }, [isReady, work?.id]);
  return {
    button: place !== undefined && (
      <button
        type="button"
        onClick={async () =>
          setWork(await call<TaskView>('POST', `${place.path}/tasks/status`, { options: place.options }))
        }
      >
        {t('statement')}
      </button>
    ),
    sheet:
      task?.state === 'ended' && task.failure.length > 0 ? (
        <Issues issues={task.failure} />
      ) : (
        isReady && <Statement events={events} />
      ),
  };
}

function Statement({ events }: { readonly events: readonly PageEvent[] }) {
  const facts = lastEvent<Facts>(events, 'facts');
  const summary = lastEvent<Summary>(events, 'summary');
  if (facts === undefined || summary === undefined) return null;
  const outcomes = eventsNamed<OutcomeEvent>(events, 'outcome');
  const { documents } = summary;
  const others = outcomes.filter(({ state }) => state !== 'accepted');
  const accepted = outcomes.filter(({ state }) => state === 'accepted');
  return (
    <article class="statement">
      <h1>{t('statementTitle')}</h1>
      <dl class="accounts">
        <Figure name={t('company')}>{facts.company}</Figure>
        <Figure name={t('environment')}>{environmentText(facts.environment)}</Figure>
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
        {OUTCOME_STATES.map((state) => (
          <Figure key={state} name={t(state)}>
            {count(documents[state] ?? 0)}
          </Figure>
        ))}
        {facts.totals.map(({ key, name, amount }) => (
          <Figure key={key} name={t('acceptedAmount', { name })}>
            {money(amount)}
          </Figure>
        ))}
      </dl>
      {(documents['heldBack'] ?? 0) > 0 && (
        <p>
          <strong>{t('heldBackToo', { count: count(documents['heldBack'] ?? 0) })}</strong>
        </p>
      )}
      {others.length > 0 && <DocumentTable title="notAccepted" outcomes={others} />}
      {accepted.length > 0 && <DocumentTable title="accepted" outcomes={accepted} />}
      <ShownOf shown={outcomes.length} all={documents['made'] ?? 0} />
      <div class="signatures">
        {(['preparedBy', 'reviewedBy', 'approvedBy'] as const).map((who) => (
          <p key={who}>{t(who)}</p>
        ))}
      </div>
    </article>
  );
}

interface DocumentTableProps {
  readonly title: 'accepted' | 'notAccepted';
  readonly outcomes: readonly OutcomeEvent[];
}

function DocumentTable({ title, outcomes }: DocumentTableProps) {
  const isAccepted = title === 'accepted';
  return (
    <>
      <h2>{t(title)}</h2>
      <Table head={[t('key'), t('name'), t('number'), t(isAccepted ? 'code' : 'reasons')]}>
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
      </Table>
    </>
  );
}
