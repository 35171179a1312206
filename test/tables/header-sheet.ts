import { formatPlace } from '../../src/toolkit/core/issue.js';
import { columnLetter } from '../../src/toolkit/core/text.js';
import {
  findHeader,
  type Header,
  type HeaderOptions,
  type WantedColumn,
} from '../../src/toolkit/tables/header.js';
import type { Row, RowSource } from '../../src/toolkit/tables/table.js';

export const SHEET: RowSource = {
  file: 'nomina.xlsx',
  sheet: 'Hoja',
  async *batches() {},
};

export const rowOf = (number: number, texts: readonly (string | undefined)[]): Row => ({
  number,
  hidden: false,
  texts,
  kinds: undefined,
});

/** A drawn sheet: a line a row, cells between bars; blank lines are left out, as sources do. */
export const drawn = (drawing: string): Row[] =>
  drawing
    .replace(/^\n/, '')
    .split('\n')
    .map((line, index) =>
      rowOf(
        index + 1,
        line.split('|').map((cell) => (cell.trim() === '' ? undefined : cell.trim().replaceAll('⏎', '\n'))),
      ),
    )
    .filter(({ texts }) => texts.some((text) => text !== undefined));

/** `id: title, title @ GROUP +` per line or argument; `+` marks several. */
export const wants = (...lines: string[]): WantedColumn[] =>
  lines.map((line) => {
    const [, id, titles, groups, several] = /^(\w+):([^@+]*)(?:@([^+]*))?(\+)?$/.exec(line)!;
    const list = (text: string): string[] => text.split(',').map((one) => one.trim());
    return {
      id: id!,
      titles: list(titles!),
      ...(groups !== undefined && { groups: list(groups) }),
      ...(several !== undefined && { several: true }),
    };
  });

export const find = (
  drawing: string,
  wanted: readonly WantedColumn[],
  options: Partial<HeaderOptions> = {},
): Header => {
  const found = findHeader(SHEET, drawn(drawing), wanted, { within: 30, mustHave: [], ...options });
  if (found === undefined) throw new Error('no header');
  return found;
};

/** `document A, salary B+F`: which column holds what. */
export const columnsOf = ({ columns, several }: Header): string =>
  [...columns.keys()].map((id) => `${id} ${several.get(id)!.map(columnLetter).join('+')}`).join(', ');

export const issuesOf = ({ issues }: Header): string[] =>
  issues.map(({ code, place, related = [] }) =>
    [code, place, ...related].map((one) => (typeof one === 'string' ? one : formatPlace(one))).join(' '),
  );
