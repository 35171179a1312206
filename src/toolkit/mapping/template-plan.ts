import type { Text } from '../../generated/issue-codes.js';
import type { ParamType } from './params.js';

/** How one of them is called where the mapping has a sheet of that name. */
export const ownSheetName = (name: string, isTaken: boolean): string => (isTaken ? `${name} (cargue)` : name);

/** How the cells of a column are to be typed. */
export type TemplateKind = 'text' | 'integer' | 'decimal' | 'money' | 'date' | 'datetime' | 'time';

/** Whether a cell must be filled: always, where the run does not give that parameter, or as one likes. */
export type TemplateNeed = 'always' | 'optional' | { readonly unless: string };

export interface TemplateColumn {
  /** Header text, by which the mapping finds the column. */
  readonly title: string;
  readonly kind: TemplateKind;
  readonly need: TemplateNeed;
  /** What it is, as the schema of the document says; blank where nothing is said. */
  readonly about: Text;
  /** Name of the list of `TemplatePlan.lists` whose words it takes. */
  readonly list?: string;
}

export interface TemplateSheet {
  readonly name: string;
  readonly about: Text;
  /** Whether its records make the documents; the others add to them. */
  readonly main: boolean;
  /** As Excel shows it. */
  readonly headerRow: number;
  /** Titles of the columns that tell which document a record belongs to. */
  readonly key: readonly string[];
  readonly columns: readonly TemplateColumn[];
}

/** What a run must or may be told beside the file. */
export interface TemplateParam extends ParamType {
  readonly name: string;
  readonly about: Text;
  readonly need: 'always' | 'optional';
  /** Used when the run does not say. */
  readonly preset?: string | number | boolean;
  /** A value to show, where the type alone does not give one. */
  readonly example?: string;
}

/** An empty workbook that a mapping reads: plain data, made of the mapping and written by the report. */
export interface TemplatePlan {
  /** The mapping that reads it, as `-m` takes it. */
  readonly mapping: string;
  /** What its documents are. */
  readonly about: Text;
  readonly sheets: readonly TemplateSheet[];
  /** Whether several rows of a main sheet may make one document. */
  readonly grouped: boolean;
  /** Words that columns take, by name of the list. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly params: readonly TemplateParam[];
}
