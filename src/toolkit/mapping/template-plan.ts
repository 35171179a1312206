import type { Text } from '../../generated/issue-codes.js';
import type { ParamType } from './params.js';
import type { READ_KINDS, ReadKind } from './read/cell.js';

/** Returns the name of a sheet that a template adds; another one if the mapping has a sheet of that name. */
export const ownSheetName = (name: string, isTaken: boolean): string => (isTaken ? `${name} (cargue)` : name);

/** Type of the cells of a column. */
export type TemplateKind = (typeof READ_KINDS)[ReadKind]['cells'];

/** Need of a cell: `always`, `optional`, or needed unless the run gives a parameter. */
export type TemplateNeed = 'always' | 'optional' | { readonly unless: string };

export interface TemplateColumn {
  /** Header text, by which the mapping finds the column. */
  readonly title: string;
  readonly kind: TemplateKind;
  readonly need: TemplateNeed;
  /** Description from the schema of the document; blank if there is none. */
  readonly about: Text;
  /** Name of the list of `TemplatePlan.lists` whose words it takes. */
  readonly list?: string;
}

export interface TemplateSheet {
  readonly name: string;
  readonly about: Text;
  /** True if its records make the documents; records of other sheets add to them. */
  readonly main: boolean;
  /** Row number as Excel shows it. */
  readonly headerRow: number;
  /** Titles of the columns that tell which document a record belongs to. */
  readonly key: readonly string[];
  readonly columns: readonly TemplateColumn[];
}

/** Parameter that a run needs or takes. */
export interface TemplateParam extends ParamType {
  readonly name: string;
  readonly about: Text;
  readonly need: 'always' | 'optional';
  /** Default of the parameter. */
  readonly preset?: string | number | boolean;
  /** Example value, if the type alone does not give one. */
  readonly example?: string;
}

/** Empty workbook that a mapping reads, as plain data that the report writes. */
export interface TemplatePlan {
  /** Name of the mapping that reads it, as `-m` takes it. */
  readonly mapping: string;
  readonly about: Text;
  readonly sheets: readonly TemplateSheet[];
  /** True if several rows of a main sheet may make one document. */
  readonly grouped: boolean;
  /** Words that columns take, by name of the list. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly params: readonly TemplateParam[];
}
