import { INSPECT, type InspectParams } from '../generated/texts-proposal.js';
import { formatPlace, type Language } from '../toolkit/core/issue.js';
import { columnLetter, quoted } from '../toolkit/core/text.js';
import type { Inspection } from '../toolkit/inspect/inspect.js';
import { cellOf, labelName, titleOf } from '../toolkit/inspect/label-questions.js';
import type { LabelFit } from '../toolkit/inspect/labels.js';
import {
  type Answer,
  defaultAnswer,
  isNumbered,
  likelyAnswers,
  type Question,
} from '../toolkit/inspect/question.js';
import { tableTitle } from '../toolkit/inspect/sheet-questions.js';
import { FORMAT_NAMES } from '../toolkit/mapping/read/cell.js';
import type { CompiledTable } from '../toolkit/mapping/record.js';
import { type ParamsOfText, translatorOf } from '../toolkit/messages/texts.js';
import { entryOf, listTitle } from '../toolkit/messages/wording.js';
import { countColumns } from '../toolkit/schema/document.js';
import { ruleEntry } from '../toolkit/schema/rule-data.js';
import { cellPlace } from '../toolkit/tables/table.js';
import type { Terminal } from './terminal.js';

export const inspectText = translatorOf<InspectParams>(INSPECT);

/** Width of a line in a section, which is indented by two. */
const WIDTH = 98;

type Say = <K extends keyof InspectParams>(phrase: K, ...params: ParamsOfText<InspectParams, K>) => string;

const percent = (score: number): string => `${Math.round(score * 100)} %`;

export function showInspection(
  { print, paint, language }: Terminal,
  inspection: Inspection,
  /** True if the questions are asked one by one. */
  ask: boolean,
): void {
  const text: Say = (phrase, ...params) => inspectText(language, phrase, ...params);
  const section = (title: string, lines: readonly string[]): void => {
    if (lines.length === 0) return;
    print();
    print(paint('bold', title));
    for (const line of lines) print(line === '' ? '' : `  ${line}`);
  };
  const { fit, labels, questions } = inspection;
  section(text('sheets'), sheetLines(inspection, text));
  section(text('mapping'), mappingLines(inspection, text));
  for (const { sheet, table } of fit?.tables ?? []) {
    const ofTable = labels.filter((label) => label.sheet === sheet && label.table === table);
    section(text('columns', { sheet: sheet.name }), labelLines(ofTable, text, paint, ask));
  }
  section(text('formats'), formatLines(inspection, text));
  // The user is asked about the rest.
  if (ask) return;
  section(text('words'), wordLines(inspection, text, language));
  section(text('missing'), missingLines(inspection, text));
  section(text('params'), paramLines(inspection, language));
  section(text('trial'), trialLines(inspection, text, language));
  const lines = questions.flatMap((question) => ['', ...questionLines(question, language, paint)]).slice(1);
  section(text('questions', { count: questions.length }), lines);
}

/** Formats the trial: records, columns, and the issues `check` would report. */
function trialLines({ trial, params }: Inspection, text: Say, language: Language): readonly string[] {
  if (trial === undefined) return [];
  const { records, documents, columns, issues } = trial;
  const of = (level: string): number =>
    [...issues.values()].reduce((sum, issue) => sum + (issue.level === level ? issue.count : 0), 0);
  const codes = [...issues].flatMap(([code, { level, count }]) =>
    level === 'error' ? [`${entryOf(code, ruleEntry)?.title[language] ?? code} (${count})`] : [],
  );
  return [
    // Without parameters no document is complete.
    params.length > 0
      ? text('planned', { records: records.read, planned: documents.planned })
      : text('tried', { records: records.read, made: documents.made, heldBack: documents.heldBack }),
    text('accounted', { ...countColumns(columns) }),
    text('problems', { errors: of('error'), warnings: of('warning') }),
    ...wrapped(codes.join('; '), WIDTH - 2, '').map((line) => `  ${line}`),
  ].filter((line) => line.trim() !== '');
}

function sheetLines({ sheets, fit }: Inspection, text: Say): readonly string[] {
  const rows = sheets.map(({ sheet, header }): string[] => {
    const tableFit = fit?.tables.find((table) => table.sheet === sheet);
    const { row, groupRow } = header ?? {};
    const places = [
      sheet.source.hidden ? text('hidden') : '',
      row === undefined ? text('noHeader') : text('headerAt', { row: row.number }),
      groupRow === undefined ? '' : text('groupsAt', { row: groupRow.number }),
    ];
    const table = tableFit === undefined ? text('notRead') : readAs(tableFit.table, text);
    return [sheet.name, table, places.filter(Boolean).join(', ')];
  });
  return inColumns(rows, WIDTH, [32, 28]);
}

/** Returns what a sheet is read as; a table without a title is only "read". */
function readAs(table: CompiledTable, text: Say): string {
  const title = tableTitle(table);
  return title === undefined ? text('read') : text('readAs', { title });
}

function mappingLines({ ranked, fit }: Inspection, text: Say): readonly string[] {
  const fitting = ranked.filter(({ score }, at) => at === 0 || score > 0);
  const rows = fitting.map(({ name, score }) =>
    name === fit?.name ? ['→', name, percent(score), text('chosen')] : ['', name, percent(score), ''],
  );
  return inColumns(rows, WIDTH);
}

/** Formats a label, with its group only if it occurs twice. */
function shownLabel({ key, label, group }: LabelFit): string {
  if (!key.startsWith('[') || label === undefined) return key;
  return group === undefined ? label : `${group} / ${label}`;
}

function labelLines(
  labels: readonly LabelFit[],
  text: Say,
  paint: Terminal['paint'],
  ask: boolean,
): readonly string[] {
  const shown = labels.filter(({ state }) => state !== 'ignored');
  const unused = labels.filter(({ state }) => state === 'ignored').map(shownLabel);
  const lines = inColumns(
    shown.map((fit) => labelRow(fit, text, ask)),
    WIDTH,
    [3, 34, 44, 10],
  );
  return [
    ...lines.map((line, at) => (shown[at]!.state === 'open' ? paint('yellow', line) : line)),
    ...(unused.length === 0 ? [] : wrapped(text('unused', { list: unused.join(', ') }), WIDTH, '  ')),
  ];
}

function labelRow(fit: LabelFit, text: Say, ask: boolean): string[] {
  const { means, column, state, table, candidates } = fit;
  const letter = columnLetter(column);
  if (state === 'open')
    return [letter, shownLabel(fit), ask ? text('isAsked') : text('asked', { id: fit.id })];
  const score = candidates.find(({ value }) => value === means)?.score;
  const how =
    fit.reason === 'answered' || fit.reason === 'learnt'
      ? text(fit.reason)
      : score === undefined
        ? ''
        : percent(score);
  const meant = means === undefined ? undefined : table.columns.get(means);
  return [letter, shownLabel(fit), meant === undefined ? (means ?? '') : titleOf(meant), how];
}

/** Formats the inferred formats, one line for each in a sheet, with a cell that shows it. */
function formatLines({ formats, zeros, joined, moments, titled }: Inspection, text: Say): readonly string[] {
  const seen = new Set<string>();
  const rows = formats.flatMap(({ sheet, file, column, verdict }): string[][] => {
    const kind = column.type === 'decimal' ? 'decimal' : 'date';
    const witness = verdict.evidence ?? verdict.ambiguous;
    const key = `${sheet} ${kind} ${verdict.style ?? verdict.by}`;
    if (witness === undefined || seen.has(key)) return [];
    seen.add(key);
    const place = formatPlace(cellPlace({ file, sheet, async *batches() {} }, witness.row, witness.index));
    const look = verdict.style === undefined ? text('undecided') : FORMAT_NAMES[verdict.style];
    return [[text(kind), look, place, `«${witness.text}»`]];
  });
  const tables = new Set<unknown>();
  for (const { fit, place, text: found, restored } of zeros) {
    if (tables.has(fit.table)) continue;
    tables.add(fit.table);
    rows.push([text('zeros'), text('lost'), place, `«${found}» → ${restored}`]);
  }
  for (const { unit, rest, halves } of joined) {
    const [{ unit: start, rest: end, row }] = halves;
    const found = `«${start}» + «${end}» → ${row['code']} ${row['name']}`;
    rows.push([text('code'), text('twoColumns'), `${cellOf(unit)}, ${cellOf(rest)}`, found]);
  }
  for (const { day, hour } of moments) {
    const [first, second] = [day, hour].map(({ content }) => content.filled[0]?.text ?? '');
    const found = `«${first}» + «${second}»`;
    rows.push([text('moment'), text('twoColumns'), `${cellOf(day)}, ${cellOf(hour)}`, found]);
  }
  for (const { label, value } of titled)
    rows.push([text('code'), text('byTitle'), cellOf(label), `«${labelName(label)}» → ${value}`]);
  return inColumns(rows, WIDTH, [10, 16, 40]);
}

function wordLines({ words }: Inspection, text: Say, language: Language): readonly string[] {
  const rows = words.map(({ kind, list, word, count, place }) => [
    formatPlace(place),
    `«${word}»`,
    kind === 'value' && list !== undefined ? listTitle(list, language) : '',
    text('records', { count }),
  ]);
  return inColumns(rows, WIDTH, [28, 34]);
}

function missingLines({ missing }: Inspection, text: Say): readonly string[] {
  const rows = missing.map(({ title, param }) => [
    title,
    param === undefined ? text('noParam') : text('byParam', { param }),
  ]);
  return inColumns(rows, WIDTH, [64]);
}

const paramLines = ({ params }: Inspection, language: Language): readonly string[] =>
  inColumns(
    params.map(({ name, about }) => [about[language].split('. ')[0]!.replace(/\.$/, ''), `-p ${name}=…`]),
    WIDTH,
    [64],
  );

const MAX_SAMPLES = 12;

/** Formats a question with its likely answers, one per line, and its ID if the next call may answer it. */
export function questionLines(
  question: Question,
  language: Language,
  paint: Terminal['paint'],
  isAsked = false,
): readonly string[] {
  const { id, title, samples } = question;
  const shown = samples.slice(0, MAX_SAMPLES).map(({ cell, text }) => `${cell.split('!').at(-1)}  ${text}`);
  const more = samples.length - shown.length;
  const likely = likelyAnswers(question);
  const others = isAsked ? 0 : question.answers.length - likely.length;
  return [
    ...(isAsked ? [] : [paint('yellow', id)]),
    ...wrapped([title, question.reason].filter(Boolean).join(' '), WIDTH - 4, '').map((line) => `  ${line}`),
    ...shown.map((line) => `      ${cut(line, WIDTH - 8)}`),
    ...(more > 0 ? [`      ${inspectText(language, 'moreSamples', { count: more })}`] : []),
    ...answerLines(question, likely, isAsked),
    ...(others > 0
      ? [
          `      ${inspectText(language, 'moreAnswers', { count: others, option: `--answer ${quoted(`${id}=…`)}` })}`,
        ]
      : []),
  ];
}

/** Formats answers, one per line, with how to give each; numbered ones need only their number. */
function answerLines(question: Question, answers: readonly Answer[], isAsked: boolean): readonly string[] {
  const isCounted = isNumbered(question);
  const rows = answers.map(({ value, title, score, group, effect, reason, typed = value }, at) => [
    ...(isCounted ? [String(at + 1)] : []),
    ...(isCounted && isAsked ? [] : [isAsked ? typed : value]),
    score ? percent(score) : '',
    title,
    [[group, effect?.about].filter(Boolean).join(', '), reason].filter(Boolean).join(': '),
  ]);
  const before = [...(isCounted ? [3] : []), ...(isCounted && isAsked ? [] : [24]), 6];
  // Titles take the width that effects leave.
  const longest = (at: number): number => Math.max(0, ...rows.map((row) => row.at(at)!.length));
  const taken = before.reduce((sum, max, at) => sum + Math.min(max, longest(at)) + 2, longest(-1) + 2);
  const widths = [...before, Math.max(36, WIDTH - 4 - taken)];
  return inColumns(rows, WIDTH - 4, widths).map((line) => `    ${line}`);
}

/** Formats all answers of a question, or those found, by group. */
export function allAnswerLines(
  question: Pick<Question, 'answers'>,
  answers: readonly Answer[] = question.answers,
): readonly string[] {
  const groups = [...new Set(answers.map(({ group }) => group))];
  return groups.flatMap((group) => {
    const rows = answers
      .filter((answer) => answer.group === group)
      .map(({ value, typed = value, title }) => [typed, title]);
    const lines = inColumns(rows, WIDTH - 4, [28]).map((line) => `    ${line}`);
    return group === undefined ? lines : [`  ${group}`, ...lines];
  });
}

export function promptText(question: Question, language: Language): string {
  const usual = question.answers.find(({ value }) => value === defaultAnswer(question));
  return inspectText(language, 'prompt', { default: usual === undefined ? '' : ` [${usual.title}]` });
}

/** Prints the trial and how to continue. */
export function printNext(
  { print, language, interactive }: Terminal,
  inspection: Inspection,
  files: readonly string[],
  write: string | undefined,
  /** True if the user answered questions, which changes the trial. */
  isAnswered: boolean,
): void {
  const { questions, params, missing } = inspection;
  const names = files.map(quoted).join(' ');
  print();
  if (isAnswered)
    for (const line of trialLines(
      inspection,
      (phrase, ...params) => inspectText(language, phrase, ...params),
      language,
    ))
      print(line);
  if (write === undefined) {
    print(inspectText(language, 'write', { files: names }));
    return;
  }
  const file = quoted(write);
  if (questions.length > 0) {
    print(inspectText(language, isAnswered ? 'openYet' : 'open', { file, count: questions.length }));
    return;
  }
  if (missing.some(({ param }) => param === undefined)) {
    print(inspectText(language, 'incomplete', { file }));
    return;
  }
  print(inspectText(language, 'ready', { file }));
  // At a terminal the user is asked for them.
  const needed = interactive ? '' : params.map(({ name }) => ` -p ${name}=…`).join('');
  print(inspectText(language, 'next', { files: names, file, params: needed }));
}

const cut = (text: string, limit: number | undefined): string =>
  limit === undefined || text.length <= limit ? text : `${text.slice(0, Math.max(1, limit - 1))}…`;

/** Formats a table: each column is as wide as its longest text or `max` allows, the last takes the rest of `width`. */
function inColumns(
  rows: readonly (readonly string[])[],
  width: number,
  max: readonly number[] = [],
): readonly string[] {
  const texts = rows.map((row) => row.map((text, column) => cut(text, max[column])));
  const columns = Math.max(0, ...texts.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...texts.map((row) => (row[column] ?? '').length)),
  );
  return texts.map((row) => {
    const line = row.map((text, column) => (column === row.length - 1 ? text : text.padEnd(widths[column]!)));
    return cut(line.join('  ').trimEnd(), width);
  });
}

/** Wraps a text at `width`; the second and later lines are indented. */
function wrapped(text: string, width: number, indent: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const next = line === '' ? word : `${line} ${word}`;
    if (next.length > width && line !== '') {
      lines.push(line);
      line = indent + word;
    } else line = next;
  }
  return [...lines, line];
}
