import { CASES } from './codes/adjust.js';
import { CODES, type CodeEntry } from './codes.js';
import type { Issue, Language } from './issue.js';

/** Finds the wording of codes that are not in the table: rules, whose wording is data beside them. */
export type ExtraCodes = (code: string) => CodeEntry | undefined;

export interface Worded {
  readonly title: string;
  /** Where it stands is not part of it: what was found and what was expected. */
  readonly message: string;
  readonly fix: string;
}

const fill = (template: string, issue: Issue): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'value' ? (issue.value ?? '') : String(issue.params[name] ?? ''),
  );

export const entryOf = (code: string, extra?: ExtraCodes): CodeEntry | undefined =>
  CODES[code] ?? extra?.(code);

/** A code that says several things is worded by the param `case` of the issue. */
const caseOf = ({ code, params }: Issue): CodeEntry | undefined =>
  (CASES as Readonly<Record<string, Readonly<Record<string, CodeEntry>>>>)[code]?.[
    String(params['case'] ?? '')
  ];

/** Words an issue; an unknown code (a rule of a newer version, say) shows itself. */
export function word(issue: Issue, language: Language, extra?: ExtraCodes): Worded {
  const entry = caseOf(issue) ?? entryOf(issue.code, extra);
  if (entry === undefined) return { title: issue.code, message: issue.code, fix: '' };
  return {
    title: entry.title[language],
    message: fill(entry.message[language], issue),
    fix: fill(entry.fix[language], issue),
  };
}
