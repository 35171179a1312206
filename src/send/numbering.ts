import type { Client } from '../client/client.js';
import { stop } from '../issues/pipeline-error.js';
import type { Journal } from './journal.js';
import type { Series } from './kind.js';
import { isObject } from './soap-json.js';

export interface NumberingOptions {
  readonly journal: Journal;
  /** Where the person wants to begin, in every series or by series. Too low is a PipelineError (`send/start-too-low`). */
  readonly first?: number | ((series: Series) => number | undefined);
  /** What the service thinks comes next: advice, since two senders are told the same. */
  readonly advice?: (series: Series) => Promise<number | undefined>;
}

/** Hands out numbers, each once. */
export type NextNumber = (series: Series) => number | Promise<number>;

/** Counts on from the highest number that journal or service know; the start is asked for once a series. */
export function numbering({ journal, first: wanted, advice }: NumberingOptions): NextNumber {
  const next = new Map<string, number>();
  const highest = journal.prepare(
    'SELECT max(consecutive) AS highest FROM document WHERE type_document_id = ? AND prefix = ?',
  );

  async function start(series: Series): Promise<number> {
    const used =
      highest.first<{ highest: number | null }>(series.typeDocumentId, series.prefix)?.highest ?? 0;
    const first = typeof wanted === 'function' ? wanted(series) : wanted;
    const free = Math.max(used + 1, (await advice?.(series)) ?? 1);
    if (first !== undefined && first < free)
      stop('usage', {
        code: 'send/start-too-low',
        params: { start: first, next: free, prefix: series.prefix },
      });
    return first ?? free;
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

/** Asks the service; newer lines answer for another prefix, and then the answer is nothing to us (service.md 4.10). */
export const numberAdvice =
  (client: Client): NonNullable<NumberingOptions['advice']> =>
  async ({ typeDocumentId, prefix }) => {
    if (typeDocumentId !== 9 && typeDocumentId !== 10) return undefined;
    const answer = await client.call('getCurrentNumber', { path: { type: typeDocumentId, prefix } });
    if (answer.kind !== 'json' || answer.status !== 200 || !isObject(answer.body)) return undefined;
    const { number, prefix: answered } = answer.body;
    return answered === prefix && Number.isSafeInteger(Number(number)) && Number(number) > 0
      ? Number(number)
      : undefined;
  };

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

/** Numbers spent on documents of a run that were not accepted, `NOM12`. */
export const rejectedNumbers = (journal: Journal, run: string): readonly string[] =>
  journal
    .prepare(`
      SELECT prefix || consecutive AS number FROM document
      WHERE run = ? AND state = 'rejected' AND consecutive IS NOT NULL ORDER BY sequence`)
    .all<{ number: string }>(run)
    .map(({ number }) => number);
