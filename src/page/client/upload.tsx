import { useEffect } from 'preact/hooks';
import type { UploadView } from '../api.js';
import { Columns } from './columns.js';
import { Company, PendingConfirmations } from './company.js';
import { Data } from './data.js';
import { Files } from './files.js';
import { Issues } from './parts.js';
import { Result } from './result.js';
import { Review } from './review.js';
import type { ScreenProps } from './screen.js';
import { Sending } from './sending.js';
import { useLoaded } from './server.js';
import { t } from './words.js';

const STEPS = ['files', 'columns', 'data', 'review', 'confirm', 'result'] as const;
type Step = (typeof STEPS)[number];

const TITLES = {
  files: 'stepFiles',
  columns: 'stepColumns',
  data: 'stepData',
  review: 'stepReview',
  confirm: 'stepConfirm',
  result: 'stepResult',
} as const;

/** Shows the steps of an upload; any of them can be opened again. */
export function Steps({ upload, step }: { readonly upload: string; readonly step: string }) {
  return (
    <nav aria-label={t('steps')}>
      <ol class="steps">
        {STEPS.map((name) => (
          <li key={name}>
            <a href={`#/upload/${upload}/${name}`} aria-current={name === step ? 'step' : undefined}>
              {t(TITLES[name])}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

const SCREENS: Readonly<Record<Step, (props: ScreenProps) => preact.JSX.Element>> = {
  files: Files,
  columns: Columns,
  data: Data,
  review: Review,
  confirm: Sending,
  result: Result,
};

export function UploadPage({ id, step }: { readonly id: string; readonly step: string }) {
  // Reloaded at each step and when the tab becomes visible: another step or tab may have changed it.
  const { value: upload, refused, reload } = useLoaded<UploadView>(`/uploads/${id}?at=${step}`);
  useEffect(() => {
    const comeBack = (): void => void (document.visibilityState === 'visible' && reload());
    document.addEventListener('visibilitychange', comeBack);
    return () => document.removeEventListener('visibilitychange', comeBack);
  }, [id, step]);
  if (refused.length > 0) return <Issues issues={refused} />;
  if (upload === undefined) return <p role="status">{t('working')}</p>;
  const Screen = SCREENS[step as Step] ?? Files;
  return (
    <>
      <Company upload={upload} reload={reload} />
      {!upload.demo && <PendingConfirmations profile={upload.profile ?? ''} except={id} reloadKey={step} />}
      <Screen upload={upload} reload={reload} />
    </>
  );
}
