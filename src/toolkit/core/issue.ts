/** The only way to say that data is wrong: a value with a stable code and a place, worded late. */

import type { OwnCode, OwnParams, RuleCode, Text } from '../../generated/issue-codes.js';
import { OUTSIDE } from '../../generated/texts-issue.js';

export type Level = 'error' | 'warning';
export type Language = 'es' | 'en';

/** A sheet, or a text file, which has none. */
type InSheet = Pick<Place, 'file' | 'sheet'>;

/** Whether two places are of one sheet of one file. */
export const isSameSheet = (a: InSheet, b: InSheet): boolean => a.sheet === b.sheet && a.file === b.file;

/** Whether they are one cell; a row, where neither has a column. */
export const isSameCell = (a: Place, b: Place): boolean =>
  a.row === b.row && a.column === b.column && isSameSheet(a, b);

/** Where something stands. Rows are numbered as Excel shows them, columns are letters. */
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
  /** Of a text file that people write, such as a mapping: the character of `line`, from 1. */
  readonly character?: number;
  /** Of a JSON file: the pointer into the file; `line` is where that stands. */
  readonly json?: string;
  /** JSON pointer into the document. */
  readonly pointer?: string;
  /** Parameter of the run, where no cell is meant. */
  readonly param?: string;
  /** What people call that parameter, where its mapping says so. */
  readonly title?: Text;
  /** Name of the mapping, where a constant of it is meant or something that it does not give. */
  readonly mapping?: string;
}

/** A likely intended value, best first; `score` runs from 0 to 1. */
export interface Suggestion {
  readonly value: string;
  readonly score: number;
}

export type IssueParams = Readonly<Record<string, string | number | undefined>>;

/** `stage/what`, never renamed once published: of the program itself (`src/toolkit/messages/codes`), or of a rule. */
export type IssueCode = OwnCode | RuleCode;

/** What the wording of a code needs; never whole rows. Rules declare theirs as data. */
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
  /** What was found, as the person sees it. */
  readonly value?: string;
  readonly related?: readonly Place[];
  readonly documentKey?: string;
  readonly suggestions?: readonly Suggestion[];
  /** Of what no single document caused: how many have it. */
  readonly documents?: number;
}

/** One member for each code, so that a literal of an unknown code, or without a param of its code, does not compile. */
export type Issue<C extends IssueCode = IssueCode> =
  | { [K in C & OwnCode]: IssueOf<K> }[C & OwnCode]
  | ([Exclude<C, OwnCode>] extends [never] ? never : IssueOf<Exclude<C, OwnCode>>);

/** A code with its params, before anything is known of the place. */
export type Coded<C extends IssueCode = IssueCode> = C extends IssueCode
  ? { readonly code: C; readonly params: Params<C> }
  : never;

/** Last arguments: the params, which may be left out where the code needs none, and what may come behind them. */
export type ParamsOf<C extends IssueCode, More = undefined> =
  Record<string, never> extends Params<C>
    ? [params?: Params<C>, more?: More]
    : [params: Params<C>, more?: More];

/** An issue of a code that the caller chooses. */
export const issueOf = <C extends IssueCode>(
  code: C,
  level: Level,
  params: Params<C>,
  place: Place = {},
): Issue<NoInfer<C>> => ({ code, level, params, place }) as unknown as Issue<NoInfer<C>>;

export const warning = <C extends IssueCode>(code: C, ...[params]: ParamsOf<C>): Issue<NoInfer<C>> =>
  issueOf(code, 'warning', (params ?? {}) as Params<C>);

/** A param of an issue of any code. */
export const paramOf = ({ params }: { readonly params: Params<IssueCode> }, name: string) =>
  (params as IssueParams)[name];

/** The issue with more to say than its code needs. */
export const withParams = (issue: Issue, params: IssueParams): Issue =>
  ({ ...issue, params: { ...issue.params, ...params } }) as Issue;

/** The issue with each of its params as it may be shown. */
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

/** The one result shape: a value, issues, or both. */
export interface Checked<T> {
  readonly value?: T;
  readonly issues: readonly Issue[];
}

/** What most records and documents have: one list for all of them. */
export const NO_ISSUES: readonly Issue[] = [];

export const hasErrors = (issues: readonly Issue[]): boolean =>
  issues.some((issue) => issue.level === 'error');

/** `Nómina!F17`, `consultas.csv!C12`, `Fecha de emisión` of a parameter, or the pointer when no cell is known. */
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

/** What stops a run. The command line turns the key into an exit code. */
export type PipelineErrorKey =
  | 'usage' // the call's words are off: exit 2
  | 'mapping' // the mapping file is wrong: exit 2
  | 'input' // the input file cannot be read as data: exit 1
  | 'journal' // the journal cannot be used: exit 2
  | 'unfinished' // journal or result fail once documents have left: exit 4
  | 'busy' // another process is sending: exit 4
  | 'service' // the service cannot be reached or refuses us: exit 3
  | 'output'; // a result cannot be written: exit 2

/** The one thrown error. `issues` say what is wrong in the same words as everywhere else. */
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

/** What an error says: a defect of the program is an issue as well. */
export const issuesOf = (error: unknown): readonly Issue[] =>
  error instanceof PipelineError
    ? error.issues
    : [
        issueOf('run/unexpected', 'error', {
          reason: error instanceof Error ? error.message.split('\n')[0]! : String(error),
        }),
      ];

/** What `stop` is told of an issue: its level is an error, its place is none unless it is given. */
export type Reason<C extends IssueCode> = Omit<IssueOf<C>, 'level' | 'params' | 'place'> & {
  readonly place?: Place;
} & (Record<string, never> extends Params<C>
    ? { readonly params?: Params<C> }
    : { readonly params: Params<C> });

/** Throws them as an error of usage, where there are any. */
export function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new PipelineError('usage', issues);
}

/** Throws one error-level issue as the reason to stop. */
export function stop<C extends IssueCode>(key: PipelineErrorKey, reason: Reason<C>, cause?: unknown): never {
  const issue = { level: 'error', params: {}, place: {}, ...reason } as unknown as Issue;
  throw new PipelineError(key, [issue], cause === undefined ? undefined : { cause });
}
