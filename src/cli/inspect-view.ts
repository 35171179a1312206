import { type Choice, defaultAnswer } from '../inspect/choice.js';
import type { Inspection } from '../inspect/inspect.js';
import { titleOf } from '../inspect/label-choices.js';
import type { LabelFit } from '../inspect/labels.js';
import { formatPlace, type Language } from '../issues/issue.js';
import { LOOKS } from '../mapping/read/cell-reader.js';
import { cellPlace } from '../source/table.js';
import { columnLetter } from '../values/a1.js';
import { inColumns, wrapped } from './columns.js';
import { type InspectPhrase, inspectText } from './inspect-say.js';
import type { Terminal } from './terminal.js';

/** A line of a section, which is indented by two. */
const WIDTH = 98;

type Say = (phrase: InspectPhrase, params?: Readonly<Record<string, string | number>>) => string;

const percent = (score: number): string => `${Math.round(score * 100)} %`;

/** Prints what was found, for people. */
export function showInspection({ say, paint, language }: Terminal, inspection: Inspection): void {
  const text: Say = (phrase, params) => inspectText(language, phrase, params);
  const section = (title: string, lines: readonly string[]): void => {
    if (lines.length === 0) return;
    say();
    say(paint('bold', title));
    for (const line of lines) say(line === '' ? '' : `  ${line}`);
  };
  const { fit, labels, open } = inspection;
  section(text('sheets'), sheetLines(inspection, text));
  section(text('mapping'), mappingLines(inspection, text));
  for (const { sheet, table } of fit?.tables ?? []) {
    const own = labels.filter((one) => one.sheet === sheet && one.table === table);
    section(text('columns', { sheet: sheet.name }), labelLines(own, text, paint));
  }
  section(text('formats'), formatLines(inspection, text));
  section(text('words'), wordLines(inspection, text));
  section(text('missing'), missingLines(inspection, text));
  section(text('params'), paramLines(inspection, language));
  const questions = open.flatMap((choice) => ['', ...choiceLines(choice, paint)]).slice(1);
  section(text('questions', { count: open.length }), questions);
  if (open.length > 0) return;
  say();
  say(paint('green', text('noQuestions')));
}

function sheetLines({ sheets, fit }: Inspection, text: Say): readonly string[] {
  const rows = sheets.map(({ sheet, header }): string[] => {
    const own = fit?.tables.find((one) => one.sheet === sheet);
    const { row, groupRow } = header ?? {};
    const places = [
      row === undefined ? text('noHeader') : text('headerAt', { row: row.number }),
      groupRow === undefined ? '' : text('groupsAt', { row: groupRow.number }),
    ];
    const table = own === undefined ? text('notRead') : text('asTable', { table: own.table.id });
    return [sheet.name, table, places.filter(Boolean).join(', ')];
  });
  return inColumns(rows, WIDTH, [32, 28]);
}

function mappingLines({ ranked, fit }: Inspection, text: Say): readonly string[] {
  const rows = ranked.map(({ name, score }) =>
    name === fit?.name ? ['→', name, percent(score), text('chosen')] : ['', name, percent(score), ''],
  );
  return inColumns(rows, WIDTH);
}

/** A label with its group only where it comes twice. */
function shownLabel({ key, label, group }: LabelFit): string {
  if (!key.startsWith('[') || label === undefined) return key;
  return group === undefined ? label : `${group} / ${label}`;
}

function labelLines(labels: readonly LabelFit[], text: Say, paint: Terminal['paint']): readonly string[] {
  const shown = labels.filter(({ state }) => state !== 'ignored');
  const unused = labels.filter(({ state }) => state === 'ignored').map(shownLabel);
  const lines = inColumns(
    shown.map((fit) => labelRow(fit, text)),
    WIDTH,
    [3, 34, 26, 10],
  );
  return [
    ...lines.map((line, at) => (shown[at]!.state === 'open' ? paint('yellow', line) : line)),
    ...(unused.length === 0 ? [] : wrapped(text('unused', { list: unused.join(', ') }), WIDTH, '  ')),
  ];
}

function labelRow(fit: LabelFit, text: Say): string[] {
  const { means, column, state, table, why, candidates } = fit;
  const letter = columnLetter(column);
  if (state === 'open') return [letter, shownLabel(fit), text('asked', { id: fit.id })];
  const score = candidates.find(({ value }) => value === means)?.score;
  const how = why === 'answered' ? text('answered') : score === undefined ? '' : percent(score);
  const meant = table.columns.get(means!);
  return [letter, shownLabel(fit), means!, how, meant === undefined ? '' : titleOf(meant)];
}

/** One line for each way of writing in a sheet, with the cell that shows it. */
function formatLines({ formats }: Inspection, text: Say): readonly string[] {
  const seen = new Set<string>();
  const rows = formats.flatMap(({ sheet, file, column, verdict }): string[][] => {
    const kind = column.type === 'decimal' ? 'decimal' : 'date';
    const witness = verdict.evidence ?? verdict.ambiguous;
    const key = `${sheet} ${kind} ${verdict.style ?? verdict.by}`;
    if (witness === undefined || seen.has(key)) return [];
    seen.add(key);
    const place = formatPlace(cellPlace({ file, sheet, async *batches() {} }, witness.row, witness.index));
    const look = verdict.style === undefined ? text('undecided') : LOOKS[verdict.style];
    return [[text(kind), look, place, `«${witness.text}»`]];
  });
  return inColumns(rows, WIDTH, [10, 16, 40]);
}

function wordLines({ words }: Inspection, text: Say): readonly string[] {
  const rows = words.map(({ list, word, count, place }) => [
    formatPlace(place),
    `«${word}»`,
    list ?? text('concept'),
    text('records', { count }),
  ]);
  return inColumns(rows, WIDTH, [28, 34]);
}

function missingLines({ missing }: Inspection, text: Say): readonly string[] {
  const rows = missing.map(({ title, column, param }) => [
    title,
    column,
    param === undefined ? text('noParam') : text('byParam', { param }),
  ]);
  return inColumns(rows, WIDTH, [34, 30]);
}

const paramLines = ({ params }: Inspection, language: Language): readonly string[] =>
  inColumns(
    params.map(({ name, type, about }) => [name, type, about[language]]),
    WIDTH,
    [30, 24],
  );

/** A question with its answers, one a line. */
export function choiceLines(choice: Choice, paint: Terminal['paint']): readonly string[] {
  const { id, question, candidates } = choice;
  const rows = candidates.map(({ value, score, about }) => [value, score ? percent(score) : '', about]);
  return [
    paint('yellow', id),
    ...wrapped(question, WIDTH - 4, '').map((line) => `  ${line}`),
    ...inColumns(rows, WIDTH - 4, [30, 6]).map((line) => `    ${line}`),
  ];
}

/** What the prompt says, with the answer that Enter gives. */
export function promptText(choice: Choice, language: Language): string {
  const usual = defaultAnswer(choice);
  return inspectText(language, 'prompt', { default: usual === undefined ? '' : ` [${usual}]` });
}
