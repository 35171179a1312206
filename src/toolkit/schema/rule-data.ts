import { readdirSync, readFileSync } from 'node:fs';
import type { CodeEntry, RuleCode, Text } from '../../generated/issue-codes.js';
import type { Rule, RuleFile } from '../../generated/rule-types.js';
import type { SchemaName } from '../../generated/schema-types.js';
import { type Issue, type IssueCode, type IssueParams, issueOf, type Level } from '../core/issue.js';
import { formatPointer, type Pointer, parsePointer } from '../core/json.js';
import { packageFile } from '../core/package-file.js';
import type { PlainDate } from '../core/plain-date.js';
import { unreachable } from '../core/required.js';
import { NO_TEXT } from '../messages/texts.js';
import { requiredCatalogue } from './catalogue.js';
import { cellOf } from './catalogue-text.js';
import { markedLeaves } from './registry.js';

/**
 * Returns the blamed pointer: absolute, with `^` for the current item; or a member of the item; or the item
 * (`self`).
 */
export function blamed(blame: string, path: readonly (string | number)[]): Pointer {
  if (!blame.startsWith('/')) return formatPointer(blame === 'self' ? path : [...path, blame]);
  if (!blame.includes('^')) return blame;
  return formatPointer(
    parsePointer(blame).map((key, at) => (key === '^' ? (path[at] ?? unreachable(`item of ${blame}`)) : key)),
  );
}

/** Rules and the terms that they use. */
export type RuleData = Required<RuleFile>;

let data: RuleData | undefined;

/** `/accrued/**x-total`: every leaf below the pointer whose schema has the annotation. */
const MARKED = /("?)(\/\w+)\/\*\*(x-[a-z-]+)\1/g;

/** Reads a file of rules and expands pointers by annotation. */
function readRules(file: string): RuleFile {
  const text = readFileSync(packageFile('schemas', 'rules', file), 'utf8');
  const data = JSON.parse(text) as RuleFile;
  if (!text.includes('/**')) return data;
  const schema = data.rules[0]?.schemas[0] ?? unreachable(`schema of ${file}`);
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

/** Reads all of schemas/rules once. */
export function ruleData(): RuleData {
  data ??= read();
  return data;
}

const ruleOf = (code: string): Rule | undefined => ruleData().rules.find((rule) => rule.code === code);

/** Returns the wording and level of a rule's code; `authority/NIE199` is a rule of an authority. */
export const ruleEntry = (code: string): CodeEntry | undefined =>
  code.startsWith(AUTHORITY) ? authorityEntry(code.slice(AUTHORITY.length)) : ruleOf(code);

export const ruleCodes = (): string[] => ruleData().rules.map((rule) => rule.code);

/** Returns the authority's id of a rule (`NIE187`), as the service reports it. */
export const ruleAuthority = (code: string): string | undefined => ruleOf(code)?.authority?.[0];

/** Returns the authority's id for a shape error in documents of a schema (`RVG05` for a text too long). */
export const shapeAuthority = (schema: SchemaName, fault: string): string | undefined =>
  ruleData().rules.find(({ schemas, shape }) => schemas.includes(schema) && shape?.includes(fault))
    ?.authority?.[0];

/** Prefix of the code of an authority's rule, before its id. */
export const AUTHORITY = 'authority/';

/** Range of ids, `NIE074–NIE108`. */
const RANGE = /^([A-Z]+)(\d+)–\1(\d+)$/;

function covers(pattern: string, id: string): boolean {
  const [, family, first, last] = RANGE.exec(pattern) ?? [];
  if (family === undefined) return pattern === id;
  const number = Number(id.slice(family.length));
  return id.startsWith(family) && number >= Number(first) && number <= Number(last);
}

/** Returns the leaves that a check blames, below its items. */
const blamedBy = ({ each = [''], blame }: { each?: string[]; blame: string }): Pointer[] =>
  each.map((item) =>
    blame === 'self' ? item : blame.startsWith('/') ? blame.replaceAll('^', '*') : `${item}/${blame}`,
  );

/** Returns every leaf that a rule may blame; `*` is every item of a list. */
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

/** Returns the codes of our rules for an id of the authority (`RVC061`). */
export const codesOf = (authority: string): readonly string[] => rulesOf(authority).map(({ code }) => code);

const matchesId = (rules: string, id: string): boolean =>
  rules
    .split(' ')
    .some((pattern) => (pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : pattern === id));

/** Rejection rule of an authority: id, field of its XML, fields of the document, texts in both languages. */
type RejectionRule = Readonly<Record<string, string>>;

let rejections: ReadonlyMap<string, RejectionRule> | undefined;

/** Returns the entry of the authority's annexes for an id (`NIE076`), or undefined if it has none. */
export function rejectionRule(id: string): RejectionRule | undefined {
  rejections ??= new Map(requiredCatalogue('rejection_rules').rows.map((row) => [cellOf(row, 'rule'), row]));
  return rejections.get(id);
}

/** Formats the field of the authority's XML and those of the document that an id is about. */
function rejectionField(id: string): string | undefined {
  const { xml_field: xml = '', leaf = '' } = rejectionRule(id) ?? {};
  return [xml, leaf].filter(Boolean).join(' → ') || undefined;
}

const textIn = (row: RejectionRule | undefined, column: string): Text | undefined => {
  const [es = '', en = ''] = [row?.[`${column}_es`], row?.[`${column}_en`]];
  return es === '' ? undefined : { es, en };
};

/**
 * Returns meaning and fix of an authority's rule: as written for it, else from the annexes, else from our
 * equivalent rule with the authority's name.
 */
function authorityEntry(id: string): CodeEntry | undefined {
  const row = requiredCatalogue('authority_rules').rows.find(({ rules = '' }) => matchesId(rules, id));
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
  const name = requiredCatalogue('rips_validation_rules').rows.find(({ code }) => code === id)?.['name'];
  const ours = rulesOf(id).find(({ fix }) => !/\{\w+\}/.test(fix.es + fix.en));
  const es = name ?? ours?.title.es;
  const en = ours?.title.en ?? name;
  if (es === undefined || en === undefined) return undefined;
  const title = { es, en };
  return { level: 'error', title, message: title, fix: ours?.fix ?? NO_TEXT };
}

/** Meaning of an authority's id, for users whose document was rejected. */
export interface RuleExplanation {
  /** Owner of the rule: a name of RULE_FAMILIES. */
  readonly family: string | undefined;
  readonly field: string | undefined;
  readonly meaning: Text;
  readonly fix: Text;
}

/** Explains an id of the authority by its annexes, else by our equivalent; undefined if the id is unknown. */
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

/** Returns the leaves listed for a rule of the authority, by its id or family (`ZC*`). */
function placesOfRule(authority: string): readonly Pointer[] | undefined {
  const named = requiredCatalogue('payroll_rule_places').rows.find(({ rule = '' }) =>
    rule.endsWith('*') ? authority.startsWith(rule.slice(0, -1)) : rule === authority,
  );
  return named && (named['leaves'] ?? '').split(' ');
}

/**
 * Returns the leaves that a rule of the authority (`NIE187`) is about: those listed for it, else those of our
 * equivalent rules. The root alone means the company or the software.
 */
export const blamedLeaves = (authority: string): readonly Pointer[] =>
  placesOfRule(authority) ?? [...new Set(rulesOf(authority).flatMap(blamedLeavesOf))];

/** Levels by rule code that a caller sets. */
export type Levels = ReadonlyMap<string, Level | 'off'>;

/** Returns the level on the day of sending: an error is a warning until the authority rejects it. */
export const levelOn = (rule: Rule, level: Level, today: PlainDate | undefined): Level =>
  rule.rejects_from !== undefined && today !== undefined && today < rule.rejects_from ? 'warning' : level;

/**
 * Creates the issue of a violated rule, with the authority's ids in `params.rule`; undefined if it is
 * switched off.
 */
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
