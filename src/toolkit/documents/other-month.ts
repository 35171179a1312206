import { type Issue, issueOf } from '../core/issue.js';
import { fold } from '../core/text.js';
import type { ParamValues } from '../mapping/params.js';
import { monthNumber, readMonthText } from '../mapping/read/dates.js';
import type { Header } from '../tables/header.js';
import { cellPlace, type Row, type RowSource } from '../tables/table.js';

/** Max length of a title above a header; longer texts are notes. */
const MAX_TITLE_LENGTH = 120;
/** Words about the day of an act, whose month often differs. */
const OF_A_DAY =
  /impres|generad|elabor|exped|emi[st]|pago|pagad|corte|ingres|venc|vigen|version|aprob|print|issue|paid/;
/** Day without a year, often a name: `Clínica 20 de Julio`. */
const DAY_ALONE = /\b(?:\d{1,2}|primero|siete) de [a-z]+(?! (?:de |del )?20\d\d)/g;
const OF_THE_RUN = /\b(mes|periodo|nomina|quincena|month|period|payroll|20\d\d)\b/;

/** Returns the months in a text: `2026-09`, or `09` without a year. Short names count if `short`. */
function monthsIn(text: string, short: boolean): readonly string[] {
  const folded = fold(text).replace(DAY_ALONE, ' ');
  const years = folded.match(/\b20\d\d\b/g) ?? [];
  const numbers = (folded.match(/[a-z]+/g) ?? [])
    .filter((word) => short || word.length > 3)
    .flatMap((word) => monthNumber(word) ?? []);
  const year = new Set(years).size === 1 ? `${years[0]}-` : '';
  const inFigures =
    folded.match(/(?<![\d/-])(?:20\d\d[-/](?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])[-/]20\d\d)(?![\d/-])/g) ?? [];
  return [
    ...numbers.map((number) => year + String(number).padStart(2, '0')),
    ...inFigures.flatMap((figures) => readMonthText(figures) ?? []),
  ];
}

/** Reports a month in the name of a sheet or in the titles above its header that is not the month of the run. */
export function otherMonths(
  source: RowSource,
  rows: readonly Row[],
  header: Header,
  month: ParamValues[string],
): readonly Issue[] {
  if (typeof month !== 'string') return [];
  const isOther = (all: readonly string[]): boolean =>
    all.length > 0 && !all.some((found) => month.endsWith(found));
  const { file, sheet } = source;
  const bySheet = sheet === undefined ? [] : monthsIn(sheet, true);
  const first = (header.sectionRow ?? header.groupRow ?? header.row).number;
  const titles = rows
    .filter(({ number }) => number < first)
    .flatMap((row) =>
      row.texts.flatMap((text, column) => {
        if (text === undefined || text.length > MAX_TITLE_LENGTH) return [];
        const folded = fold(text);
        const isAsked = OF_THE_RUN.test(folded) && !OF_A_DAY.test(folded);
        const months = isAsked ? monthsIn(text, false) : [];
        return months.length === 0 ? [] : [{ months, text, place: cellPlace(source, row, column) }];
      }),
    );
  const issues: Issue[] = [];
  if (sheet !== undefined && isOther(bySheet))
    issues.push({ ...issueOf('header/other-month', 'warning', { month }, { file, sheet }), value: sheet });
  const [title] = titles;
  if (title !== undefined && isOther(titles.flatMap(({ months }) => months)))
    issues.push({ ...issueOf('header/other-month', 'warning', { month }, title.place), value: title.text });
  return issues;
}
