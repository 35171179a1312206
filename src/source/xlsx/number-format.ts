/** How a style shows a number: as a number, as a date or clock time, or as a time that runs on past 24 hours. */
export type NumberFormat = 'number' | 'date' | 'duration';

/** Built-in formats that are dates or times in some language of Excel (ECMA-376 part 1, 18.8.30). */
const BUILT_IN_DATES: readonly (readonly [number, number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];
const BUILT_IN_DURATION = 46; // [h]:mm:ss

export function builtInFormat(id: number): NumberFormat {
  if (id === BUILT_IN_DURATION) return 'duration';
  return BUILT_IN_DATES.some(([from, to]) => id >= from && id <= to) ? 'date' : 'number';
}

const ELAPSED = /\[(h+|m+|s+)\]/i;
const QUOTED = /"[^"]*"|\\./gsu;
/** Padding and filling characters, and what stands in brackets: colour, condition, currency, language. */
const DECORATION = /[_*].|\[[^\]]*\]/gsu;

/** Reads a format code such as `[$-409]d/mm/yyyy;@`. The first section, that of positive numbers, decides. */
export function customFormat(code: string): NumberFormat {
  if (/^(general|standard|estándar)$/i.test(code)) return 'number';
  const section = code.replaceAll(QUOTED, '').split(';', 1)[0]!;
  if (ELAPSED.test(section)) return 'duration';
  return /[ymdhs]/i.test(section.replaceAll(DECORATION, '')) ? 'date' : 'number';
}
