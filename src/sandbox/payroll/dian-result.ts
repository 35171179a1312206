import type { JsonObject } from '../../values/json.js';
import { EMPTY, NIL } from '../soap.js';
import type { Verdict } from '../verdict.js';
import { verdictResult } from '../verdict-result.js';
import type { DocumentKind } from './document.js';
import { RULE_TEXTS } from './rule-texts.js';

const title = (kind: DocumentKind): string => (kind === 'payroll' ? 'Nómina' : 'Nómina de Ajuste');

export interface Judged {
  readonly kind: DocumentKind;
  readonly number: string;
  readonly verdict: Verdict;
}

/** The members that the synchronous send and both status queries share. */
export const dianResult = ({ kind, number, verdict }: Judged): JsonObject =>
  verdictResult(verdict, {
    fileName: number,
    authorised: `La ${title(kind)} ${number} ha sido autorizada.`,
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
