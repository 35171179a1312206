import { readdirSync } from 'node:fs';
import { stringify } from 'yaml';
import type { Inspection } from '../../src/toolkit/inspect/inspect.js';
import { EACH_RUN } from '../../src/toolkit/inspect/param-questions.js';
import { NO_ANSWERS } from '../../src/toolkit/inspect/question.js';
import type { ReadyMapping } from '../../src/toolkit/inspect/ready.js';
import { Survey } from '../../src/toolkit/inspect/survey.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { proposeFor } from '../support/opened-files.js';

export type Found = Inspection;

const loaded = new Map<string, Promise<readonly ReadyMapping[]>>();

/** A family, or one without one of its ready-made mappings. */
type Family = string | { readonly family: string; readonly without: string };

/** All ready-made mappings of a family. */
export async function readyOf(of: Family): Promise<readonly ReadyMapping[]> {
  if (typeof of !== 'string') return (await readyOf(of.family)).filter(({ name }) => name !== of.without);
  const family = of;
  const known =
    loaded.get(family) ??
    Promise.all(
      readdirSync(`mappings/${family}`).map(async (file) => ({
        name: `${family}/${file.replace('.yaml', '')}`,
        mapping: await loadMapping(`mappings/${family}/${file}`),
      })),
    );
  loaded.set(family, known);
  return known;
}

/** What inspecting files finds with these answers. */
export const findIn = async (
  files: readonly string[],
  family: Family,
  given: ReadonlyMap<string, string> = new Map(),
  survey?: Survey,
): Promise<Inspection> =>
  proposeFor(files, {
    ready: await readyOf(family),
    ...(survey && { survey }),
    answers: { ...NO_ANSWERS, given },
    language: 'es',
    name: 'prueba',
  });

/** Answers every question by its id, until none is open or one has no answer. */
export async function answered(
  files: readonly string[],
  family: Family,
  answer: (id: string) => string | undefined,
): Promise<{
  readonly mapping: string;
  readonly open: readonly string[];
  readonly asked: readonly string[];
}> {
  const given = new Map<string, string>();
  const survey = new Survey(await readyOf(family));
  for (;;) {
    const { open, tree } = await findIn(files, family, given, survey);
    const before = given.size;
    for (const { id } of open) {
      const value = answer(id) ?? (id.startsWith('param.') ? EACH_RUN : undefined);
      if (value !== undefined) given.set(id, value);
    }
    if (given.size === before)
      return {
        mapping: stringify(tree, { lineWidth: 0 }),
        open: open.map(({ id }) => id),
        asked: [...given.keys()],
      };
  }
}
