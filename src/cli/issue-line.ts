import { type Issue, type Language, wordPlace } from '../issues/issue.js';
import { type ExtraCodes, word } from '../issues/wording.js';

/** Mapping files are text: their places are `file:line:column`, as editors understand. */
const isTextPlace = (issue: Issue): boolean => typeof issue.params['column'] === 'number';

export function placeText(issue: Issue, language: Language = 'es'): string {
  const { place, params } = issue;
  if (isTextPlace(issue)) return `${place.file ?? ''}:${place.line ?? params['line']}:${params['column']}`;
  const { param } = params;
  if (param !== undefined && place.row === undefined)
    return `${language === 'es' ? 'Parámetro' : 'Parameter'} ${param}`;
  const where = wordPlace(place, language);
  return where === '' ? (issue.documentKey ?? '') : where;
}

/** What the service says often lacks its full stop. */
const asSentence = (text: string): string => (/[.:!?…]$/.test(text) ? text : `${text}.`);

/** `Nómina!F17 Sueldo: "1.5OO.000" no es un número. Escriba 1500000 o 1.500.000,00.` */
export function issueLine(issue: Issue, language: Language, extra?: ExtraCodes): string {
  const { message, fix } = word(issue, language, extra);
  const where = [placeText(issue, language), issue.place.label].filter(Boolean).join(' ');
  const guesses = (issue.suggestions ?? []).map(({ value }) => `«${value}»`).join(', ');
  const perhaps =
    guesses === '' ? '' : language === 'es' ? `¿Quiso decir ${guesses}?` : `Did you mean ${guesses}?`;
  const text = [asSentence(message), fix, perhaps].filter(Boolean).join(' ');
  return (where === '' ? text : `${where}: ${text}`).replaceAll(/\s+/g, ' ');
}

/** An issue as one JSON object; what is not known is null. */
export function issueEvent(issue: Issue, language: Language, extra?: ExtraCodes): Record<string, unknown> {
  const { place } = issue;
  const { message, fix } = word(issue, language, extra);
  const cell =
    place.column !== undefined && place.row !== undefined && !isTextPlace(issue)
      ? place.column + place.row
      : null;
  return {
    event: 'issue',
    code: issue.code,
    level: issue.level,
    file: place.file ?? null,
    sheet: place.sheet ?? null,
    cell,
    row: place.row ?? null,
    column: place.column ?? null,
    label: place.label ?? null,
    line: place.line ?? null,
    value: issue.value ?? null,
    pointer: place.pointer ?? null,
    param: place.param ?? null,
    mapping: place.mapping ?? null,
    documentKey: issue.documentKey ?? null,
    documents: issue.documents ?? null,
    message,
    fix,
    suggestions: issue.suggestions ?? [],
  };
}
