import { basename, extname, resolve } from 'node:path';
import { stop } from '../issues/pipeline-error.js';

/** The input is never written to. */
export function refuseInputAsOutput(output: string, inputs: readonly string[]): void {
  if (inputs.some((input) => resolve(input) === resolve(output)))
    stop('usage', { code: 'run/output-is-input', value: output });
}

/** `nomina-octubre-2026-reporte-7.xlsx`, in the current folder. */
export const defaultReportName = (input: string | undefined, run: string): string => {
  const stem = input === undefined ? 'cargue' : basename(input, extname(input));
  return `${stem}-reporte-${run}.xlsx`;
};
