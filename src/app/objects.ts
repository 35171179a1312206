import { type Issue, type Language, type Place, paramOf } from '../toolkit/core/issue.js';
import { isObject, type JsonValue } from '../toolkit/core/json.js';
import { columnLetter } from '../toolkit/core/text.js';
import { openColumnStats } from '../toolkit/inspect/effects.js';
import type { Fit } from '../toolkit/inspect/fit.js';
import { type Inspection, stateOf } from '../toolkit/inspect/inspect.js';
import { fieldsOf, meaningOf, titleOf } from '../toolkit/inspect/label-questions.js';
import { type LabelFit, shownScore } from '../toolkit/inspect/labels.js';
import { answersOfParam, EACH_RUN, paramValue } from '../toolkit/inspect/param-questions.js';
import { defaultAnswer, type Question, type Sample } from '../toolkit/inspect/question.js';
import { samplesOf } from '../toolkit/inspect/samples.js';
import { headerId } from '../toolkit/inspect/sheet-questions.js';
import type { LoadedMapping } from '../toolkit/mapping/load.js';
import { type CompiledParam, defaultOn, titleOfParam, typeOf } from '../toolkit/mapping/params.js';
import { NO_TEXT } from '../toolkit/messages/texts.js';
import { issueEvent, ruleFamily, word } from '../toolkit/messages/wording.js';
import { type ColumnAccount, countColumns } from '../toolkit/schema/document.js';
import { ruleEntry } from '../toolkit/schema/rule-data.js';
import { cellPlace } from '../toolkit/tables/table.js';
import { isMonthly } from './ask-params.js';
import type { Accounts, AppEvent, EventOf, Masked } from './events.js';
import type { Mask } from './mask.js';

/** Returns the `--json` objects of an event, one per line, or undefined if it is shown to users in any case. */
export function objectsOf(event: AppEvent, language: Language, mask: Mask): readonly object[] | undefined {
  switch (event.event) {
    case 'message':
      return event.repeats ? [] : undefined;
    case 'issues-end':
    case 'assumed':
    case 'accounts':
    case 'inspection':
    case 'to-decide':
      return [];
    case 'irreversible': {
      const { decided, ...rest } = event;
      return [rest];
    }
    case 'remark':
    case 'figures':
    case 'mail-plan':
    case 'setup-plan':
    case 'begins':
    case 'progress':
    case 'ends':
      return undefined;
    case 'log':
      return [JSON.parse(event.line) as object];
    case 'issue':
      return [issueEvent(mask.issue(event.issue, event.about, event.personal), language, ruleEntry)];
    case 'stopped':
      return [{ ...issueEvent(event.issue, language, ruleEntry), event: 'stopped' }];
    case 'document':
      return [documentObject(event, mask)];
    case 'outcome':
      return [outcomeObject(event, language, mask)];
    case 'left-out':
      return [leftOutObject(event, language, mask)];
    case 'change':
      return [changeObject(event, mask)];
    case 'difference': {
      const { key, name, was = null, is = null, difference = null, ...rest } = event;
      const who = { key: mask.person(key), name: name === undefined ? null : mask.person(name) };
      return [{ ...rest, ...who, was, is, difference }];
    }
    case 'run':
      return [runObject(event)];
    case 'answers':
      return event.questions.map((question) => questionObject(question, mask));
    case 'proposal':
      return inspectionObjects(event, language, mask);
    case 'code':
      return [codeObject(event, language)];
    case 'catalogue': {
      const { event: name, origin, ...rest } = event;
      return [{ event: name, ...rest, ...origin }];
    }
    case 'catalogue-rows':
      return [
        { event: 'catalogue', name: event.name, ...event.origin },
        ...event.rows.map((row) => ({ event: 'entry', ...row })),
      ];
    case 'catalogue-stored':
      return [{ event: 'catalogue', name: event.name, isNew: event.isNew, ...event.origin }];
    case 'profile-added':
      return [{ ...event, event: 'profile' }];
    case 'profile-shown':
      return [{ event: 'profile', profile: event.profile, file: event.file, ...event.content }];
    case 'preview':
      return [{ ...event, key: mask.person(event.key) }];
    case 'email':
      return [{ ...event, key: mask.person(event.key), to: mask.person(event.to) }];
    case 'summary': {
      if (!('accounts' in event)) return [event];
      const { accounts, event: name, ...more } = event;
      return [{ event: name, ...accountsObject(accounts), ...more }];
    }
    default:
      return [event];
  }
}

/** Returns the document in full if it was requested; if it went to a file, key and name are masked. */
function documentObject({ document, numbered }: EventOf<'document'>, mask: Mask): object {
  const shown = numbered === undefined ? mask.person : (text: string) => text;
  return {
    event: 'document',
    sequence: document.sequence,
    key: shown(document.key),
    name: document.name === undefined ? null : shown(document.name),
    schema: document.schema,
    ...(numbered && { document: numbered }),
  };
}

const reasonsOf = (issues: readonly Issue[], about: Masked, language: Language, mask: Mask) =>
  issues.map((issue) => {
    const { message, fix } = word(mask.issue(issue, about), language, ruleEntry);
    const { code, level } = issue;
    return { code, level, rule: paramOf(issue, 'rule') ?? null, message, fix };
  });

function leftOutObject({ document, about }: EventOf<'left-out'>, language: Language, mask: Mask): object {
  const { key, name, state, issues, place } = document;
  return {
    event: 'left-out',
    key: mask.key(key, about),
    name: name === undefined ? null : mask.key(name, about),
    state,
    file: place.file ?? null,
    sheet: place.sheet ?? null,
    row: place.row ?? null,
    reasons: reasonsOf(issues, about, language, mask),
  };
}

function outcomeObject({ outcome, about }: EventOf<'outcome'>, language: Language, mask: Mask): object {
  return {
    event: 'outcome',
    sequence: outcome.sequence,
    key: mask.key(outcome.key, about),
    name: outcome.name === undefined ? null : mask.key(outcome.name, about),
    state: outcome.state,
    number: outcome.number ?? null,
    documentCode: outcome.documentCode ?? null,
    zipKey: outcome.zipKey ?? null,
    attempts: outcome.attempts,
    earlier: outcome.earlier === true,
    file: outcome.place?.file ?? null,
    sheet: outcome.place?.sheet ?? null,
    row: outcome.place?.row ?? null,
    issues: outcome.issues.map(({ code }) => code),
    reasons: reasonsOf(outcome.issues, about, language, mask),
    ...(outcome.correctedBy !== undefined && { correctedBy: outcome.correctedBy }),
    ...(outcome.settled && { settled: outcome.settled }),
  };
}

/** Returns who asks for the approval of a held run, and why it was returned. */
function requestOf({ meta, returned }: EventOf<'run'>['run']): object {
  const { by, preparers, note, acts } = meta;
  return {
    ...(by !== undefined && { by }),
    ...(preparers && { preparers }),
    ...(note !== undefined && { note }),
    ...(acts && { acts }),
    ...(returned && { returned: { by: returned.by, note: returned.note ?? null } }),
  };
}

function runObject({ run, counts }: EventOf<'run'>): object {
  const { id, state, created, testSet, meta, digest, approval, abandonment, purged } = run;
  return {
    event: 'run',
    run: id,
    state,
    created,
    testSet: testSet ?? null,
    files: meta.inputs.map(({ file }) => file),
    documents: counts,
    ...(state === 'held' && { digest, ...requestOf(run) }),
    ...(approval && { approval }),
    ...(abandonment && { abandonment }),
    ...(purged && { purged }),
  };
}

function codeObject({ code, entry, family, field }: EventOf<'code'>, language: Language): object {
  const { level, authority, title, message, fix } = entry;
  return {
    event: 'code',
    code,
    level,
    title: title[language],
    message: message[language],
    fix: fix[language],
    ...(family && { family: ruleFamily(family, language) }),
    ...(field && { field }),
    ...(authority && { rules: authority }),
  };
}

/** Returns the columns of amounts, or none if no used column has a sum. */
export function amountsOf(columns: readonly ColumnAccount[]): readonly ColumnAccount[] {
  const amounts = columns.filter(({ sum }) => sum !== undefined);
  return amounts.some(({ role }) => role === 'used') ? amounts : [];
}

/** Returns counts, the columns left out, and the sums of amounts. */
function columnsObject(columns: readonly ColumnAccount[]): object {
  const left = columns.filter(({ role }) => role === 'declined' || role === 'unread');
  const flat = ({ place: { file, sheet, column, label }, ...account }: ColumnAccount): object => ({
    file,
    sheet,
    column,
    label,
    ...account,
  });
  const amounts = amountsOf(columns);
  return {
    ...countColumns(columns),
    left: left.map(flat),
    ...(amounts.length > 0 && { amounts: amounts.map(flat) }),
  };
}

/** Returns the accounts as the last `--json` object. */
const accountsObject = (accounts: Accounts): object => ({
  records: accounts.records,
  documents: { ...accounts.documents, ...accounts.outcomes },
  ...(accounts.columns && { columns: columnsObject(accounts.columns) }),
  issues: { errors: accounts.errors, warnings: accounts.warnings },
});

type Field = EventOf<'change'>['change']['fields'][number];
type Leaf = Field['before'];

/** Returns a change as a `--json` object: amounts in full, other personal values masked. */
function changeObject({ change, proposed }: EventOf<'change'>, { person }: Mask): object {
  const given = (value: Leaf, { isAmount, isPersonal }: Field): Leaf | null => {
    if (value === undefined) return null;
    return isAmount || !isPersonal ? value : person(String(value));
  };
  return {
    event: 'change',
    change: change.kind,
    sequence: change.sequence,
    key: person(change.key),
    name: change.name === undefined ? null : person(change.name),
    number: change.number,
    predecessor: change.predecessor?.number ?? null,
    predecessorCode: change.predecessor?.code ?? null,
    proposed,
    follows: change.follows ?? null,
    forgotten: change.isForgotten ?? false,
    fields: change.fields.map((field) => ({
      pointer: field.pointer,
      title: field.titles.join(' › '),
      before: given(field.before, field),
      after: given(field.after, field),
      difference: field.difference ?? null,
    })),
  };
}

type Event = Readonly<Record<string, unknown>> & { readonly event: string };

function sheetEvents(inspection: Inspection, language: Language): Event[] {
  const { sheets, fit } = inspection;
  return sheets.map((headed) => {
    const { sheet, header } = headed;
    const tableFit = fit?.tables.find((table) => table.sheet === sheet);
    return {
      event: 'sheet',
      id: headerId(sheet),
      file: sheet.source.file,
      sheet: sheet.source.sheet ?? null,
      table: tableFit?.table.id ?? null,
      header: header?.row.number ?? null,
      groups: header?.groupRow?.number ?? null,
      named: tableFit?.named ?? null,
      ...stateOf(headed, inspection, language),
    };
  });
}

/** True if a label's field, or a likely one, is an amount; codes of towns have a sum too, which says nothing. */
function mayBeMoney({ means, candidates, table }: LabelFit): boolean {
  const fields = means === undefined ? candidates.map(({ value }) => value) : [means];
  return fields.length === 0 || fields.some((field) => table.columns.get(field)?.kind === 'money');
}

function labelEvents({ labels, fit: layout, trial }: Inspection, language: Language, mask: Mask): Event[] {
  if (layout === undefined) return [];
  const below = openColumnStats(labels, trial?.columns ?? []);
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
    title: meaningOf(fit, layout, language) ?? null,
    samples: samplesOf(fit, layout.uses).map((sample) => sampleObject(sample, mask)),
    cells: below.get(fit.id)?.cells ?? null,
    amount: (mayBeMoney(fit) && below.get(fit.id)?.amount) || null,
    score: fit.candidates.find(({ value }) => value === fit.means)?.score ?? fit.candidates[0]?.score ?? null,
    why: fit.reason,
    candidates: fit.candidates.map((candidate) => ({
      value: candidate.value,
      score: shownScore(candidate),
      content: candidate.agreement,
    })),
  }));
}

function fieldEvents({ labels, fit }: Inspection, language: Language): Event[] {
  if (fit === undefined) return [];
  return [...new Set(labels.map(({ table }) => table))].map((table) => ({
    event: 'fields',
    table: table.id,
    fields: fieldsOf(table, fit, language),
  }));
}

function zerosEvents({ zeros }: Inspection): Event[] {
  return zeros.map(({ fit, place, text, restored }) => ({
    event: 'format',
    table: fit.table.id,
    sheet: fit.sheet.name,
    column: fit.means,
    kind: 'zeros',
    style: 'lost',
    cell: place,
    value: text,
    restored,
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

const sampleObject = ({ cell, text, personal }: Sample, mask: Mask): object => ({
  cell,
  text: personal === undefined ? text : mask.person(personal),
});

function questionObject(question: Question, mask: Mask): Event {
  const { id, path, title, samples, answers, likely, free, members, each = [] } = question;
  return {
    event: 'question',
    id,
    path,
    title,
    why: question.reason ?? null,
    samples: samples.map((sample) => sampleObject(sample, mask)),
    answers: answers.map(({ also: _, ...answer }) => answer),
    likely,
    default: defaultAnswer(question) ?? null,
    free: free !== undefined,
    members: members ?? null,
    each: each.map(({ answer: { also: _, ...answer }, samples: shown, ...item }) => ({
      ...item,
      samples: shown.map((sample) => sampleObject(sample, mask)),
      answer,
    })),
  };
}

/** Lists the questions that were answered now, with question and answer in words. */
const answeredEvents = ({ decided }: Inspection, mask: Mask): Event[] =>
  [...decided.values()].flatMap(({ question: { id, title, samples, answers }, value, isEarlier }) =>
    isEarlier
      ? []
      : {
          event: 'answered',
          id,
          title,
          samples: samples.map((sample) => sampleObject(sample, mask)),
          answer: { value, title: answers.find((answer) => answer.value === value)?.title ?? value },
        },
  );

/** Returns the columns of a table parameter that does not state them, from the table that reads it. */
function recordsOf(name: string, fit: Fit | undefined): object {
  const table = [...(fit?.mapping.tables.values() ?? [])].find(({ spec }) => spec.param === name);
  const param = fit?.mapping.params.get(name);
  if (table === undefined || param === undefined || param.spec.columns !== undefined) return {};
  const columns = [...table.columns.values()];
  return {
    columns: columns.map((column) => {
      const title = titleOf(column);
      return {
        value: column.id,
        title: columns.length === 1 ? titleOfParam(param) : { es: title, en: title },
      };
    }),
  };
}

/** Lists the values that a parameter may have, with their words: its choices, or the entries of its list. */
function choicesOf({ name, spec }: CompiledParam, mapping: LoadedMapping, language: Language): object {
  const answers = spec.type === 'choice' ? undefined : answersOfParam(name, mapping, language);
  if (answers === undefined) return typeOf(spec);
  const choices = answers.map(({ value, title }) => ({
    value: String(paramValue(name, value, mapping)),
    title: { es: title, en: title },
  }));
  return { ...typeOf(spec), choices };
}

/** Lists the parameters that a run must give, with the value to offer. */
const paramEvents = (
  { fit, params }: Inspection,
  offered: Readonly<Record<string, unknown>>,
  language: Language,
): Event[] =>
  params.map((param) => {
    const compiled = fit?.mapping.params.get(param.name);
    return {
      event: 'param',
      ...param,
      ...(fit && compiled && choicesOf(compiled, fit.mapping, language)),
      offered: offered[param.name] ?? null,
      followsMonth: compiled !== undefined && compiled.spec.offer !== 'today' && isMonthly(compiled.spec),
      ...recordsOf(param.name, fit),
    };
  });

/** Lists the parameters that have a value already or are optional. */
function settingEvents({ fit, params, absent, kept, tree }: Inspection, language: Language): Event[] {
  const needed = new Set(params.map(({ name }) => name));
  const answers = (tree['params'] ?? {}) as Readonly<Record<string, { readonly default?: JsonValue }>>;
  /** Returns the answer to the question of a parameter; undefined if it is open or was not asked. */
  const answerTo = (name: string): JsonValue | undefined => {
    const { default: answer } = answers[name] ?? {};
    return isObject(answer) ? undefined : answer;
  };
  const isOfEachRun = (name: string): boolean => kept.get(`param.${name}`) === EACH_RUN;
  /** True if a table that the run gives says what each run is asked for. */
  const ofEachRun = (fit?.uses.params ?? []).filter(({ param }) => isOfEachRun(param));
  const isInstead = (name: string): boolean =>
    [...(fit?.mapping.tables.values() ?? [])].some(
      ({ spec, tableIndex }) =>
        spec.param === name &&
        ofEachRun.some(({ instead }) => instead.some((column) => column.tableIndex === tableIndex)),
    );
  return [...(fit?.mapping.params.values() ?? [])]
    .filter(({ name, formula }) => !needed.has(name) && formula === undefined)
    .map((param) => ({
      event: 'setting',
      name: param.name,
      ...(fit && choicesOf(param, fit.mapping, language)),
      about: param.spec.about ?? NO_TEXT,
      default: answerTo(param.name) ?? defaultOn(param.spec) ?? null,
      isAbsent:
        answerTo(param.name) === undefined &&
        (absent.has(param.name) || isOfEachRun(param.name) || isInstead(param.name)),
      ...recordsOf(param.name, fit),
    }));
}

/** Returns the name of the label at a place, which tells two of the same title apart by their groups. */
const keyAt = ({ file, sheet, column }: Place, labels: Inspection['labels']): string | undefined =>
  labels.find(
    ({ sheet: { source }, column: at }) =>
      source.file === file && source.sheet === sheet && columnLetter(at) === column,
  )?.key;

/** Returns the inspection as `--json` objects, one per line. */
function inspectionObjects(
  { inspection, ways, offered, written }: EventOf<'proposal'>,
  language: Language,
  mask: Mask,
): readonly Event[] {
  const { fit, ranked, words, missing, questions, labels, trial } = inspection;
  const count = (state: string): number => labels.filter((label) => label.state === state).length;
  return [
    ...sheetEvents(inspection, language),
    ...labelEvents(inspection, language, mask),
    ...fieldEvents(inspection, language),
    ...formatEvents(inspection),
    ...zerosEvents(inspection),
    ...words.map(({ kind, list, word, count: records, place }) => ({
      event: 'word',
      kind,
      list: list ?? null,
      word,
      count: records,
      sheet: place.sheet ?? place.file ?? null,
      cell: place.column !== undefined && place.row !== undefined ? `${place.column}${place.row}` : null,
    })),
    ...missing.map((column) => ({ event: 'missing', ...column, param: column.param ?? null })),
    ...paramEvents(inspection, offered, language),
    ...settingEvents(inspection, language),
    ...questions.map((question) => questionObject(question, mask)),
    ...answeredEvents(inspection, mask),
    {
      event: 'summary',
      mapping: fit?.name ?? null,
      ...ways,
      score: fit?.score ?? null,
      ranked: ranked.map(({ name, score }) => ({ name, score })),
      labels: { decided: count('decided'), open: count('open'), ignored: count('ignored') },
      undecided: questions.length,
      missing: missing.length,
      records: trial?.records.read ?? null,
      documents: trial?.documents.planned ?? null,
      columns: trial === undefined ? null : countColumns(trial.columns),
      totals: (trial?.columns ?? []).flatMap(({ place, total }) =>
        total === undefined ? [] : { label: keyAt(place, labels) ?? place.label ?? null, ...total },
      ),
      issues: [...(trial?.issues ?? [])].map(([code, { level, count }]) => ({ code, level, count })),
      written: written ?? null,
    },
  ];
}
