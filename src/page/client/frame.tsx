import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { HomeView, ProfileView, UploadView } from '../api.js';
import { Issues } from './parts.js';
import { Picker } from './picker.js';
import { go, usePlace } from './place.js';
import { call, useAttempts } from './server.js';
import { count, environmentText, otherLanguage, t } from './words.js';

/** Formats NIT and environment of a company. */
const detailsOf = ({ company, environment }: ProfileView): string =>
  [company !== null && t('nitIs', { nit: company }), environmentText(environment)]
    .filter(Boolean)
    .join(' · ');

interface HeaderProps {
  readonly home: HomeView | undefined;
  /** Reloads the company and the uploads. */
  reload(): Promise<void>;
}

/** Shows whose documents the screen is about, and the main screens. */
export function Header(props: HeaderProps) {
  const [kind = ''] = usePlace();
  const link = (to: string, text: string, isHere: boolean) => (
    <a href={to} aria-current={isHere ? 'page' : undefined}>
      {text}
    </a>
  );
  return (
    <header>
      <a class="brand" href="#/">
        cargue
      </a>
      {props.home !== undefined && <CompanySwitch {...props} home={props.home} />}
      <nav class="screens" aria-label={t('screens')}>
        {link('#/', t('monthScreen'), kind === '' || kind === 'month')}
        {(props.home?.profiles.length ?? 0) > 1 && link('#/companies', t('companies'), kind === 'companies')}
        {props.home?.person === undefined && link('#/settings', t('settings'), kind === 'settings')}
      </nav>
      {props.home?.person !== undefined && (
        <>
          <span class="person">{props.home.person}</span>
          <button type="button" class="plain" onClick={() => void logOut()}>
            {t('logOut')}
          </button>
        </>
      )}
      <button type="button" class="plain language" lang={otherLanguage} onClick={() => void changeLanguage()}>
        {t('language')}
      </button>
    </header>
  );
}

async function logOut(): Promise<void> {
  const { to } = await call<{ to: string }>('POST', '/logout', {});
  location.href = to;
}

async function changeLanguage(): Promise<void> {
  await call('PUT', '/preferences', { language: otherLanguage });
  location.reload();
}

/** Returns the upload that the address names. */
const uploadAt = (home: HomeView | undefined, [kind, id]: readonly string[]): UploadView | undefined =>
  kind === 'upload' ? home?.uploads.find((upload) => upload.id === id) : undefined;

/** Returns the name of the company that the screen is about; empty for none. */
function profileAt(home: HomeView, place: readonly string[]): string {
  const [kind, id, step] = place;
  if (kind === 'upload') return uploadAt(home, place)?.profile ?? '';
  if (kind === 'run') return step ?? '';
  return (kind === 'settings' && id) || home.profile;
}

/** Shows the company and lets the user choose another one, unless documents of the upload were sent. */
function CompanySwitch({ home, reload }: HeaderProps & { readonly home: HomeView }) {
  const place = usePlace();
  const { refused, attempt } = useAttempts();
  const upload = uploadAt(home, place);
  const name = profileAt(home, place);
  const known = home.profiles.find((profile) => profile.name === name);
  const change = async (profile: string): Promise<void> => {
    const path = upload === undefined ? '/preferences' : `/uploads/${upload.id}/company`;
    await attempt(() => call('PUT', path, { profile }));
    if (upload === undefined) go();
    await reload();
  };
  const shown = (
    <>
      <span class="unseen">{t('company')}: </span>
      <b>{upload?.demo ? t('demoCompany') : name || t('noProfile')}</b>
      <small>{upload?.demo ? t('demoBadge') : known && detailsOf(known)}</small>
    </>
  );
  const environment = upload?.demo ? 'test' : known?.environment;
  return (
    <>
      {home.profiles.length === 0 || upload?.demo || upload?.hasFixedCompany ? (
        <p class="company">{shown}</p>
      ) : (
        <Picker
          label={t('chooseCompany')}
          className="company"
          options={() => [
            ...home.profiles.map((profile) => ({
              value: profile.name,
              title: profile.name,
              note: detailsOf(profile),
            })),
            ...(home.person === undefined ? [{ value: '', title: t('noProfile') }] : []),
          ]}
          choose={(profile) => void change(profile)}
        >
          {shown}
        </Picker>
      )}
      {environment !== undefined && (
        <span class={environment === 'production' ? 'chip production' : 'chip test'}>
          {environmentText(environment)}
        </span>
      )}
      <Issues issues={refused} />
    </>
  );
}

const STEPS = {
  files: 'stepFiles',
  columns: 'stepColumns',
  data: 'stepData',
  review: 'stepReview',
  confirm: 'stepConfirm',
  result: 'stepResult',
} as const;

const isStep = (name: string): name is keyof typeof STEPS => Object.hasOwn(STEPS, name);

/** Shows the steps of an upload, each of which can be opened again, and its files. */
export function StepBar({ home }: Pick<HeaderProps, 'home'>) {
  const place = usePlace();
  const [, id = '', step = 'files'] = place;
  const upload = uploadAt(home, place);
  const names = Object.keys(STEPS);
  const current = names.indexOf(step);
  return (
    <nav class="step-bar" aria-label={t('steps')}>
      <ol class="steps">
        {Object.entries(STEPS).map(([name, title], at) => (
          <li key={name} class={at < current ? 'done' : undefined}>
            <a href={`#/upload/${id}/${name}`} aria-current={name === step ? 'step' : undefined}>
              <span class="dot" aria-hidden="true">
                {at < current ? '✓' : at + 1}
              </span>
              {t(title)}
            </a>
          </li>
        ))}
      </ol>
      {isStep(step) && (
        <details class="help" key={step}>
          <summary>{t('help')}</summary>
          <p>{t(`help-${step}`)}</p>
        </details>
      )}
      {upload !== undefined && upload.files.length > 0 && (
        <p class="what">
          <span class="cut">{upload.files.map(({ name }) => name).join(', ')}</span> · {t('allSaved')}
        </p>
      )}
    </nav>
  );
}

interface FooterProps {
  /** Work done and to do; absent if the step has no parts. */
  readonly progress?: { readonly done: number; readonly total: number; readonly text: string } | undefined;
  /** Text of the step forward. */
  readonly text: string;
  /** Explains why the step forward cannot be taken; absent if it can. */
  readonly reason?: string | undefined;
  /** Id of the form that the step forward submits, instead of `forward`. */
  readonly form?: string;
  /** Buttons next to the step forward. */
  readonly children?: ComponentChildren;
  forward?(): void;
}

/** Shows progress and the step forward, at the same place on every screen. */
export function Footer({ progress, text, reason, form, children, forward }: FooterProps) {
  const hint = useId();
  return (
    <div class="foot" role="group" aria-label={t('nextStep')}>
      {progress !== undefined && (
        <p class="progress">
          <progress value={progress.done} max={Math.max(progress.total, 1)} aria-label={progress.text} />{' '}
          <b class="figure">{t('progress', { done: count(progress.done), total: count(progress.total) })}</b>{' '}
          {progress.text}
        </p>
      )}
      <p id={hint} class="why" role="status">
        {reason ?? ''}
      </p>
      {children}
      <button
        type={form === undefined ? 'button' : 'submit'}
        form={form}
        class="primary go"
        aria-disabled={reason !== undefined}
        aria-describedby={reason === undefined ? undefined : hint}
        onClick={(event) => {
          if (reason !== undefined) event.preventDefault();
          else if (form === undefined) forward?.();
        }}
      >
        {text}
      </button>
    </div>
  );
}

interface StepFooterProps extends Pick<FooterProps, 'progress' | 'reason' | 'form' | 'children'> {
  readonly upload: UploadView;
  /** Step that follows. */
  readonly step: string;
  readonly back?: string;
}

/** Shows the footer of a step of an upload: back and forward. */
export function StepFooter({ upload, step, back, children, ...props }: StepFooterProps) {
  return (
    <Footer {...props} text={t('next')} forward={() => go('upload', upload.id, step)}>
      {children}
      {back !== undefined && (
        <button type="button" onClick={() => go('upload', upload.id, back)}>
          {t('back')}
        </button>
      )}
    </Footer>
  );
}
