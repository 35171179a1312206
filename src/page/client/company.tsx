import { useState } from 'preact/hooks';
import type { HomeView, PageIssue, ProfileView, RunView, TaskView, UploadView } from '../api.js';
import { Issues } from './parts.js';
import type { ScreenProps } from './screen.js';
import { call, refusalOf, useLoaded } from './server.js';
import { environmentText, t } from './words.js';

/** Formats a company for a list: name, NIT and environment. */
export function companyText({ name, company, environment }: ProfileView): string {
  const where = environmentText(environment);
  return `${name}${company === null ? '' : ` · ${company}`} · ${where}`;
}

/** Shows the company of an upload; it can be changed until documents were sent. */
export function Company({ upload, reload }: ScreenProps) {
  const { value: home } = useLoaded<HomeView>('/home');
  const [refused, setRefused] = useState<readonly PageIssue[]>([]);
  if (upload.demo)
    return (
      <p class="company">
        {t('company')}: <span class="badge">{t('demoBadge')}</span>
      </p>
    );
  const profiles = home?.profiles ?? [];
  const known = profiles.find(({ name }) => name === upload.profile);
  const change = async (profile: string): Promise<void> => {
    try {
      await call('PUT', `/uploads/${upload.id}/company`, { profile });
      setRefused([]);
    } catch (error) {
      setRefused(refusalOf(error));
    }
    await reload();
  };
  if (upload.hasFixedCompany || profiles.length === 0)
    return (
      <p class="company">
        {t('company')}: {known === undefined ? (upload.profile ?? t('noProfile')) : companyText(known)}
      </p>
    );
  return (
    <>
      <p class="company">
        <label for="company">{t('company')}</label>{' '}
        <select
          id="company"
          value={upload.profile ?? ''}
          onChange={({ currentTarget }) => void change(currentTarget.value)}
        >
          <option value="">{t('noProfile')}</option>
          {profiles.map((profile) => (
            <option key={profile.name} value={profile.name}>
              {companyText(profile)}
            </option>
          ))}
        </select>
      </p>
      <Issues issues={refused} />
    </>
  );
}

interface PendingConfirmationsProps {
  /** Company name; empty if none is chosen. */
  readonly profile: string;
  /** Upload or run on the screen, which is not listed. */
  readonly except?: string;
  /** Reloads the list when it changes. */
  readonly reloadKey?: string;
}

const isWaiting = ({ name, pending, hasBegunToSend }: TaskView): boolean =>
  (name === 'send' || name === 'adjust') && pending !== null && !hasBegunToSend;

/** Lists the company's other plans that wait for confirmation, and its held runs if `except` is set. */
export function PendingConfirmations({ profile, except, reloadKey = '' }: PendingConfirmationsProps) {
  const { value: home } = useLoaded<HomeView>(`/home?at=${reloadKey}`);
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

/** Shows the company of a run or of the settings; without a profile, the company chosen for new files. */
export function CompanyOf({
  profile,
  except,
}: {
  readonly profile: string | undefined;
  readonly except?: string;
}) {
  const { value: home } = useLoaded<HomeView>('/home');
  if (home === undefined) return null;
  const name = profile ?? (except === undefined ? home.profile : '');
  const known = home.profiles.find((candidate) => candidate.name === name);
  return (
    <>
      <p class="company">
        {t('company')}: {known === undefined ? name || t('noProfile') : companyText(known)}
      </p>
      <PendingConfirmations profile={name} {...(except !== undefined && { except })} />
    </>
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
