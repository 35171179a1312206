import { type Issue, type Language, paramOf, wordPlace } from '../toolkit/core/issue.js';
import { formatCount, say } from '../toolkit/messages/texts.js';
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

/** `Nómina!F17 Sueldo: "1.5OO.000" no es un número. Escriba 1500000 o 1.500.000,00.` */
export function issueLine(issue: Issue, language: Language, extra?: ExtraCodes): string {
  const { label, json } = issue.place;
  // Who reads the JSON itself knows the ministry's rules by their codes.
  const rule = json === undefined ? undefined : paramOf(issue, 'rule');
  const where = [placeText(issue, language), label, rule && `(${rule})`].filter(Boolean).join(' ');
  const text = wordInFull(issue, language, extra);
  return (where === '' ? text : `${where}: ${text}`).replaceAll(/\s+/g, ' ');
}

/** How many issues of one cause a screen shows; files and `--json` have them all. */
const SHOWN = 3;

interface Group {
  readonly sample: Issue;
  count: number;
}

export interface IssuePrinter {
  /** @param mask what may be shown of it */
  print(issue: Issue, mask?: (issue: Issue) => Issue): void;
  /** Says how many more of each cause there were, and begins anew. */
  finish(): void;
}

/** Key of the issues with one cause: the same code and rule of the authority, in the same column or all of the file. */
const causeOf = (issue: Issue): string => {
  const { file, sheet, label, column } = issue.place;
  if (hasTrait(issue, 'one-cause')) return [issue.code, file].join('\n');
  return [issue.code, paramOf(issue, 'rule'), file, sheet, label ?? column].join('\n');
};

/** Says one issue to people. */
export function sayIssue(terminal: Terminal, issue: Issue, extra?: ExtraCodes): void {
  const { language } = terminal;
  const line = issueLine(issue, language, extra);
  if (issue.level === 'error') terminal.say(terminal.paint('red', '✗ ') + line);
  else terminal.say(`${terminal.paint('yellow', `! ${say(language, 'warning')}: `)}${line}`);
}

/** Says issues to people, the first of each cause. @param extra wording of rules */
export function createIssuePrinter(terminal: Terminal, extra?: ExtraCodes): IssuePrinter {
  const { language } = terminal;
  const groups = new Map<string, Group>();
  return {
    print(issue, mask = (shown) => shown) {
      const cause = causeOf(issue);
      const group = groups.get(cause) ?? { sample: issue, count: 0 };
      groups.set(cause, group);
      group.count += 1;
      if (group.count <= SHOWN) sayIssue(terminal, mask(issue), extra);
    },
    finish() {
      for (const { sample, count } of groups.values()) {
        if (count <= SHOWN) continue;
        const { label, sheet, file } = sample.place;
        const where = hasTrait(sample, 'one-cause') ? file : (label ?? sheet);
        const more = say(language, 'more', {
          count: formatCount(count - SHOWN, language),
          title: word(sample, language, extra).title,
          where: where === undefined ? '' : say(language, 'moreIn', { label: where }),
        });
        terminal.say(terminal.paint('dim', more.trimEnd()));
      }
      groups.clear();
    },
  };
}
