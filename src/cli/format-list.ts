import type { Text } from '../issues/codes.js';
import { formatPlace, type Language } from '../issues/issue.js';
import type { VotedTable } from '../pipeline/voted.js';
import { cellPlace } from '../source/table.js';

const STYLES: Readonly<Record<string, Text>> = {
  comma: { es: 'decimales con coma', en: 'decimal comma' },
  dot: { es: 'decimales con punto', en: 'decimal point' },
  dmy: { es: 'fechas día/mes/año', en: 'dates day/month/year' },
  mdy: { es: 'fechas mes/día/año', en: 'dates month/day/year' },
  ymd: { es: 'fechas año/mes/día', en: 'dates year/month/day' },
};

/** The formats that were decided by what the cells show, each with a cell that shows it. */
export class FormatList {
  private readonly found = new Map<string, { readonly style: string; readonly cell: string }>();

  add({ table, verdicts }: VotedTable): void {
    for (const { style, by, evidence } of verdicts.values()) {
      if (style === undefined || by !== 'column' || evidence === undefined) continue;
      const place = cellPlace(table.source, evidence.row, evidence.index);
      const key = [place.file, place.sheet, style].join('\n');
      if (!this.found.has(key))
        this.found.set(key, { style, cell: `${formatPlace(place)} «${evidence.text.trim()}»` });
    }
  }

  worded(language: Language): string[] {
    return [...this.found.values()].map(({ style, cell }) => `${STYLES[style]![language]} (${cell})`);
  }
}
