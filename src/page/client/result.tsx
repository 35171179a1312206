import { useRef, useState } from 'preact/hooks';
import { STATES } from '../../generated/texts-report.js';
import type { LeftOutEvent, OutcomeEvent, PageEvent, Summary } from '../api.js';
import { useInspection } from './columns.js';
import { DocumentActs, type RunAt, useDocumentActs } from './documents.js';
import { RuleDetails } from './parts.js';
import { go } from './place.js';
import { Accounts } from './review.js';
import { askedOf, isCurrent, type ScreenProps } from './screen.js';
import { Outdated, Plan, Sayings, Verdict } from './sending.js';
import { call, useAct, useLoaded } from './server.js';
import { Settle } from './settle.js';
import { useStatement } from './statement.js';
import { ToMend } from './to-mend.js';
import { count, language, t } from './words.js';

/** What can be taken away once it is there, with its name. */
const OUTPUTS = [
  ['reporte.xlsx', 'report'],
  ['revisado.xlsx', 'annotated'],
  ['facturas-pendientes.xlsx', 'worklist'],
  ['recepcion.jsonl', 'received'],
] as const;

/** What became of each document, and what to take away. */
export function Result(props: ScreenProps) {
  const { upload } = props;
  const known = askedOf(upload);
  const { act, events } = useAct(known?.id);
  const isNow = known === undefined || isCurrent(upload, known);
  const inspection = useInspection(props);
  const { value: outputs } = useLoaded<readonly string[]>(
    act?.state === 'ended' ? `/uploads/${upload.id}/outputs?of=${act.id}` : undefined,
  );
  const summary = inspection.events.findLast(({ event }) => event === 'summary');
  const place: RunAt | undefined =
    act?.run == null ? undefined : { path: `/uploads/${upload.id}/runs/${act.run}` };
  const statement = useStatement(place);
  if (askedOf(upload) === undefined)
    return (
      <>
        <h1>{t('resultTitle')}</h1>
        <p class="notice">{t('notSentYet')}</p>
        <div class="buttons forward">
          <button type="button" class="primary" onClick={() => go('upload', upload.id, 'confirm')}>
            {t('stepConfirm')}
          </button>
        </div>
      </>
    );
  return (
    <>
      <h1>{t('resultTitle')}</h1>
      {!isNow && <Outdated act={known} />}
      <Verdict act={act} events={events} isNow={isNow} />
      <Invoices events={events} />
      <Outcomes
        events={events}
        place={place}
        settled={() => go('run', act!.run!, ...(upload.profile ? [upload.profile] : []))}
        {...(summary?.['corrections'] === 'whole' && { correct: upload.id })}
      />
      <div class="buttons">
        {OUTPUTS.filter(([name]) => outputs?.includes(name)).map(([name, text]) => (
          <a key={name} class="button" href={`/api/uploads/${upload.id}/outputs/${encodeURI(name)}`} download>
            {t(text)}
          </a>
        ))}
        <Results upload={upload.id} names={outputs ?? []} />
        {isNow && <ToMend upload={upload.id} act={act} />}
        {!isNow && (
          <button type="button" class="primary" onClick={() => go('upload', upload.id, 'review')}>
            {t('stepReview')}
          </button>
        )}
        {act?.state === 'ended' && statement.button}
        {act?.run != null && !upload.demo && (
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
      <Plan act={act} events={events} />
      <Sayings act={act} events={events} isNow={isNow} />
      {statement.sheet}
    </>
  );
}

/** What the ministry answered, a file a document. */
function Results({ upload, names }: { readonly upload: string; readonly names: readonly string[] }) {
  const results = names.filter((name) => name.startsWith('resultados/'));
  if (results.length === 0) return null;
  return (
    <details class="results">
      <summary>{t('ministryResults', { count: count(results.length) })}</summary>
      <ul>
        {results.slice(0, MOST_SHOWN).map((name) => (
          <li key={name}>
            <a href={`/api/uploads/${upload}/outputs/${encodeURI(name)}`} download>
              {name.slice(name.indexOf('/') + 1)}
            </a>
          </li>
        ))}
      </ul>
      {results.length > MOST_SHOWN && (
        <p class="hint">{t('moreIssues', { shown: count(MOST_SHOWN), count: count(results.length) })}</p>
      )}
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

/** What is to be done with each invoice, and until when. */
function Invoices({ events }: { readonly events: readonly PageEvent[] }) {
  const invoices = events.filter(({ event }) => event === 'invoice') as unknown as readonly InvoiceEvent[];
  if (invoices.length === 0) return null;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t('invoices')}>
      <table class="list">
        <thead>
          <tr>
            {(['invoice', 'state', 'nextEvents', 'deadline'] as const).map((head) => (
              <th key={head} scope="col">
                {t(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {invoices.slice(0, MOST_SHOWN).map(({ cufe, invoice, stateText, nextText, deadline }) => (
            <tr key={cufe}>
              <td>{invoice}</td>
              <td>{stateText}</td>
              <td>{nextText}</td>
              <td>{deadline ?? ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {invoices.length > MOST_SHOWN && (
        <p class="hint">{t('moreIssues', { shown: count(MOST_SHOWN), count: count(invoices.length) })}</p>
      )}
    </div>
  );
}

const MOST_SHOWN = 500;

interface OutcomesProps {
  readonly events: readonly PageEvent[];
  /** Where the run is known; without it nothing can be done with its documents. */
  readonly place?: RunAt | undefined;
  /** The upload in which the documents can be corrected. */
  readonly correct?: string;
  /** Shows the run as it is now. */
  readonly settled?: () => void;
}

/** The accounts of a run, and its documents with their codes. */
export function Outcomes({ events, place, correct, settled }: OutcomesProps) {
  const summary = events.findLast(({ event }) => event === 'summary') as Summary | undefined;
  const facts = events.findLast(({ event }) => event === 'facts');
  const outcomes = events.filter(({ event }) => event === 'outcome') as unknown as OutcomeEvent[];
  const leftOut = events.filter(({ event }) => event === 'left-out') as unknown as LeftOutEvent[];
  // What needs a hand stands first.
  const rows = [
    ...leftOut.map(
      (one, at): OutcomeEvent => ({ ...one, sequence: -1 - at, number: null, documentCode: null }),
    ),
    ...outcomes,
  ];
  const all = (summary?.documents['made'] ?? outcomes.length) + leftOut.length;
  const can = summary?.can ?? (facts?.['can'] as readonly string[] | undefined) ?? [];
  const acts = useDocumentActs(place);
  const [toSettle, setToSettle] = useState<{ readonly number: string; readonly name: string }>();
  const isSettleable = place !== undefined && outcomes.some(({ state }) => state === 'unknown');
  const hasActs = place !== undefined && (can.length > 0 || correct !== undefined || isSettleable);
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
        <div class="scroll" tabIndex={0} role="region" aria-label={t('documents')}>
          <table class="list">
            <thead>
              <tr>
                {(['key', 'name', 'number', 'state', 'code', 'reasons'] as const).map((head) => (
                  <th key={head} scope="col">
                    {t(head)}
                  </th>
                ))}
                {hasActs && <th scope="col">{t('actions')}</th>}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, MOST_SHOWN).map((one) => (
                <tr key={one.sequence}>
                  <td>{one.key}</td>
                  <td>{one.name ?? ''}</td>
                  <td>{one.number ?? ''}</td>
                  <td>
                    <span class={`state ${one.state}`}>
                      {STATES[one.state as keyof typeof STATES]?.[language] ?? one.state}
                    </span>
                    {one.correctedBy !== undefined && (
                      <p class="hint">{t('correctedBy', { number: one.correctedBy })}</p>
                    )}
                  </td>
                  <td class="code">
                    {one.documentCode !== null && <Code code={one.documentCode} of={one.name ?? one.key} />}
                  </td>
                  <td>
                    {one.reasons.map(({ message, fix }) => `${message} ${fix}`).join(' ')}
                    {one.state === 'rejected' &&
                      [...new Set(one.reasons.map(({ rule }) => rule))].map(
                        (rule) => rule !== null && <RuleDetails key={rule} rule={rule} />,
                      )}
                  </td>
                  {hasActs && (
                    <td class="actions">
                      {one.number !== null && <DocumentActs outcome={one} can={can} acts={acts} />}
                      {one.state === 'unknown' && one.number !== null && (
                        <button
                          type="button"
                          class="plain"
                          aria-label={t('settleNamed', { name: one.name ?? one.key })}
                          onClick={() => setToSettle({ number: one.number!, name: one.name ?? one.key })}
                        >
                          {t('settle')}
                        </button>
                      )}
                      {correct !== undefined && <Correct upload={correct} outcome={one} />}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {all > MOST_SHOWN && (
        <p class="hint">{t('moreIssues', { shown: count(MOST_SHOWN), count: count(all) })}</p>
      )}
      {acts.panel}
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
            getSelection()?.selectAllChildren(text.current!); // the browser forbids it: Ctrl+C does it
          }
        }}
      >
        {copied ? t('copied') : t('copyWord')}
      </button>
    </>
  );
}

/** Leads to the row of a document, to mend it; or leaves it out, so that what was accepted is deleted by a note. */
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
