import type { Issue, Place } from '../core/issue.js';
import type { Context } from '../mapping/record.js';

/** An issue that no cell of a document caused: a parameter did, the mapping, or a column that no file has. */
export interface GeneralIssue {
  /** What people read as one and the same has one key. */
  readonly key: string;
  readonly issue: Issue;
  /** Where the document stands: an issue that only this one has, and no parameter caused, is told there. */
  readonly record: Place | undefined;
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

const foundKey = (tables: string, { code, level, params, place, value }: Issue): string =>
  [tables, code, level, place.pointer, value, ...Object.values(params)].join('\n');

const toldKey = ({ code, level, params, place, value }: Issue): string => {
  const { file, sheet, param, mapping, pointer = '' } = place;
  const leaf = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  return [code, level, file, sheet, param, mapping, leaf, value, ...Object.values(params)].join('\n');
};

/** Remembers which issues of documents are general: what all documents have alike is worked out for the first one only. */
export class GeneralMemo {
  /** By what the check of a document found; undefined where the header's own issue tells it. */
  private readonly noted = new Map<string, GeneralIssue | undefined>();
  /** Rules give the same object while they find the same; it need not be looked at again. */
  private readonly seen = new WeakMap<
    Issue,
    { readonly tables: string; readonly general: GeneralIssue | undefined }
  >();

  /** Returns the general ones among the issues of a document; undefined if not all of them were noted before. */
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

  /** @param told the issue as it is to be told; undefined where the header's own issue tells it */
  note(context: Context, found: Issue, told?: Issue, record?: Place): GeneralIssue | undefined {
    const general = told && { key: toldKey(told), issue: told, record };
    if (!IN_LIST.test(found.place.pointer ?? '')) this.noted.set(foundKey(tablesOf(context), found), general);
    return general;
  }
}

interface Counted extends GeneralIssue {
  documents: number;
  /** The document that was counted last: one that has it twice counts once. */
  last: object | undefined;
}

/** Counts the documents that have each general issue. */
export class GeneralCounts {
  private readonly counted = new Map<string, Counted>();

  add(document: object, issues: readonly GeneralIssue[]): void {
    for (const issue of issues) {
      let counted = this.counted.get(issue.key);
      if (counted === undefined) {
        counted = { ...issue, documents: 0, last: undefined };
        this.counted.set(issue.key, counted);
      }
      if (counted.last === document) continue;
      counted.documents += 1;
      counted.last = document;
    }
  }

  /** Each issue once, with how many documents have it; call it when all are checked. */
  issues(): readonly Issue[] {
    return [...this.counted.values()].map(({ issue, record, documents }): Issue => {
      const { param, mapping, pointer } = issue.place;
      if (documents > 1 || record === undefined || param !== undefined || mapping !== undefined)
        return { ...issue, documents };
      return { ...issue, place: { ...record, ...(pointer !== undefined && { pointer }) } };
    });
  }
}
