import type { Issue } from '../core/issue.js';
import { baseName, flatName, fold } from '../core/text.js';
import { placeOf } from '../mapping/places.js';
import { type CompiledColumn, type ReadableTable, type ReadRecord, readRecord } from '../mapping/record.js';

/** Table that names files. */
interface FileList {
  readonly table: ReadableTable;
  readonly file: CompiledColumn;
  readonly records?: CompiledColumn;
}

/** Files that are sent together, as one of them lists them. */
export interface Delivery {
  /** True if a file is listed; of several whose names differ only in added characters, the one without them. */
  has(file: string, files: readonly string[]): boolean;
  unlisted(file: string): Issue;
  /** Returns issues of listed files that are absent: no file has the name, and no mapping assigns one to it. */
  lacking(files: readonly string[], isAssigned: (name: string) => boolean): readonly Issue[];
}

/** Returns the comparable name of a file: `AC000123.TXT` gives `ac123`, in any folder. */
const keyOf = (file: string): string =>
  (flatName(file) ?? fold(baseName(file))).replace(/\..*$/s, '').replace(/^([a-z]+)0+(?=\d)/, '$1');

/** True if the name is only letters and number, without blanks or marks of a copy. */
const isPlain = (file: string): boolean => /^[a-z]+\d*(?:\.[a-z]+)?$/.test(fold(baseName(file)));

/** True if both names are equal, or the file has only the letters because a user omitted the number. */
const isSame = (file: string, name: string): boolean =>
  file === name || (/^[a-z]+$/.test(file) && name.replace(/\d+$/, '') === file);

export async function deliveryOf(lists: readonly FileList[]): Promise<Delivery> {
  const listed = new Map<
    string,
    { readonly record: ReadRecord; readonly list: FileList; readonly name: string }
  >();
  for (const list of lists)
    for await (const rows of list.table.source.batches())
      for (const row of rows) {
        const record = readRecord(list.table, row);
        const name = record.values[list.file.position];
        if (typeof name === 'string' && !listed.has(keyOf(name)))
          listed.set(keyOf(name), { record, list, name });
      }
  const shown = lists.map(({ table }) => baseName(table.source.file)).join(', ');
  return {
    has: (file, files) =>
      [...listed.keys()].some((name) => isSame(keyOf(file), name)) &&
      (isPlain(file) || files.every((other) => other === file || keyOf(other) !== keyOf(file))),
    unlisted: (file) => ({
      code: 'header/file-unlisted',
      level: 'error',
      params: { list: shown },
      place: { file },
      value: baseName(file),
    }),
    lacking(files, isAssigned) {
      const there = files.map(keyOf);
      return [...listed].flatMap(([key, { record, list, name }]): Issue[] => {
        const count = list.records === undefined ? undefined : record.values[list.records.position];
        if (count === '0' || isAssigned(name) || there.some((file) => isSame(file, key))) return [];
        const params = { records: String(count ?? '?') };
        return [
          {
            code: 'header/file-lacking',
            level: 'error',
            params,
            place: placeOf(record, list.file),
            value: name,
          },
        ];
      });
    },
  };
}
