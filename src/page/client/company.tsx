import type { HomeView, RunView, TaskView, UploadView } from '../api.js';
import { useLoaded } from './server.js';
import { t } from './words.js';

interface PendingConfirmationsProps {
  readonly home: HomeView | undefined;
  /** Company name; empty if none is chosen. */
  readonly profile: string;
  /** Upload or run on the screen, which is not listed. */
  readonly except?: string;
}

const isWaiting = ({ name, pending, hasBegunToSend }: TaskView): boolean =>
  (name === 'send' || name === 'adjust') && pending !== null && !hasBegunToSend;

/** Lists the company's other plans that wait for confirmation, and its held runs if `except` is set. */
export function PendingConfirmations({ home, profile, except }: PendingConfirmationsProps) {
  // The list of runs may fail while the user is still choosing a company.
  const held = except === undefined ? undefined : `/runs?profile=${encodeURIComponent(profile)}`;
  const { value: runs } = useLoaded<readonly RunView[]>(held);
  const uploads = (home?.uploads ?? []).filter(
    ({ id, demo, profile: name, tasks }) =>
      id !== except && !demo && (name ?? '') === profile && tasks.some(isWaiting),
  );
  const plans = (runs ?? []).filter(({ run, state }) => run !== except && state === 'held');
  if (uploads.length + plans.length === 0) return null;
  return (
    <section class="notice" aria-label={t('waitingPlans')}>
      <p>{t('waitingPlans')}</p>
      <ul>
        {uploads.map(({ id, files }) => (
          <li key={id}>
            <a href={`#/upload/${id}/confirm`}>{files.map(({ name }) => name).join(', ') || '—'}</a>
          </li>
        ))}
        {plans.map(({ run, files }) => (
          <li key={run}>
            <a href={`#/run/${run}${profile && `/${encodeURIComponent(profile)}`}`}>{run}</a>{' '}
            {files.join(', ')}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Explains that a company must be chosen or added before anything can be sent. */
export function NoService({ upload }: { readonly upload: UploadView }) {
  if (upload.hasService) return null;
  return (
    <p class="notice">
      {t('noService')} <a href="#/settings">{t('addCompany')}</a>
    </p>
  );
}
