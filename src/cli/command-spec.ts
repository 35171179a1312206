import type { Text } from '../issues/codes.js';
import type { Run } from './context.js';
import type { OptionName } from './options.js';

export interface CommandSpec {
  /** One word, or two: a group and a verb. */
  readonly name: string;
  readonly about: Text;
  /** As commander writes them: `<FILE...>`, `[RUN]`. */
  readonly args: readonly { readonly form: string; readonly about: Text }[];
  readonly options: readonly OptionName[];
  /** Shown below the help. */
  readonly after?: string;
  readonly hidden?: boolean;
  /** Imported when it is called, so that `--help` loads nothing else. */
  readonly load: () => Promise<{ readonly run: Run }>;
}

export const COMMON = ['json', 'lang', 'debug'] as const;
export const MAPPED = ['mapping', 'param', 'params', 'answer', 'expand', 'byCufe', 'showValues'] as const;
export const JOURNAL = ['profile', 'company', 'url'] as const;
/** Of commands that call the service. */
export const CALLS = ['ca', 'timeout'] as const;

export const FILES = {
  form: '<FILE...>',
  about: { es: 'archivos .xlsx o .csv; * y ? se expanden', en: '.xlsx or .csv files; * and ? are expanded' },
} as const;
export const RUN = {
  form: '[RUN]',
  about: { es: 'ejecución (por defecto la última)', en: 'run (default the latest)' },
} as const;
