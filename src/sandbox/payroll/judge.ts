import type { PlainDate } from '../../values/plain-date.js';
import type { Company } from '../companies.js';
import type { Environment } from '../options.js';
import type { ChosenVerdict, Finding, Verdict } from '../verdict.js';
import type { Archive, Realm } from './archive.js';
import { failedAmounts } from './dian-rules.js';
import type { PayrollDocument } from './document.js';

/** A document as it lies before DIAN. */
export interface Submission {
  readonly document: PayrollDocument;
  readonly company: Company;
  readonly cune: string;
  /** Environment of DIAN that it was sent to. */
  readonly sentTo: Environment;
  /** Today in Colombia. */
  readonly today: PlainDate;
  /** ISO instant. */
  readonly at: string;
  readonly chosen?: Pick<ChosenVerdict, 'verdict' | 'rules'>;
}

type Rule = (submission: Submission, archive: Archive) => readonly Finding[];

const realmOf = ({ company }: Submission): Realm => ({
  company: company.nit,
  environment: company.environment,
});
const rejects = (...rules: string[]): Finding[] => rules.map((rule) => ({ rule, rejects: true }));
const notifies = (...rules: string[]): Finding[] => rules.map((rule) => ({ rule, rejects: false }));

/** The rules that are imitated, in the order of their messages. */
const RULES: Readonly<Record<string, Rule>> = {
  'environment is that of the set-up (NIE023)': ({ company, sentTo }) =>
    company.environment === sentTo ? [] : rejects('NIE023'),

  'totals and signs (NIE187, NIE188, NIE189, VLR01)': ({ document }) =>
    rejects(...failedAmounts(document.kind, document.body)),

  'one payroll per worker and month, unless it is a novelty (NIE199, NIE199a, NIE204)': (
    submission,
    archive,
  ) => {
    const { document } = submission;
    if (document.kind !== 'payroll') return [];
    const earlier = archive.ofMonth(realmOf(submission), document.worker, document.month);
    const { novelty } = document;
    if (novelty === undefined) return earlier.length === 0 ? [] : rejects('NIE199');
    if (earlier.length === 0) return rejects('NIE199a');
    return earlier.some(({ cune }) => cune === novelty.earlier) ? [] : rejects('NIE204');
  },

  'a note finds its predecessor, of the same worker and not deleted (NIAE191a, NIAE216a)': (
    submission,
    archive,
  ) => {
    const { document } = submission;
    if (document.kind === 'payroll') return [];
    const found = archive.byCune(realmOf(submission), document.predecessor ?? '');
    const usable = found !== undefined && found.kind !== 'delete' && !archive.isDeleted(found);
    if (document.kind === 'delete') return usable ? [] : rejects('NIAE216a');
    return usable && found.worker === document.worker ? [] : rejects('NIAE191a');
  },

  'issue date inside the period or in the future is only notified (NIE026)': ({ document, today }) =>
    document.issueDate < document.settlementEnd || document.issueDate > today ? notifies('NIE026') : [],
};

/** DIAN's verdict; what it accepts goes into the archive. */
export function judge(submission: Submission, archive: Archive): Verdict {
  const { document, cune, chosen } = submission;
  if (chosen?.verdict === 'set-accepted') return { state: 'set-accepted', findings: [], documentKey: cune };
  if (chosen?.verdict === 'reject')
    return { state: 'rejected', findings: rejects(...(chosen.rules ?? [])), documentKey: cune };

  const known = archive.byNumber(realmOf(submission), document.number);
  if (known !== undefined) return { state: 'rejected', findings: rejects('90'), documentKey: known.cune };

  const findings = Object.values(RULES).flatMap((rule) => rule(submission, archive));
  if (chosen?.verdict === 'notify') findings.push(...notifies(...(chosen.rules ?? [])));
  const accepted = !findings.some((finding) => finding.rejects);
  if (accepted) file(submission, archive);
  return { state: accepted ? 'accepted' : 'rejected', findings, documentKey: cune };
}

function file(submission: Submission, archive: Archive): void {
  const { document, cune } = submission;
  const realm = realmOf(submission);
  const predecessor =
    document.predecessor === undefined ? undefined : archive.byCune(realm, document.predecessor);
  const root = predecessor?.root ?? cune;
  archive.accept({
    ...realm,
    kind: document.kind,
    number: document.number,
    cune,
    worker: document.worker,
    month: document.month,
    root,
    accrued: document.accrued,
    deductions: document.deductions,
    net: document.net,
    acceptedAt: submission.at,
  });
  if (document.kind === 'delete') archive.markDeleted(root);
}
