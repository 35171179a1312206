import { labelForms } from './header-label.js';

/** A declared label means nothing that is wanted. */
export const IGNORE = 'ignore';

/** The group part of `GROUP / label`. */
export const declaredGroups = (labels: Readonly<Record<string, string>>): string[] =>
  Object.keys(labels).flatMap((label) => {
    const at = label.indexOf(' / ');
    return at > 0 ? [label.slice(0, at)] : [];
  });

export interface DeclaredLabels {
  /** How many columns the declared letters reach over. */
  readonly width: number;
  /** What is declared for a label: by column letter, else with the group above, else by its text. */
  idOf(column: number, label: string | undefined, group: string | undefined): string | undefined;
}

const columnIndex = (letters: string): number =>
  [...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** What the mapping declares for single labels. */
export function declaredLabels(labels: Readonly<Record<string, string>>): DeclaredLabels {
  const byColumn = new Map<number, string>();
  const byFolded = new Map<string, string>();
  const bySquashed = new Map<string, string>();
  for (const [label, id] of Object.entries(labels)) {
    const letters = /^\[([A-Z]{1,3})\]$/i.exec(label.trim())?.[1];
    if (letters !== undefined) byColumn.set(columnIndex(letters.toUpperCase()), id);
    else {
      const { folded, squashed } = labelForms(label);
      byFolded.set(folded, id);
      if (squashed !== '') bySquashed.set(squashed, id);
    }
  }
  const byText = (text: string): string | undefined => {
    const { folded, squashed } = labelForms(text);
    return byFolded.get(folded) ?? bySquashed.get(squashed);
  };
  return {
    width: Math.max(0, ...[...byColumn.keys()].map((column) => column + 1)),
    idOf(column, label, group) {
      const byLetter = byColumn.get(column);
      if (byLetter !== undefined || label === undefined) return byLetter;
      return (group === undefined ? undefined : byText(`${group} / ${label}`)) ?? byText(label);
    },
  };
}
