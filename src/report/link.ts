import { dirname, relative, resolve, sep } from 'node:path';
import type { Place } from '../toolkit/core/issue.js';

/** Returns the address of a place's cell relative to the report; undefined if it has none. */
export type LinkTo = (place: Place) => string | undefined;

/** ASCII that a relationship target may not contain; accented letters may stay, and Excel wants them plain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must be escaped
const UNSAFE = /[\u0000-\u0020"#%<>?[\\\]^`{|}\u007F]/g;
const escapeTarget = (text: string): string =>
  text.replaceAll(UNSAFE, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

const WINDOWS_DRIVE = /^[A-Za-z]:/;
/** Relative target whose first segment has a colon and would be read as a scheme. */
const SCHEME_LIKE = /^[^/]*:/;

function pathFrom(folder: string, target: string): string {
  const path = escapeTarget(relative(folder, target).split(sep).join('/'));
  if (WINDOWS_DRIVE.test(path)) return `file:///${path}`;
  return SCHEME_LIKE.test(path) ? `./${path}` : path;
}

const fragment = (place: Place): string => {
  if (place.sheet === undefined || place.row === undefined) return '';
  return `#'${escapeTarget(place.sheet.replaceAll("'", "''"))}'!${place.column ?? 'A'}${place.row}`;
};

/**
 * Creates links from a report to cells of its inputs: `nomina.xlsx#'Nómina'!F17`. Names are user input, so
 * all that could end the address or begin a scheme is escaped.
 */
export function linksFrom(reportFile: string, pathOf: ReadonlyMap<string, string>): LinkTo {
  const folder = dirname(resolve(reportFile));
  const bases = new Map([...pathOf].map(([file, path]) => [file, pathFrom(folder, resolve(path))]));
  return (place) => {
    const base = place.file === undefined ? undefined : bases.get(place.file);
    if (base === undefined || place.row === undefined) return undefined;
    return base + fragment(place);
  };
}
