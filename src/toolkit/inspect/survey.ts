import { type Language, stop } from '../core/issue.js';
import { MAX_COMPARED_LABELS } from '../core/limits.js';
import type { Opened } from '../documents/opened.js';
import { givenRow, type HeaderRows } from '../documents/table-fit.js';
import type { InputFile, Row } from '../tables/table.js';
import type { HeadedSheet } from './assign.js';
import { type Fit, fitMapping, isLikely, rankFits } from './fit.js';
import { withSharedKeys } from './keys.js';
import { withOwnerColumns } from './owners.js';
import { outlineOf, type ReadyMapping } from './ready.js';
import {
  asTitles,
  hasHeads,
  headerRow,
  readSheets,
  type Sheet,
  titlesAmong,
  vocabularyOf,
  withLate,
} from './sheets.js';
import { usesOf } from './uses.js';

/** Fits of ready-made mappings to the beginning of files, the best first. */
interface Surveyed {
  readonly sheets: readonly HeadedSheet[];
  readonly ranked: readonly Fit[];
}

/** Rows that a person says are headers, by place. */
type SaidHeaders = readonly (number | undefined)[];

function surveyOf(
  all: readonly Sheet[],
  ready: readonly ReadyMapping[],
  said: SaidHeaders,
  among: Among,
): Surveyed {
  const vocabulary = vocabularyOf(ready.map(outlineOf));
  const sheets = withSharedKeys(
    all.map((sheet, at) => ({ sheet, header: headerRow(sheet, vocabulary, said[at]) })),
  );
  for (const sheet of sheets) refuseWide(sheet);
  const fitted = ({ name, mapping }: ReadyMapping): Fit => fitMapping(name, mapping, sheets);
  const near = among(sheets, ready);
  const isSpread = (first: ReadyMapping): boolean => outlineOf(first).sheets > 1;
  const closest = new Map(near.filter((item) => !isSpread(item)).map((item) => [item, fitted(item)]));
  // Mappings of several sheets are compared only if no mapping of one explains the files.
  if ([...closest.values()].every(({ score }) => score < WHOLLY))
    for (const item of near.filter(isSpread)) closest.set(item, fitted(item));
  const rest = [...closest.values()].some(isLikely) ? unfitted : fitted;
  return { sheets, ranked: rankFits(ready.map((item) => closest.get(item) ?? rest(item))) };
}

/** @throws PipelineError('input', inspect/too-many-columns) */
function refuseWide({ sheet, header }: HeadedSheet): void {
  const count = header?.labels.filter((label) => label !== undefined).length ?? 0;
  if (count <= MAX_COMPARED_LABELS) return;
  const place = {
    file: sheet.source.file,
    ...(sheet.source.sheet !== undefined && { sheet: sheet.source.sheet }),
  };
  stop('input', { code: 'inspect/too-many-columns', params: { count, most: MAX_COMPARED_LABELS }, place });
}

/** Least score of a mapping that leaves nothing of the files over. */
const WHOLLY = 0.95;

/** A mapping of another kind: it reads none of the sheets, and is not compiled for that. */
const unfitted = (ready: ReadyMapping): Fit => ({
  ...readsNothing(ready),
  get mapping() {
    return ready.mapping;
  },
  get uses() {
    return usesOf(ready.mapping);
  },
});

const readsNothing = (ready: ReadyMapping) => ({
  name: ready.name,
  description: outlineOf(ready).description,
  spare: outlineOf(ready).tables,
  tables: [],
  open: [],
  unused: [],
  labels: [],
  score: 0,
  lacking: 0,
});

/** Min share of all labels, or of those that the best mapping knows, that shows the kind of a file. */
const PLAINLY = 0.5;

/** Chooses the ready-made mappings that are compared closely. */
type Among = (sheets: readonly HeadedSheet[], ready: readonly ReadyMapping[]) => readonly ReadyMapping[];

const isHeaded = (sheets: readonly HeadedSheet[]): boolean =>
  sheets.every(({ sheet, header }) => header !== undefined && sheet.source.json !== true);

const titlesOn = (sheets: readonly HeadedSheet[]): readonly string[] =>
  asTitles(sheets.flatMap(({ header }) => header?.labels.flatMap((label) => label ?? []) ?? []));

/** The mappings that are worth a closer look: hardly a label of a payroll is a title of any clinic's. */
const ofTheKind: Among = (sheets, ready) => {
  const labels = titlesOn(sheets);
  const possible = ready.filter((item) => outlineOf(item).sheets <= sheets.length);
  const known = possible.map((item) => ({ item, count: titlesAmong(labels, outlineOf(item)) }));
  const most = Math.max(0, ...known.map(({ count }) => count));
  const least = isHeaded(sheets) && most >= labels.length * PLAINLY ? most * PLAINLY : 0;
  return known.filter(({ count }) => count >= least).map(({ item }) => item);
};

/**
 * Those of them that can be meant: where a mapping has a title for every label, and its header is there, no other is whose header
 * is not.
 */
const thatCanBeMeant: Among = (sheets, ready) => {
  const near = ofTheKind(sheets, ready);
  const labels = titlesOn(sheets);
  const there = new Set(labels);
  const headed = near.filter((item) => hasHeads(there, outlineOf(item)));
  const isWhole = (mapping: ReadyMapping): boolean =>
    titlesAmong(labels, outlineOf(mapping)) === labels.length;
  if (!isHeaded(sheets) || labels.length === 0 || !headed.some(isWhole)) return near;
  return sheets.length === 1 ? simplest(headed) : headed;
};

/** Returns of the mappings that know a sheet by the same columns those with the fewest tables. */
function simplest(ready: readonly ReadyMapping[]): readonly ReadyMapping[] {
  const least = new Map<string, number>();
  const head = (mapping: ReadyMapping): string => JSON.stringify(outlineOf(mapping).heads);
  for (const item of ready)
    least.set(
      head(item),
      Math.min(outlineOf(item).tables, least.get(head(item)) ?? Number.POSITIVE_INFINITY),
    );
  return ready.filter((item) => outlineOf(item).tables === least.get(head(item)));
}

/** Reads the beginning of every sheet and ranks the ready-made mappings that can be meant. */
export const survey = async (
  inputs: readonly InputFile[],
  ready: readonly ReadyMapping[],
  headers: HeaderRows = new Map(),
): Promise<Surveyed> => {
  const sheets = await readSheets(inputs);
  const rows = sheets.map(({ source }) => givenRow(headers, source));
  return surveyOf(sheets, ready, rows, thatCanBeMeant);
};

/** Files that are inspected again with each answer: their beginning is read once for each place of their headers. */
export class Survey {
  private sheets: readonly Sheet[] | undefined;
  private latest: { readonly said: string; readonly found: Surveyed } | undefined;

  constructor(private readonly ready: readonly ReadyMapping[]) {}

  /** @param opened the same files each time */
  async under(
    opened: Opened,
    language: Language,
    saidHeader: (sheet: Sheet) => number | undefined,
  ): Promise<Surveyed> {
    const sheets = this.sheets ?? (await this.read(opened, language));
    this.sheets = sheets;
    const headers = sheets.map(saidHeader);
    const said = headers.join();
    const found =
      this.latest?.said === said ? this.latest.found : surveyOf(sheets, this.ready, headers, ofTheKind);
    this.latest = { said, found };
    return found;
  }

  private async read(opened: Opened, language: Language): Promise<readonly Sheet[]> {
    return withOwnerColumns(await readSheets(await opened.inputs()), this.ready, language);
  }

  /** Rows further down are read as well. */
  take(late: ReadonlyMap<Sheet, readonly Row[]>): void {
    this.sheets = this.sheets?.map((sheet) => {
      const rows = late.get(sheet);
      return rows === undefined ? sheet : withLate(sheet, rows);
    });
    this.latest = undefined;
  }
}
