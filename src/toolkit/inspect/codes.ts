import type { Match } from '../../generated/mapping-types.js';
import { formatPlace, type Issue, type Language, paramOf } from '../core/issue.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import { type NonEmpty, nonEmpty } from '../core/non-empty.js';
import { required } from '../core/required.js';
import type { Field } from '../mapping/plan.js';
import { type CompiledColumn, isHalfCode, type MatchedColumn } from '../mapping/record.js';
import {
  type CatalogueRow,
  createLookup,
  type LookupColumn,
  requiredCatalogue,
} from '../schema/catalogue.js';
import { IGNORE } from '../tables/header.js';
import type { Fit } from './fit.js';
import type { Setting } from './joins.js';
import { cellOf, labelName } from './label-questions.js';
import { type LabelFit, labelAt } from './labels.js';
import { answersOf, LIKELY, type Question, tell, UNLIKELY } from './question.js';
import { samplesOf } from './samples.js';
import { fullId } from './uses.js';

/** Question whether a column holds the codes of a list or the service's own ids. */
interface CodesOrIds {
  readonly question: Question;
  /** Settings of the mapping for an answer. */
  readonly settings: (by: 'code' | 'id') => Setting;
}

const MOST_SHOWN = 4;

interface Asked {
  readonly field: Field;
  readonly list: string;
  readonly index: number;
  readonly match: MatchedColumn;
}

const asked = ({ mapping }: Fit, column: CompiledColumn): Asked[] =>
  mapping.fields.flatMap((field) => {
    const [{ kind }] = field.sources;
    if (kind.is !== 'lookup' || field.path.some((key) => typeof key === 'number')) return [];
    return kind.matches.flatMap((match, index) =>
      match.column === column && match.by.includes('code') !== match.by.includes('id')
        ? [{ field, list: kind.catalogue, index, match }]
        : [],
    );
  });

const OTHER = { code: 'id', id: 'code' } as const;

const swapped = (by: readonly LookupColumn[]): LookupColumn[] =>
  by.map((item) => (item === 'name' ? item : OTHER[item]));

/** The entry that each value is, by these columns of the list; undefined for values that are none. */
function entries({ mapping }: Fit, { list }: Asked, by: readonly LookupColumn[], values: readonly string[]) {
  const { synonyms } = mapping;
  const lookup = createLookup(requiredCatalogue(list), by, synonyms.values[list]);
  return values.map((text) => {
    const found = lookup.find(text);
    return found.kind === 'found' ? found.row : undefined;
  });
}

/** The spec of the lookup as the mapping writes it. */
function specOf({ mapping }: Fit, { field }: Asked): { readonly match: readonly Match[] } | undefined {
  let node: JsonValue | undefined = mapping.spec as unknown as JsonValue;
  for (const key of field.path) node = (node as JsonObject | undefined)?.[String(key)];
  return (node as unknown as { lookup?: { match: readonly Match[] } } | undefined)?.lookup;
}

const become = (values: readonly string[], rows: readonly (CatalogueRow | undefined)[]): string =>
  values
    .slice(0, MOST_SHOWN)
    .map((value, at) => `${value} → ${rows[at]?.['name'] ?? '?'}`)
    .join(' · ');

/** Columns whose values are other entries of their list by code than by id, or none at all by what the mapping asks with. */
export function codesOrIds(labels: readonly LabelFit[], fit: Fit, language: Language): readonly CodesOrIds[] {
  return labels.flatMap((label): CodesOrIds[] => {
    const column = label.means === undefined ? undefined : label.table.columns.get(label.means);
    const uses = column === undefined ? [] : asked(fit, column);
    const [first] = uses;
    const values = label.content.distinct.filter((text) => /^\d+$/.test(text));
    if (column === undefined || first === undefined || values.length === 0) return [];
    const { by } = first.match;
    const usual = by.includes('code') ? 'code' : 'id';
    const asIs = entries(fit, first, by, values);
    const other = entries(fit, first, swapped(by), values);
    const isKnown = (rows: readonly unknown[]): boolean => rows.every((row) => row !== undefined);
    if (!isKnown(other) || asIs.every((row, at) => row === other[at])) return [];
    const joined = joinedCode(label, labels, first);
    // With what the unit says, ids would be other entries than codes.
    if (joined?.halves.some(({ rest, row }) => row !== other[values.indexOf(rest)])) return [];
    const rows = { [usual]: asIs, [OTHER[usual]]: other } as Record<'code' | 'id', typeof asIs>;
    const likely = isKnown(asIs) ? usual : OTHER[usual];
    const id = `by.${fullId(fit.mapping, column)}`;
    const settings = (value: 'code' | 'id'): Setting =>
      value === usual
        ? []
        : uses.flatMap((use) => {
            const { match } = specOf(fit, use) ?? {};
            if (match === undefined) return [];
            const changed = match.map((entry, at) =>
              at === use.index ? { ...entry, by: swapped(use.match.by) } : entry,
            );
            return [
              [[...use.field.path.map(String), 'lookup', 'match'], changed as unknown as JsonValue] as const,
            ];
          });
    const question: Question = {
      id,
      path: [...first.field.path.map(String), 'lookup', 'match'],
      title: tell(language, 'by', { place: cellOf(label), label: labelName(label), list: first.list }),
      samples: samplesOf(label, fit.uses),
      ...answersOf(
        ([likely, OTHER[likely]] as const).map((value) => ({
          value,
          score: UNLIKELY, // a wrong one makes another person of everyone
          title: tell(language, value === 'code' ? 'byCode' : 'byId', {
            values: become(values, rows[value]),
          }),
        })),
      ),
    };
    return [{ question, settings }];
  });
}

/** A code that stands in two columns: that of its larger unit, and the rest. */
export interface JoinedCode {
  readonly unit: LabelFit;
  readonly rest: LabelFit;
  /** The halves of all records, and the entries they are. */
  readonly halves: NonEmpty<{ readonly unit: string; readonly rest: string; readonly row: CatalogueRow }>;
}

/** Returns the two columns of a code if each pair of them is an entry of the list. */
function joinedCode(
  rest: LabelFit,
  labels: readonly LabelFit[],
  { match: { halves } }: Asked,
): JoinedCode | undefined {
  if (halves === undefined) return undefined;
  const unit = labels.find(
    (label) => label.sheet === rest.sheet && label.table === rest.table && label.means === halves.unit.id,
  );
  if (unit === undefined) return undefined;
  const said = new Map(unit.content.filled.map(({ row, text }) => [row, text.trim()]));
  const found: JoinedCode['halves'][number][] = [];
  for (const { row, text } of rest.content.filled) {
    const half = text.trim();
    const entry = isHalfCode(half, halves) ? halves.entryOf(half, said.get(row) ?? '') : undefined;
    if (entry === undefined) return undefined;
    found.push({ unit: required(said, row), rest: half, row: entry });
  }
  const all = nonEmpty(found);
  return all && { unit, rest, halves: all };
}

/** Returns the codes that are read from two columns, of which each pair is an entry of their list. */
export const joinedCodes = (labels: readonly LabelFit[], fit: Fit): readonly JoinedCode[] =>
  labels.flatMap((label) => {
    const column = label.means === undefined ? undefined : label.table.columns.get(label.means);
    const [first] = column === undefined ? [] : asked(fit, column);
    return (first && joinedCode(label, labels, first)) ?? [];
  });

/** A moment that stands in two columns. */
interface JoinedMoment {
  readonly day: LabelFit;
  readonly hour: LabelFit;
}

/** Returns the moments that are read from two columns, the day and the hour. */
export const joinedMoments = (labels: readonly LabelFit[]): readonly JoinedMoment[] =>
  labels.flatMap((day): JoinedMoment[] => {
    const [time] = day.means === undefined ? [] : (day.table.columns.get(day.means)?.times ?? []);
    const hour = labels.find(
      (label) => label.sheet === day.sheet && label.table === day.table && label.means === time?.id,
    );
    return time === undefined || hour === undefined ? [] : [{ day, hour }];
  });

/** Codes of a column that have lost the zeros they begin with. */
export interface LostZeros {
  readonly fit: LabelFit;
  /** The first of them, and what it was read as. */
  readonly place: string;
  readonly text: string;
  readonly restored: string;
  /** Undefined when the column shows no code that kept its zeros. */
  readonly question: Question | undefined;
  readonly path: readonly string[];
}

const keepsZeros = ({ content }: LabelFit): boolean =>
  content.filled.some(({ text, kind }) => kind === 'text' && /^0\d+$/.test(text.trim()));

/** Finds by column the codes that a list knows only with zeros before them. */
export function lostZeros(
  issues: readonly Issue[],
  labels: readonly LabelFit[],
  { mapping }: Fit,
  language: Language,
): readonly LostZeros[] {
  const found = new Map<LabelFit, LostZeros>();
  for (const issue of issues) {
    const { place, value = '' } = issue;
    const fit = labelAt(labels, place);
    if (fit === undefined || found.has(fit)) continue;
    const at = formatPlace(place);
    const restored = String(paramOf(issue, 'restored') ?? '');
    const column = required(fit.table.columns, fit.means);
    const path = ['tables', fit.table.id, 'columns', column.id, 'formats', 'zeros'];
    const question: Question | undefined = keepsZeros(fit)
      ? {
          id: `zeros.${fullId(mapping, column)}`,
          path,
          title: tell(language, 'zeros', { place: at, label: labelName(fit), text: value, restored }),
          samples: [{ cell: at, text: value }],
          ...answersOf([
            { value: 'lost', score: LIKELY, title: tell(language, 'zerosLost', { text: value, restored }) },
            { value: IGNORE, title: tell(language, 'zerosIgnore') },
          ]),
        }
      : undefined;
    found.set(fit, { fit, place: at, text: value, restored, question, path });
  }
  return [...found.values()];
}

/** Returns the settings for zeros that are surely lost: of the whole table if no column of it is open. */
export function zerosSettings(lost: readonly LostZeros[]): Setting {
  const tables = new Set(lost.map(({ fit }) => fit.table.id));
  return [...tables].flatMap((id): Setting => {
    const inTable = lost.filter(({ fit }) => fit.table.id === id);
    return inTable.every(({ question }) => question === undefined)
      ? [[['tables', id, 'formats', 'zeros'], 'lost']]
      : inTable.flatMap(({ question, path }) => (question === undefined ? [[path, 'lost'] as const] : []));
  });
}
