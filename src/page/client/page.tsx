import { useEffect, useState } from 'preact/hooks';
import type { PageIssue } from '../api.js';
import { CompanyOf } from './company.js';
import { Home } from './home.js';
import { Issues } from './parts.js';
import { usePlace } from './place.js';
import { RunPage } from './run.js';
import { call, Refused, Unanswered } from './server.js';
import { NEW_COMPANY, SettingsPage } from './settings.js';
import { Steps, UploadPage } from './upload.js';
import { otherLanguage, t } from './words.js';

export function Page() {
  const [kind, id = '', step = 'files'] = usePlace();
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {t('skip')}
      </button>
      <header>
        <a class="brand" href="#/">
          cargue
        </a>
        {kind === 'upload' && <Steps upload={id} step={step} />}
        <a class="settings" href="#/settings" aria-current={kind === 'settings' ? 'page' : undefined}>
          {t('settings')}
        </a>
        <button type="button" class="plain language" lang={otherLanguage} onClick={changeLanguage}>
          {t('language')}
        </button>
      </header>
      <main id="content" tabIndex={-1}>
        <UnhandledError key={`${kind} ${id} ${step}`} />
        {kind === 'upload' ? (
          <UploadPage key={id} id={id} step={step} />
        ) : kind === 'run' ? (
          <>
            <CompanyOf key={`${id} ${step}`} profile={step === 'files' ? undefined : step} except={id} />
            <RunPage key={id} run={id} profile={step === 'files' ? undefined : step} />
          </>
        ) : kind === 'settings' ? (
          <>
            {id !== NEW_COMPANY && <CompanyOf key={id} profile={id || undefined} />}
            <SettingsPage key={id} profile={id || undefined} />
          </>
        ) : (
          <Home />
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

async function changeLanguage(): Promise<void> {
  await call('PUT', '/preferences', { language: otherLanguage });
  location.reload();
}
