import { CASES, CODES } from '../../generated/codes.js';
import type { CodeEntry, Cure, Text, Trait } from '../../generated/issue-codes.js';
import { CATALOGUES } from '../../generated/texts-catalogue.js';
import { PLACEHOLDERS } from '../../generated/texts-help.js';
import {
  CURES,
  ISSUE_WORDS,
  type IssueWordsParams,
  KINDS,
  NOTES,
  PARAM_TYPES,
  REASONS,
  RULE_FAMILIES,
} from '../../generated/texts-issue.js';
import { fillBlanks } from '../core/blanks.js';
import { type Issue, type Language, type Place, paramOf, withParams } from '../core/issue.js';
import { dateInWords, formatCount, formatMonth, inWords, translatorOf } from './texts.js';

/** Finds the wording of codes that are not in the table: rules, whose wording is data beside them. */
export type ExtraCodes = (code: string) => CodeEntry | undefined;

export interface Worded {
  readonly title: string;
  /** Where it stands is not part of it: what was found and what was expected. */
  readonly message: string;
  readonly fix: string;
}

const issueText = translatorOf<IssueWordsParams>(ISSUE_WORDS);

const fill = (template: string, issue: Issue, language: Language): string =>
  fillBlanks(
    template,
    (name) =>
      name === 'value'
        ? (issue.value ?? '')
        : String(paramOf(issue, name) ?? (name === 'param' ? issue.place.param : undefined) ?? ''),
    (value, form) => inWords(value, form, language),
  );

export const entryOf = (code: string, extra?: ExtraCodes): CodeEntry | undefined =>
  CODES[code] ?? extra?.(code);

/** A code that says several things is worded by the param `case` of the issue. */
const caseOf = (issue: Pick<Issue, 'code' | 'params'>): CodeEntry | undefined =>
  (CASES as Readonly<Record<string, Readonly<Record<string, CodeEntry>>>>)[issue.code]?.[
    String(paramOf(issue, 'case') ?? '')
  ];

export const hasTrait = (issue: Pick<Issue, 'code' | 'params'>, trait: Trait): boolean =>
  (caseOf(issue) ?? CODES[issue.code])?.traits?.includes(trait) === true;

/** The codes of which every issue has a trait. */
export const codesWith = (trait: Trait): readonly string[] =>
  Object.keys(CODES).filter((code) => CODES[code]!.traits?.includes(trait));

/** Returns the place of the page that cures an issue; undefined if its fix says all. */
export const cureOf = (issue: Pick<Issue, 'code' | 'params'>): Cure | undefined =>
  (caseOf(issue) ?? CODES[issue.code])?.cure;

/** The fix as the page says it: without a command. */
export function pageFix(issue: Issue, language: Language, extra?: ExtraCodes): string {
  const cure = cureOf(issue);
  return cure === undefined ? word(issue, language, extra).fix : CURES[cure][language];
}

/** Words an issue; an unknown code (a rule of a newer version, say) shows itself. */
export function word(issue: Issue, language: Language, extra?: ExtraCodes): Worded {
  const entry = caseOf(issue) ?? entryOf(issue.code, extra);
  if (entry === undefined) return { title: issue.code, message: issue.code, fix: '' };
  // What a rule of the authority says is passed on: its fix, and a text that was cut, are those of that rule.
  const rule = hasTrait(issue, 'passes-on-rule') && extra?.(`authority/${paramOf(issue, 'rule') ?? ''}`);
  return rule ? wordBy(rule, entry, issue, language) : wordAs(entry, issue, language, extra);
}

/** What people call a code list; one that is not ours goes by its name. */
export const listTitle = (name: string, language: Language): string =>
  (CATALOGUES as Readonly<Record<string, Text>>)[name]?.[language] ?? name;

/** What people call the family of a rule of the authority. */
export const ruleFamily = (name: string, language: Language): string =>
  (RULE_FAMILIES as Readonly<Record<string, Text>>)[name]?.[language] ?? name;

/** A list is named in words in what is said, by its name in what is typed. */
function withListTitle(issue: Issue, language: Language): Issue {
  const name = paramOf(issue, 'catalogue');
  return name === undefined ? issue : withParams(issue, { catalogue: listTitle(String(name), language) });
}

/** What a parameter has to be, in words; `named`: the choices or columns that it has. */
export function typeInWords(type: string, language: Language, named = ''): string {
  if (named !== '') return issueText(language, type === 'table' ? 'recordsOf' : 'oneOf', { named });
  return (PARAM_TYPES as Readonly<Record<string, Text>>)[type]?.[language] ?? type;
}

/** A value as it is typed again: 30/11/2026, noviembre de 2026, sí. */
export function valueInWords(value: string, type: string, language: Language): string {
  if (type === 'date' || type === 'datetime') return dateInWords(value);
  if (type === 'boolean') return issueText(language, value === 'true' ? 'yes' : 'no');
  return type === 'month' ? formatMonth(value, language) : value;
}

/** Why something failed, in words; what is said elsewhere in words stays. */
const reasonInWords = (reason: string, language: Language): string =>
  Object.hasOwn(REASONS, reason) ? REASONS[reason as keyof typeof REASONS][language] : reason;

/** What a formula or a field holds. */
const kindInWords = (kind: string, language: Language): string =>
  Object.hasOwn(KINDS, kind) ? KINDS[kind as keyof typeof KINDS][language] : kind;

/** Why something is left aside: in the words of a mapping, or a note of the program, with what stands there. */
export type Note = string | { readonly key: keyof typeof NOTES; readonly text?: string };

/** A note in the reader's words. */
export function noteInWords(note: Note, language: Language): string {
  if (typeof note === 'string') return note;
  const said = NOTES[note.key][language];
  return note.text === undefined ? said : `${said}: ${note.text}`;
}

/** The titles of codes, as checks are called in a sentence. */
const checksInWords = (codes: string, language: Language, extra?: ExtraCodes): string =>
  codes
    .split(', ')
    .map((code) => entryOf(code, extra)?.title[language] ?? code)
    .map((title) => title.charAt(0).toLowerCase() + title.slice(1))
    .join(', ');

/** Params that are names of the program, each as people say it. */
function withParamsInWords(issue: Issue, language: Language, extra?: ExtraCodes): Issue {
  const [type, reason] = [paramOf(issue, 'type'), paramOf(issue, 'reason')];
  const named = String(paramOf(issue, `named_${language}`) ?? '');
  const [expected, found] = [paramOf(issue, 'expected_type'), paramOf(issue, 'found_type')];
  const checks = paramOf(issue, 'checks');
  return withParams(withListTitle(issue, language), {
    ...(type !== undefined && { type: typeInWords(String(type), language, named) }),
    ...(expected !== undefined && { expected_type: kindInWords(String(expected), language) }),
    ...(found !== undefined && { found_type: kindInWords(String(found), language) }),
    ...(reason !== undefined && { reason: reasonInWords(String(reason), language) }),
    ...(checks !== undefined && { checks: checksInWords(String(checks), language, extra) }),
  });
}

/** What came of a text that got lost on the way. */
const isCut = (text: string | number | undefined): boolean =>
  /^\W*$/.test(String(text ?? '')) || /(…|\.\.\.)$/.test(String(text));

/** The authority's own words where they came whole, else those that the rule is known by; the cure is always that of the rule. */
function wordBy(rule: CodeEntry, entry: CodeEntry, issue: Issue, language: Language): Worded {
  const whole = isCut(paramOf(issue, 'text')) ? withParams(issue, { text: rule.title[language] }) : issue;
  const worded = wordAs(entry, whole, language);
  return { ...worded, fix: rule.fix[language] || worded.fix };
}

function wordAs(entry: CodeEntry, issue: Issue, language: Language, extra?: ExtraCodes): Worded {
  return {
    title: entry.title[language],
    message: [
      fill(entry.message[language], withParamsInWords(issue, language, extra), language),
      leftOut(issue, language),
      concerned(issue, language),
    ]
      .filter(Boolean)
      .map((part, at, { length }) => (at < length - 1 ? asSentence(part) : part))
      .join(' '),
    fix: fill((insteadOf(issue, entry) ?? entry.fix)[language], withPlaceholders(issue, language), language),
  };
}

/** The fix of what no cell caused. */
function insteadOf({ place }: Issue, { instead }: CodeEntry): Text | undefined {
  if (place.param !== undefined) return instead?.param;
  if (place.mapping !== undefined) return instead?.mapping;
  if (place.json !== undefined) return instead?.json;
  return place.row === undefined && place.file !== undefined ? instead?.table : undefined;
}

/** What an option takes, with its placeholders as the help writes them: `NÚMERO=none | NÚMERO=ID`. */
function withPlaceholders(issue: Issue, language: Language): Issue {
  const expected = paramOf(issue, 'expected');
  if (typeof expected !== 'string') return issue;
  const words = PLACEHOLDERS as Readonly<Record<string, Text>>;
  const said = expected.split(' | ').map((one) => words[one]?.[language] ?? one);
  return withParams(issue, { expected: said.join(' | ') });
}

/** What a difference of totals is made of, where amounts that nothing uses come to it. */
function leftOut(issue: Issue, language: Language): string {
  const names = paramOf(issue, 'left_out');
  return names === undefined ? '' : issueText(language, 'leftOut', { names });
}

/** What is said once concerns so many documents. */
function concerned({ documents, level }: Issue, language: Language): string {
  if (documents === undefined) return '';
  const count = formatCount(documents, language);
  return issueText(language, level === 'error' ? 'holds' : 'concerns', { count });
}

/** Mapping files are text: their places are `file:line:column`, as editors understand. */
export const isTextPlace = ({ character }: Place): boolean => character !== undefined;

/** What the service says often lacks its full stop. */
const asSentence = (text: string): string => (/[.:!?…]$/.test(text) ? text : `${text}.`);

/** In whole sentences: what is wrong, how it is fixed, and what was perhaps meant. */
export function wordInFull(issue: Issue, language: Language, extra?: ExtraCodes): string {
  const { message, fix } = word(issue, language, extra);
  const guesses = (issue.suggestions ?? []).map(({ value }) => `«${value}»`).join(', ');
  const perhaps = guesses === '' ? '' : issueText(language, 'perhaps', { guesses });
  return [asSentence(message), fix, perhaps].filter(Boolean).join(' ');
}

/** An issue as one JSON object; what is not known is null. */
export function issueEvent(issue: Issue, language: Language, extra?: ExtraCodes): Record<string, unknown> {
  const { place } = issue;
  const { message, fix } = word(issue, language, extra);
  const cell =
    place.column !== undefined && place.row !== undefined && !isTextPlace(place)
      ? place.column + place.row
      : null;
  return {
    event: 'issue',
    code: issue.code,
    rule: paramOf(issue, 'rule') ?? null,
    level: issue.level,
    file: place.file ?? null,
    sheet: place.sheet ?? null,
    cell,
    row: place.row ?? null,
    column: place.column ?? null,
    label: place.label ?? null,
    line: place.line ?? null,
    json: place.json ?? null,
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
