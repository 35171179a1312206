import { readdirSync, readFileSync } from 'node:fs';
import type { CodeEntry, RuleCode, Text } from '../../generated/issue-codes.js';
import type { Rule, RuleFile } from '../../generated/rule-types.js';
import type { SchemaName } from '../../generated/schema-types.js';
import { type Issue, type IssueCode, type IssueParams, issueOf, type Level } from '../core/issue.js';
import { formatPointer, type Pointer, parsePointer } from '../core/json.js';
import { packageFile } from '../core/package-file.js';
import type { PlainDate } from '../core/plain-date.js';
import { NO_TEXT } from '../messages/texts.js';
import { catalogue } from './catalogue.js';
import { markedLeaves } from './registry.js';

/** The blamed leaf: an absolute pointer, `^` in it being the item looked at; a member of the item; or the item itself. */
export function blamed(blame: string, path: readonly (string | number)[]): Pointer {
  if (!blame.startsWith('/')) return formatPointer(blame === 'self' ? path : [...path, blame]);
  if (!blame.includes('^')) return blame;
  return formatPointer(parsePointer(blame).map((key, at) => (key === '^' ? path[at]! : key)));
}

/** Rules and the terms they speak of. */
export type RuleData = Required<RuleFile>;

let data: RuleData | undefined;

/** `/accrued/**x-total`: every leaf below that pointer whose schema has that annotation. */
const MARKED = /("?)(\/\w+)\/\*\*(x-[a-z-]+)\1/g;

/** The rules of a file, the leaves that it names by an annotation written out. */
function readRules(file: string): RuleFile {
  const text = readFileSync(packageFile('schemas', 'rules', file), 'utf8');
  const data = JSON.parse(text) as RuleFile;
  if (!text.includes('/**')) return data;
  const schema = data.rules[0]!.schemas[0]!;
  const leaves = (_: string, quote: string, below: string, mark: string): string =>
    markedLeaves(schema, mark, parsePointer(below))
      .map((keys) => quote + formatPointer(keys) + quote)
      .join(', ');
  return JSON.parse(text.replace(MARKED, leaves)) as RuleFile;
}

function read(): RuleData {
  const files = readdirSync(packageFile('schemas', 'rules'))
    .filter((file) => file.endsWith('.json') && !file.endsWith('.schema.json'))
    .sort()
    .map(readRules);
  return {
    terms: files.flatMap(({ terms = [] }) => terms),
    days: files.flatMap(({ days = [] }) => days),
    rules: files.flatMap(({ rules }) => rules),
  };
}

/** Everything of schemas/rules, read once. */
export function ruleData(): RuleData {
  data ??= read();
  return data;
}

const ruleOf = (code: string): Rule | undefined => ruleData().rules.find((rule) => rule.code === code);

/** Wording and level of a rule's code, in the form that issues are worded by; `authority/NIE199` is a rule of an authority. */
export const ruleEntry = (code: string): CodeEntry | undefined =>
  code.startsWith(AUTHORITY) ? authorityEntry(code.slice(AUTHORITY.length)) : ruleOf(code);

export const ruleCodes = (): string[] => ruleData().rules.map((rule) => rule.code);

/** The authority's id that the service answers with (`NIE187`), if the rule has one. */
export const ruleAuthority = (code: string): string | undefined => ruleOf(code)?.authority?.[0];

/** The authority's id for a fault of shape in documents of a schema (`RVG05` for a text too long). */
export const shapeAuthority = (schema: SchemaName, fault: string): string | undefined =>
  ruleData().rules.find(({ schemas, shape }) => schemas.includes(schema) && shape?.includes(fault))
    ?.authority?.[0];

/** Begins the code of an authority's rule, before its id. */
export const AUTHORITY = 'authority/';

/** `NIE074–NIE108`: all ids between the two. */
const RANGE = /^([A-Z]+)(\d+)–\1(\d+)$/;

function covers(named: string, id: string): boolean {
  const [, family, first, last] = RANGE.exec(named) ?? [];
  if (family === undefined) return named === id;
  const number = Number(id.slice(family.length));
  return id.startsWith(family) && number >= Number(first) && number <= Number(last);
}

/** The leaves that a check points at, below the items it looks at. */
const blamedBy = ({ each = [''], blame }: { each?: string[]; blame: string }): Pointer[] =>
  each.map((item) =>
    blame === 'self' ? item : blame.startsWith('/') ? blame.replaceAll('^', '*') : `${item}/${blame}`,
  );

/** Every leaf that a rule may point at, `*` standing for every item of a list. */
export const blamedLeavesOf = ({
  derive,
  checks = [],
  unique,
  same,
  blame = [],
}: Rule): readonly Pointer[] => [
  ...new Set([
    ...(blame.length > 0 ? blame : [derive?.into ?? []].flat()),
    ...checks.flatMap(blamedBy),
    ...(unique === undefined ? [] : blamedBy(unique)),
    ...(same === undefined ? [] : [same.blame]),
  ]),
];

const rulesOf = (authority: string): readonly Rule[] =>
  ruleData().rules.filter((rule) => rule.authority?.some((named) => covers(named, authority)));

/** Our codes that an id of the authority (`RVC061`) belongs to. */
export const codesOf = (authority: string): readonly string[] => rulesOf(authority).map(({ code }) => code);

const named = (rules: string, id: string): boolean =>
  rules.split(' ').some((one) => (one.endsWith('*') ? id.startsWith(one.slice(0, -1)) : one === id));

/** Words that need nothing of a document. */
const isWhole = ({ es, en }: Text): boolean => !/\{\w+\}/.test(es + en);

/** A rule by which the authority rejects: its id, the field of its XML, the fields of the document, and words in both languages. */
type RejectionRule = Readonly<Record<string, string>>;

let rejections: ReadonlyMap<string, RejectionRule> | undefined;

/** Returns what the authority's own annexes say of an id (`NIE076`); undefined for an id that is in none. */
export function rejectionRule(id: string): RejectionRule | undefined {
  rejections ??= new Map(catalogue('rejection_rules')!.rows.map((row) => [row['rule']!, row]));
  return rejections.get(id);
}

/** Returns the field of the authority's XML, and those of the document, that an id is about. */
function rejectionField(id: string): string | undefined {
  const { xml_field: xml = '', leaf = '' } = rejectionRule(id) ?? {};
  return [xml, leaf].filter(Boolean).join(' → ') || undefined;
}

const textIn = (row: RejectionRule | undefined, column: string): Text | undefined => {
  const [es = '', en = ''] = [row?.[`${column}_es`], row?.[`${column}_en`]];
  return es === '' ? undefined : { es, en };
};

/**
 * Returns what a rule of the authority says, and its cure: as written down for it, else as the annexes say, else as our rule says that
 * stands for it, with the name that the authority gives it.
 */
function authorityEntry(id: string): CodeEntry | undefined {
  const row = catalogue('authority_rules')!.rows.find(({ rules = '' }) => named(rules, id));
  const rejection = rejectionRule(id);
  const meaning = textIn(rejection, 'meaning') ?? textIn(row, 'meaning');
  if (meaning !== undefined) {
    const fix = textIn(row, 'fix') ?? textIn(rejection, 'fix') ?? NO_TEXT;
    return {
      level: rejection?.['level'] === 'N' ? 'warning' : 'error',
      title: meaning,
      message: meaning,
      fix,
    };
  }
  const name = catalogue('rips_validation_rules')!.rows.find(({ code }) => code === id)?.['name'];
  const own = rulesOf(id).find(({ fix }) => isWhole(fix));
  if (name === undefined && own === undefined) return undefined;
  const title = { es: name ?? own!.title.es, en: own?.title.en ?? name! };
  return { level: 'error', title, message: title, fix: own?.fix ?? NO_TEXT };
}

/** What an id of the authority means, for whoever has a document that it rejected. */
export interface RuleExplanation {
  /** Whose rule it is: a name of RULE_FAMILIES. */
  readonly family: string | undefined;
  readonly field: string | undefined;
  readonly meaning: Text;
  readonly fix: Text;
}

/** Explains an id of the authority by its own annexes, else by what stands for it here; undefined for an id that nobody knows. */
export function explainRule(id: string): RuleExplanation | undefined {
  const row = rejectionRule(id);
  const entry = authorityEntry(id);
  if (entry === undefined) return undefined;
  const { title: meaning } = entry;
  return {
    family: row?.['family'],
    field: rejectionField(id),
    meaning,
    fix: textIn(row, 'fix') ?? entry.fix,
  };
}

/** The leaves of one rule of the authority, by its id or the family that it is of (`ZC*`). */
function placesOfRule(authority: string): readonly Pointer[] | undefined {
  const named = catalogue('payroll_rule_places')!.rows.find(({ rule = '' }) =>
    rule.endsWith('*') ? authority.startsWith(rule.slice(0, -1)) : rule === authority,
  );
  return named && (named['leaves'] ?? '').split(' ');
}

/**
 * The leaves that a rule of the authority (`NIE187`) is about: those listed for it alone, else those of our own rules that stand for
 * it. The root alone: the company or the software, nothing in a document.
 */
export const blamedLeaves = (authority: string): readonly Pointer[] =>
  placesOfRule(authority) ?? [...new Set(rulesOf(authority).flatMap(blamedLeavesOf))];

/** What a caller makes of a rule, by code, instead of its own level. */
export type Levels = ReadonlyMap<string, Level | 'off'>;

/** Level of a rule on the day of sending: before the authority rejects it, an error is only a warning. */
export const levelOn = (rule: Rule, level: Level, today: PlainDate | undefined): Level =>
  rule.rejects_from !== undefined && today !== undefined && today < rule.rejects_from ? 'warning' : level;

/** The issue of a broken rule; its authority's ids are in `params.rule`. Undefined when the caller silences it. */
export function ruleIssue(
  rule: Rule,
  level: Level,
  pointer: Pointer | undefined,
  params: IssueParams,
  levels: Levels | undefined,
): Issue | undefined {
  const wanted = levels?.get(rule.code) ?? level;
  if (wanted === 'off') return undefined;
  const { code, authority } = rule;
  return issueOf<IssueCode>(
    code as RuleCode,
    wanted,
    { ...params, ...(authority !== undefined && { rule: authority.join(', ') }) },
    pointer === undefined ? {} : { pointer },
  );
}
