import type { NumberRange } from '../send/numbering.js';

/** How many ranges are named: a cell of a workbook takes 32,767 characters, a person far less. */
const NAMED = 60;

/** `NOM7–NOM9, NOM12` */
export function rangesText(ranges: readonly NumberRange[]): string {
  const named = ranges
    .slice(0, NAMED)
    .map(({ prefix, from, to }) => (from === to ? `${prefix}${from}` : `${prefix}${from}–${prefix}${to}`));
  return named.join(', ') + (ranges.length > NAMED ? ` … (+${ranges.length - NAMED})` : '');
}
