import type { RunReport } from '../../src/report/rows.js';
import type { ReportedDocument } from '../../src/report/run-report.js';
import type { Issue, IssueParams, Place } from '../../src/toolkit/core/issue.js';

export const FILE = 'nómina octubre.xlsx';

export const cell = (column: string, row: number, label?: string): Place => ({
  file: FILE,
  sheet: "Nómina 'A'",
  row,
  column,
  ...(label !== undefined && { label }),
});

export const issue = (
  more: Partial<Omit<Issue<'cell/not-a-number'>, 'params'>> & { readonly params?: IssueParams } = {},
): Issue => ({
  code: 'cell/not-a-number',
  level: 'error',
  params: {},
  place: cell('F', 17, 'Sueldo'),
  value: '1.5OO.000',
  documentKey: '9000100037',
  ...(more as Partial<Issue<'cell/not-a-number'>>),
});

export const document = (more: Partial<ReportedDocument> = {}): ReportedDocument => ({
  key: '9000100000',
  name: 'Fabián Núñez',
  state: 'accepted',
  number: 'NOM1',
  documentCode: 'ab'.repeat(48),
  attempts: 1,
  issues: [],
  place: cell('A', 2),
  ...more,
});

/** A run of two documents, one accepted and one held back. */
export const report = (more: Partial<RunReport> = {}): RunReport => ({
  facts: {
    run: '7',
    company: 'default',
    url: 'http://127.0.0.1:1',
    versions: { cargue: '0.1.0' },
    mapping: 'payroll/wide',
    params: { month: '2026-10' },
    defaults: { high_risk_pension: false },
    inputs: [{ file: FILE, path: `/data/${FILE}`, sha256: '0f'.repeat(32) }],
  },
  counts: {
    records: { read: 3, used: 1, skipped: 1, heldBack: 1 },
    documents: { planned: 2, made: 1, heldBack: 1 },
    outcomes: { accepted: 1, rejected: 0, pending: 0, unknown: 0, unsent: 0 },
    errors: 1,
    warnings: 0,
  },
  documents: () => [document(), document({ key: '9000100037', state: 'held-back', attempts: 0 })],
  issues: () => [issue()],
  skipped: () => [{ place: cell('A', 40), note: 'TOTAL' }],
  ...more,
});
