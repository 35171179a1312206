import { readFileSync } from 'node:fs';
import { companyNamed } from '../../src/app/job.js';
import { deriveWith, FAMILIES, familyOf } from '../../src/families/registry.js';
import { formatPlace, type Issue } from '../../src/toolkit/core/issue.js';
import type { GivenFormats } from '../../src/toolkit/documents/decide.js';
import type { DocumentSequence } from '../../src/toolkit/documents/phases.js';
import { prepare } from '../../src/toolkit/documents/prepare.js';
import { compileMapping, loadMapping } from '../../src/toolkit/mapping/load.js';
import { resolveParams } from '../../src/toolkit/mapping/params.js';
import type { Note } from '../../src/toolkit/messages/wording.js';
import type {
  ColumnAccount,
  Document,
  DocumentCounts,
  RecordCounts,
} from '../../src/toolkit/schema/document.js';
import type { Edit } from '../../src/toolkit/tables/edits.js';

export const SAMPLE = 'samples/payroll/nomina-octubre-2026.xlsx';
export const WIDE = 'mappings/payroll/wide.yaml';
export const PARAMS = JSON.parse(readFileSync('samples/payroll/params.json', 'utf8')) as Record<
  string,
  unknown
>;

export interface Prepared {
  readonly drafts: readonly Document[];
  readonly issues: readonly Issue[];
  readonly heldBack: readonly string[];
  readonly skipped: readonly string[];
  /** Of the rows skipped, in their order. */
  readonly notes: readonly Note[];
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  readonly columns: readonly ColumnAccount[];
}

interface Options {
  readonly files?: readonly string[];
  readonly edits?: readonly Edit[];
  readonly mapping?: string;
  readonly mappingText?: string;
  readonly params?: Record<string, unknown>;
  readonly follow?: DocumentSequence;
  readonly today?: string;
  readonly formats?: GivenFormats;
  /** NIT of the company of the run. */
  readonly company?: string;
  /** The mapping was picked by itself. */
  readonly chosen?: string;
}

const shipped = new Map<string, ReturnType<typeof loadMapping>>();

/** A mapping of the program does not change while tests run. */
function loadOnce(mapping: string): ReturnType<typeof loadMapping> {
  if (!mapping.startsWith('mappings/')) return loadMapping(mapping);
  const loaded = shipped.get(mapping) ?? loadMapping(mapping);
  shipped.set(mapping, loaded);
  return loaded;
}

/** Runs the whole preparation and gathers what happened. */
export async function prepareFiles({
  files = [SAMPLE],
  edits,
  mapping = WIDE,
  mappingText,
  params = PARAMS,
  follow,
  today,
  formats,
  chosen,
  company,
}: Options): Promise<Prepared> {
  const loaded =
    mappingText === undefined ? await loadOnce(mapping) : compileMapping('test.yaml', mappingText);
  const resolved = resolveParams(loaded.params, params);
  if (resolved.issues.length > 0) throw new Error(JSON.stringify(resolved.issues));
  const family = familyOf(FAMILIES, loaded.targets[0]!.schema);
  const drafts: Document[] = [];
  const issues: Issue[] = [];
  const heldBack: string[] = [];
  const skipped: string[] = [];
  const notes: Note[] = [];
  for await (const events of prepare({
    files,
    ...(edits && { edits }),
    mapping: loaded,
    derive: deriveWith(FAMILIES),
    params: resolved.value!,
    company: companyNamed(family, { ...(company !== undefined && { company }) }),
    ...(follow && { follow }),
    ...(today !== undefined && { today }),
    ...(formats && { formats }),
    ...(chosen !== undefined && { chosen }),
  })) {
    for (const event of events) {
      if (event.kind === 'document') drafts.push(event.document);
      else if (event.kind === 'issue') issues.push(event.issue);
      else if (event.kind === 'held-back') heldBack.push(event.key);
      else if (event.kind === 'skipped') {
        skipped.push(formatPlace(event.place));
        notes.push(event.note);
      } else if (event.kind === 'end')
        return {
          drafts,
          issues,
          heldBack,
          skipped,
          notes,
          records: event.records,
          documents: event.documents,
          columns: event.columns,
        };
    }
  }
  throw new Error('no end');
}

/** `[place, code]`, as tests compare issues. */
export const placed = (issues: readonly Issue[]): [string, string][] =>
  issues.map(({ place, code }) => [formatPlace(place), code]);
