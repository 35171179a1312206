import { useRef, useState } from 'preact/hooks';
import { STATES } from '../../generated/texts-report.js';
import type { LeftOutEvent, OutcomeEvent, PageEvent, Summary } from '../api.js';
import { useInspection } from './columns.js';
import { DocumentButtons, type RunAt, useDocumentActions } from './documents.js';
import { Footer } from './frame.js';
import { OUTCOME_STATES, RuleDetails, ShownOf, Table } from './parts.js';
import { go } from './place.js';
import { Accounts } from './review.js';
import { RowsToFix } from './rows-to-fix.js';
import { askedOf, isCurrent, type ScreenProps } from './screen.js';
import { MessageList, Outdated, Plan, Verdict } from './sending.js';
import { call, eventsNamed, lastEvent, useLoaded, useTask } from './server.js';
import { Settle } from './settle.js';
import { useStatement } from './statement.js';
import { count, language, t } from './words.js';

/** Output files, and the phrases of their links. */
const OUTPUTS = [
  ['reporte.xlsx', 'report'],
  ['revisado.xlsx', 'annotated'],
  ['facturas-pendientes.xlsx', 'worklist'],
  ['recepcion.jsonl', 'received'],
] as const;

/** Shows the outcomes of the documents, and the files to download. */
export function Result(props: ScreenProps) {
  const { upload } = props;
  const known = askedOf(upload);
  const { task, events } = useTask(known?.id);
  const isNow = known === undefined || isCurrent(upload, known);
  const inspection = useInspection(props);
  const { value: outputs } = useLoaded<readonly string[]>(
    task?.state === 'ended' ? `/uploads/${upload.id}/outputs?of=${task.id}` : undefined,
  );
  const summary = lastEvent(inspection.events, 'summary');
  const place: RunAt | undefined =
    task?.run == null ? undefined : { path: `/uploads/${upload.id}/runs/${task.run}` };
  const statement = useStatement(place);
  if (askedOf(upload) === undefined)
    return (
      <>
        <h1>{t('resultTitle')}</h1>
        <p class="notice">{t('notSentYet')}</p>
        <Footer text={t('stepConfirm')} forward={() => go('upload', upload.id, 'confirm')} />
      </>
    );
  return (
    <>
      <h1>{t('resultTitle')}</h1>
      {!isNow && <Outdated task={known} />}
      <Verdict task={task} events={events} isNow={isNow} />
      <Invoices events={events} />
      <Outcomes
        events={events}
        place={place}
        settled={() => go('run', task!.run!, ...(upload.profile ? [upload.profile] : []))}
        {...(summary?.['corrections'] === 'whole' && { correct: upload.id })}
      />
      <div class="buttons">
        {OUTPUTS.filter(([name]) => outputs?.includes(name)).map(([name, text]) => (
          <a key={name} class="button" href={`/api/uploads/${upload.id}/outputs/${encodeURI(name)}`} download>
            {t(text)}
          </a>
        ))}
        <Results upload={upload.id} names={outputs ?? []} />
        {isNow && <RowsToFix upload={upload.id} task={task} />}
        {!isNow && (
          <button type="button" class="primary" onClick={() => go('upload', upload.id, 'review')}>
            {t('stepReview')}
          </button>
        )}
        {task?.state === 'ended' && statement.button}
        {task?.run != null && !upload.demo && (
          <button
            type="button"
            onClick={() => go('run', task.run!, ...(upload.profile ? [upload.profile] : []))}
          >
            {t('run')} {task.run}
          </button>
        )}
      </div>
      <Footer text={t('another')} forward={() => go()} />
      <Plan task={task} events={events} />
      <MessageList task={task} events={events} isNow={isNow} />
      {statement.sheet}
    </>
  );
}

/** Lists the ministry's response files. */
function Results({ upload, names }: { readonly upload: string; readonly names: readonly string[] }) {
  const results = names.filter((name) => name.startsWith('resultados/'));
  if (results.length === 0) return null;
  return (
    <details class="results">
      <summary>{t('ministryResults', { count: count(results.length) })}</summary>
      <ul>
        {results.slice(0, MAX_ROWS_SHOWN).map((name) => (
          <li key={name}>
            <a href={`/api/uploads/${upload}/outputs/${encodeURI(name)}`} download>
              {name.slice(name.indexOf('/') + 1)}
            </a>
          </li>
        ))}
      </ul>
      <ShownOf shown={MAX_ROWS_SHOWN} all={results.length} />
    </details>
  );
}

interface InvoiceEvent extends PageEvent {
  readonly invoice: string;
  readonly cufe: string;
  readonly stateText: string;
  readonly nextText: string;
  readonly deadline: string | null;
}

/** Lists each invoice with its next events and their deadline. */
function Invoices({ events }: { readonly events: readonly PageEvent[] }) {
  const invoices = eventsNamed<InvoiceEvent>(events, 'invoice');
  if (invoices.length === 0) return null;
  return (
    <>
      <Table label={t('invoices')} head={[t('invoice'), t('state'), t('nextEvents'), t('deadline')]}>
        {invoices.slice(0, MAX_ROWS_SHOWN).map(({ cufe, invoice, stateText, nextText, deadline }) => (
          <tr key={cufe}>
            <td>{invoice}</td>
            <td>{stateText}</td>
            <td>{nextText}</td>
            <td>{deadline ?? ''}</td>
          </tr>
        ))}
      </Table>
      <ShownOf shown={MAX_ROWS_SHOWN} all={invoices.length} />
    </>
  );
}

const MAX_ROWS_SHOWN = 500;

const DOCUMENT_HEAD = ['key', 'name', 'number', 'state', 'code', 'reasons'] as const;

interface OutcomesProps {
  readonly events: readonly PageEvent[];
  /** Address of the run; without it the documents have no actions. */
  readonly place?: RunAt | undefined;
  /** Upload in which the documents can be corrected. */
  readonly correct?: string;
  /** Called after an unknown document was settled, to show the run again. */
  readonly settled?: () => void;
}

/** Shows the accounts of a run and its documents with their codes. */
export function Outcomes({ events, place, correct, settled }: OutcomesProps) {
  const summary = lastEvent<Summary>(events, 'summary');
  const facts = lastEvent(events, 'facts');
  const outcomes = eventsNamed<OutcomeEvent>(events, 'outcome');
  const leftOut = eventsNamed<LeftOutEvent>(events, 'left-out');
  // Documents that need work come first.
  const rows = [
    ...leftOut.map(
      (document, at): OutcomeEvent => ({ ...document, sequence: -1 - at, number: null, documentCode: null }),
    ),
    ...outcomes,
  ];
  const all = (summary?.documents['made'] ?? outcomes.length) + leftOut.length;
  const can = summary?.can ?? (facts?.['can'] as readonly string[] | undefined) ?? [];
  const actions = useDocumentActions(place);
  const [toSettle, setToSettle] = useState<{ readonly number: string; readonly name: string }>();
  const isSettleable = place !== undefined && outcomes.some(({ state }) => state === 'unknown');
  const hasActions = place !== undefined && (can.length > 0 || correct !== undefined || isSettleable);
  return (
    <>
      {summary !== undefined && 'accepted' in summary.documents && (
        <dl class="tiles">
          {OUTCOME_STATES.map((state) => (
            <div key={state} class={`tile ${state}`}>
              <dt>{t(state)}</dt>
              <dd>{count(summary.documents[state] ?? 0)}</dd>
            </div>
          ))}
          {leftOut.length > 0 && (
            <div class="tile left-out">
              <dt>{STATES['held-back'][language]}</dt>
              <dd>{count(leftOut.length)}</dd>
            </div>
          )}
        </dl>
      )}
      {summary !== undefined && <Accounts summary={summary} />}
      {rows.length > 0 && (
        <Table
          label={t('documents')}
          head={[...DOCUMENT_HEAD, ...(hasActions ? (['actions'] as const) : [])].map((head) => t(head))}
        >
          {rows.slice(0, MAX_ROWS_SHOWN).map((outcome) => (
            <tr key={outcome.sequence}>
              <td>{outcome.key}</td>
              <td>{outcome.name ?? ''}</td>
              <td>{outcome.number ?? ''}</td>
              <td>
                <span class={`state ${outcome.state}`}>
                  {STATES[outcome.state as keyof typeof STATES]?.[language] ?? outcome.state}
                </span>
                {outcome.correctedBy !== undefined && (
                  <p class="hint">{t('correctedBy', { number: outcome.correctedBy })}</p>
                )}
              </td>
              <td class="code">
                {outcome.documentCode !== null && (
                  <Code code={outcome.documentCode} of={outcome.name ?? outcome.key} />
                )}
              </td>
              <td>
                {outcome.reasons.map(({ message, fix }) => `${message} ${fix}`).join(' ')}
                {outcome.state === 'rejected' &&
                  [...new Set(outcome.reasons.map(({ rule }) => rule))].map(
                    (rule) => rule !== null && <RuleDetails key={rule} rule={rule} />,
                  )}
              </td>
              {hasActions && (
                <td class="actions">
                  {outcome.number !== null && (
                    <DocumentButtons outcome={outcome} can={can} actions={actions} />
                  )}
                  {outcome.state === 'unknown' && outcome.number !== null && (
                    <button
                      type="button"
                      class="plain"
                      aria-label={t('settleNamed', { name: outcome.name ?? outcome.key })}
                      onClick={() =>
                        setToSettle({ number: outcome.number!, name: outcome.name ?? outcome.key })
                      }
                    >
                      {t('settle')}
                    </button>
                  )}
                  {correct !== undefined && <Correct upload={correct} outcome={outcome} />}
                </td>
              )}
            </tr>
          ))}
        </Table>
      )}
      <ShownOf shown={MAX_ROWS_SHOWN} all={all} />
      {actions.panel}
      {toSettle !== undefined && place !== undefined && (
        <Settle
          place={place}
          document={toSettle}
          leave={() => setToSettle(undefined)}
          settled={() => {
            setToSettle(undefined);
            settled?.();
          }}
        />
      )}
    </>
  );
}

function Code({ code, of }: { readonly code: string; readonly of: string }) {
  const [copied, setCopied] = useState(false);
  const text = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span class="code-text" ref={text}>
        {code}
      </span>{' '}
      <button
        type="button"
        class="plain"
        aria-label={t('copy', { name: of })}
        onClick={async () => {
          try {
            await navigator.clipboard.writeText(code);
            setCopied(true);
          } catch {
            getSelection()?.selectAllChildren(text.current!); // the browser denies clipboard access: the user copies the selection
          }
        }}
      >
        {copied ? t('copied') : t('copyWord')}
      </button>
    </>
  );
}

/** Leads to the row of a document for correction, or leaves it out so that an adjust note deletes it. */
function Correct({ upload, outcome }: { readonly upload: string; readonly outcome: OutcomeEvent }) {
  const { file, sheet, row, state, name, key } = outcome;
  if (file === null || row === null) return null;
  const of = { name: name ?? key };
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-label={t('correctNamed', of)}
        onClick={() => go('upload', upload, 'review', String(row), file, ...(sheet === null ? [] : [sheet]))}
      >
        {t('correct')}
      </button>
      {state === 'accepted' && (
        <button
          type="button"
          class="plain"
          aria-label={t('deleteNamed', of)}
          onClick={async () => {
            await call('PUT', `/uploads/${upload}/edits/left-out`, { file, sheet, row });
            go('upload', upload, 'confirm', 'delete');
          }}
        >
          {t('delete')}
        </button>
      )}
    </>
  );
}
