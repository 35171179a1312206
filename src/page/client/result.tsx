import type { PageEvent } from '../api.js';
import { useInspection } from './columns.js';
import type { RunAt } from './documents.js';
import { Footer } from './frame.js';
import { MAX_ROWS_SHOWN, Outcomes } from './outcomes.js';
import { ShownOf, Table } from './parts.js';
import { go } from './place.js';
import { RowsToFix } from './rows-to-fix.js';
import { RunPage } from './run.js';
import { askedOf, isCurrent, isLeftOpen, type ScreenProps, useMay } from './screen.js';
import { MessageList, Outdated, Plan, Verdict } from './sending.js';
import { eventsNamed, lastEvent, useLoaded, useTask } from './server.js';
import { useStatement } from './statement.js';
import { count, t } from './words.js';

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
  const { task, events } = useTask(known?.id, props.reload);
  const isNow = known === undefined || isCurrent(upload, known);
  const goesOn = useMay('send') && task !== undefined && isLeftOpen(task);
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
  // Show the run itself: another person may have approved or returned it since.
  if (task?.run != null && eventsNamed(events, 'message').some(({ key }) => key === 'held'))
    return (
      <>
        <RunPage run={task.run} profile={upload.profile ?? undefined} home={props.home} />
        <Footer text={t('another')} forward={() => go()} />
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
            class={goesOn ? 'primary' : undefined}
            onClick={() => go('run', task.run!, ...(upload.profile ? [upload.profile] : []))}
          >
            {goesOn ? t('seeRest') : `${t('run')} ${task.run}`}
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
