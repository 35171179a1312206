/** The only way to say that data is wrong: a value with a stable code and a place, worded late. */

export type Level = 'error' | 'warning';
export type Language = 'es' | 'en';

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
  /** JSON pointer into the document. */
  readonly pointer?: string;
  /** Parameter of the run, where no cell is meant. */
  readonly param?: string;
  /** Name of the mapping, where a constant of it is meant or something that it does not give. */
  readonly mapping?: string;
}

/** A likely intended value, best first; `score` runs from 0 to 1. */
export interface Suggestion {
  readonly value: string;
  readonly score: number;
}

export type IssueParams = Readonly<Record<string, string | number>>;

export interface Issue {
  /** `stage/what`, never renamed once published. */
  readonly code: string;
  readonly level: Level;
  /** What the wording needs; never whole rows. */
  readonly params: IssueParams;
  readonly place: Place;
  /** What was found, as the person sees it. */
  readonly value?: string;
  readonly related?: readonly Place[];
  readonly documentKey?: string;
  readonly suggestions?: readonly Suggestion[];
  /** Of what no single document caused: how many have it. */
  readonly documents?: number;
}

/** The one result shape: a value, issues, or both. */
export interface Checked<T> {
  readonly value?: T;
  readonly issues: readonly Issue[];
}

export const hasErrors = (issues: readonly Issue[]): boolean =>
  issues.some((issue) => issue.level === 'error');

const OUTSIDE = {
  param: { es: 'Parámetro', en: 'Parameter' },
  mapping: { es: 'Mapeo', en: 'Mapping' },
} as const;

/** `Nómina!F17`, `consultas.csv!C12`, `Parámetro issue_date`, or the pointer when no cell is known. */
export const formatPlace = (place: Place): string => wordPlace(place, 'es');

export function wordPlace(place: Place, language: Language): string {
  if (place.param !== undefined) return `${OUTSIDE.param[language]} ${place.param}`;
  if (place.mapping !== undefined)
    return [`${OUTSIDE.mapping[language]} ${place.mapping}`, place.pointer].filter(Boolean).join(' ');
  const where = place.sheet ?? place.file ?? '';
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

/** Throws one error-level issue as the reason to stop. */
export function stop(
  key: PipelineErrorKey,
  issue: Omit<Issue, 'level' | 'params' | 'place'> & Partial<Pick<Issue, 'params' | 'place'>>,
  cause?: unknown,
): never {
  const full: Issue = { level: 'error', params: {}, place: {}, ...issue };
  throw new PipelineError(key, [full], cause === undefined ? undefined : { cause });
}
