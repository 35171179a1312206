import { type Package, type Relation, relationKind } from './package.js';
import { readable } from './part-text.js';
import { attributeIn, attributesIn } from './xml-attributes.js';
import { childNamed, childrenOf, rootOf } from './xml-tags.js';

/** The worksheets of a workbook and where its styles and strings stand. */
export interface Directory {
  /** Name of the workbook part. */
  readonly workbook: string;
  /** In workbook order. */
  readonly sheets: readonly { readonly name: string; readonly part: string }[];
  readonly styles: string | undefined;
  readonly strings: string | undefined;
  /** What relationship types of this workbook begin with, up to the last slash. */
  readonly relationTypes: string;
  /** The program that saved it last, as it calls itself: `xl`, `Calc`. */
  readonly savedBy: string | undefined;
}

export async function readDirectory(input: Package): Promise<Directory> {
  const main = (await input.relations('')).find((relation) => relationKind(relation) === 'officeDocument');
  const workbook = main?.target ?? 'xl/workbook.xml';
  const relations = await input.relations(workbook);
  const { text, encoding } = await input.read(workbook);
  const root = rootOf(text);
  const list = childNamed(text, root, 'sheets');
  const version = childNamed(text, root, 'fileVersion');
  const sheets: { name: string; part: string }[] = [];
  let sheetRelation: Relation | undefined;
  for (const sheet of list === undefined ? [] : childrenOf(text, list)) {
    const given = attributesIn(text, sheet.start, sheet.tagEnd);
    const id = Object.entries(given).find(([name]) => name.endsWith(':id'))?.[1];
    const relation = relations.find((candidate) => candidate.id === id);
    if (relation === undefined || relationKind(relation) !== 'worksheet') continue;
    sheetRelation ??= relation;
    sheets.push({ name: readable(given['name'] ?? '', encoding), part: relation.target });
  }
  const type = sheetRelation?.type ?? '';
  const partOf = (kind: string): string | undefined =>
    relations.find((relation) => relationKind(relation) === kind)?.target;
  return {
    workbook,
    sheets,
    styles: partOf('styles'),
    strings: partOf('sharedStrings'),
    savedBy: version && attributeIn(text, version.start, version.tagEnd, 'appName'),
    relationTypes: type.slice(0, type.lastIndexOf('/')),
  };
}
