import type { Decided, Delivery, Family, Notes } from '../families/family.js';
import { capability } from '../families/registry.js';
import type { Journal } from '../send/journal.js';
import { bodyOf, type PlannedDocument, plannedOf } from '../send/planned-document.js';
import type { Context } from './context.js';

/** Documents of one act that are named; of more it is said how many they are. */
const MOST_NAMED = 1_000;

/** Those of one act that are shown as a person knows them who decides. */
const MOST_DECIDED = 20;

interface Act {
  count: number;
  readonly names: string[];
  readonly decided: Decided[];
}

/** A document as its number, name and last total tell it: of a payroll the net. */
function decidedBy({ totals }: Delivery, document: PlannedDocument): Decided {
  const { number, name } = document;
  const total = Object.values(totals?.(bodyOf(document)) ?? {}).at(-1);
  return { number, ...(name !== undefined && { name }), ...(total !== undefined && { total }) };
}

/**
 * Tells which documents of a run nobody can take back, by what they are called; returns how many they are.
 * @param all whether the others are told too
 */
export async function tellDocuments(
  context: Context,
  journal: Journal,
  kind: Delivery,
  run: string,
  all = kind.decision?.all,
): Promise<number> {
  const { decision } = kind;
  if (decision === undefined && !all) return 0;
  const acts = new Map<string | undefined, Act>();
  for await (const document of plannedOf(journal, run)) {
    if (document.position.state !== 'planned') continue;
    const name = decision?.irreversible(bodyOf(document));
    if (name === undefined && !all) continue;
    const act = acts.get(name) ?? { count: 0, names: [], decided: [] };
    acts.set(name, act);
    act.count += 1;
    if (act.names.length < MOST_NAMED) act.names.push(document.key);
    if (act.count <= MOST_DECIDED)
      act.decided.push((await decision?.decided(journal, document)) ?? decidedBy(kind, document));
  }
  let final = 0;
  for (const [act, { count, names, decided }] of acts) {
    if (act === undefined) context.tell({ event: 'to-decide', count, decided });
    else {
      context.tell({ event: 'irreversible', act, count, names, decided });
      final += count;
    }
  }
  return final;
}

/** What each person is paid against the month before, for who knows them. */
export async function tellDifferences(
  context: Context,
  journal: Journal,
  family: Family,
  { run, testSet }: { readonly run: string; readonly testSet: string | undefined },
): Promise<void> {
  const report = await capability(family, 'report');
  const counts = new Map<string, { changed: number; fresh: number; missing: number }>();
  for await (const one of report?.differences?.(journal, run, testSet, 'planned') ?? []) {
    const count = counts.get(one.month) ?? { changed: 0, fresh: 0, missing: 0 };
    counts.set(one.month, count);
    count[one.is === undefined ? 'missing' : one.was === undefined ? 'fresh' : 'changed'] += 1;
    context.tell({ event: 'difference', ...one });
    await context.taken();
  }
  for (const [month, count] of counts) context.tell({ event: 'differences', month, ...count });
}

/**
 * Tells what a draft would change, per person and field. `isWhole`: the file is a whole month, so that a deletion that
 * no document of the run waits for means that somebody is merely not in it any more.
 */
export async function tellChanges(
  context: Context,
  journal: Journal,
  by: Notes,
  run: string,
  isWhole: boolean,
): Promise<void> {
  for await (const change of by.changes(journal, run, 'planned')) {
    const proposed = isWhole && change.kind === 'delete' && change.leads === undefined;
    context.tell({ event: 'change', change, proposed });
    await context.taken();
  }
}
