import { useEffect } from 'preact/hooks';
import type { UploadView } from '../api.js';
import { Columns } from './columns.js';
import { Company, Waits } from './company.js';
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

/** The way of an upload; each step can be gone back to. */
export function Steps({ upload, step }: { readonly upload: string; readonly step: string }) {
  return (
    <nav aria-label={t('steps')}>
      <ol class="steps">
        {STEPS.map((one) => (
          <li key={one}>
            <a href={`#/upload/${upload}/${one}`} aria-current={one === step ? 'step' : undefined}>
              {t(TITLES[one])}
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
  // Asked anew at each step, and when the person comes back: another step or tab may have changed something.
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
      {!upload.demo && <Waits profile={upload.profile ?? ''} but={id} at={step} />}
      <Screen upload={upload} reload={reload} />
    </>
  );
}
