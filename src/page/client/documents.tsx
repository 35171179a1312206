import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ActName, ActView, PageEvent, PageIssue } from '../api.js';
import { Asked, Issues, Working } from './parts.js';
import { call, refusalOf, useAct } from './server.js';
import { t } from './words.js';

/** Where the server knows a run: under its upload, or by its profile. */
export interface RunAt {
  readonly path: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** One document, or all of a run. */
interface Wanted {
  readonly number: string;
  readonly name: string;
}

interface DocumentActions {
  /** Fetches the PDF of a document. */
  preview(document: Wanted): void;
  /** Asks for the address, then mails. */
  mail(document: Wanted): void;
  /** What is going on, and what came of it. */
  readonly panel: ComponentChildren;
}

const nameIn = (path: string): string => path.split(/[\\/]/).at(-1)!;

/** What can be done with documents that were sent: seen as the service draws them, mailed. */
export function useDocumentActs(place: RunAt | undefined): DocumentActions {
  const [work, setWork] = useState<ActView>();
  const [toMail, setToMail] = useState<Wanted>();
  const [refused, setRefused] = useState<readonly PageIssue[]>([]);
  const { act, events } = useAct(work?.id);
  const start = async (name: ActName, { number }: Wanted, given: object = {}): Promise<void> => {
    setToMail(undefined);
    setRefused([]);
    const options = { ...place?.options, only: [number], ...given };
    try {
      setWork(await call<ActView>('POST', `${place?.path}/acts/${name}`, { options }));
    } catch (error) {
      setRefused(refusalOf(error));
    }
  };
  const drawn = events
    .filter(({ event, state }) => event === 'preview' && state !== 'failed')
    .map(({ file }) => `/api/act/${act?.id}/pdf/${encodeURIComponent(nameIn(String(file)))}`);
  useEffect(() => {
    if (act?.state === 'ended' && drawn[0] !== undefined) location.assign(drawn[0]);
  }, [act?.state]);
  const panel = (
    <>
      <Issues issues={[...refused, ...(act?.failure ?? []), ...issuesIn(events)]} />
      {toMail !== undefined && (
        <Address
          of={toMail}
          send={(to) => void start('email', toMail, to === '' ? {} : { to })}
          leave={() => setToMail(undefined)}
        />
      )}
      {act?.pending != null && <Asked key={act.pending.id} act={act.id} pending={act.pending} />}
      {act?.state === 'running' && act.pending === null && <Working act={act} />}
      {act?.state === 'ended' && (
        <div role="status" class="notice">
          {events
            .filter(({ event }) => event === 'message')
            .map(({ text }, at) => (
              <p key={at}>{String(text)}</p>
            ))}
          {drawn.map((href) => (
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
  events.filter(({ event }) => event === 'issue') as unknown as readonly PageIssue[];

interface AddressProps {
  readonly of: Wanted;
  send(to: string): void;
  leave(): void;
}

/** To whom: the document's own address, or one that is typed. */
function Address({ of, send, leave }: AddressProps) {
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

interface DocumentActsProps {
  readonly outcome: {
    readonly key: string;
    readonly name: string | null;
    readonly number: string | null;
    readonly state: string;
  };
  readonly can: readonly string[];
  readonly acts: DocumentActions;
}

export function DocumentActs({ outcome: { key, name, number, state }, can, acts }: DocumentActsProps) {
  if (number === null) return null;
  const document: Wanted = { number, name: name ?? key };
  return (
    <>
      {can.includes('preview') && (
        <button
          type="button"
          class="plain"
          aria-label={t('pdfNamed', { name: document.name })}
          onClick={() => acts.preview(document)}
        >
          PDF
        </button>
      )}
      {can.includes('email') && state === 'accepted' && (
        <button
          type="button"
          class="plain"
          aria-label={t('mailNamed', { name: document.name })}
          onClick={() => acts.mail(document)}
        >
          {t('mail')}
        </button>
      )}
    </>
  );
}
