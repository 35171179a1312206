import { readSources } from '../house/figures.js';

/** What each room aims at; the ceilings reach it step by step. */
export const TARGETS: Figures = { fragments: 5, verbless: 25, retired: 0 };

export interface Figures {
  /** Doc comments that begin without a subject, in percent. */
  readonly fragments: number;
  /** Comments of functions that begin with no verb, in percent. */
  readonly verbless: number;
  /** Uses of retired names. */
  readonly retired: number;
}

/** First words of a comment without a subject: write "True if …", "Returns …" or name the thing. */
const FRAGMENTS = new Set(
  `among and as at beside besides between beyond but by else for from here how in more most neither nobody none
  not of on once only or so such that then there those till to until what when where whether which while who
  whoever whom whose why with within without`.split(/\s+/),
);

/** Names that say nothing away from their file, or have a plain name by now. */
const RETIRED = new Set(
  `one own some thing say told whole why slot Found Named Said Thing Matter Manner Pace Seat Going Begun
  Telling Tally Kept MOST FEW SEVERAL KEPT NAMED SLACK Mending Sayings ActView ActTurn Saying Pen`.split(
    /\s+/,
  ),
);

const COMMENT = /^[ \t]*\/\*\*(?!\/)([\s\S]*?)\*\/\s*([^\n]*(?:\n[^\n]*){0,2})/gm;
const FUNCTION =
  /^(?:export |default |declare |async |static |private |protected |public |readonly |override |abstract |get |set )*(?:function\b|\*?\s*[\w$#]+\??\s*(?:<[^=]*>)?\((?!\))|[\w$#]+\??\(\)\s*[:{]|(?:const|let)\s+\w+(?::[^=]+)?\s*=\s*(?:async\s*)?(?:\(|<|\w+\s*=>)|[\w$#]+\??:\s*\()/;

/** True if a word may be a verb in the third person, or begins "True if"; plural nouns pass as well. */
const isVerb = (word: string): boolean =>
  /^(?:true|is|has|does|[a-z]{2,}s)$/.test(word) && !/(?:ss|us)$/.test(word);

const wordsOf = (comment: string): readonly string[] =>
  comment
    .replaceAll(/^\s*\*?/gm, ' ')
    .toLowerCase()
    .match(/\p{L}+|[^\p{L}\s]+/gu) ?? [];

const beginsWithVerb = ([first = '', second = '']: readonly string[]): boolean =>
  isVerb(/ly$|^(?:also|always|never|then)$/.test(first) ? second : first);

const TEXT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
const EXPRESSION = /\$\{((?:[^{}]|\{[^{}]*\})*)\}/g;

/** Removes comments, strings and the text of templates, and keeps the expressions of templates. */
const codeOf = (text: string): string =>
  text.replaceAll(TEXT, (found) =>
    [...found.matchAll(EXPRESSION)].map(([, expression]) => expression).join(' '),
  );

const percent = (part: number, all: number): number => (all === 0 ? 0 : Math.round((1000 * part) / all) / 10);

/** Counts comments and names of each room below `src`, generated files left out. */
export function measureWords(): Readonly<Record<string, Figures>> {
  const rooms = new Map<
    string,
    { docs: number; fragments: number; functions: number; verbless: number; retired: number }
  >();
  for (const { path, text } of readSources()) {
    const room = path.includes('/') ? path.split('/')[0]! : 'doors';
    const counts = rooms.get(room) ?? { docs: 0, fragments: 0, functions: 0, verbless: 0, retired: 0 };
    rooms.set(room, counts);
    for (const [, comment = '', code = ''] of text.matchAll(COMMENT)) {
      const words = wordsOf(comment);
      if (words.length === 0 || words[0] === '@') continue;
      const isFragment = FRAGMENTS.has(words[0]!);
      counts.docs += 1;
      if (isFragment) counts.fragments += 1;
      if (!FUNCTION.test(code)) continue;
      counts.functions += 1;
      // A comment that begins with an example or a name says which.
      if (!isFragment && /^\p{L}/u.test(words[0]!) && !beginsWithVerb(words)) counts.verbless += 1;
    }
    for (const [name] of codeOf(text).matchAll(/(?<!\.)\b[A-Za-z_]\w*/g))
      if (RETIRED.has(name)) counts.retired += 1;
  }
  return Object.fromEntries(
    [...rooms].map(([room, { docs, fragments, functions, verbless, retired }]) => [
      room,
      { fragments: percent(fragments, docs), verbless: percent(verbless, functions), retired },
    ]),
  );
}
