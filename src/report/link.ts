import { dirname, relative, resolve, sep } from 'node:path';
import type { Place } from '../toolkit/core/issue.js';

/** Makes the address of a place's cell as seen from the report, or undefined when it has none. */
export type LinkTo = (place: Place) => string | undefined;

/** ASCII that may not stand in a relationship target; letters with accents may, and Excel wants them plain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are just what must go
const UNSAFE = /[\u0000-\u0020"#%<>?[\\\]^`{|}\u007F]/g;
const escapeTarget = (text: string): string =>
  text.replaceAll(UNSAFE, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

const WINDOWS_DRIVE = /^[A-Za-z]:/;
/** A relative target whose first segment has a colon would read as a scheme. */
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
 * Links from a report to the cells of its inputs: `nomina.xlsx#'Nómina'!F17`. Names come from people, so all
 * that could end the address or begin another scheme is escaped.
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
