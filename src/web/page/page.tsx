import { Home } from './home.js';
import { usePlace } from './place.js';
import { RunPage } from './run.js';
import { call } from './server.js';
import { SettingsPage } from './settings.js';
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
        {kind === 'upload' ? (
          <UploadPage key={id} id={id} step={step} />
        ) : kind === 'run' ? (
          <RunPage key={id} run={id} profile={step === 'files' ? undefined : step} />
        ) : kind === 'settings' ? (
          <SettingsPage key={id} profile={id || undefined} />
        ) : (
          <Home />
        )}
      </main>
    </>
  );
}

async function changeLanguage(): Promise<void> {
  await call('PUT', '/preferences', { language: otherLanguage });
  location.reload();
}
