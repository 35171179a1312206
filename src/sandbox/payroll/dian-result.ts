import type { JsonObject } from '../../values/json.js';
import { EMPTY, NIL, strings } from '../soap.js';
import type { Finding, Verdict } from '../verdict.js';
import type { DocumentKind } from './document.js';
import { RULE_TEXTS } from './rule-texts.js';

/** The members that the synchronous send and both status queries share (service.md 5.2, 13.5–13.7). */

const sentence = ({ rule, rejects }: Finding): string =>
  `Regla: ${rule}, ${rejects ? 'Rechazo' : 'Notificación'}: ${RULE_TEXTS[rule] ?? 'el documento no cumple la regla'}`;

const title = (kind: DocumentKind): string => (kind === 'payroll' ? 'Nómina' : 'Nómina de Ajuste');

export interface Judged {
  readonly kind: DocumentKind;
  readonly number: string;
  readonly verdict: Verdict;
}

export function dianResult({ kind, number, verdict }: Judged): JsonObject {
  const subject = { XmlDocumentKey: verdict.documentKey, XmlFileName: number };
  switch (verdict.state) {
    case 'accepted':
      return {
        ErrorMessage: strings(verdict.findings.map(sentence)),
        IsValid: 'true',
        StatusCode: '00',
        StatusDescription: 'Procesado Correctamente.',
        StatusMessage: `La ${title(kind)} ${number} ha sido autorizada.`,
        ...subject,
      };
    case 'rejected':
      return {
        ErrorMessage: strings(verdict.findings.map(sentence)),
        IsValid: 'false',
        StatusCode: '99',
        StatusDescription: 'Validación contiene errores en campos mandatorios.',
        StatusMessage: NIL,
        ...subject,
      };
    case 'set-accepted':
      return {
        ErrorMessage: NIL,
        IsValid: 'false',
        StatusCode: '2',
        StatusDescription: 'Set de prueba se encuentra Aceptado.',
        StatusMessage: NIL,
        ...subject,
      };
  }
}

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
