import { useContext, useEffect, useState } from 'preact/hooks';
import type { HomeView, PageIssue } from '../api.js';
import { Companies } from './bureau.js';
import { PendingConfirmations } from './company.js';
import { Header, StepBar } from './frame.js';
import { Home } from './home.js';
import { Issues } from './parts.js';
import { usePlace } from './place.js';
import { RunPage } from './run.js';
import { CHANGED, Refused, Returns, Unanswered, useConnection, useLoaded } from './server.js';
import { NEW_COMPANY, SettingsPage } from './settings.js';
import { UploadPage } from './upload.js';
import { t } from './words.js';

/** Shows the page, and says so in one place while its connection to the server is lost. */
export function Page() {
  const { lost, returns } = useConnection();
  return (
    <Returns.Provider value={returns}>
      <Screens lost={lost} />
    </Returns.Provider>
  );
}

interface LostProps {
  readonly lost: readonly PageIssue[] | undefined;
}

function Screens({ lost }: LostProps) {
  const [kind = '', id = '', step = 'files'] = usePlace();
  const { value: home, reload } = useLoaded<HomeView>('/home');
  const place = `${kind} ${id} ${step}`;
  // The company and the uploads may have changed on the screen that was left.
  useEffect(() => void reload(), [place]);
  const runProfile = step === 'files' ? undefined : step;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {t('skip')}
      </button>
      <Header home={home} reload={reload} />
      {kind === 'upload' && <StepBar home={home} />}
      <main id="content" tabIndex={-1}>
        <Problems key={place} lost={lost} />
        {kind === 'upload' ? (
          <UploadPage key={id} id={id} step={step} home={home} reloadHome={reload} />
        ) : kind === 'run' ? (
          <>
            <PendingConfirmations home={home} profile={runProfile ?? ''} except={id} />
            <RunPage key={id} run={id} profile={runProfile} home={home} />
          </>
        ) : kind === 'settings' ? (
          <>
            {id !== NEW_COMPANY && <PendingConfirmations home={home} profile={id || (home?.profile ?? '')} />}
            <SettingsPage key={id} profile={id || undefined} />
          </>
        ) : kind === 'companies' ? (
          <Companies home={home} month={id || undefined} filter={step} reload={reload} />
        ) : (
          <Home home={home} month={kind === 'month' ? id : undefined} reload={reload} />
        )}
      </main>
    </>
  );
}

/** Shows that the connection is lost, or errors of requests that no other part of the page handles. */
function Problems({ lost }: LostProps) {
  const [issues, setIssues] = useState<readonly PageIssue[]>([]);
  /** Path of the latest change that was not made, until it is. */
  const [unchanged, setUnchanged] = useState<string>();
  const returns = useContext(Returns);
  // After the connection is back, everything is loaded again.
  useEffect(() => setIssues([]), [returns]);
  useEffect(() => {
    const take = ({ reason }: PromiseRejectionEvent): void => {
      if (reason instanceof Refused) setIssues(reason.issues);
      if (reason instanceof Unanswered && reason.unchanged !== undefined) setUnchanged(reason.unchanged);
    };
    const forget = (event: Event): void =>
      setUnchanged((path) => (path === (event as CustomEvent<string>).detail ? undefined : path));
    addEventListener('unhandledrejection', take);
    addEventListener(CHANGED, forget);
    return () => {
      removeEventListener('unhandledrejection', take);
      removeEventListener(CHANGED, forget);
    };
  }, []);
  return (
    <>
      <Issues issues={lost ?? issues} />
      {(unchanged !== undefined || lost?.length === 0) && (
        <div class="notice error" role="alert">
          {lost?.length === 0 && <p>{t('offline')}</p>}
          {unchanged !== undefined && <p>{t('unanswered')}</p>}
        </div>
      )}
    </>
  );
}
