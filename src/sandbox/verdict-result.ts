import type { JsonObject } from '../values/json.js';
import { NIL, strings } from './soap.js';
import type { Finding, Verdict } from './verdict.js';

/** What a family of documents adds to the members that all verdicts of DIAN share. */
export interface ResultWording {
  readonly fileName: string;
  /** `StatusMessage` of an accepted document. */
  readonly authorised: string;
  /** What DIAN says beside a rule's id. */
  readonly ruleTexts: Readonly<Record<string, string>>;
}

/** The members of every verdict (service.md 5.2, 13.5–13.7). */
export function verdictResult(verdict: Verdict, wording: ResultWording): JsonObject {
  const sentence = ({ rule, rejects }: Finding): string =>
    `Regla: ${rule}, ${rejects ? 'Rechazo' : 'Notificación'}: ${wording.ruleTexts[rule] ?? 'el documento no cumple la regla'}`;
  const subject = { XmlDocumentKey: verdict.documentKey, XmlFileName: wording.fileName };
  switch (verdict.state) {
    case 'accepted':
      return {
        ErrorMessage: strings(verdict.findings.map(sentence)),
        IsValid: 'true',
        StatusCode: '00',
        StatusDescription: 'Procesado Correctamente.',
        StatusMessage: wording.authorised,
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
