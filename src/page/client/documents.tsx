import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PageEvent, PageIssue, TaskName, TaskView } from '../api.js';
import { Activity, Issues } from './parts.js';
import { call, eventsNamed, useAttempts, useTask } from './server.js';
import { t } from './words.js';

/** Address of a run on the server: under its upload, or by its profile. */
export interface RunAt {
  readonly path: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** One document of a run. */
interface DocumentRef {
  readonly number: string;
  readonly name: string;
}

interface DocumentActions {
  /** Fetches the PDF of a document. */
  preview(document: DocumentRef): void;
  /** Asks for the address, then mails the document. */
  mail(document: DocumentRef): void;
  /** Shows the running action and its result. */
  readonly panel: ComponentChildren;
}

const nameIn = (path: string): string => path.split(/[\\/]/).at(-1)!;

/** Returns actions for sent documents: fetch the PDF that the service draws, or mail it. */
export function useDocumentActions(place: RunAt | undefined): DocumentActions {
  const [work, setWork] = useState<TaskView>();
  const [toMail, setToMail] = useState<DocumentRef>();
  const { refused, attempt } = useAttempts();
  const { task, events } = useTask(work?.id);
  const start = async (name: TaskName, { number }: DocumentRef, given: object = {}): Promise<void> => {
    setToMail(undefined);
    const options = { ...place?.options, only: [number], ...given };
    await attempt(() => call<TaskView>('POST', `${place?.path}/tasks/${name}`, { options }).then(setWork));
  };
  const pdfLinks = events
    .filter(({ event, state }) => event === 'preview' && state !== 'failed')
    .map(({ file }) => `/api/task/${task?.id}/pdf/${encodeURIComponent(nameIn(String(file)))}`);
  useEffect(() => {
    if (task?.state === 'ended' && pdfLinks[0] !== undefined) location.assign(pdfLinks[0]);
  }, [task?.state]);
  const panel = (
    <>
      <Issues issues={[...refused, ...(task?.failure ?? []), ...issuesIn(events)]} />
      {toMail !== undefined && (
        <AddressForm
          of={toMail}
          send={(to) => void start('email', toMail, to === '' ? {} : { to })}
          leave={() => setToMail(undefined)}
        />
      )}
      <Activity task={task} />
      {task?.state === 'ended' && (
        <div role="status" class="notice">
          {eventsNamed(events, 'message').map(({ text }, at) => (
            <p key={at}>{String(text)}</p>
          ))}
          {pdfLinks.map((href) => (
            <a key={href} href={href} download>
              {decodeURIComponent(nameIn(href))}
            </a>
          ))}
        </div>
      )}
    </>
  );
  return { preview: (document) => void start('preview', document), mail: setToMail, panel };
}

const issuesIn = (events: readonly PageEvent[]): readonly PageIssue[] =>
  eventsNamed<PageIssue>(events, 'issue');

interface AddressProps {
  readonly of: DocumentRef;
  send(to: string): void;
  leave(): void;
}

/** Asks where to mail: the document's own address, or a typed one. */
function AddressForm({ of, send, leave }: AddressProps) {
  const [to, setTo] = useState('');
  return (
    <form
      class="asked"
      onSubmit={(event) => {
        event.preventDefault();
        send(to.trim());
      }}
    >
      <label class="question" for="address">
        {t('mailTo', { name: of.name })}
      </label>
      <input
        id="address"
        type="email"
        autocomplete="off"
        value={to}
        onInput={({ currentTarget }) => setTo(currentTarget.value)}
      />
      <div class="buttons">
        <button type="submit" class="primary">
          {t('mail')}
        </button>
        <button type="button" onClick={leave}>
          {t('cancel')}
        </button>
      </div>
    </form>
  );
}

interface DocumentButtonsProps {
  readonly outcome: {
    readonly key: string;
    readonly name: string | null;
    readonly number: string | null;
    readonly state: string;
  };
  readonly can: readonly string[];
  readonly actions: DocumentActions;
}

export function DocumentButtons({
  outcome: { key, name, number, state },
  can,
  actions,
}: DocumentButtonsProps) {
  if (number === null) return null;
  const document: DocumentRef = { number, name: name ?? key };
  return (
    <>
      {can.includes('preview') && (
        <button
          type="button"
          class="plain"
          aria-label={t('pdfNamed', { name: document.name })}
          onClick={() => actions.preview(document)}
        >
          PDF
        </button>
      )}
      {can.includes('email') && state === 'accepted' && (
        <button
          type="button"
          class="plain"
          aria-label={t('mailNamed', { name: document.name })}
          onClick={() => actions.mail(document)}
        >
          {t('mail')}
        </button>
      )}
    </>
  );
}
