import type { InputFile } from './table.js';
import type { ZipArchive } from './xlsx/zip.js';

/** Input format that a family reads. */
export interface Format {
  /** Name of its files; such a file is read by it even where it is empty or damaged. */
  readonly name: RegExp;
  /** How the text of its files begins, whatever their name. */
  readonly start: RegExp;
  open(path: string): Promise<InputFile>;
  /** Opens a zip of such files and closes it itself; undefined if it holds none. */
  openZip(path: string, zip: ZipArchive): Promise<InputFile | undefined>;
}

const known = new Set<Format>();

/** Adds a format to those that `openInput` reads. */
export const registerFormat = (format: Format): void => void known.add(format);

export const formats = (): Iterable<Format> => known;
