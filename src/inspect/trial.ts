import { stringify } from 'yaml';
import type { Issue } from '../issues/issue.js';
import type { CompiledColumn } from '../mapping/columns.js';
import { compileMapping, type LoadedMapping } from '../mapping/load.js';
import { type ParamValues, resolveParams } from '../mapping/params.js';
import type { Verdict } from '../mapping/vote/vote-formats.js';
import { withInputs } from '../pipeline/inputs.js';
import { type Located, locate } from '../pipeline/locate.js';
import { prepare } from '../pipeline/prepare.js';
import type { TableFit } from './assign.js';
import { type Pins, type ProposalSource, trialTree } from './proposal.js';
import { rowKey } from './total-rows.js';

/** How a column of a sheet is written. */
export interface FormatFound {
  readonly table: string;
  readonly sheet: string;
  readonly file: string;
  readonly column: CompiledColumn;
  readonly verdict: Verdict;
}

/** What reading the files to their end with the proposed mapping has shown. */
export interface Trial {
  readonly mapping: LoadedMapping;
  /** Of words only: the rest is for `cargue check`. */
  readonly issues: readonly Issue[];
  readonly formats: readonly FormatFound[];
  readonly planned: number;
  /** Documents of the main tables, good or not, and how many of them people can tell apart. */
  readonly told: number;
  readonly keys: number;
  /** Rows that are no data, as `rowKey` writes them. */
  readonly skipped: ReadonlySet<string>;
  readonly records: number;
}

const FILE = 'inspect.yaml';
const OF_WORDS = /^(lookup|class)\//;

const compileTrial = (source: ProposalSource): LoadedMapping =>
  compileMapping(FILE, stringify(trialTree(source), { lineWidth: 0 }));

const paramsOf = (mapping: LoadedMapping, given: Readonly<Record<string, unknown>>) =>
  resolveParams(mapping.params, given).value!;

const locateAll = (mapping: LoadedMapping, files: readonly string[], params: ParamValues): Promise<Located> =>
  withInputs(files, (inputs) => locate(mapping, inputs, { values: params, defaults: {}, tables: {} }));

/** Whether a table is found where inspect saw it. */
function isFound(fit: TableFit, mapping: LoadedMapping, { tables }: Located): 'yes' | 'elsewhere' | 'no' {
  const { slot } = mapping.tables.get(fit.table.id)!;
  const own = tables.filter((table) => table.slot === slot);
  const here = own.find(
    ({ source }) => source.file === fit.sheet.source.file && source.sheet === fit.sheet.source.sheet,
  );
  if (here === undefined) return own.length > 0 ? 'elsewhere' : 'no';
  return here.header.row.number === fit.header.row.number ? 'yes' : 'no';
}

/** Settles what must be said so that the tables are found as shown: rows and sheets, only where they are needed. */
export async function pinned(source: ProposalSource, files: readonly string[]): Promise<ProposalSource> {
  let at = source;
  for (let round = 0; round < 3; round++) {
    const mapping = compileTrial(at);
    const located = await locateAll(mapping, files, paramsOf(mapping, {}).values);
    const rows = new Set(at.pins.rows);
    const sheets = new Set(at.pins.sheets);
    for (const fit of at.fit.tables) {
      const found = isFound(fit, mapping, located);
      if (found === 'yes') continue;
      if (found === 'elsewhere' || rows.has(fit.table.id)) sheets.add(fit.table.id);
      else rows.add(fit.table.id);
    }
    const pins: Pins = { rows, sheets };
    if (rows.size + sheets.size === at.pins.rows.size + at.pins.sheets.size) return at;
    at = { ...at, pins };
  }
  return at;
}

/** Reads all records with the proposed mapping: words that no code list knows, formats, repeated keys. */
export async function tryOut(
  source: ProposalSource,
  files: readonly string[],
  given: Readonly<Record<string, unknown>> = {},
): Promise<Trial> {
  const mapping = compileTrial(source);
  const issues: Issue[] = [];
  const formats: FormatFound[] = [];
  const keys = new Set<string>();
  const skipped = new Set<string>();
  let told = 0;
  let planned = 0;
  let records = 0;
  for await (const events of prepare({ files, mapping, params: paramsOf(mapping, given) }))
    for (const event of events) {
      if (event.kind === 'issue') {
        if (OF_WORDS.test(event.issue.code)) issues.push(event.issue);
      } else if (event.kind === 'skipped')
        skipped.add(rowKey(event.place.file ?? '', event.place.sheet, event.place.row ?? 0));
      else if (event.kind === 'document' || event.kind === 'held-back') {
        told += 1;
        keys.add(event.kind === 'document' ? event.draft.key : event.key);
      } else if (event.kind === 'end') {
        planned = event.documents.planned;
        records = event.records.read;
      } else if (event.kind === 'formats') {
        const { table, verdicts } = event.voted;
        const id = [...mapping.tables.values()].find(({ slot }) => slot === table.slot)!.id;
        const { file, sheet = file } = table.source;
        for (const [column, verdict] of verdicts) formats.push({ table: id, sheet, file, column, verdict });
      }
    }
  return { mapping, issues, formats, planned, told, keys: keys.size, skipped, records };
}
