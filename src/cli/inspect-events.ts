import type { Inspection } from '../inspect/inspect.js';
import { shownScore } from '../inspect/labels.js';
import { cellPlace } from '../source/table.js';
import { columnLetter } from '../values/a1.js';

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
export function inspectEvents(inspection: Inspection, written: string | undefined): readonly Event[] {
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
