import { absolute, add, compare, type Decimal, subtract } from '../../toolkit/core/decimal.js';
import { paramOf } from '../../toolkit/core/issue.js';
import { isObject, type JsonObject, type JsonValue } from '../../toolkit/core/json.js';
import type { PlainDate } from '../../toolkit/core/plain-date.js';
import { getOrAdd } from '../../toolkit/core/remember.js';
import { catalogue } from '../../toolkit/schema/catalogue.js';
import { ruleAuthority } from '../../toolkit/schema/rule-data.js';
import { checkRules } from '../../toolkit/schema/rules.js';
import {
  type ChosenVerdict,
  EMPTY,
  type FieldFault,
  type Finding,
  member,
  NIL,
  required,
  text,
  type Verdict,
  verdictResult,
} from '../answer.js';
import type { Environment } from '../options.js';
import type { Company } from '../store.js';
import { type DocumentKind, exactAmount, type PayrollDocument } from './document.js';
import type { Archive, Realm } from './ledger.js';

/** Ids that the service's validator checks (service.md 4.1, 4.3, 4.4, 4.6); the municipality is not among them. */
const IDS: readonly { readonly path: readonly string[]; readonly list: string }[] = [
  { path: ['payroll_period_id'], list: 'payroll_periods' },
  { path: ['worker', 'type_worker_id'], list: 'type_workers' },
  { path: ['worker', 'sub_type_worker_id'], list: 'sub_type_workers' },
  {
    path: ['worker', 'payroll_type_document_identification_id'],
    list: 'payroll_type_document_identifications',
  },
  { path: ['worker', 'type_contract_id'], list: 'type_contracts' },
  { path: ['payment', 'payment_method_id'], list: 'payment_methods' },
  { path: ['deductions', 'eps_type_law_deductions_id'], list: 'type_law_deductions' },
  { path: ['deductions', 'pension_type_law_deductions_id'], list: 'type_law_deductions' },
];

const BANK_DATA = ['bank_name', 'account_type', 'account_number'];

const unknownId = (field: string): FieldFault => ({ field, text: `The selected ${field} is invalid.` });
export const outOfRange = (field: string, from: number, to: number): FieldFault => ({
  field,
  text: `The ${field} must be between ${from} and ${to}.`,
});

const rows = new Map<string, ReadonlyMap<string, Readonly<Record<string, string>>>>();

/** Finds a row of a code list by the service's id, given as number or text. */
export function rowById(list: string, id: unknown): Readonly<Record<string, string>> | undefined {
  const byId = getOrAdd(
    rows,
    list,
    () => new Map(catalogue(list)?.rows.map((row) => [row['id'] ?? '', row])),
  );
  return byId.get(String(id));
}

/** Validates beyond shape: known ids, and bank data if the payment method requires them. */
export function contentFaults(kind: DocumentKind, body: JsonObject): FieldFault[] {
  const faults = IDS.filter(({ path, list }) => {
    const id = member(body, ...path);
    return id !== undefined && rowById(list, id) === undefined;
  }).map(({ path }) => unknownId(path.join('.')));
  const method = rowById('payment_methods', member(body, 'payment', 'payment_method_id'));
  // The schema of a replacement requires them anyway.
  if (kind === 'payroll' && method?.['bank_data_required'] === 'SI')
    for (const name of BANK_DATA)
      if (text(body, 'payment', name) === '') faults.push(required(`payment.${name}`));
  return faults;
}

/** Tolerance of DIAN on amounts (payroll.md 3). */
const TOLERANCE: Decimal = '2.00';

/** Imitated rules on amounts; the program knows more. */
const JUDGED: ReadonlySet<string> = new Set(['NIE187', 'NIE188', 'NIE189']);

const SCHEMAS = { payroll: 'payroll/payroll', replace: 'payroll/adjust-note-replace' } as const;

/** Converts every amount of a document to exact text, as rules require. */
function exact(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(exact);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, exact(inner)]));
  return exactAmount(value) ?? value;
}

function hasNegative(value: JsonValue | undefined): boolean {
  if (typeof value === 'number') return value < 0;
  if (typeof value === 'string') return value.startsWith('-') && exactAmount(value) !== undefined;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNegative);
}

/**
 * Returns the rules on amounts that a document violates: NIE187, NIE188, NIE189 and VLR01 (payroll.md 3), with the sums
 * of schemas/rules. NIE189 compares the net of the stated totals with that of the items, since the request states none.
 */
function failedAmounts(kind: DocumentKind, body: JsonObject): readonly string[] {
  if (kind === 'delete') return [];
  const { accrued = {}, deductions = {} } = body;
  const failed = new Set<string>();
  let netDifference: Decimal = '0';
  for (const issue of checkRules(SCHEMAS[kind], {
    accrued: exact(accrued),
    deductions: exact(deductions),
  })) {
    const rule = ruleAuthority(issue.code);
    if (rule === undefined || !JUDGED.has(rule)) continue;
    if (issue.level === 'error') failed.add(rule);
    const difference = paramOf(issue, 'difference');
    if (typeof difference !== 'string') continue;
    netDifference = issue.place.pointer?.startsWith('/accrued')
      ? add(netDifference, difference)
      : subtract(netDifference, difference);
  }
  if (compare(absolute(netDifference), TOLERANCE) > 0) failed.add('NIE189');
  if (hasNegative(accrued) || hasNegative(deductions)) failed.add('VLR01');
  return [...failed];
}

/** Document submitted to DIAN. */
interface Submission {
  readonly document: PayrollDocument;
  readonly company: Company;
  readonly cune: string;
  /** Environment of DIAN to which it was sent. */
  readonly sentTo: Environment;
  readonly today: PlainDate;
  /** ISO instant. */
  readonly at: string;
  readonly chosen?: Pick<ChosenVerdict, 'verdict' | 'rules'>;
}

const realmOf = ({ company }: Submission): Realm => ({
  company: company.nit,
  environment: company.environment,
});
const rejects = (...rules: string[]): Finding[] => rules.map((rule) => ({ rule, rejects: true }));
const notifies = (...rules: string[]): Finding[] => rules.map((rule) => ({ rule, rejects: false }));

/** Imitated rules, in the order of their messages. */
const RULES: Readonly<Record<string, (submission: Submission, archive: Archive) => readonly Finding[]>> = {
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

/** Returns DIAN's verdict; archives an accepted document. */
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

/** Texts of DIAN by rule; other ids get a general text. */
export const RULE_TEXTS: Readonly<Record<string, string>> = {
  '90': 'Documento procesado anteriormente.',
  NIE023: 'el ambiente del documento no corresponde al de destino',
  NIE024: 'el CUNE no corresponde a los valores del documento',
  NIE026: 'la fecha de generación no es la fecha real de emisión',
  NIE187: 'el total devengado no corresponde a la suma',
  NIE188: 'el total de deducciones no corresponde a la suma',
  NIE189: 'el total del comprobante no corresponde',
  NIE199: 'ya existe nómina del trabajador en el mes',
  NIE199a: 'no existe nómina anterior del trabajador en el mes para la novedad',
  NIE204: 'el CUNE de la novedad no corresponde a una nómina del trabajador en el mes',
  NIAE191a: 'el documento a reemplazar no se encuentra',
  NIAE216a: 'el documento a eliminar no se encuentra',
  VLR01: 'los valores deben ser positivos',
};

/** Returns the members shared by the synchronous send and both status queries. */
export const dianResult = ({
  kind,
  number,
  verdict,
}: {
  readonly kind: DocumentKind;
  readonly number: string;
  readonly verdict: Verdict;
}): JsonObject =>
  verdictResult(verdict, {
    fileName: number,
    authorised: `La ${kind === 'payroll' ? 'Nómina' : 'Nómina de Ajuste'} ${number} ha sido autorizada.`,
    ruleTexts: RULE_TEXTS,
  });

export const PENDING_RESULT: JsonObject = {
  ErrorMessage: NIL,
  IsValid: 'false',
  StatusCode: EMPTY,
  StatusDescription: 'Batch en proceso de validación.',
  StatusMessage: NIL,
};

export const UNKNOWN_RESULT: JsonObject = {
  ErrorMessage: NIL,
  IsValid: 'false',
  StatusCode: '66',
  StatusDescription: 'TrackId no encontrado',
  StatusMessage: NIL,
};
