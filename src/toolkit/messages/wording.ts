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
  PAGE_WORDS,
  PARAM_TYPES,
  REASONS,
  RULE_FAMILIES,
} from '../../generated/texts-issue.js';
import { fillBlanks } from '../core/blanks.js';
import { type Issue, type Language, type Place, paramOf, withParams } from '../core/issue.js';
import { dateInWords, formatCount, formatMonth, inWords, translatorOf } from './texts.js';

/** Finds the wording of codes that are not in the table: rules, whose wording is data next to them. */
export type ExtraCodes = (code: string) => CodeEntry | undefined;

export interface Worded {
  readonly title: string;
  /** Found and expected values, without the place. */
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

/** Returns the wording of a code with several meanings, chosen by the param `case` of the issue. */
const caseOf = (issue: Pick<Issue, 'code' | 'params'>): CodeEntry | undefined =>
  (CASES as Readonly<Record<string, Readonly<Record<string, CodeEntry>>>>)[issue.code]?.[
    String(paramOf(issue, 'case') ?? '')
  ];

export const hasTrait = (issue: Pick<Issue, 'code' | 'params'>, trait: Trait): boolean =>
  (caseOf(issue) ?? CODES[issue.code])?.traits?.includes(trait) === true;

/** Returns the codes whose issues all have a trait. */
export const codesWith = (trait: Trait): readonly string[] =>
  Object.entries(CODES).flatMap(([code, { traits }]) => (traits?.includes(trait) ? [code] : []));

/** Returns the place of the page that cures an issue; undefined if its fix says all. */
export const cureOf = (issue: Pick<Issue, 'code' | 'params'>): Cure | undefined =>
  (caseOf(issue) ?? CODES[issue.code])?.cure;

interface PageWording {
  readonly message: string;
  /** Fix that names no command. */
  readonly fix: string;
  /** Place of the page that cures it; undefined if the fix says all. */
  readonly cure: Cure | undefined;
}

/** Words an issue as the page does, for readers who know the page and no command. */
export function pageWording(issue: Issue, language: Language, extra?: ExtraCodes): PageWording {
  const { message, fix } = word(issue, language, extra, inPageWords);
  const entry = caseOf(issue) ?? CODES[issue.code];
  const ofCell = isOfCell(issue) ? entry?.instead?.page : undefined;
  const cure = ofCell === undefined ? entry?.cure : undefined;
  const said = ofCell === undefined ? fix : fill(ofCell[language], issue, language);
  return { message: asSentence(message), fix: cure === undefined ? said : CURES[cure][language], cure };
}

/** True if an issue is of a cell, and no parameter stands in for it. */
const isOfCell = (issue: Issue): boolean =>
  issue.place.row !== undefined && issue.place.param === undefined && paramOf(issue, 'param') === undefined;

const PAGE_PAIRS = {
  es: pairsIn(PAGE_WORDS.es),
  en: pairsIn(PAGE_WORDS.en),
};

function pairsIn(lines: string): readonly (readonly [said: RegExp, shown: string])[] {
  return lines.split('\n').map((line) => {
    const [said = '', shown = ''] = line.split(' → ');
    return [new RegExp(`(?<![\\p{L}{])${said}(?!\\p{L})`, 'gu'), shown];
  });
}

/** Changes the words of a text before its blanks are filled: values of the user stay as they are. */
type Reword = (template: string, language: Language) => string;

/** Returns a text with the words of the page for those that commands are named by. */
const inPageWords: Reword = (template, language) =>
  PAGE_PAIRS[language].reduce((changed, [said, shown]) => changed.replaceAll(said, shown), template);

const asWritten: Reword = (template) => template;

/** Words an issue; an unknown code, such as a rule of a newer version, is shown as it is. */
export function word(
  issue: Issue,
  language: Language,
  extra?: ExtraCodes,
  reword: Reword = asWritten,
): Worded {
  const entry = caseOf(issue) ?? entryOf(issue.code, extra);
  if (entry === undefined) return { title: issue.code, message: issue.code, fix: '' };
  // The fix of an authority rule is that of the rule; so is its text if the answer cut it.
  const rule = hasTrait(issue, 'passes-on-rule') && extra?.(`authority/${paramOf(issue, 'rule') ?? ''}`);
  return rule ? wordBy(rule, entry, issue, language, reword) : wordAs(entry, issue, language, reword, extra);
}

/** Returns the title of a code list; the name of an unknown one. */
export const listTitle = (name: string, language: Language): string =>
  (CATALOGUES as Readonly<Record<string, Text>>)[name]?.[language] ?? name;

/** Returns the title of a family of authority rules. */
export const ruleFamily = (name: string, language: Language): string =>
  (RULE_FAMILIES as Readonly<Record<string, Text>>)[name]?.[language] ?? name;

/** Replaces the name of a code list by its title; commands keep the name. */
function withListTitle(issue: Issue, language: Language): Issue {
  const name = paramOf(issue, 'catalogue');
  return name === undefined ? issue : withParams(issue, { catalogue: listTitle(String(name), language) });
}

/** Words the type of a parameter; `named` lists its choices or columns. */
export function typeInWords(type: string, language: Language, named = ''): string {
  if (named !== '') return issueText(language, type === 'table' ? 'recordsOf' : 'oneOf', { named });
  return (PARAM_TYPES as Readonly<Record<string, Text>>)[type]?.[language] ?? type;
}

/** Words a value as a person would type it: 30/11/2026, noviembre de 2026, sí. */
export function valueInWords(value: string, type: string, language: Language): string {
  if (type === 'date' || type === 'datetime') return dateInWords(value);
  if (type === 'boolean') return issueText(language, value === 'true' ? 'yes' : 'no');
  return type === 'month' ? formatMonth(value, language) : value;
}

/** Words the reason of a failure; an unknown reason is returned as it is. */
const reasonInWords = (reason: string, language: Language): string =>
  Object.hasOwn(REASONS, reason) ? REASONS[reason as keyof typeof REASONS][language] : reason;

/** Words the type of a formula or a field. */
const kindInWords = (kind: string, language: Language): string =>
  Object.hasOwn(KINDS, kind) ? KINDS[kind as keyof typeof KINDS][language] : kind;

/** Reason why a row or sheet is ignored: a text of a mapping, or a note of the program with the text of the cell. */
export type Note = string | { readonly key: keyof typeof NOTES; readonly text?: string };

/** Words a note in the reader's language. */
export function noteInWords(note: Note, language: Language): string {
  if (typeof note === 'string') return note;
  const text = NOTES[note.key][language];
  return note.text === undefined ? text : `${text}: ${note.text}`;
}

/** Words codes by their titles, in lower case, separated by commas. */
const checksInWords = (codes: string, language: Language, extra?: ExtraCodes): string =>
  codes
    .split(', ')
    .map((code) => entryOf(code, extra)?.title[language] ?? code)
    .map((title) => title.charAt(0).toLowerCase() + title.slice(1))
    .join(', ');

/** Replaces params that are names of the program by words. */
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

const isCut = (text: string | number | undefined): boolean =>
  /^\W*$/.test(String(text ?? '')) || /(…|\.\.\.)$/.test(String(text));

/** Words an issue by the authority's text, or by the title of its rule if that text is cut; the fix is that of the rule. */
function wordBy(rule: CodeEntry, entry: CodeEntry, issue: Issue, language: Language, reword: Reword): Worded {
  const complete = isCut(paramOf(issue, 'text')) ? withParams(issue, { text: rule.title[language] }) : issue;
  const worded = wordAs(entry, complete, language, reword);
  return { ...worded, fix: rule.fix[language] || worded.fix };
}

function wordAs(
  entry: CodeEntry,
  issue: Issue,
  language: Language,
  reword: Reword,
  extra?: ExtraCodes,
): Worded {
  const fix = (insteadOf(issue, entry) ?? entry.fix)[language];
  return {
    title: entry.title[language],
    message: [
      fill(reword(entry.message[language], language), withParamsInWords(issue, language, extra), language),
      leftOut(issue, language),
      concerned(issue, language),
    ]
      .filter(Boolean)
      .map((part, at, { length }) => (at < length - 1 ? asSentence(part) : part))
      .join(' '),
    fix: fill(reword(fix, language), withPlaceholders(issue, language), language),
  };
}

/** Returns the fix of an issue that no cell caused, or that a parameter cures as well. */
function insteadOf(issue: Issue, { instead }: CodeEntry): Text | undefined {
  const { place } = issue;
  if (place.param !== undefined) return instead?.param;
  if (instead?.either !== undefined && paramOf(issue, 'param') !== undefined) return instead.either;
  if (place.mapping !== undefined) return instead?.mapping;
  if (place.json !== undefined) return instead?.json;
  return place.row === undefined && place.file !== undefined ? instead?.table : undefined;
}

/** Writes the placeholders of an option as the help does: `NÚMERO=none | NÚMERO=ID`. */
function withPlaceholders(issue: Issue, language: Language): Issue {
  const expected = paramOf(issue, 'expected');
  if (typeof expected !== 'string') return issue;
  const words = PLACEHOLDERS as Readonly<Record<string, Text>>;
  const parts = expected.split(' | ').map((part) => words[part]?.[language] ?? part);
  return withParams(issue, { expected: parts.join(' | ') });
}

/** Names the unused amounts that add up to a difference of totals; blank if there are none. */
function leftOut(issue: Issue, language: Language): string {
  const names = paramOf(issue, 'left_out');
  return names === undefined ? '' : issueText(language, 'leftOut', { names });
}

/** Tells how many documents an issue concerns that is reported once. */
function concerned({ documents, level }: Issue, language: Language): string {
  if (documents === undefined) return '';
  const count = formatCount(documents, language);
  return issueText(language, level === 'error' ? 'holds' : 'concerns', { count });
}

/** True for a place in a mapping file, written as `file:line:column`. */
export const isTextPlace = ({ character }: Place): boolean => character !== undefined;

/** Adds the full stop that texts of the service often lack. */
const asSentence = (text: string): string => (/[.:!?…]$/.test(text) ? text : `${text}.`);

/** Words an issue in full sentences: the fault, the fix, and suggestions. */
export function wordInFull(issue: Issue, language: Language, extra?: ExtraCodes): string {
  const { message, fix } = word(issue, language, extra);
  const guesses = (issue.suggestions ?? []).map(({ value }) => `«${value}»`).join(', ');
  const perhaps = guesses === '' ? '' : issueText(language, 'perhaps', { guesses });
  return [asSentence(message), fix, perhaps].filter(Boolean).join(' ');
}

/** Returns an issue as one JSON object; unknown members are null. */
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
