/** Issues: values with a stable code and a place, formatted late. Nothing else reports that data is wrong. */

import type { OwnCode, OwnParams, RuleCode, Text } from '../../generated/issue-codes.js';
import { OUTSIDE } from '../../generated/texts-issue.js';

export type Level = 'error' | 'warning';
export type Language = 'es' | 'en';

/** Place of a sheet; a text file has no `sheet`. */
type InSheet = Pick<Place, 'file' | 'sheet'>;

export const isSameSheet = (a: InSheet, b: InSheet): boolean => a.sheet === b.sheet && a.file === b.file;

/** True if both places are one cell, or one row if neither has a column. */
export const isSameCell = (a: Place, b: Place): boolean =>
  a.row === b.row && a.column === b.column && isSameSheet(a, b);

/** Place of an issue. Rows are numbered as Excel shows them, columns are letters. */
export interface Place {
  readonly file?: string;
  readonly sheet?: string;
  /** 1-based row of the sheet; for CSV the record number, the header being 1. */
  readonly row?: number;
  /** Column letter: `A`, `AB`. */
  readonly column?: string;
  /** Text of the header cell above. */
  readonly label?: string;
  /** CSV only: the text line on which the record starts. */
  readonly line?: number;
  /** Character within `line`, from 1; only for text files that users write, such as mappings. */
  readonly character?: number;
  /** Pointer into a JSON file; `line` is its line. */
  readonly json?: string;
  /** JSON pointer into the document. */
  readonly pointer?: string;
  /** Parameter of the run, if no cell is meant. */
  readonly param?: string;
  readonly title?: Text;
  /** Name of the mapping, if a constant or an omission of it is meant. */
  readonly mapping?: string;
}

/** A value that may have been meant; `score` runs from 0 to 1. */
export interface Suggestion {
  readonly value: string;
  readonly score: number;
}

export type IssueParams = Readonly<Record<string, string | number | undefined>>;

/** `stage/what`, never renamed once published; from `src/toolkit/messages/codes` or from a rule. */
export type IssueCode = OwnCode | RuleCode;

/** Params that the sentence of a code needs; rules declare theirs as data. */
export type Params<C extends IssueCode> = C extends OwnCode
  ? OwnParams extends Readonly<Record<C, infer P>> // `OwnParams[C]` has the compiler multiply the cases of all codes
    ? P
    : never
  : IssueParams;

interface IssueOf<C extends IssueCode> {
  readonly code: C;
  readonly level: Level;
  readonly params: Params<C>;
  readonly place: Place;
  /** The value as the user sees it. */
  readonly value?: string;
  readonly related?: readonly Place[];
  readonly documentKey?: string;
  readonly suggestions?: readonly Suggestion[];
  /** Number of documents that have the issue, if no single document caused it. */
  readonly documents?: number;
}

/** One member for each code: a literal of an unknown code, or without a param of its code, does not compile. */
export type Issue<C extends IssueCode = IssueCode> =
  | { [K in C & OwnCode]: IssueOf<K> }[C & OwnCode]
  | ([Exclude<C, OwnCode>] extends [never] ? never : IssueOf<Exclude<C, OwnCode>>);

/** A code with its params, still without a place. */
export type Coded<C extends IssueCode = IssueCode> = C extends IssueCode
  ? { readonly code: C; readonly params: Params<C> }
  : never;

/** Rest arguments: the params, optional if the code needs none, and an optional further one. */
export type ParamsOf<C extends IssueCode, More = undefined> =
  Record<string, never> extends Params<C>
    ? [params?: Params<C>, more?: More]
    : [params: Params<C>, more?: More];

/** Creates an issue of a code that the caller chooses. */
export const issueOf = <C extends IssueCode>(
  code: C,
  level: Level,
  params: Params<C>,
  place: Place = {},
): Issue<NoInfer<C>> => ({ code, level, params, place }) as unknown as Issue<NoInfer<C>>;

export const warning = <C extends IssueCode>(code: C, ...[params]: ParamsOf<C>): Issue<NoInfer<C>> =>
  issueOf(code, 'warning', (params ?? {}) as Params<C>);

export const paramOf = ({ params }: { readonly params: Params<IssueCode> }, name: string) =>
  (params as IssueParams)[name];

export const withParams = (issue: Issue, params: IssueParams): Issue =>
  ({ ...issue, params: { ...issue.params, ...params } }) as Issue;

export const mapParams = (
  issue: Issue,
  show: (name: string, param: string | number) => string | number,
): Issue =>
  withParams(
    issue,
    Object.fromEntries(
      Object.entries(issue.params as IssueParams).flatMap(([name, param]) =>
        param === undefined ? [] : [[name, show(name, param)]],
      ),
    ),
  );

/** A result with its issues; either may be missing. */
export interface Checked<T> {
  readonly value?: T;
  readonly issues: readonly Issue[];
}

/** Shared empty list, for most records and documents. */
export const NO_ISSUES: readonly Issue[] = [];

export const hasErrors = (issues: readonly Issue[]): boolean =>
  issues.some((issue) => issue.level === 'error');

/** Formats a place: `Nómina!F17`, `consultas.csv!C12`, `Fecha de emisión` of a parameter, or the pointer. */
export const formatPlace = (place: Place): string => wordPlace(place, 'es');

export function wordPlace(place: Place, language: Language): string {
  if (place.param !== undefined)
    return place.title?.[language] ?? `${OUTSIDE.param[language]} ${place.param}`;
  if (place.mapping !== undefined)
    return [`${OUTSIDE.mapping[language]} ${place.mapping}`, place.pointer].filter(Boolean).join(' ');
  const where = place.sheet ?? place.file ?? '';
  if (place.json !== undefined) return [`${where}:${place.line ?? 1}`, place.json].filter(Boolean).join(' ');
  const cell = `${place.column ?? ''}${place.row ?? ''}`;
  if (cell !== '') return where === '' ? cell : `${where}!${cell}`;
  // An XML document has no cells: the label says which part is meant.
  if (where !== '' && place.label !== undefined) return where;
  return place.pointer === undefined ? where : [where, place.pointer].filter(Boolean).join(' ');
}

/** Kind of a fatal error; the command line turns it into an exit code. */
export type PipelineErrorKey =
  | 'usage' // the call's words are off: exit 2
  | 'mapping' // the mapping file is wrong: exit 2
  | 'input' // the input file cannot be read as data: exit 1
  | 'journal' // the journal cannot be used: exit 2
  | 'away' // the journal's database cannot be reached: exit 3
  | 'unfinished' // journal or result fail once documents have left: exit 4
  | 'busy' // another process is sending: exit 4
  | 'service' // the service cannot be reached or refuses us: exit 3
  | 'output'; // a result cannot be written: exit 2

/** The only error that is thrown on purpose; its issues say what is wrong. */
export class PipelineError extends Error {
  override readonly name = 'PipelineError';
  constructor(
    readonly key: PipelineErrorKey,
    readonly issues: readonly Issue[],
    options?: { cause?: unknown },
  ) {
    super(issues.map((issue) => issue.code).join(', '), options);
  }
}

/** Returns the issues of an error; a defect of the program becomes one as well. */
export const issuesOf = (error: unknown): readonly Issue[] =>
  error instanceof PipelineError
    ? error.issues
    : [
        issueOf('run/unexpected', 'error', {
          reason: error instanceof Error ? error.message.replace(/\n[\s\S]*/, '') : String(error),
        }),
      ];

/** Argument of `stop`: an issue whose level is `error` and whose place is optional. */
export type Reason<C extends IssueCode> = Omit<IssueOf<C>, 'level' | 'params' | 'place'> & {
  readonly place?: Place;
} & (Record<string, never> extends Params<C>
    ? { readonly params?: Params<C> }
    : { readonly params: Params<C> });

export function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new PipelineError('usage', issues);
}

/** Throws a `PipelineError` with one issue of level `error`. */
export function stop<C extends IssueCode>(key: PipelineErrorKey, reason: Reason<C>, cause?: unknown): never {
  const issue = { level: 'error', params: {}, place: {}, ...reason } as unknown as Issue;
  throw new PipelineError(key, [issue], cause === undefined ? undefined : { cause });
}
