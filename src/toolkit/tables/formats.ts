import type { InputFile } from './table.js';
import type { ZipArchive } from './xlsx/zip.js';

/** Input format contributed by a family; those of all families are in `open.ts`. */
export interface Format {
  /** Name of its files, which decides even if a file is empty or damaged. */
  readonly name: RegExp;
  /** Beginning of its files, whatever their name. */
  readonly start: RegExp;
  open(path: string): Promise<InputFile>;
  /** Opens a zip of such files and then closes it itself; undefined if it holds none. */
  openZip(path: string, zip: ZipArchive): Promise<InputFile | undefined>;
}

const known = new Set<Format>();

export const registerFormat = (format: Format): void => void known.add(format);

export const formats = (): Iterable<Format> => known;

/** Returns the format whose files have such a name, or undefined if none does. */
export const formatNamed = (file: string): Format | undefined =>
  [...known].find(({ name }) => name.test(file));
