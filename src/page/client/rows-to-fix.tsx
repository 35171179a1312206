import type { TaskView } from '../api.js';
import { useLoaded } from './server.js';
import { t } from './words.js';

interface RowsToFixProps {
  readonly upload: string;
  /** Check or run that wrote the file. */
  readonly task: TaskView | undefined;
}

/** Links to the workbook of rows to fix, if there is one. */
export function RowsToFix({ upload, task }: RowsToFixProps) {
  const { value: outputs } = useLoaded<readonly string[]>(
    task?.state === 'ended' ? `/uploads/${upload}/outputs?of=${task.id}` : undefined,
  );
  if (!outputs?.includes('por-corregir.xlsx')) return null;
  return (
    <a class="button" href={`/api/uploads/${upload}/outputs/por-corregir.xlsx`} download>
      {t('toMend')}
    </a>
  );
}
