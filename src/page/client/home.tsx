import { useState } from 'preact/hooks';
import type { HomeView, PageIssue, RunView, UploadView } from '../api.js';
import { PendingConfirmations } from './company.js';
import { Drop, Issues, type NumberHead, OUTCOME_STATES, Table } from './parts.js';
import { go } from './place.js';
import { call, refusalOf, useLoaded } from './server.js';
import { count, moment, t } from './words.js';

/** Shows the first screen: company, new files, open uploads and earlier runs. */
export function Home({
  home,
  reload,
}: {
  readonly home: HomeView | undefined;
  /** Reloads the company and the uploads. */
  reload(): Promise<void>;
}) {
  const [issues, setIssues] = useState<readonly PageIssue[]>([]);
  const known = home?.profiles.find(({ name }) => name === home.profile)?.name ?? '';
  const { value: runs, refused } = useLoaded<readonly RunView[]>(
    home && `/runs?profile=${encodeURIComponent(known)}`,
  );

  const begin = async (files: readonly File[], demo = false): Promise<void> => {
    try {
      const upload = await call<UploadView>('POST', '/uploads', { ...(known && { profile: known }), demo });
      for (const file of files)
        await call('PUT', `/uploads/${upload.id}/files?name=${encodeURIComponent(file.name)}`, file);
      go('upload', upload.id, 'files');
    } catch (error) {
      setIssues(refusalOf(error));
    }
  };
  if (home === undefined) return <p role="status">{t('working')}</p>;
  return (
    <div class="home">
      <h1>{t('newUpload')}</h1>
      <Issues issues={issues} />
      {home.profiles.length === 0 && (
        <p class="company">
          {t('company')}: {t('noProfile')} <a href="#/settings">{t('addCompany')}</a>
        </p>
      )}
      <PendingConfirmations home={home} profile={known} />
      <Drop text={t('drop')} onFiles={(files) => void begin(files)} />
      <section class="demo">
        <button type="button" onClick={() => void begin([], true)}>
          {t('demo')}
        </button>
        <p class="hint">{t('demoAbout')}</p>
      </section>
      {home.uploads.length > 0 && (
        <section>
          <h2>{t('openUploads')}</h2>
          <ul class="uploads">
            {home.uploads.map((upload) => (
              <li key={upload.id}>
                <a href={`#/upload/${upload.id}/files`}>
                  {upload.files.map(({ name }) => name).join(', ') || '—'}
                </a>
                {upload.demo && <span class="badge">{t('demoBadge')}</span>}
                <button
                  type="button"
                  class="plain"
                  onClick={async () => {
                    await call('DELETE', `/uploads/${upload.id}`);
                    await reload();
                  }}
                >
                  {t('discard')}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>{t('runs')}</h2>
        <Issues issues={refused} />
        {runs === undefined || runs.length === 0 ? (
          <p class="hint">{t('noRuns')}</p>
        ) : (
          <Table
            head={[
              t('run'),
              t('date'),
              t('files'),
              ...OUTCOME_STATES.map((state): NumberHead => [t(state), 'number']),
            ]}
          >
            {runs.map((run) => (
              <tr key={run.run}>
                <td>
                  <a href={`#/run/${run.run}${known ? `/${encodeURIComponent(known)}` : ''}`}>{run.run}</a>
                </td>
                <td>{moment(run.created)}</td>
                <td>{run.files.join(', ')}</td>
                {OUTCOME_STATES.map((state) => (
                  <td key={state} class="number">
                    {count(run.documents[state] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </Table>
        )}
      </section>
    </div>
  );
}
