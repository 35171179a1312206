import { readFileSync } from 'node:fs';
import { type Issue, issueOf } from '../core/issue.js';
import { packageFile } from '../core/package-file.js';
import { fold, wildcard } from '../core/text.js';
import type { LocatedTable } from '../mapping/record.js';
import { readYaml } from '../mapping/yaml-source.js';
import { cellPlace } from '../tables/table.js';

let foreign: ((folded: string) => boolean)[] | undefined;

/** Whether a group over columns names what is none of the month's pay (mappings/synonyms/sections.yaml). */
export function isForeignSection(group: string): boolean {
  if (foreign === undefined) {
    const file = packageFile('mappings', 'synonyms', 'sections.yaml');
    const patterns = readYaml('', readFileSync(file, 'utf8')).value as readonly string[];
    foreign = patterns.map((pattern) => wildcard(pattern));
  }
  const folded = fold(group);
  return foreign.some((fits) => fits(folded));
}

/** Amounts that are read by their titles alone, though they stand under a group of something else: `PROVISIONES / Prima`. */
export function amountsUnderOther({ source, header, present }: LocatedTable): readonly Issue[] {
  const { labels, groupLabels, sectionLabels, rowOf, declared, several } = header;
  return present.flatMap(({ column }) => {
    const { kind, wanted } = column;
    if (kind !== 'money' || wanted === undefined) return [];
    const own = new Set(wanted.groups?.map(fold));
    return (several.get(wanted.id) ?? []).flatMap((index) => {
      const over = [groupLabels[index], sectionLabels[index]].flatMap((text) => text ?? []);
      const group = over.find(isForeignSection);
      const label = labels[index];
      if (group === undefined || label === undefined || declared.has(index)) return [];
      if (over.some((text) => own.has(fold(text)))) return [];
      const place = cellPlace(source, rowOf(index), index, label);
      const name = groupLabels[index] === undefined ? label : `${groupLabels[index]} / ${label}`;
      return { ...issueOf('header/under-other-group', 'error', { group, name }, place), value: label };
    });
  });
}
