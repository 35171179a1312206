import { stringify } from 'yaml';
import { loadReadyMappings } from '../../src/app/job.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import type { Inspection } from '../../src/toolkit/inspect/inspect.js';
import { defaultAnswer, NO_ANSWERS, type Question, readAnswer } from '../../src/toolkit/inspect/question.js';
import { withoutNull } from '../golden/agrees.js';
import { proposeFor } from '../support/opened-files.js';
import { prepareFiles } from '../support/prepare-file.js';
import type { Known, Scene } from './scene.js';

const READY = await loadReadyMappings();
const MAX_ROUNDS = 12;

/** Codes that say that records are of another company. */
const OF_COMPANIES = /compan/;

/** How a delivery came out. */
export interface Outcome {
  /** Every document right and none besides; `wrong`: one went out that is not right. */
  readonly state: 'whole' | 'part' | 'wrong' | 'stuck' | 'refused';
  readonly questions: readonly string[];
  /** What shows why it is not whole. */
  readonly about: readonly string[];
}

const sheetOf = (cell: string): string | undefined => /^(.*)!/.exec(cell)?.[1];

/** Returns what a person types at a question, from what they know and nothing else. */
function said(
  { columns, words, sheets, others }: Known,
  question: Question,
  open: readonly Question[],
): string {
  const { id, aliases = [], batch } = question;
  const known = (one: Question): string | undefined => {
    const sheet = one.samples.map(({ cell }) => sheetOf(cell)).find(Boolean);
    const own = one.aliases?.map((label) => columns[`${sheet}!${label}`]).find(Boolean);
    // Of a column that no cell shows, its label alone tells what it is.
    return (
      own ??
      (sheet === undefined
        ? Object.entries(columns).find(([key]) =>
            one.aliases?.some((label) => key.endsWith(`!${label}`)),
          )?.[1]
        : undefined)
    );
  };
  const members = open.filter((one) => one.batch === id && batch === undefined);
  if (members.length > 0) {
    const wrong = members.filter((one) => {
      const word = known(one);
      if (word === undefined) return !id.startsWith('unused.');
      const reading = readAnswer(one, word);
      return !('value' in reading) || reading.value !== one.answers[0]!.value;
    });
    return wrong.map((one) => one.id).join(', ') || 'sí';
  }
  const other = Object.entries(others).find(([start]) => id.startsWith(start))?.[1];
  if (other !== undefined) return other;
  if (/^(value|class|choice)\./.test(id))
    return words[aliases[0] ?? ''] ?? words[id.split('.').slice(-1)[0]!] ?? 'no decidir';
  const sheet = Object.entries(sheets).find(([name]) =>
    [`sheet.${name}`, `unread.${name}`].includes(id),
  )?.[1];
  if (sheet !== undefined) return sheet;
  if (question.path[2] === 'labels') return known(question) ?? 'no se usa';
  return defaultAnswer(question) ?? 'ignorar';
}

/** Sums what stands in several items of one kind, since rows of weeks make an item each. */
function folded(items: readonly unknown[]): readonly unknown[] {
  const groups = new Map<string, Record<string, unknown>>();
  const isAmount = (name: string): boolean =>
    /quantity|payment$|bonus|assistance|commission|deduction$/.test(name);
  for (const item of items) {
    if (typeof item !== 'object' || item === null) return items;
    const entries = Object.entries(item);
    const key = JSON.stringify(entries.filter(([name]) => !isAmount(name)).sort());
    const group = groups.get(key) ?? Object.fromEntries(entries.filter(([name]) => !isAmount(name)));
    for (const [name, value] of entries.filter(([one]) => isAmount(one)))
      group[name] = String(Number(group[name] ?? 0) + Number(value));
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** A body in one form: lists in one order, keys too. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return folded(value.map(plain));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !['consecutive', 'consecutivo', 'worker_code'].includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, plain(inner)]),
  );
}

/** Returns the places at which two values differ. */
function differences(found: unknown, right: unknown, at = ''): string[] {
  if (JSON.stringify(found) === JSON.stringify(right)) return [];
  if (typeof found !== 'object' || typeof right !== 'object' || found === null || right === null)
    return [`${at}: ${JSON.stringify(found)} for ${JSON.stringify(right)}`];
  const names = new Set([...Object.keys(found), ...Object.keys(right)]);
  return [...names].flatMap((name) =>
    differences(
      (found as Record<string, unknown>)[name],
      (right as Record<string, unknown>)[name],
      `${at}/${name}`,
    ),
  );
}

/** Returns the parameters that the chosen mapping knows: a person is asked for no others. */
const ofMapping = ({ fit }: Inspection, params: Scene['params']): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([name]) => fit!.mapping.params.has(name)));

/** Answers all that is asked about a delivery, and compares its documents with the right ones. */
export async function judge({
  files,
  known,
  params,
  documents,
  keyOf,
  comparable,
  isStopped,
}: Scene): Promise<Outcome> {
  const given = new Map<string, string>();
  let found: Inspection | undefined;
  const questions = (): string[] => [...given].map(([id, answer]) => `${id}=${answer}`);
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      found = await proposeFor(files, {
        ready: READY,
        answers: { ...NO_ANSWERS, given },
        language: 'es',
        name: 'variante',
        params,
      });
      const asked = found.questions.filter(({ id }) => !given.has(id));
      if (asked.length === 0) break;
      for (const question of asked) given.set(question.id, said(known, question, found.open));
    }
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    const about = error.issues.map(
      ({ code, params: of, value }) => `${code} ${JSON.stringify(of)} ${value ?? ''}`,
    );
    return { state: 'refused', questions: questions(), about };
  }
  if (found!.questions.length > 0 || found!.fit === undefined)
    return {
      state: 'stuck',
      questions: questions(),
      about: found!.questions.map(({ id, title }) => `${id}: ${title}`),
    };
  try {
    const made = await prepareFiles({
      files,
      mappingText: stringify(found!.tree, { lineWidth: 0 }),
      params: ofMapping(found!, params),
    });
    if (isStopped) {
      const stops = made.issues.filter(({ level, code }) => level === 'error' && OF_COMPANIES.test(code));
      return {
        state: stops.length > 0 ? 'whole' : 'wrong',
        questions: questions(),
        about: [found!.fit.name, `made ${made.drafts.length} of ${documents.size}`],
      };
    }
    const left = new Map(documents);
    const wrong = made.drafts.flatMap(({ body }) => {
      const key = keyOf(body);
      const right = left.get(key);
      left.delete(key);
      return right === undefined
        ? [`document ${key} is not known`]
        : differences(plain(withoutNull(comparable(body))), plain(right)).map((text) => `${key}${text}`);
    });
    const errors = made.issues.flatMap(({ level, code, place, params: of }) =>
      level === 'error'
        ? [`${code} ${place.sheet ?? ''} ${place.label ?? ''} ${place.row ?? ''} ${JSON.stringify(of)}`]
        : [],
    );
    const state = wrong.length > 0 ? 'wrong' : left.size > 0 ? 'part' : 'whole';
    return {
      state,
      questions: questions(),
      about: [
        found!.fit.name,
        ...wrong,
        ...(left.size > 0 ? [`missing ${left.size} of ${documents.size}`, ...errors] : []),
      ],
    };
  } catch (error) {
    return { state: 'refused', questions: questions(), about: [String(error)] };
  }
}
