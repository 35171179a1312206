import type { Language } from '../core/issue.js';
import type { JsonValue } from '../core/json.js';
import { usualFields, withAddedFields } from '../documents/added-fields.js';
import { wantedOf } from '../documents/table-fit.js';
import { locateTable } from '../mapping/located.js';
import { isFlat } from '../mapping/record.js';
import { positionalHeader } from '../tables/header.js';
import type { TableFit } from './assign.js';
import { agreement } from './evidence.js';
import type { Setting } from './joins.js';
import { readColumns } from './label-texts.js';
import { type Answering, answersOf, DOUBTED, type Question, rounded, tell } from './question.js';
import type { Placed } from './sheet-questions.js';
import type { Uses } from './uses.js';

/** A place at which fields may have been put into every record of a file without header. */
interface Addition {
  /** Position of the first one, from 1. */
  readonly from: number;
  /** Share of the columns that what stands in their places may be, if so. */
  readonly score: number;
}

const MAX_OFFERED = 3;
const MAX_SHOWN = 3;

/** Returns the positions where surplus fields may have been added, the likeliest first; among equals the last. */
function additions(
  { table, header }: TableFit,
  wanted: number,
  count: number,
  uses: Uses,
): readonly Addition[] {
  const columns = readColumns(table);
  const shareAt = (from: number): number => {
    const fitting = columns.filter((column) => {
      const { position = 0 } = column.wanted;
      const content = header.contents[(position < from ? position : position + count) - 1];
      return content === undefined || ['agrees', 'blank'].includes(agreement(column, content, uses));
    });
    return fitting.length / columns.length;
  };
  return Array.from({ length: wanted + 1 }, (_, at) => wanted + 1 - at)
    .map((from) => ({ from, score: shareAt(from) }))
    .sort((a, b) => b.score - a.score);
}

/** Returns the settings of a table whose records have `count` more fields from a position on. */
function settingsOf(
  { table }: TableFit,
  { from, wanted, count, reason }: { from: number; wanted: number; count: number; reason: string },
): Setting {
  const at = (...path: string[]): string[] => ['tables', table.id, ...path];
  const moved = readColumns(table).filter(({ wanted: { position = 0 } }) => position >= from);
  const left = table.ignored.flatMap(({ positions }) => positions).filter((position) => position >= from);
  const added = Array.from({ length: count }, (_, index) => from + index);
  const ignored = [...added, ...left.map((position) => position + count)].sort((a, b) => a - b);
  // Those of the norm alone are read too, unless that would be in other places.
  const fields: JsonValue =
    from > wanted ? [...(table.spec.header?.fields ?? []), wanted + count] : [wanted + count];
  return [
    [at('header', 'fields'), fields],
    ...moved.map(
      ({ id, wanted: { position = 0 } }) => [at('columns', id), { position: position + count }] as const,
    ),
    [at('ignore'), [{ positions: ignored, reason }]],
  ];
}

const FIELDS = 'fields.';

/** True if a question asks for the positions of a table's columns. */
export const isOfPlaces = ({ id }: Question): boolean => id.startsWith(FIELDS);

/** Files without header whose records have more fields than the norm: which they are is shown by what stands in the others, or asked. */
export function widerRecords(
  { fit }: Placed,
  answering: Answering,
  language: Language,
): {
  readonly open: readonly Question[];
  readonly kept: ReadonlyMap<string, string>;
  readonly settings: Setting;
} {
  const open: Question[] = [];
  const kept = new Map<string, string>();
  const settings: Setting[number][] = [];
  for (const otherTable of fit.tables.filter(({ table }) => isFlat(table))) {
    const { table, sheet, header } = otherTable;
    const wanted = Math.max(...(table.spec.header?.fields ?? []));
    const count = (usualFields(sheet.rows) ?? 0) - wanted;
    if (!(count > 0)) continue;
    const positional = positionalHeader(wantedOf(table), table.ignored);
    const [issue] = withAddedFields(locateTable(table, sheet.source, positional, 0, {}), sheet.rows).issues;
    if (issue === undefined) continue;
    const reason = tell(language, 'fieldsReason');
    const settle = (from: number): void =>
      void settings.push(...settingsOf(otherTable, { from, wanted, count, reason }));
    if (issue.level === 'warning') {
      settle(wanted + 1);
      continue;
    }
    const describe = (from: number): string => {
      const shown = Array.from({ length: Math.min(count, MAX_SHOWN) }, (_, index) =>
        header.contents[from - 1 + index]?.distinct.slice(0, 1),
      );
      const positions = count === 1 ? `${from}` : `${from}–${from + count - 1}`;
      return tell(language, 'fieldsAt', { positions, values: shown.flat().join(', ') });
    };
    const found = additions(otherTable, wanted, count, fit.uses);
    const question: Question = {
      id: FIELDS + table.id,
      path: ['tables', table.id, 'header', 'fields'],
      title: tell(language, 'fields', { file: sheet.name, found: wanted + count, wanted }),
      samples: [],
      ...answersOf(
        found.slice(0, MAX_OFFERED).map(({ from, score }) => ({
          value: String(from),
          title: describe(from),
          score: rounded(score * DOUBTED),
        })),
        found.map(({ from }) => ({ value: String(from), title: describe(from) })),
      ),
    };
    const value = answering.answerTo(question);
    if (value === undefined) open.push(question);
    else {
      kept.set(question.id, value);
      settle(Number(value));
    }
  }
  return { open, kept, settings };
}
