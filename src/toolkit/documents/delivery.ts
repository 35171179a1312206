import type { Issue } from '../core/issue.js';
import { baseName, flatName, fold } from '../core/text.js';
import { placeOf } from '../mapping/places.js';
import { type CompiledColumn, type ReadableTable, type ReadRecord, readRecord } from '../mapping/record.js';

/** A table that names files. */
interface FileList {
  readonly table: ReadableTable;
  readonly file: CompiledColumn;
  readonly records?: CompiledColumn;
}

/** The files that are sent together, as one of them lists them. */
export interface Delivery {
  /** True if a file is named; of several that have one name with signs around it, only the one without them. */
  has(file: string, files: readonly string[]): boolean;
  unlisted(file: string): Issue;
  /** What it names and is not there: neither a file of that name nor one that was said to be it. */
  lacking(files: readonly string[], isSaid: (name: string) => boolean): readonly Issue[];
}

/** `AC000123.TXT`, `ac123`: letters and control number, wherever the file stands. */
const keyOf = (file: string): string =>
  (flatName(file) ?? fold(baseName(file))).replace(/\..*$/s, '').replace(/^([a-z]+)0+(?=\d)/, '$1');

/** True if nothing stands around the letters and the number: no blank, no mark of a copy. */
const isPlain = (file: string): boolean => /^[a-z]+\d*(?:\.[a-z]+)?$/.test(fold(baseName(file)));

/** One name for both, or the letters alone where a person left the number out. */
const isSame = (file: string, name: string): boolean =>
  file === name || (/^[a-z]+$/.test(file) && name.replace(/\d+$/, '') === file);

interface Named {
  readonly record: ReadRecord;
  readonly list: FileList;
  readonly name: string;
}

export async function deliveryOf(lists: readonly FileList[]): Promise<Delivery> {
  const named = new Map<string, Named>();
  for (const list of lists)
    for await (const rows of list.table.source.batches())
      for (const row of rows) {
        const record = readRecord(list.table, row);
        const name = record.values[list.file.position];
        if (typeof name === 'string' && !named.has(keyOf(name)))
          named.set(keyOf(name), { record, list, name });
      }
  const shown = lists.map(({ table }) => baseName(table.source.file)).join(', ');
  return {
    has: (file, files) =>
      [...named.keys()].some((name) => isSame(keyOf(file), name)) &&
      (isPlain(file) || files.every((other) => other === file || keyOf(other) !== keyOf(file))),
    unlisted: (file) => ({
      code: 'header/file-unlisted',
      level: 'error',
      params: { list: shown },
      place: { file },
      value: baseName(file),
    }),
    lacking(files, isSaid) {
      const there = files.map(keyOf);
      return [...named].flatMap(([key, { record, list, name }]): Issue[] => {
        const count = list.records === undefined ? undefined : record.values[list.records.position];
        if (count === '0' || isSaid(name) || there.some((file) => isSame(file, key))) return [];
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
