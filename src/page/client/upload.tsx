import { useEffect } from 'preact/hooks';
import type { HomeView, UploadView } from '../api.js';
import { Columns } from './columns.js';
import { PendingConfirmations } from './company.js';
import { Data } from './data.js';
import { Files } from './files.js';
import { Issues } from './parts.js';
import { Result } from './result.js';
import { Review } from './review.js';
import { Company, companyOf, type ScreenProps } from './screen.js';
import { Sending } from './sending.js';
import { useLoaded } from './server.js';
import { t } from './words.js';

const SCREENS: Readonly<Record<string, (props: ScreenProps) => preact.JSX.Element>> = {
  files: Files,
  columns: Columns,
  data: Data,
  review: Review,
  confirm: Sending,
  result: Result,
};

interface UploadPageProps {
  readonly id: string;
  readonly step: string;
  readonly home: HomeView | undefined;
  reloadHome(): Promise<void>;
}

export function UploadPage({ id, step, home, reloadHome }: UploadPageProps) {
  // Reloaded at each step, when its company changes, and when the tab becomes visible: another tab may have changed it.
  const company = home?.uploads.find((upload) => upload.id === id)?.profile;
  const { value: upload, refused, reload } = useLoaded<UploadView>(`/uploads/${id}?at=${step}`);
  const reloadBoth = async (): Promise<void> => {
    await Promise.all([reload(), reloadHome()]);
  };
  useEffect(() => void reload(), [company]);
  useEffect(() => {
    const comeBack = (): void => void (document.visibilityState === 'visible' && reload());
    document.addEventListener('visibilitychange', comeBack);
    return () => document.removeEventListener('visibilitychange', comeBack);
  }, [id, step]);
  if (refused.length > 0) return <Issues issues={refused} />;
  // Without the person's rights it is not known what may be shown.
  if (upload === undefined || home === undefined) return <p role="status">{t('working')}</p>;
  const Screen = SCREENS[step] ?? Files;
  return (
    <Company.Provider value={companyOf(home, upload.profile ?? '')}>
      {!upload.demo && <PendingConfirmations home={home} profile={upload.profile ?? ''} except={id} />}
      <Screen upload={upload} home={home} reload={reloadBoth} />
    </Company.Provider>
  );
}
