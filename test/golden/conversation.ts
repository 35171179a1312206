import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { loadReadyMappings } from '../../src/app/job.js';
import type { Inspection } from '../../src/toolkit/inspect/inspect.js';
import { defaultAnswer, NO_ANSWERS, type Question, readAnswer, readReply } from '../../src/toolkit/inspect/question.js';
import { proposeFor } from '../support/opened-files.js';
import type { Clerk } from './clerks.js';

/** The files that a clerk knows, the mapping that is right for them, and the parameters of a run. */
export function caseOf({ folder, file, right, params, settled = [] }: Clerk) {
  const path = folder.startsWith('test/') ? folder : join('samples', folder);
  const all =
    params ?? (JSON.parse(readFileSync(join(path, 'params.json'), 'utf8')) as Record<string, unknown>);
  return {
    name: folder,
    files: readdirSync(path)
      .filter((name) => (file === undefined ? /\.(xlsx|csv|txt|zip)$/i.test(name) : [file].flat().includes(name)))
      .map((name) => join(path, name)),
    mapping: right.endsWith('.yaml') ? right : `mappings/${right}.yaml`,
    params: all,
    /** Those that are not said once and for all. */
    inRun: Object.fromEntries(Object.entries(all).filter(([name]) => !settled.includes(name))),
  };
}

/** What the person types at a question. */
function said(
  clerk: Clerk,
  { id, aliases = [], samples, ...question }: Question,
  open: readonly Question[],
): string {
  const { columns = {}, words = {}, others = {} } = clerk;
  const otherOf = (of: string): string | undefined =>
    Object.entries(others).find(([start]) => of.startsWith(start))?.[1];
  const isRight = (one: Question): boolean => {
    const known = one.aliases?.map((name) => columns[name]).find(Boolean);
    const reading = known === undefined ? undefined : readAnswer(one, known);
    return reading !== undefined && 'value' in reading && reading.value === one.answers[0]!.value;
  };
  if (id.startsWith('sure.')) {
    const wrong = open.filter((one) => one.batch === id && !isRight(one));
    return wrong.map((one) => one.id).join(', ') || 'sí';
  }
  const isUsed = (label: string): boolean => columns[label] !== undefined;
  if (id.startsWith('unused.'))
    return samples.flatMap(({ cell, text }) => (isUsed(text.split(': ')[0]!) ? [cell] : [])).join(', ') || 'sí';
  if (/^(codes|usual)\./.test(id)) {
    const others = open.filter((one) => {
      const known = words[one.aliases![0]!] ?? otherOf(one.id);
      const reading = known === undefined ? undefined : readAnswer(one, known);
      return one.batch === id && reading !== undefined && 'value' in reading && reading.value !== one.answers[0]!.value;
    });
    return others.map((one) => one.aliases![0]!).join(', ') || 'sí';
  }
  const other = otherOf(id);
  if (other !== undefined) return other;
  const word = /^(value|class|choice)\./.test(id) ? words[aliases[0]!] : undefined;
  if (word !== undefined) return word;
  if (question.path[2] === 'labels') return aliases.map((name) => columns[name]).find(Boolean) ?? 'no se usa';
  return defaultAnswer({ id, aliases, samples, ...question }) ?? 'ignorar';
}

const READY = await loadReadyMappings();

/** Where the right answer of a question stands: among the likely ones by rank, else among all that may be typed; undefined if nowhere. */
export type Rank = 'first' | 'second' | 'lower' | 'typed';

function rankOf(question: Question, given: string): Rank | undefined {
  const reading = readReply(question, given);
  if (!('value' in reading)) return undefined;
  const at = question.answers.findIndex(({ value }) => value === reading.value);
  // What names the exceptions of a joint question takes the rest as it is.
  if (at < 0) return question.members !== undefined ? 'first' : question.free !== undefined ? 'typed' : undefined;
  if (at >= Math.max(question.likely, 1)) return question.likely === 0 && at < SHOWN ? RANKS[at] : 'typed';
  return RANKS[at] ?? 'lower';
}

const RANKS: readonly Rank[] = ['first', 'second'];
/** How many answers are shown where none is likely. */
const SHOWN = 2;

export interface Conversation {
  readonly found: Inspection;
  /** Each inspection that had something to ask, with its questions as they are put. */
  readonly rounds: readonly { readonly found: Inspection; readonly asked: readonly Question[] }[];
  /** Question → what was typed, and where it stood among the answers. */
  readonly ranks: ReadonlyMap<string, { readonly typed: string; readonly rank: Rank | undefined }>;
  /** Of the proposed mapping; absent where the talk ended early. */
  readonly mappingText?: string;
}

/** Answers what is asked about files until nothing is asked any more, or until something is asked that ends the talk. */
export async function converse(
  clerk: Clerk,
  files: readonly string[],
  params: Readonly<Record<string, unknown>>,
  isEnd: (found: Inspection) => boolean = () => false,
): Promise<Conversation> {
  const given = new Map<string, string>();
  const rounds: Conversation['rounds'][number][] = [];
  const ranks = new Map<string, { typed: string; rank: Rank | undefined }>();
  for (;;) {
    const found = await proposeFor(files, {
      ready: READY.filter(({ name }) => name !== clerk.without),
      answers: { ...NO_ANSWERS, given },
      language: 'es',
      name: 'respondido',
      params,
    });
    const asked = found.questions.filter(({ id }) => !given.has(id));
    if (asked.length === 0)
      return { found, rounds, ranks, mappingText: stringify(found.tree, { lineWidth: 0 }) };
    rounds.push({ found, asked });
    if (isEnd(found)) return { found, rounds, ranks };
    for (const question of asked) {
      const typed = said(clerk, question, found.open);
      given.set(question.id, typed);
      ranks.set(question.id, { typed, rank: rankOf(question, typed) });
    }
  }
}
