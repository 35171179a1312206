import type { Issue, Place } from '../issues/issue.js';
import type { Context } from '../mapping/context.js';

/** Issues that no cell of a document caused: a parameter did, the mapping, or a column that no file has. Each is said once, with how many documents have it. */
export interface GeneralIssues {
  /** Whether all of them were noted before, of documents made of the same tables; this document is then counted. */
  knows(context: Context, issues: readonly Issue[]): boolean;
  /**
   * `found` as the document's check found it; `said` as it is to be said, undefined where the header's own issue says it.
   * `record` is where the document stands: an issue that only this one has, and no parameter caused, is told there.
   */
  note(context: Context, found: Issue, said?: Issue, record?: Place): void;
  /** Once all documents are made. */
  finish(): readonly Issue[];
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

/** What people read as one and the same. */
const saidKey = ({ code, level, params, place, value }: Issue): string => {
  const { file, sheet, param, mapping, pointer = '' } = place;
  const leaf = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  return [code, level, file, sheet, param, mapping, leaf, value, ...Object.values(params)].join('\n');
};

interface Said {
  readonly issue: Issue;
  readonly record: Place | undefined;
  documents: number;
  /** The document that was counted last: one that has it twice counts once. */
  last: Context | undefined;
}

function count(said: Said | undefined, context: Context): void {
  if (said === undefined || said.last === context) return;
  said.documents += 1;
  said.last = context;
}

function tell({ issue, record, documents }: Said): Issue {
  const { param, mapping, pointer } = issue.place;
  if (documents > 1 || record === undefined || param !== undefined || mapping !== undefined)
    return { ...issue, documents };
  return { ...issue, place: { ...record, ...(pointer !== undefined && { pointer }) } };
}

/** What every document of a run has alike is worked out for the first one only. */
export function createGeneralIssues(): GeneralIssues {
  const known = new Map<string, Said | undefined>();
  const all = new Map<string, Said>();
  /** Rules give the same object while they find the same; it need not be looked at again. */
  const seen = new WeakMap<Issue, { readonly tables: string; readonly said: Said | undefined }>();

  function saidOf(tables: string, issue: Issue): Said | undefined | null {
    const before = seen.get(issue);
    if (before?.tables === tables) return before.said;
    const key = keyOf(tables, issue);
    if (!known.has(key)) return null;
    const said = known.get(key);
    seen.set(issue, { tables, said });
    return said;
  }

  return {
    knows(context, issues) {
      if (known.size === 0) return false;
      const tables = tablesOf(context);
      const found = issues.map((issue) => saidOf(tables, issue));
      if (found.includes(null)) return false;
      for (const said of found) count(said ?? undefined, context);
      return true;
    },
    note(context, issue, told, record) {
      let said: Said | undefined;
      if (told !== undefined) {
        const key = saidKey(told);
        said = all.get(key);
        if (said === undefined) {
          said = { issue: told, record, documents: 0, last: undefined };
          all.set(key, said);
        }
        count(said, context);
      }
      if (!IN_LIST.test(issue.place.pointer ?? '')) known.set(keyOf(tablesOf(context), issue), said);
    },
    finish: () => [...all.values()].map(tell),
  };
}
