import { stringify } from 'yaml';
import type { Inspection } from '../../src/toolkit/inspect/inspect.js';
import type { LabelFit } from '../../src/toolkit/inspect/labels.js';
import { EACH_RUN } from '../../src/toolkit/inspect/param-questions.js';
import { NO_ANSWERS, type Question } from '../../src/toolkit/inspect/question.js';
import type { ReadyMapping } from '../../src/toolkit/inspect/ready.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { proposeFor } from '../support/opened-files.js';

export const READY: readonly ReadyMapping[] = await Promise.all(
  ['payroll/wide', 'payroll/split', 'payroll/multi-sheet', 'payroll/long'].map(async (name) => ({
    name,
    mapping: await loadMapping(`mappings/${name}.yaml`),
  })),
);

export const look = (
  files: readonly string[],
  given: ReadonlyMap<string, string> = new Map(),
): Promise<Inspection> =>
  proposeFor(files, { ready: READY, answers: { ...NO_ANSWERS, given }, language: 'es', name: 'prueba' });

/** What a person knows of a file: what each label means, and answers to what else is asked. */
export interface Knowledge {
  /** Label key, or the label itself → column id. Labels not named are not used. */
  readonly labels: Readonly<Record<string, string>>;
  readonly answers?: Readonly<Record<string, string>>;
}

/** A workbook that says the same as a sample in another way, and what a person would know about it. */
export interface Variant {
  readonly name: string;
  readonly sample: string;
  readonly files: () => Promise<readonly string[]>;
  readonly layout: string;
  readonly known: Knowledge;
  /** Parameters that this way of writing needs. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Questions that must come up. */
  readonly asks?: readonly string[];
  /** Words decide everything. */
  readonly asksNothing?: true;
}

export const meaningOf = ({ labels }: Knowledge, { key, label, group }: LabelFit): string =>
  labels[key] ?? labels[`${group} / ${label}`] ?? labels[label ?? ''] ?? 'ignore';

function answer(question: Question, found: Inspection, known: Knowledge): string {
  const said = known.answers?.[question.id];
  if (said !== undefined) return said;
  if (question.id.startsWith('param.')) return EACH_RUN;
  const fit = found.labels.find(({ id }) => id === question.id);
  if (fit === undefined) throw new Error(`unexpected question ${question.id}: ${question.title}`);
  return meaningOf(known, fit);
}

export interface Answered {
  /** As it was before any answer. */
  readonly first: Inspection;
  readonly last: Inspection;
  readonly asked: readonly string[];
  readonly mapping: string;
}

/** Inspects and answers until nothing is open. */
export async function answerAll(files: readonly string[], known: Knowledge): Promise<Answered> {
  const first = await look(files);
  const given = new Map<string, string>();
  let last = first;
  for (let round = 0; last.open.length > 0 && round < 5; round++) {
    for (const question of last.open) given.set(question.id, answer(question, last, known));
    last = await look(files, given);
  }
  return { first, last, asked: [...given.keys()], mapping: stringify(last.tree, { lineWidth: 0 }) };
}
