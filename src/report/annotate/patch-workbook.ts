import { posix } from 'node:path';
import { PipelineError, stop } from '../../toolkit/core/issue.js';
import { addIndex } from './index-sheet.js';
import { type AddedType, addNotes, type NewParts } from './notes.js';
import {
  CONTENT_TYPES,
  type Directory,
  encoded,
  freeId,
  NEW_PART,
  Package,
  readDirectory,
  relationsName,
  STYLES_TYPE,
  textOf,
  withContentType,
  withRelation,
} from './package.js';
import { editOf, patchSheet } from './patch-sheet.js';
import { type Annotations, planBySheet, type SheetPlan } from './sheet-plan.js';
import { NO_STYLES, StyleBook } from './style-book.js';
import { findStrings, surveySheet } from './survey.js';
import { widenTables } from './tables.js';
import { ZipFileWriter } from './zip-writer.js';

/**
 * Writes a copy of a workbook with marks, comments and states. Each sheet concerned is read twice, first to
 * survey it; unchanged parts are copied packed.
 * @throws PipelineError `input`: `file/not-readable`, `file/zip-broken`, `file/part-missing`,
 * `file/xml-broken`; and the file system's error
 */
export async function patchWorkbook(path: string, output: string, annotations: Annotations): Promise<void> {
  const input = await Package.open(path);
  try {
    const directory = await wellFormed(input, '', () => readDirectory(input));
    const names = directory.sheets.map(({ name }) => name);
    const plans = await wellFormed(input, directory.workbook, async () =>
      planBySheet(annotations, names, input.file),
    );
    const parts = await wellFormed(input, '', () => newParts(input, directory, plans, annotations));
    await writePackage(input, output, parts, directory.styles);
  } finally {
    input.close();
  }
}

/** Reports an error of parsing as a fault of the file. @throws PipelineError('input', file/xml-broken) */
export async function wellFormed<T>(input: Package, part: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof PipelineError || 'syscall' in (cause as Error)) throw cause;
    return stop('input', { code: 'file/xml-broken', params: { part }, place: { file: input.file } }, cause);
  }
}

async function newParts(
  input: Package,
  directory: Directory,
  plans: ReadonlyMap<string, SheetPlan>,
  { language }: Annotations,
): Promise<NewParts> {
  const parts: NewParts = new Map();
  const types: AddedType[] = [];
  const { styles: oldPart } = directory;
  const old = oldPart === undefined ? undefined : await wellFormed(input, oldPart, () => input.read(oldPart));
  const styles = await wellFormed(
    input,
    directory.styles ?? '',
    async () => new StyleBook(old?.text ?? NO_STYLES, directory.savedBy !== 'Calc'),
  );
  const strings = async (wanted: ReadonlySet<number>) =>
    directory.strings === undefined
      ? new Map()
      : findStrings(textOf(input.unpacked(directory.strings)), wanted);

  for (const { name, part } of directory.sheets) {
    const plan = plans.get(name);
    if (plan === undefined) continue;
    const sheetText = () => textOf(input.unpacked(part));
    const survey = await wellFormed(input, part, () => surveySheet(sheetText(), plan, strings));
    const edit = editOf(plan, survey, styles, language);
    const drawing = await wellFormed(input, part, () => addNotes(input, directory, part, edit, parts, types));
    await wellFormed(input, part, () => widenTables(input, part, edit, parts));
    parts.set(part, () => encoded(patchSheet(sheetText().pieces, edit, drawing), survey.encoding));
  }
  const { workbook, relationTypes } = directory;
  const listName = relationsName(workbook);
  const list = await wellFormed(input, listName, () => input.read(listName));
  let relations = list.text;
  const relate = (kind: string, part: string, type: string): string => {
    const id = freeId(relations);
    const target = posix.relative(posix.dirname(workbook), part);
    relations = withRelation(relations, { id, type: `${relationTypes}/${kind}`, target });
    types.push({ of: { part }, type });
    return id;
  };
  await wellFormed(input, workbook, () =>
    addIndex({ input, directory, plans, styles, language, parts, relate }),
  );
  if (parts.size === 0) return parts;
  if (directory.styles === undefined) relate('styles', NEW_STYLES, STYLES_TYPE);
  if (relations !== list.text) parts.set(listName, () => encoded([relations], list.encoding));
  // Written last: the needed styles are known only after the sheets.
  parts.set(directory.styles ?? NEW_STYLES, () =>
    lazily(() => encoded([styles.text()], old?.encoding ?? NEW_PART)),
  );
  if (types.length > 0) {
    const list = await input.read(CONTENT_TYPES);
    const text = types.reduce((known, { of, type }) => withContentType(known, of, type), list.text);
    parts.set(CONTENT_TYPES, () => encoded([text], list.encoding));
  }
  return parts;
}

const NEW_STYLES = 'xl/styles.xml';

async function* lazily(make: () => AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* make();
}

/** Writes the parts in the order of the original, styles and new parts last. `without` names a part to omit. */
export async function writePackage(
  input: Package,
  output: string,
  parts: NewParts,
  styles: string | undefined,
  without?: string,
): Promise<void> {
  const zip = await ZipFileWriter.open(output);
  try {
    const replacements = [...parts].map(([name, content]) => ({ name, content, entry: input.entry(name) }));
    const late = replacements.filter(({ name, entry }) => entry === undefined || name === styles);
    const instead = new Map(replacements.map((part) => [part.entry, part]));
    const omitted = without === undefined ? undefined : input.entry(without);
    for (const entry of input.entries()) {
      if (entry === omitted) continue;
      const part = instead.get(entry);
      const name = entry.fileNameRaw.toString('utf8');
      if (part === undefined)
        await wellFormed(input, name, async () => zip.copy(entry, await input.packed(entry)));
      else if (!late.includes(part))
        await wellFormed(input, name, () => zip.add(part.name, part.content(), entry));
    }
    for (const { name, content, entry } of late)
      await wellFormed(input, name, () => zip.add(name, content(), entry));
    await zip.finish();
  } finally {
    await zip.close();
  }
}
