import type { Language } from '../core/issue.js';
import type { JsonValue } from '../core/json.js';
import {
  dataOf,
  isRecord,
  labelKey,
  numberAndWords,
  OwnerReader,
  titlesIn,
  withOwners,
} from '../documents/owner-rows.js';
import type { OwnerField } from '../schema/document.js';
import type { Row } from '../tables/table.js';
import { squashLabel } from '../tables/titles.js';
import type { Fit } from './fit.js';
import type { Setting } from './joins.js';
import { tell } from './question.js';
import { type Outline, outlineOf, type ReadyMapping } from './ready.js';
import { asTitles, firstRows, hasHeads, type Sheet } from './sheets.js';

/** Min owners whose rows state the same data. */
const MIN_OWNERS = 2;

/** Min share of the owners that state a value, or state it as a number and words. */
const MIN_SHARE = 0.8;

/** Sheets with the same titles; what stands above their records may describe the owners of these. */
interface Alike {
  readonly titles: Row;
  /** Labels without colon above them. */
  readonly bare: Set<string>;
  readonly sheets: Sheet[];
}

/** Values of one owner, by label. */
type Block = Map<string, string>;

const filledIn = ({ texts }: Row): readonly string[] => texts.flatMap((text) => text?.trim() || []);

/** Returns the labels without colon of a row of labels and values: the first is a title of some mapping, no value is one. */
function bareIn(row: Row, isTitle: (text: string) => boolean): readonly string[] {
  const cells = filledIn(row);
  const labels = cells.filter((_, at) => at % 2 === 0);
  const values = cells.filter((_, at) => at % 2 === 1);
  const isPaired = labels.length === values.length && isTitle(labels[0] ?? '') && !values.some(isTitle);
  return isPaired && !labels.some((text) => /[\d:]/.test(text)) ? labels.map(labelKey) : [];
}

/** Groups sheets by titles that say nothing of an owner. */
function alikeSheets(sheets: readonly Sheet[], outlines: readonly Outline[]): readonly Alike[] {
  const isTitle = (text: string): boolean =>
    outlines.some((outline) => outline.titles.has(squashLabel(text)));
  const found = new Map<string, Alike>();
  for (const sheet of sheets) {
    const bareRows = sheet.rows.flatMap((row) => {
      const labels = bareIn(row, isTitle);
      return labels.length === 0 ? [] : [{ row, labels }];
    });
    const titles = titlesIn(sheet.rows, new Set(bareRows.flatMap(({ labels }) => labels)));
    if (titles === undefined) continue;
    const texts = asTitles(filledIn(titles));
    const isWhole = (outline: Outline): boolean =>
      outline.heads.flat().length > 0 && hasHeads(new Set(texts), outline);
    if (outlines.some(isWhole)) continue;
    const key = `${sheet.input.path}\n${texts.join('\n')}`;
    const alike = found.get(key) ?? { titles, bare: new Set(), sheets: [] };
    alike.sheets.push(sheet);
    // Below the titles a concept and its amount may look like a label and its value.
    for (const { row, labels } of bareRows)
      if (row.number < titles.number || (labels.length > 1 && labels.every(isTitle)))
        for (const label of labels) alike.bare.add(label);
    found.set(key, alike);
  }
  return [...found.values()];
}

/** Returns the labels above the first record of a sheet that come again above others. */
function labelsAbove({ titles, sheets, bare }: Alike): readonly string[] {
  const counts = new Map<string, number>();
  const above = new Set<string>();
  for (const { rows } of sheets) {
    let isAbove = true;
    for (const row of rows) {
      const data = dataOf(row, bare);
      if (data === undefined && row.number > titles.number && isRecord(row)) isAbove = false;
      for (const { label } of data ?? []) {
        if (isAbove) above.add(label);
        counts.set(label, (counts.get(label) ?? 0) + 1);
      }
    }
  }
  return [...above].filter((label) => (counts.get(label) ?? 0) >= MIN_OWNERS);
}

/** Reads the values of each owner that has records. */
function blocksOf({ titles, sheets }: Alike, fields: readonly OwnerField[]): readonly Block[] {
  return sheets.flatMap((sheet) => {
    const read = new Map<string, Block>();
    const reader = new OwnerReader(fields, titles);
    for (const row of sheet.rows) {
      const { ownerCells, texts } = reader.next(row);
      const { cells = [], from = 0 } = ownerCells ?? {};
      if (!cells.some((cell) => cell !== undefined) || filledIn(row).length < 2) continue;
      const key = cells.map((cell) => cell?.row ?? '').join();
      read.set(
        key,
        new Map(
          fields.flatMap(({ label = '' }, at) => {
            const value = texts[from + at];
            return value === undefined ? [] : [[label, value]];
          }),
        ),
      );
    }
    return [...read.values()];
  });
}

/** True if a column names each record in words of its own, as that of the workers of an area does. */
function namesRecords({ titles, sheets }: Alike, fields: readonly OwnerField[]): boolean {
  const records = sheets.flatMap(({ rows }) => {
    const reader = new OwnerReader(fields, titles);
    return rows.map((row) => reader.next(row)).filter(({ ownerCells }) => ownerCells?.cells.some(Boolean));
  });
  return [...titles.texts.keys()].some((column) => {
    const words = records
      .flatMap(({ texts }) => texts[column]?.trim() ?? [])
      .filter((text) => /^\p{L}+\s+\p{L}/u.test(text));
    return (
      words.length > MIN_OWNERS &&
      words.length >= records.length * MIN_SHARE &&
      new Set(words).size === words.length
    );
  });
}

const beginning = (fields: readonly OwnerField[], first: number): readonly OwnerField[] =>
  fields.map((field, at) => (at === first ? { ...field, begins: true } : field));

/** Finds the data that the rows of owners state, one of which is a number of each of them. */
function fieldsOf(
  alike: Alike,
  labels: readonly string[],
  heads: ReadonlySet<string>,
  language: Language,
): readonly OwnerField[] {
  const valuesOf = (blocks: readonly Block[], label: string): readonly string[] =>
    blocks.flatMap((block) => block.get(label) ?? []);
  const varies = (blocks: readonly Block[], label: string): boolean =>
    new Set(valuesOf(blocks, label)).size >= MIN_OWNERS;
  const fieldOf = (label: string, columns: OwnerField['columns']): OwnerField => ({
    ...(label !== '' && { label }),
    columns,
  });
  const plain = labels.map((label) => fieldOf(label, [label]));
  // A block begins with what most of them state, and differs from one to the next.
  const counted = labels.map((label, at) => {
    const blocks = blocksOf(alike, beginning(plain, at));
    return varies(blocks, label) ? blocks.length : 0;
  });
  const most = Math.max(0, ...counted);
  if (most === 0) return [];
  const fields = beginning(plain, counted.indexOf(most));
  const blocks = blocksOf(alike, fields);
  const isMost = (count: number): boolean =>
    blocks.length >= MIN_OWNERS && count >= blocks.length * MIN_SHARE;
  const isNumber = (value: string): boolean =>
    /^\d[\d.,]*\d$/.test(value) || numberAndWords(value) !== undefined;
  const numbered = labels.find((label) => {
    const numbers = valuesOf(blocks, label).filter(isNumber);
    return isMost(numbers.length) && new Set(numbers).size === numbers.length;
  });
  if (numbered === undefined || namesRecords(alike, fields)) return [];
  const isSplit = isMost(valuesOf(blocks, numbered).filter(numberAndWords).length);
  return fields.map((field): OwnerField => {
    const { label = '' } = field;
    const name = label.replace(/\s*:$/, '');
    if (!isSplit || label !== numbered) return { ...field, columns: [name] };
    const [number, words] = [tell(language, 'ownerNumber'), tell(language, 'ownerWords')];
    if (name === '') return { ...field, columns: [number, words] };
    return { ...field, columns: heads.has(squashLabel(name)) ? [name, words] : [`${number}: ${name}`, name] };
  });
}

/** Returns sheets with the data of owners that rows above their records state as columns of these. */
export async function withOwnerColumns(
  sheets: readonly Sheet[],
  ready: readonly ReadyMapping[],
  language: Language,
): Promise<readonly Sheet[]> {
  const outlines = ready.map(outlineOf);
  const heads = new Set(outlines.flatMap((outline) => outline.heads.flatMap((head) => head[0] ?? [])));
  const found = new Map<Sheet, readonly OwnerField[]>();
  for (const alike of alikeSheets(sheets, outlines)) {
    const owners = fieldsOf(alike, labelsAbove(alike), heads, language);
    if (owners.length > 0) for (const sheet of alike.sheets) found.set(sheet, owners);
  }
  return Promise.all(
    sheets.map(async (sheet) => {
      const owners = found.get(sheet);
      if (owners === undefined) return sheet;
      const source = withOwners(sheet.source, owners, sheet.rows);
      return { ...sheet, source, owners, rows: await firstRows(source) };
    }),
  );
}

/** Returns the settings of the tables that are read from such sheets. */
export const ownerSettings = ({ tables }: Fit): Setting =>
  tables.flatMap(({ table, sheet: { owners } }) =>
    owners === undefined ? [] : [[['tables', table.id, 'owner_rows'], owners as unknown as JsonValue]],
  );
