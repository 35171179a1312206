import { type Issue, issueOf } from '../core/issue.js';
import { fold, wildcard } from '../core/text.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { CompiledColumn, HeadedTable } from '../mapping/record.js';
import { readSynonyms } from '../mapping/synonyms.js';
import { cellPlace } from '../tables/table.js';

interface Sections {
  readonly names: readonly ((folded: string) => boolean)[];
  readonly aside: readonly ((folded: string) => boolean)[];
  readonly pay: readonly string[];
}

let known: Sections | undefined;

/** Reads mappings/synonyms/sections.yaml. */
function sections(): Sections {
  if (known === undefined) {
    const { names, aside, pay } = readSynonyms<Record<keyof Sections, readonly string[]>>('sections');
    const patterns = (list: readonly string[]) => list.map((pattern) => wildcard(pattern));
    known = { names: patterns(names), aside: patterns(aside), pay };
  }
  return known;
}

/** True if a group over columns is not part of the month's pay. */
export function isForeignSection(group: string): boolean {
  const folded = fold(group);
  return sections().names.some((fits) => fits(folded));
}

/** True if no worker's pay is under such a group. */
export function isAsideSection(group: string): boolean {
  const folded = fold(group);
  return sections().aside.some((fits) => fits(folded));
}

/**
 * True if a column is part of the month's pay, by the members of the document that it fills; also if these are unknown.
 */
export const isPay = (members: readonly string[]): boolean =>
  members.length === 0 || members.some((member) => sections().pay.includes(member));

/** Returns the columns of stated totals: compared, never sent. */
export const statedColumns = ({ targets }: LoadedMapping): ReadonlySet<CompiledColumn> =>
  new Set(targets.flatMap(({ stated }) => [...stated.values()].flatMap(({ columns }) => columns)));

/** Reports amounts read by their titles alone, although their group is another section: `PROVISIONES / Prima`. */
export function amountsUnderOther(
  { source, header, present }: HeadedTable,
  mapping: LoadedMapping,
): readonly Issue[] {
  const { labels, groupLabels, sectionLabels, rowOf, declared, several } = header;
  const stated = statedColumns(mapping);
  const membersOf = (column: CompiledColumn): readonly string[] =>
    mapping.targets.flatMap(({ fields }) =>
      fields.flatMap((field) => (field.columns.includes(column) ? field.keys.slice(0, 1) : [])),
    );
  return present.flatMap(({ column }) => {
    const { kind, wanted } = column;
    if (kind !== 'money' || wanted === undefined || stated.has(column)) return [];
    const wantedGroups = new Set(wanted.groups?.map(fold));
    return (several.get(wanted.id) ?? []).flatMap((index) => {
      const over = [groupLabels[index], sectionLabels[index]].flatMap((text) => text ?? []);
      const group = over.find(isForeignSection);
      const label = labels[index];
      if (group === undefined || label === undefined || declared.has(index)) return [];
      if (over.some((text) => wantedGroups.has(fold(text))) || !isPay(membersOf(column))) return [];
      const place = cellPlace(source, rowOf(index), index, label);
      const name = groupLabels[index] === undefined ? label : `${groupLabels[index]} / ${label}`;
      return { ...issueOf('header/under-other-group', 'error', { group, name }, place), value: label };
    });
  });
}
