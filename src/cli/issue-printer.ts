import { type Issue, type Language, paramOf, wordPlace } from '../toolkit/core/issue.js';
import { formatCount, translate } from '../toolkit/messages/texts.js';
import { type ExtraCodes, hasTrait, isTextPlace, word, wordInFull } from '../toolkit/messages/wording.js';
import type { Terminal } from './terminal.js';

function placeText(issue: Issue, language: Language = 'es'): string {
  const { place } = issue;
  if (isTextPlace(place)) return `${place.file ?? ''}:${place.line}:${place.character}`;
  const param = paramOf(issue, 'param');
  if (param !== undefined && place.row === undefined && place.param === undefined)
    return wordPlace({ param: String(param) }, language);
  const where = wordPlace(place, language);
  return where === '' ? (issue.documentKey ?? '') : where;
}

/** Formats an issue: `Nómina!F17 Sueldo: "1.5OO.000" no es un número. Escriba 1500000 o 1.500.000,00.` */
export function issueLine(issue: Issue, language: Language, extra?: ExtraCodes): string {
  const { label, json } = issue.place;
  // Readers of JSON know the ministry's rules by their codes.
  const rule = json === undefined ? undefined : paramOf(issue, 'rule');
  const where = [placeText(issue, language), label, rule && `(${rule})`].filter(Boolean).join(' ');
  const text = wordInFull(issue, language, extra);
  return (where === '' ? text : `${where}: ${text}`).replaceAll(/\s+/g, ' ');
}

/** Max issues of one cause on screen; files and `--json` have all. */
const MAX_SHOWN = 3;

export interface IssuePrinter {
  /** Prints an issue. @param mask hides personal values */
  print(issue: Issue, mask?: (issue: Issue) => Issue): void;
  /** Prints how many more of each cause there were, and resets. */
  finish(): void;
}

/** Returns the key of issues with one cause: same code and rule, in the same column, member of JSON files, or whole file. */
const causeOf = (issue: Issue): string => {
  const { file, sheet, label, column, json } = issue.place;
  if (hasTrait(issue, 'one-cause')) return [issue.code, file].join('\n');
  if (json !== undefined)
    return [issue.code, paramOf(issue, 'rule'), json.replaceAll(/\/\d+/g, '/*')].join('\n');
  return [issue.code, paramOf(issue, 'rule'), file, sheet, label ?? column].join('\n');
};

export function printIssue(terminal: Terminal, issue: Issue, extra?: ExtraCodes): void {
  const { language } = terminal;
  const line = issueLine(issue, language, extra);
  if (issue.level === 'error') terminal.print(terminal.paint('red', '✗ ') + line);
  else terminal.print(`${terminal.paint('yellow', `! ${translate(language, 'warning')}: `)}${line}`);
}

/** Creates a printer of the first issues of each cause. @param extra texts of rules */
export function createIssuePrinter(terminal: Terminal, extra?: ExtraCodes): IssuePrinter {
  const { language } = terminal;
  const groups = new Map<string, { readonly sample: Issue; count: number }>();
  return {
    print(issue, mask = (shown) => shown) {
      const cause = causeOf(issue);
      const group = groups.get(cause) ?? { sample: issue, count: 0 };
      groups.set(cause, group);
      group.count += 1;
      if (group.count <= MAX_SHOWN) printIssue(terminal, mask(issue), extra);
    },
    finish() {
      for (const { sample, count } of groups.values()) {
        if (count <= MAX_SHOWN) continue;
        const { label, sheet, file } = sample.place;
        const where = hasTrait(sample, 'one-cause') ? file : (label ?? sheet);
        const more = translate(language, 'more', {
          count: formatCount(count - MAX_SHOWN, language),
          title: word(sample, language, extra).title,
          where: where === undefined ? '' : translate(language, 'moreIn', { label: where }),
        });
        terminal.print(terminal.paint('dim', more.trimEnd()));
      }
      groups.clear();
    },
  };
}
