import type { Issue, Place } from '../core/issue.js';
import { getOrAdd } from '../core/remember.js';
import type { Context } from '../mapping/record.js';

/** Issue not caused by a cell of the document, but by a parameter, the mapping, or a column that no file has. */
export interface GeneralIssue {
  /** Key of the issue as users perceive it. */
  readonly key: string;
  readonly issue: Issue;
  /** Place of the document, for an issue that only one document has and no parameter caused. */
  readonly record: Place | undefined;
}

/** Pointer into a list, whose items have other sources in every document. */
const IN_LIST = /\/\d+(\/|$)/;

/** Returns which tables have records in the document; the same tables fill the same leaves. */
function tablesOf({ at, sets }: Context): string {
  let text = '';
  for (let tableIndex = 0; tableIndex < Math.max(at.length, sets.length); tableIndex++) {
    const record = at[tableIndex];
    let last: number | undefined;
    if (record !== undefined) text += record.table.number;
    else
      for (const { table } of sets[tableIndex] ?? []) {
        if (table.number !== last) text += `${table.number}+`;
        last = table.number;
      }
    text += ' ';
  }
  return text;
}

const foundKey = (tables: string, { code, level, params, place, value }: Issue): string =>
  [tables, code, level, place.pointer, value, ...Object.values(params)].join('\n');

const reportedKey = ({ code, level, params, place, value }: Issue): string => {
  const { file, sheet, param, mapping, pointer = '' } = place;
  const leaf = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  return [code, level, file, sheet, param, mapping, leaf, value, ...Object.values(params)].join('\n');
};

/** Remembers which issues are general, so that issues common to all documents are analysed once. */
export class GeneralMemo {
  /** General issues by key of the found issue; undefined if the header's issue covers it. */
  private readonly noted = new Map<string, GeneralIssue | undefined>();
  /** Cache by issue object: rules return the same object for the same finding. */
  private readonly seen = new WeakMap<
    Issue,
    { readonly tables: string; readonly general: GeneralIssue | undefined }
  >();

  /** Returns the general issues of a document, or undefined if an issue was not noted before. */
  known(context: Context, issues: readonly Issue[]): readonly GeneralIssue[] | undefined {
    if (this.noted.size === 0) return undefined;
    const tables = tablesOf(context);
    const general: GeneralIssue[] = [];
    for (const issue of issues) {
      let known = this.seen.get(issue);
      if (known?.tables !== tables) {
        const key = foundKey(tables, issue);
        if (!this.noted.has(key)) return undefined;
        known = { tables, general: this.noted.get(key) };
        this.seen.set(issue, known);
      }
      if (known.general !== undefined) general.push(known.general);
    }
    return general;
  }

  /** @param reported the issue to report; undefined if the header's issue covers it */
  note(context: Context, found: Issue, reported?: Issue, record?: Place): GeneralIssue | undefined {
    const general = reported && { key: reportedKey(reported), issue: reported, record };
    if (!IN_LIST.test(found.place.pointer ?? '')) this.noted.set(foundKey(tablesOf(context), found), general);
    return general;
  }
}

interface Counted extends GeneralIssue {
  documents: number;
  /** Last counted document: an issue counts once per document. */
  last: object | undefined;
}

/** Counts the documents with each general issue. */
export class GeneralCounts {
  private readonly counted = new Map<string, Counted>();

  add(document: object, issues: readonly GeneralIssue[]): void {
    for (const issue of issues) {
      const counted = getOrAdd(this.counted, issue.key, () => ({ ...issue, documents: 0, last: undefined }));
      if (counted.last === document) continue;
      counted.documents += 1;
      counted.last = document;
    }
  }

  /** Returns each issue once with its number of documents; call it after all checks. */
  issues(): readonly Issue[] {
    return [...this.counted.values()].map(({ issue, record, documents }): Issue => {
      const { param, mapping, pointer } = issue.place;
      if (documents > 1 || record === undefined || param !== undefined || mapping !== undefined)
        return { ...issue, documents };
      return { ...issue, place: { ...record, ...(pointer !== undefined && { pointer }) } };
    });
  }
}
