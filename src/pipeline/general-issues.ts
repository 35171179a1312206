import type { Issue } from '../issues/issue.js';
import type { Context } from '../mapping/context.js';

/** Issues that no cell of a document caused: a parameter did, or a column that no file has. */
export interface GeneralIssues {
  /** Whether all of them were noted before, of documents made of the same tables. */
  knows(context: Context, issues: readonly Issue[]): boolean;
  /** `issue` as the document's check found it. */
  note(context: Context, issue: Issue): void;
}

/** A leaf in a list has other sources in every document. */
const IN_LIST = /\/\d+(\/|$)/;

/** Which tables have records in the document: from the same ones, the same leaves are fed. */
function tablesOf({ at, sets }: Context): string {
  let text = '';
  for (let slot = 0; slot < Math.max(at.length, sets.length); slot++) {
    const record = at[slot];
    let last: number | undefined;
    if (record !== undefined) text += record.table.number;
    else
      for (const { table } of sets[slot] ?? []) {
        if (table.number !== last) text += `${table.number}+`;
        last = table.number;
      }
    text += ' ';
  }
  return text;
}

const keyOf = (tables: string, { code, level, params, place, value }: Issue): string =>
  [tables, code, level, place.pointer, value, ...Object.values(params)].join('\n');

/** What every document of a run has alike is worked out for the first one only. */
export function createGeneralIssues(): GeneralIssues {
  const known = new Set<string>();
  /** Rules give the same object while they find the same; it need not be looked at again. */
  const seen = new WeakMap<Issue, string>();
  return {
    knows(context, issues) {
      if (known.size === 0) return false;
      const tables = tablesOf(context);
      return issues.every((issue) => {
        if (seen.get(issue) === tables) return true;
        if (!known.has(keyOf(tables, issue))) return false;
        seen.set(issue, tables);
        return true;
      });
    },
    note(context, issue) {
      if (IN_LIST.test(issue.place.pointer ?? '')) return;
      known.add(keyOf(tablesOf(context), issue));
    },
  };
}
