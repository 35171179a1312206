import type { Issue, Language } from '../issues/issue.js';
import type { ExtraCodes } from '../issues/wording.js';
import { linksFrom } from './link.js';
import { type Placing, putInPlace } from './put-in-place.js';
import { sheetsOf } from './rows.js';
import type { RunReport } from './run-report.js';
import { writeWorkbook } from './workbook.js';

export interface ReportOptions {
  readonly file: string;
  readonly language: Language;
  readonly now: Date;
  /** Wording of rules. */
  readonly extra?: ExtraCodes;
  readonly placing?: Placing;
}

export interface WrittenReport {
  readonly file: string;
  /** Says so when the wanted name was taken by a program that has it open. */
  readonly issues: readonly Issue[];
}

/**
 * Writes the workbook of a run.
 * @throws PipelineError('output', report/not-writable)
 */
export async function writeReport(report: RunReport, options: ReportOptions): Promise<WrittenReport> {
  const pathOf = new Map(
    report.facts.inputs.flatMap(({ file, path }) => (path === undefined ? [] : [[file, path] as const])),
  );
  const { language, extra } = options;
  const sheets = sheetsOf(report, {
    language,
    linkTo: linksFrom(options.file, pathOf),
    ...(extra && { extra }),
  });
  const file = await putInPlace(
    options.file,
    (temporary) => writeWorkbook(temporary, sheets, { now: options.now }),
    options.placing,
  );
  if (file === options.file) return { file, issues: [] };
  const params = { wanted: options.file, file };
  return { file, issues: [{ code: 'report/second-name', level: 'warning', params, place: {} }] };
}
