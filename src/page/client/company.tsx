import { useState } from 'preact/hooks';
import type { ActView, HomeView, PageIssue, ProfileView, RunView, UploadView } from '../api.js';
import { Issues } from './parts.js';
import type { ScreenProps } from './screen.js';
import { call, refusalOf, useLoaded } from './server.js';
import { t } from './words.js';

/** A company in a list: its name, NIT and environment. */
export function companyText({ name, company, environment }: ProfileView): string {
  const where = t(environment === 'production' ? 'productionEnvironment' : 'testEnvironment');
  return `${name}${company === null ? '' : ` · ${company}`} · ${where}`;
}

/** Shows whose documents an upload makes; the company can be changed until documents were sent. */
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
          {profiles.map((one) => (
            <option key={one.name} value={one.name}>
              {companyText(one)}
            </option>
          ))}
        </select>
      </p>
      <Issues issues={refused} />
    </>
  );
}

interface WaitsProps {
  /** Name of the company; empty if none is chosen. */
  readonly profile: string;
  /** The upload, or run, that is on the screen. */
  readonly but?: string;
  /** Asked anew when it changes. */
  readonly at?: string;
}

const isAsked = ({ name, pending, hasBegunToSend }: ActView): boolean =>
  (name === 'send' || name === 'adjust') && pending !== null && !hasBegunToSend;

/** Lists what else of a company waits for a yes: plans of open uploads and, on the screens of uploads and runs, runs that are held. */
export function Waits({ profile, but, at = '' }: WaitsProps) {
  const { value: home } = useLoaded<HomeView>(`/home?at=${at}`);
  // Where a company is being changed its journal may refuse to open.
  const held = but === undefined ? undefined : `/runs?profile=${encodeURIComponent(profile)}`;
  const { value: runs } = useLoaded<readonly RunView[]>(held);
  const uploads = (home?.uploads ?? []).filter(
    (one) => one.id !== but && !one.demo && (one.profile ?? '') === profile && one.acts.some(isAsked),
  );
  const plans = (runs ?? []).filter(({ run, state }) => run !== but && state === 'held');
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

/** Shows the company of a run or of the settings; without one, the company that is chosen for new files. */
export function CompanyOf({ profile, but }: { readonly profile: string | undefined; readonly but?: string }) {
  const { value: home } = useLoaded<HomeView>('/home');
  if (home === undefined) return null;
  const name = profile ?? (but === undefined ? home.profile : '');
  const known = home.profiles.find((one) => one.name === name);
  return (
    <>
      <p class="company">
        {t('company')}: {known === undefined ? name || t('noProfile') : companyText(known)}
      </p>
      <Waits profile={name} {...(but !== undefined && { but })} />
    </>
  );
}

/** Says that nothing can be sent before a company is chosen or added. */
export function NoService({ upload }: { readonly upload: UploadView }) {
  if (upload.hasService) return null;
  return (
    <p class="notice">
      {t('noService')} <a href="#/settings">{t('addCompany')}</a>
    </p>
  );
}
