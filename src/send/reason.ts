import type { Issue } from '../issues/issue.js';
import { say } from './say.js';

/** One line of DIAN's `ErrorMessage`. */
export interface Reason {
  /** `NIE187`, `90`; undefined when the line names none. */
  readonly rule?: string;
  readonly rejects: boolean;
  readonly text: string;
}

const SENTENCE = /^Regla:\s*([^,\s]+)\s*,\s*(Rechazo|Notificaci[oó]n)\s*:\s*(.*)$/is;
/** The annex's own form: id, (R) or (N), message (payroll.md 4). */
const ANNEX = /^([A-Z]{2,4}\d+[a-z]?)\s*,\s*\(?([RN])\)?\s*,\s*(.*)$/s;

export function parseReason(line: string): Reason {
  const match = SENTENCE.exec(line) ?? ANNEX.exec(line);
  if (match === null) return { rejects: true, text: line };
  return { rule: match[1]!, rejects: /^R/i.test(match[2]!), text: match[3]!.trim() };
}

/** A reason as an issue; one without a rule shows the status code in its place. */
export const reasonIssue = ({ rule, rejects, text }: Reason, statusCode = ''): Issue =>
  say(rejects ? 'remote/rejected' : 'remote/notification', { rule: rule ?? statusCode, text });
