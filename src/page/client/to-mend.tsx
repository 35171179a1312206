import type { ActView } from '../api.js';
import { useLoaded } from './server.js';
import { t } from './words.js';

interface ToMendProps {
  readonly upload: string;
  /** The check or run that wrote it. */
  readonly act: ActView | undefined;
}

/** The rows that failed as a workbook, where there are any. */
export function ToMend({ upload, act }: ToMendProps) {
  const { value: outputs } = useLoaded<readonly string[]>(
    act?.state === 'ended' ? `/uploads/${upload}/outputs?of=${act.id}` : undefined,
  );
  if (!outputs?.includes('por-corregir.xlsx')) return null;
  return (
    <a class="button" href={`/api/uploads/${upload}/outputs/por-corregir.xlsx`} download>
      {t('toMend')}
    </a>
  );
}
