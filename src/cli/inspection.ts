import { formatPlace, type Language } from '../core/issue.js';
import { columnLetter } from '../core/text.js';
import { INSPECT, type InspectParams } from '../generated/texts-proposal.js';
import { LOOKS } from '../mapping/read/cell.js';
import { type ParamsOfText, sayer } from '../messages/texts.js';
import type { Inspection } from '../propose/inspect.js';
import { type LabelFit, shownScore } from '../propose/labels.js';
import { type Choice, defaultAnswer, titleOf } from '../propose/questions.js';
import { cellPlace } from '../tables/table.js';
import type { Terminal } from './terminal.js';

type Event = Readonly<Record<string, unknown>> & { readonly event: string };

function sheetEvents({ sheets, fit }: Inspection): Event[] {
  return sheets.map(({ sheet, header }) => {
    const own = fit?.tables.find((one) => one.sheet === sheet);
    return {
      event: 'sheet',
      file: sheet.source.file,
      sheet: sheet.source.sheet ?? null,
      table: own?.table.id ?? null,
      header: header?.row.number ?? null,
      groups: header?.groupRow?.number ?? null,
      named: own?.named ?? null,
    };
  });
}

function labelEvents({ labels }: Inspection): Event[] {
  return labels.map((fit) => ({
    event: 'label',
    id: fit.id,
    file: fit.sheet.source.file,
    sheet: fit.sheet.source.sheet ?? null,
    cell: `${columnLetter(fit.column)}${fit.header.row.number}`,
    column: columnLetter(fit.column),
    label: fit.label ?? null,
    group: fit.group ?? null,
    key: fit.key,
    table: fit.table.id,
    state: fit.state,
    means: fit.state === 'ignored' ? 'ignore' : (fit.means ?? null),
    score: fit.candidates.find(({ value }) => value === fit.means)?.score ?? fit.candidates[0]?.score ?? null,
    why: fit.why,
    candidates: fit.candidates.map((one) => ({
      value: one.value,
      score: shownScore(one),
      content: one.agreement,
    })),
  }));
}

function formatEvents({ formats }: Inspection): Event[] {
  return formats.map(({ table, sheet, file, column, verdict }) => {
    const witness = verdict.evidence ?? verdict.ambiguous;
    const source = { file, sheet, async *batches() {} };
    const place = witness && cellPlace(source, witness.row, witness.index);
    return {
      event: 'format',
      table,
      sheet,
      column: column.id,
      kind: column.type === 'decimal' ? 'decimal' : 'date',
      style: verdict.style ?? null,
      by: verdict.by,
      cell: place === undefined ? null : `${place.column}${place.row}`,
    };
  });
}

/** Everything that was found, for programs: one object a line. */
export function inspectionObjects(inspection: Inspection, written: string | undefined): readonly Event[] {
  const { fit, ranked, words, missing, params, open, labels, counts } = inspection;
  const count = (state: string): number => labels.filter((one) => one.state === state).length;
  return [
    ...sheetEvents(inspection),
    ...labelEvents(inspection),
    ...formatEvents(inspection),
    ...words.map(({ kind, list, word, count: records, place }) => ({
      event: 'word',
      kind,
      list: list ?? null,
      word,
      count: records,
      sheet: place.sheet ?? place.file ?? null,
      cell: place.column !== undefined && place.row !== undefined ? `${place.column}${place.row}` : null,
    })),
    ...missing.map((one) => ({ event: 'missing', ...one, param: one.param ?? null })),
    ...params.map((one) => ({ event: 'param', ...one })),
    ...open.map(({ id, path, question, candidates }) => ({
      event: 'undecided',
      id,
      path,
      question,
      candidates: candidates.map((one) => ({ score: null, ...one })),
    })),
    {
      event: 'summary',
      mapping: fit?.name ?? null,
      score: fit?.score ?? null,
      ranked: ranked.map(({ name, score }) => ({ name, score })),
      labels: { decided: count('decided'), open: count('open'), ignored: count('ignored') },
      undecided: open.length,
      missing: missing.length,
      records: counts?.records ?? null,
      documents: counts?.documents ?? null,
      written: written ?? null,
    },
  ];
}

export const inspectText = sayer<InspectParams>(INSPECT);

/** A line of a section, which is indented by two. */
const WIDTH = 98;

type Say = <K extends keyof InspectParams>(phrase: K, ...params: ParamsOfText<InspectParams, K>) => string;

const percent = (score: number): string => `${Math.round(score * 100)} %`;

/** Prints what was found, for people. */
export function showInspection({ say, paint, language }: Terminal, inspection: Inspection): void {
  const text: Say = (phrase, ...params) => inspectText(language, phrase, ...params);
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

const quoted = (name: string): string => (/\s/.test(name) ? `"${name}"` : name);

/** How to go on. */
export function sayNext(
  { say, language }: Terminal,
  { open, params }: Inspection,
  files: readonly string[],
  write: string | undefined,
): void {
  const names = files.map(quoted).join(' ');
  say();
  if (write === undefined) {
    say(inspectText(language, 'write', { files: names }));
    return;
  }
  const file = quoted(write);
  if (open.length > 0) {
    say(inspectText(language, 'open', { file, count: open.length }));
    return;
  }
  say(inspectText(language, 'ready', { file }));
  const needed = params.map(({ name }) => ` -p ${name}=…`).join('');
  say(inspectText(language, 'next', { files: names, file, params: needed }));
}

const cut = (text: string, limit: number | undefined): string =>
  limit === undefined || text.length <= limit ? text : `${text.slice(0, Math.max(1, limit - 1))}…`;

/** Lines of a table no wider than `width`: each column as wide as its widest text or as `most` allows, the last takes the rest. */
function inColumns(
  rows: readonly (readonly string[])[],
  width: number,
  most: readonly number[] = [],
): readonly string[] {
  const texts = rows.map((row) => row.map((text, column) => cut(text, most[column])));
  const columns = Math.max(0, ...texts.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...texts.map((row) => (row[column] ?? '').length)),
  );
  return texts.map((row) => {
    const line = row.map((text, column) => (column === row.length - 1 ? text : text.padEnd(widths[column]!)));
    return cut(line.join('  ').trimEnd(), width);
  });
}

/** Words of a text over lines no wider than `width`; the second and later ones are indented. */
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
