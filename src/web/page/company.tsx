import { useState } from 'preact/hooks';
import type { HomeView, PageIssue, ProfileView, UploadView } from '../api.js';
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

/** Says that nothing can be sent before a company is chosen or added. */
export function NoService({ upload }: { readonly upload: UploadView }) {
  if (upload.hasService) return null;
  return (
    <p class="notice">
      {t('noService')} <a href="#/settings">{t('addCompany')}</a>
    </p>
  );
}
