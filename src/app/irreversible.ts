import type { Family } from '../families/family.js';
import type { Journal } from '../send/journal.js';
import { bodyOf, spooledOf } from '../send/spooled.js';
import type { Context } from './context.js';

/** Documents of one act that are named; of more it is said how many they are. */
const MOST_NAMED = 1_000;

/** Tells which documents of a run nobody can take back, by what they are called; returns how many they are. */
export async function tellIrreversible(
  context: Context,
  journal: Journal,
  { irreversible }: Family,
  run: string,
): Promise<number> {
  if (irreversible === undefined) return 0;
  const acts = new Map<string, { count: number; readonly names: string[] }>();
  for await (const document of spooledOf(journal, run)) {
    if (document.position.state !== 'planned') continue;
    const act = irreversible(bodyOf(document));
    if (act === undefined) continue;
    const known = acts.get(act) ?? { count: 0, names: [] };
    acts.set(act, known);
    known.count += 1;
    if (known.names.length < MOST_NAMED) known.names.push(document.key);
  }
  let all = 0;
  for (const [act, { count, names }] of acts) {
    context.tell({ event: 'irreversible', act, count, names });
    all += count;
  }
  return all;
}
