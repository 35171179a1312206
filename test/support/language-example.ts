import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ExcelJS from 'exceljs';
import { type LanguageExample, sheetRows } from '../../src/codegen/pages.js';
import { deriveWith, FAMILIES } from '../../src/families/registry.js';
import { formatPlace, type Issue, PipelineError } from '../../src/toolkit/core/issue.js';
import { type MappingTestResult, runMappingTests } from '../../src/toolkit/documents/mapping-tests.js';
import { prepare } from '../../src/toolkit/documents/prepare.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { resolveParams } from '../../src/toolkit/mapping/params.js';
import { placed } from './prepare-file.js';

/** The mapping as a file of its own. What is added stands below, so that lines keep their numbers. */
export const wholeMapping = ({ id, mapping }: LanguageExample): string =>
  [mapping.trimEnd(), /^cargue:/m.test(mapping) ? '' : `cargue: 1\nname: language/${id}\n`].join('\n');

/** What a cell holds: a number, a date (`2026-10-31`), nothing, or text; quotes make a text of a number. */
function cellValue(cell: string): string | number | Date | null {
  if (cell === '') return null;
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(cell)) return Number(cell);
  if (/^\d{4}-\d{2}-\d{2}$/.test(cell)) return new Date(`${cell}T00:00:00Z`);
  return cell.replace(/^"(.*)"$/, '$1');
}

/** What an example gave, in the form in which its file says it. */
export type Outcome = Required<Pick<LanguageExample, 'documents' | 'issues' | 'skipped' | 'lint'>>;

async function writeWorkbook(path: string, sheets: Readonly<Record<string, string>>): Promise<void> {
  const book = new ExcelJS.Workbook();
  for (const [name, text] of Object.entries(sheets)) {
    const sheet = book.addWorksheet(name);
    for (const { hidden, cells } of sheetRows(text)) {
      const row = sheet.addRow(cells.map(cellValue));
      row.eachCell((cell) => {
        if (cell.value instanceof Date) cell.numFmt = 'dd/mm/yyyy';
      });
      row.hidden = hidden;
    }
  }
  await book.xlsx.writeFile(path);
}

/** Writes the files of an example into a folder of its own; the mapping first. */
async function written(example: LanguageExample): Promise<{ mapping: string; files: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-language-'));
  const mapping = join(folder, 'mapping.yaml');
  writeFileSync(mapping, wholeMapping(example));
  for (const [name, text] of Object.entries(example.beside ?? {})) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const files: string[] = [];
  for (const [name, content] of Object.entries(example.input ?? {})) {
    const path = join(folder, name);
    if (typeof content === 'string') writeFileSync(path, content);
    else await writeWorkbook(path, content);
    files.push(path);
  }
  return { mapping, files };
}

const lintPlaces = (issues: readonly Issue[]): [string, string][] =>
  issues.map(({ code, place }) => [`${place.line}:${place.character}`, code]);

/** Runs an example through the whole preparation. */
export async function runExample(example: LanguageExample): Promise<Outcome> {
  const outcome = {
    documents: [] as unknown[],
    issues: [] as [string, string][],
    skipped: [] as string[],
    lint: [],
  };
  const { mapping: path, files } = await written(example);
  try {
    const mapping = await loadMapping(path);
    const params = resolveParams(mapping.params, example.params ?? {});
    if (params.issues.length > 0) return { ...outcome, issues: placed(params.issues) };
    for await (const events of prepare({
      files,
      mapping,
      params: params.value!,
      derive: deriveWith(FAMILIES),
    }))
      for (const event of events) {
        if (event.kind === 'document') outcome.documents.push(event.document.body);
        else if (event.kind === 'issue') outcome.issues.push(...placed([event.issue]));
        else if (event.kind === 'skipped') outcome.skipped.push(formatPlace(event.place));
      }
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    if (error.key !== 'mapping') throw error;
    return { ...outcome, lint: lintPlaces(error.issues) };
  }
  return outcome;
}

/** Runs the tests that the mapping of an example holds. */
export async function runOwnTests(example: LanguageExample): Promise<MappingTestResult[]> {
  const { mapping } = await written(example);
  const results: MappingTestResult[] = [];
  for await (const result of runMappingTests(await loadMapping(mapping), deriveWith(FAMILIES)))
    results.push(result);
  return results;
}
