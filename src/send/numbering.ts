import type { Issue } from '../core/issue.js';
import type { Journal } from './journal.js';
import type { Advice, Series } from './kind.js';
import { say } from './say.js';

export interface NumberingOptions {
  readonly journal: Journal;
  /** Where the person wants to begin, in every series or by series: advice, since a number is given once. */
  readonly first?: number | ((series: Series) => number | undefined);
  readonly advice?: Advice;
  /** Told where numbers begin elsewhere than wanted (`send/start-too-low`), or leave some out (`send/number-gap`). */
  readonly onIssue?: (issue: Issue) => void;
}

/** Hands out numbers, each once. */
export type NextNumber = (series: Series) => number | Promise<number>;

/** Counts on from the highest number that journal or service know; the start is asked for once a series. */
export function numbering({ journal, first: wanted, advice, onIssue }: NumberingOptions): NextNumber {
  const next = new Map<string, number>();
  const highest = journal.prepare(
    'SELECT max(consecutive) AS highest FROM document WHERE type_document_id = ? AND prefix = ?',
  );

  async function start(series: Series): Promise<number> {
    const used =
      highest.first<{ highest: number | null }>(series.typeDocumentId, series.prefix)?.highest ?? 0;
    const first = typeof wanted === 'function' ? wanted(series) : wanted;
    const free = Math.max(used + 1, (await advice?.(series)) ?? 1);
    const { prefix } = series;
    if (first === undefined || first === free) return free;
    if (first < free) onIssue?.(say('send/start-too-low', { start: first, next: free, prefix }));
    // Of a series that nobody has begun nothing is left out.
    else if (free > 1) onIssue?.(say('send/number-gap', { prefix, from: free, to: first - 1 }));
    return Math.max(first, free);
  }

  return (series) => {
    const key = `${series.typeDocumentId}|${series.prefix}`;
    const known = next.get(key);
    if (known === undefined)
      return start(series).then((number) => {
        next.set(key, number + 1);
        return number;
      });
    next.set(key, known + 1);
    return known;
  };
}

/** Whether the journal has given a number of the series. */
export const seriesInUse = (journal: Journal, { typeDocumentId, prefix }: Series): boolean =>
  journal
    .prepare('SELECT 1 FROM document WHERE type_document_id = ? AND prefix = ? LIMIT 1')
    .first(typeDocumentId, prefix) !== undefined;

export interface NumberRange extends Series {
  readonly from: number;
  readonly to: number;
}

/** Numbers between the first and the last of a series that no document has. */
export const numberGaps = (journal: Journal): readonly NumberRange[] =>
  journal
    .prepare(`
      SELECT type_document_id AS typeDocumentId, prefix, before + 1 AS "from", consecutive - 1 AS "to" FROM (
        SELECT type_document_id, prefix, consecutive,
          lag(consecutive) OVER (PARTITION BY type_document_id, prefix ORDER BY consecutive) AS before
        FROM document WHERE consecutive IS NOT NULL)
      WHERE consecutive > before + 1
      ORDER BY typeDocumentId, prefix, "from"`)
    .all<NumberRange>();

/** Numbers spent on documents of a run that were not accepted. */
export const rejectedNumbers = (journal: Journal, run: string): readonly NumberRange[] =>
  journal
    .prepare(`
      SELECT type_document_id AS typeDocumentId, prefix, min(consecutive) AS "from", max(consecutive) AS "to" FROM (
        SELECT type_document_id, prefix, consecutive,
          consecutive - row_number() OVER (PARTITION BY type_document_id, prefix ORDER BY consecutive) AS island
        FROM document WHERE run = ? AND state = 'rejected' AND consecutive IS NOT NULL)
      GROUP BY typeDocumentId, prefix, island
      ORDER BY typeDocumentId, prefix, "from"`)
    .all<NumberRange>(run);
