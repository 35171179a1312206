import { useEffect, useState } from 'preact/hooks';
import type { HomeView, PageIssue } from '../api.js';
import { Companies } from './bureau.js';
import { PendingConfirmations } from './company.js';
import { Header, StepBar } from './frame.js';
import { Home } from './home.js';
import { Issues } from './parts.js';
import { usePlace } from './place.js';
import { RunPage } from './run.js';
import { Refused, Unanswered, useLoaded } from './server.js';
import { NEW_COMPANY, SettingsPage } from './settings.js';
import { UploadPage } from './upload.js';
import { t } from './words.js';

export function Page() {
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
        <UnhandledError key={place} />
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

/** Shows errors of requests that no other part of the page handles. */
function UnhandledError() {
  const [issues, setIssues] = useState<readonly PageIssue[]>([]);
  const [unanswered, setUnanswered] = useState(false);
  useEffect(() => {
    const take = ({ reason }: PromiseRejectionEvent): void => {
      if (reason instanceof Refused) setIssues(reason.issues);
      if (reason instanceof Unanswered) setUnanswered(true);
    };
    addEventListener('unhandledrejection', take);
    return () => removeEventListener('unhandledrejection', take);
  }, []);
  return (
    <>
      <Issues issues={issues} />
      {unanswered && (
        <p class="notice error" role="alert">
          {t('unanswered')}
        </p>
      )}
    </>
  );
}
