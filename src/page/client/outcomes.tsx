import { useRef, useState } from 'preact/hooks';
import { STATES } from '../../generated/texts-report.js';
import type { LeftOutEvent, OutcomeEvent, PageEvent, Summary } from '../api.js';
import { DocumentButtons, type RunAt, useDocumentActions } from './documents.js';
import { OUTCOME_STATES, RuleDetails, ShownOf, Table } from './parts.js';
import { go } from './place.js';
import { Accounts } from './review.js';
import { useMay, useMayPrepare } from './screen.js';
import { call, eventsNamed, lastEvent } from './server.js';
import { Settle } from './settle.js';
import { count, language, t } from './words.js';

/** Max rows of a table of documents. */
export const MAX_ROWS_SHOWN = 500;

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
  const maySend = useMay('send');
  const mayCorrect = useMayPrepare() && correct !== undefined;
  const offered = maySend ? can : can.filter((name) => name !== 'email');
  const isSettleable = maySend && outcomes.some(({ state }) => state === 'unknown');
  const hasActions = place !== undefined && (offered.length > 0 || mayCorrect || isSettleable);
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
                    <DocumentButtons outcome={outcome} can={offered} actions={actions} />
                  )}
                  {isSettleable && outcome.state === 'unknown' && outcome.number !== null && (
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
                  {mayCorrect && <Correct upload={correct} outcome={outcome} />}
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
