import type { ApprovalDetails, Delivery, Family, Notes } from '../families/family.js';
import { capability } from '../families/registry.js';
import type { Journal } from '../send/journal.js';
import { bodyOf, type PlannedDocument, plannedOf } from '../send/planned-document.js';
import type { Context } from './context.js';

const MAX_LISTED_NAMES = 1_000;

/** Max documents per action shown with details. */
const MAX_DECIDED = 20;

interface Act {
  count: number;
  readonly names: string[];
  readonly decided: ApprovalDetails[];
}

/** Returns number, name and last total of a document; for payroll that is the net pay. */
function summaryOf({ totals }: Delivery, document: PlannedDocument): ApprovalDetails {
  const { number, name } = document;
  const total = Object.values(totals?.(bodyOf(document)) ?? {}).at(-1);
  return { number, ...(name !== undefined && { name }), ...(total !== undefined && { total }) };
}

/** Emits the irreversible documents of a draft; returns their number. @param all true to emit the others too */
export async function emitDocuments(
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
    if (act.names.length < MAX_LISTED_NAMES) act.names.push(document.key);
    if (act.count <= MAX_DECIDED)
      act.decided.push((await decision?.decided(journal, document)) ?? summaryOf(kind, document));
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

/** Emits the difference of each employee's pay from the month before. */
export async function emitDifferences(
  context: Context,
  journal: Journal,
  family: Family,
  { run, testSet }: { readonly run: string; readonly testSet: string | undefined },
): Promise<void> {
  const report = await capability(family, 'report');
  const counts = new Map<string, { changed: number; fresh: number; missing: number }>();
  for await (const difference of report?.months?.differences(journal, run, testSet, 'planned') ?? []) {
    const count = counts.get(difference.month) ?? { changed: 0, fresh: 0, missing: 0 };
    counts.set(difference.month, count);
    count[difference.is === undefined ? 'missing' : difference.was === undefined ? 'fresh' : 'changed'] += 1;
    context.tell({ event: 'difference', ...difference });
    await context.taken();
  }
  for (const [month, count] of counts) context.tell({ event: 'differences', month, ...count });
}

/**
 * Emits the changes a draft makes, per employee and field. `isWhole`: the file is a complete month, so a deletion not
 * linked to another document means the employee is merely missing.
 */
export async function emitChanges(
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
