import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { blanksIn } from '../toolkit/core/blanks.js';
import { pascal } from './schema-files.js';

/** Entry of `src/toolkit/messages/codes/*.yaml`; see CodeEntry below. A case has only what differs. */
export interface Written {
  readonly level: 'error' | 'warning';
  readonly title: Text;
  readonly message?: Text;
  readonly fix?: Text;
  readonly instead?: Readonly<Record<string, Text>>;
  /** Place on the page where the issue is cured; its sentence replaces the fix there. */
  readonly cure?: string;
  /** Params that no text names; `text?` is optional, even if a text names it. */
  readonly params?: readonly string[];
  readonly traits?: readonly string[];
  readonly cases?: Readonly<Record<string, Partial<Written>>>;
}

export interface Text {
  readonly es: string;
  readonly en: string;
}

export type Codes = Readonly<Record<string, Written>>;

/** Entry with its own message; others have messages in their cases or rules. */
export type WordedCode = Written & Required<Pick<Written, 'message' | 'fix'>>;

export const isWorded = (entry: Written): entry is WordedCode => entry.message !== undefined;

const SUFFIX = '.yaml';

/** Reads the files of a folder below `src/toolkit/messages`, by name. */
const readFolder = <T>(root: string, folder: string): ReadonlyMap<string, T> => {
  const path = join(root, 'src', 'toolkit', 'messages', folder);
  const files = readdirSync(path).filter((file) => file.endsWith(SUFFIX));
  return new Map(
    files
      .sort()
      .map((file) => [file.slice(0, -SUFFIX.length), parse(readFileSync(join(path, file), 'utf8')) as T]),
  );
};

/** Reads every code of the program itself. */
export function readCodes(root: string): Codes {
  const files = [...readFolder<Codes>(root, 'codes')];
  const entries = files.flatMap(([, codes]) => Object.entries(codes));
  if (new Set(entries.map(([code]) => code)).size < entries.length)
    throw new Error('a code of src/toolkit/messages/codes stands in two files');
  return Object.fromEntries(entries);
}

const namesIn = (texts: readonly Text[]): string[] => texts.flatMap(({ es, en }) => blanksIn(es + en));

const member = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));

const record = (members: readonly string[]): string =>
  members.length === 0 ? 'Nothing' : `{ ${members.map((line) => `readonly ${line}`).join('; ')} }`;

/**
 * Returns the type of a code's params: names in its texts, and declared ones. `value` and `param` are members of the
 * issue.
 */
function paramsOf({ message, fix, instead = {}, params = [] }: Partial<Written>, which: string[]): string {
  const texts = [message, fix, ...Object.values(instead)].filter((text) => text !== undefined);
  const declared = new Map(params.map((name) => [name.replace('?', ''), name.endsWith('?')]));
  const named = namesIn(texts).filter((name) => name !== 'value' && name !== 'param');
  const all = [...new Set([...named, ...declared.keys()])].sort();
  return record([
    ...which,
    ...all.map((name) => `${member(name)}${declared.get(name) ? '?' : ''}: BlankValue`),
  ]);
}

/** Returns the type of a code's params; with cases, a union by `case`. */
function codeParams(entry: Written): string {
  const { cases = {}, params = [], ...plain } = entry;
  const several = Object.entries(cases).map(([which, { params: added = [], ...changes }]) =>
    paramsOf({ ...plain, ...changes, params: [...params, ...added] }, [`case: '${which}'`]),
  );
  const alone = several.length === 0 ? [] : ['case?: undefined'];
  return [...(isWorded(plain) ? [paramsOf(entry, alone)] : []), ...several].join(' | ');
}

const TYPES = `
/** Wording of a code. \`{name}\` stands for a param of the issue, \`{value}\` for what was found. */
export interface CodeEntry {
  readonly level: 'error' | 'warning';
  /** What kind of trouble, for people who ask \`cargue explain CODE\`. */
  readonly title: Text;
  readonly message: Text;
  readonly fix: Text;
  /**
   * The fix where no cell can be filled: \`{param}\` is to be given, the table lacks a column, or the mapping says nothing;
   * \`either\`: a cell or \`{param}\`; \`page\`: a cell that is corrected on the page.
   */
  readonly instead?: Partial<Readonly<Record<'param' | 'either' | 'table' | 'mapping' | 'json' | 'page', Text>>>;
  /** Place of the page that cures the issue; its sentence replaces the fix, which names commands. */
  readonly cure?: Cure;
  /** What the program does about it; nothing hangs on the text of a code. */
  readonly traits?: readonly Trait[];
  /** Rules of the authority that it foresees or passes on (\`LGC62\`); \`NIE074–NIE108\` is all between the two. */
  readonly authority?: readonly string[];
}

export interface Text {
  readonly es: string;
  readonly en: string;
}

export type BlankValue = string | number;
export type Nothing = Readonly<Record<string, never>>;
`;

const traitsIn = (codes: Codes): string[] =>
  [
    ...new Set(
      Object.values(codes).flatMap(({ traits = [], cases = {} }) => [
        ...traits,
        ...Object.values(cases).flatMap((entry) => entry.traits ?? []),
      ]),
    ),
  ].sort();

const curesIn = (codes: Codes): string[] =>
  [...new Set(Object.values(codes).flatMap(({ cure }) => cure ?? []))].sort();

const union = (codes: readonly string[]): string => codes.map((code) => `\n  | '${code}'`).join('');

/** Writes the types of the codes and of their params. */
export function codeTypes(codes: Codes, rules: readonly string[]): string {
  const entries = Object.entries(codes);
  return `${TYPES.trimStart()}
export type Trait =${union(traitsIn(codes))};

/** A place of the page; \`terminal\` is never said there, \`support\` leads nowhere. */
export type Cure =${union(curesIn(codes))};

/** Codes that the program itself can say, with what an issue of each must say. */
export interface OwnParams {
${entries.map(([code, entry]) => `  '${code}': ${codeParams(entry)};`).join('\n')}
}

export type OwnCode = keyof OwnParams;

/** Those of them that say one of several things, by the param \`case\`. */
export type CaseCode =${union(entries.flatMap(([code, { cases }]) => (cases ? [code] : [])))};

/** Codes of the rules in \`schemas/rules\`: their params and wording are data in the same folder. */
export type RuleCode =${union(rules)};
`;
}

const inLines = (entries: readonly (readonly [string, unknown])[]): string =>
  `{\n${entries.map(([key, value]) => `  '${key}': ${JSON.stringify(value)},`).join('\n')}\n}`;

/** Writes entries as JSON inside JavaScript, which parses several times as fast. */
const asJson = (entries: readonly (readonly [string, unknown])[]): string => {
  const lines = entries.map((entry) => `  ${entry.map((part) => JSON.stringify(part)).join(': ')}`);
  const json = `{\n${lines.join(',\n')}\n}`;
  return `JSON.parse(String.raw\`${json.replaceAll('`', '\\u0060').replaceAll('${', '\\u0024{')}\`)`;
};

export function codeTable(codes: Codes): string {
  const entries = Object.entries(codes).map(([code, { params: _, cases = {}, ...plain }]) => ({
    code,
    plain,
    cases: Object.entries(cases).map(([which, { params: __, ...changes }]) => [
      which,
      { ...plain, ...changes },
    ]),
  }));
  const worded = entries.filter(({ plain }) => isWorded(plain));
  const divided = entries.filter(({ cases }) => cases.length > 0);
  return `import type { CaseCode, CodeEntry } from './issue-codes.js';

/** Every code that the program itself can say; rules bring their own. */
export const CODES: Readonly<Record<string, CodeEntry>> = ${asJson(worded.map(({ code, plain }) => [code, plain]))};

/** Wording of codes that say several things: by the param \`case\` of the issue. */
export const CASES: Readonly<Record<CaseCode, Readonly<Record<string, CodeEntry>>>> = ${asJson(
    divided.map(({ code, cases }) => [code, Object.fromEntries(cases)]),
  )};
`;
}

/** Tables of a file: a text, or texts by name. */
type TextTables = Readonly<Record<string, Text | Readonly<Record<string, Text>>>>;

/** Reads the files of texts by name; each becomes a module, so that a command loads only its own. */
export const readTexts = (root: string): ReadonlyMap<string, TextTables> =>
  readFolder<TextTables>(root, 'texts');

const isText = (value: Text | Readonly<Record<string, Text>>): value is Text => typeof value.es === 'string';

/** Writes the tables of a file; one whose texts have placeholders also has the params of each. */
export function textModule(tables: TextTables): string {
  const parts = Object.entries(tables).map(([name, table]) => {
    if (isText(table)) return `export const ${name}: Text = ${JSON.stringify(table)};\n`;
    const entries = Object.entries(table);
    const params = entries.map(([key, text]) => {
      const names = [...new Set(namesIn([text]))].sort();
      return `  '${key}': ${record(names.map((blank) => `${member(blank)}: BlankValue`))};`;
    });
    if (namesIn(Object.values(table)).length === 0)
      return `export const ${name} = ${inLines(entries)} satisfies Readonly<Record<string, Text>>;\n`;
    const type = `${pascal(name.toLowerCase())}Params`;
    const keys = `Readonly<Record<keyof ${type}, Text>>`;
    return `export interface ${type} {\n${params.join('\n')}\n}\n\nexport const ${name}: ${keys} = ${inLines(entries)};\n`;
  });
  const types = ['Nothing', 'BlankValue', 'Text'].filter((type) => parts.some((part) => part.includes(type)));
  return `import type { ${types.join(', ')} } from './issue-codes.js';\n\n${parts.join('\n')}`;
}
