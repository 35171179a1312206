import type { Issue } from '../toolkit/core/issue.js';
import { createIssue } from './create-issue.js';
import type { Sql } from './database.js';
import type { Advice, Series } from './kind.js';

export interface NumberingOptions {
  readonly journal: Sql;
  /** First number that the user wants, in every series or by series: advice, since a number is given once. */
  readonly first?: number | ((series: Series) => Promise<number | undefined>);
  readonly advice?: Advice;
  /**
   * Receives a warning if numbers begin elsewhere than wanted (`send/start-too-low`), leave some out
   * (`send/number-gap`), may have no range (`send/no-range`), and once why the service answers no question.
   */
  readonly onIssue?: (issue: Issue) => void | Promise<void>;
}

/**
 * Returns the next number of a series, each once. Counts on from the highest number that journal or service know; asks
 * for the start once per series.
 */
export function numbering({ journal, first: wanted, advice, onIssue }: NumberingOptions) {
  const next = new Map<string, number>();
  let isRefusalReported = false;

  async function start(series: Series): Promise<number> {
    const found = await journal.first<{ highest: number | null }>(
      'SELECT max(consecutive) AS highest FROM document WHERE type_document_id = ? AND prefix = ?',
      series.typeDocumentId,
      series.prefix,
    );
    const used = found?.highest ?? 0;
    const first = typeof wanted === 'function' ? await wanted(series) : wanted;
    const { prefix } = series;
    const advised = await advice?.(series);
    if (advised === 'no-range') await onIssue?.(createIssue('send/no-range', { prefix }));
    // It stops the sending itself, and is reported before the user confirms that.
    if (typeof advised === 'object' && !isRefusalReported) {
      isRefusalReported = true;
      await onIssue?.({ ...advised, level: 'warning' });
    }
    const free = Math.max(used + 1, typeof advised === 'number' ? advised : 1);
    if (first === undefined || first === free) return free;
    if (first < free)
      await onIssue?.(createIssue('send/start-too-low', { start: first, next: free, prefix }));
    // A series without numbers has no gap.
    else if (free > 1) await onIssue?.(createIssue('send/number-gap', { prefix, from: free, to: first - 1 }));
    return Math.max(first, free);
  }

  return (series: Series) => {
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

/** True if the journal has given a number of the series. */
export async function seriesInUse(journal: Sql, { typeDocumentId, prefix }: Series): Promise<boolean> {
  const sql = 'SELECT 1 FROM document WHERE type_document_id = ? AND prefix = ? LIMIT 1';
  return (await journal.first(sql, typeDocumentId, prefix)) !== undefined;
}

export interface NumberRange extends Series {
  readonly from: number;
  readonly to: number;
}

const EACH = `(
  SELECT type_document_id, prefix, consecutive AS low, consecutive AS high FROM document WHERE consecutive IS NOT NULL)`;

/** Returns numbers between the first and the last of a series that no document has. */
export const numberGaps = (journal: Sql): Promise<readonly NumberRange[]> =>
  journal.all<NumberRange>(`
    SELECT type_document_id AS "typeDocumentId", prefix, before + 1 AS "from", low - 1 AS "to" FROM (
      SELECT type_document_id, prefix, low,
        lag(high) OVER (PARTITION BY type_document_id, prefix ORDER BY low) AS before
      FROM ${journal.numbers ?? EACH} AS ranges) AS neighbours
    WHERE low > before + 1
    ORDER BY type_document_id, prefix, low`);

/** Returns numbers of a run's documents that were not accepted. */
export const rejectedNumbers = (journal: Sql, run: string): Promise<readonly NumberRange[]> =>
  journal.all<NumberRange>(
    `
    SELECT type_document_id AS "typeDocumentId", prefix, min(consecutive) AS "from", max(consecutive) AS "to" FROM (
      SELECT type_document_id, prefix, consecutive,
        consecutive - row_number() OVER (PARTITION BY type_document_id, prefix ORDER BY consecutive) AS island
      FROM document WHERE run = ? AND state = 'rejected' AND consecutive IS NOT NULL) AS islands
    GROUP BY type_document_id, prefix, island
    ORDER BY type_document_id, prefix, min(consecutive)`,
    run,
  );
