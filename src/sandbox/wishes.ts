import { type Fault, isFaultKind } from './faults.js';
import type { ChosenVerdict } from './verdict.js';

/** An outcome asked for by the document itself, as test cards do in payment systems. */
export interface Wish {
  readonly verdict?: Pick<ChosenVerdict, 'verdict' | 'rules'>;
  readonly fault?: Pick<Fault, 'kind' | 'ms'>;
}

/** Words after `cargue:` that choose a verdict; every kind of fault is such a word too (faults.ts). */
export const VERDICT_WORDS = ['reject', 'reject-200', 'reject-500', 'notify', 'set-accepted'] as const;

const FORM = /cargue:(\S+)((?: +[A-Z0-9]+[a-z]?)*)/;
const NO_WISH: Wish = {};

/**
 * The wish in a free text, `notes` for payroll, any text of a service for RIPS, the receiver's job title for events: `cargue:reject NIE187 NIE189`,
 * `cargue:notify NIE026`, `cargue:reset-after`, `cargue:delay 500`.
 */
export function readWish(note: string | undefined): Wish {
  const match = note === undefined ? null : FORM.exec(note);
  if (match === null) return NO_WISH;
  const word = match[1]!;
  const rest = match[2]!.split(' ').filter(Boolean);
  const verdict = VERDICT_WORDS.find((known) => known === word);
  if (verdict !== undefined) return { verdict: { verdict, rules: rest } };
  if (isFaultKind(word))
    return { fault: { kind: word, ...(rest[0] !== undefined && { ms: Number(rest[0]) }) } };
  return NO_WISH;
}
