import type { Decided, Family } from '../families/family.js';
import type { Journal } from '../send/journal.js';
import { bodyOf, spooledOf } from '../send/spooled.js';
import type { Context } from './context.js';
import type { SpooledRun } from './spool.js';

/** Documents of one act that are named; of more it is said how many they are. */
const MOST_NAMED = 1_000;

/** Those of one act that are shown as a person knows them who decides. */
const MOST_DECIDED = 20;

/** What the files show of documents, by their keys; a run that was held has only its journal. */
type Details = SpooledRun['details'];

interface Act {
  count: number;
  readonly names: string[];
  readonly decided: Decided[];
}

/** Tells which documents of a run nobody can take back, by what they are called; returns how many they are. */
export async function tellIrreversible(
  context: Context,
  journal: Journal,
  family: Family,
  run: string,
  details?: Details,
): Promise<number> {
  const { irreversible, reading, decided } = family;
  if (irreversible === undefined && reading === undefined) return 0;
  const acts = new Map<string | undefined, Act>();
  for await (const document of spooledOf(journal, run)) {
    if (document.position.state !== 'planned') continue;
    const name = irreversible?.(bodyOf(document));
    if (name === undefined && reading === undefined) continue;
    const act = acts.get(name) ?? { count: 0, names: [], decided: [] };
    acts.set(name, act);
    act.count += 1;
    if (act.names.length < MOST_NAMED) act.names.push(document.key);
    if (decided !== undefined && act.count <= MOST_DECIDED)
      act.decided.push(await decided(journal, document, details?.get(document.key)));
  }
  let all = 0;
  for (const [act, { count, names, decided }] of acts) {
    if (act === undefined) context.tell({ event: 'to-read', count, decided });
    else {
      context.tell({ event: 'irreversible', act, count, names, decided });
      all += count;
    }
  }
  return all;
}
