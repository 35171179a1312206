import { type Issue, type Language, paramOf, wordPlace } from '../core/issue.js';
import { formatCount, say } from '../messages/texts.js';
import { type ExtraCodes, word } from '../messages/wording.js';
import type { Terminal } from './terminal.js';

/** Mapping files are text: their places are `file:line:column`, as editors understand. */
const isTextPlace = ({ place }: Issue): boolean => place.character !== undefined;

export function placeText(issue: Issue, language: Language = 'es'): string {
  const { place } = issue;
  if (isTextPlace(issue)) return `${place.file ?? ''}:${place.line}:${place.character}`;
  const param = paramOf(issue, 'param');
  if (param !== undefined && place.row === undefined)
    return `${language === 'es' ? 'Parámetro' : 'Parameter'} ${param}`;
  const where = wordPlace(place, language);
  return where === '' ? (issue.documentKey ?? '') : where;
}

/** What the service says often lacks its full stop. */
const asSentence = (text: string): string => (/[.:!?…]$/.test(text) ? text : `${text}.`);

/** `Nómina!F17 Sueldo: "1.5OO.000" no es un número. Escriba 1500000 o 1.500.000,00.` */
export function issueLine(issue: Issue, language: Language, extra?: ExtraCodes): string {
  const { message, fix } = word(issue, language, extra);
  const where = [placeText(issue, language), issue.place.label].filter(Boolean).join(' ');
  const guesses = (issue.suggestions ?? []).map(({ value }) => `«${value}»`).join(', ');
  const perhaps =
    guesses === '' ? '' : language === 'es' ? `¿Quiso decir ${guesses}?` : `Did you mean ${guesses}?`;
  const text = [asSentence(message), fix, perhaps].filter(Boolean).join(' ');
  return (where === '' ? text : `${where}: ${text}`).replaceAll(/\s+/g, ' ');
}

/** An issue as one JSON object; what is not known is null. */
export function issueEvent(issue: Issue, language: Language, extra?: ExtraCodes): Record<string, unknown> {
  const { place } = issue;
  const { message, fix } = word(issue, language, extra);
  const cell =
    place.column !== undefined && place.row !== undefined && !isTextPlace(issue)
      ? place.column + place.row
      : null;
  return {
    event: 'issue',
    code: issue.code,
    level: issue.level,
    file: place.file ?? null,
    sheet: place.sheet ?? null,
    cell,
    row: place.row ?? null,
    column: place.column ?? null,
    label: place.label ?? null,
    line: place.line ?? null,
    value: issue.value ?? null,
    pointer: place.pointer ?? null,
    param: place.param ?? null,
    mapping: place.mapping ?? null,
    documentKey: issue.documentKey ?? null,
    documents: issue.documents ?? null,
    message,
    fix,
    suggestions: issue.suggestions ?? [],
  };
}

/** How many issues of one cause a screen shows; files and `--json` have them all. */
const SHOWN = 3;

interface Group {
  readonly sample: Issue;
  count: number;
}

export interface IssuePrinter {
  readonly errors: number;
  readonly warnings: number;
  print(issue: Issue): void;
  /** Says how many more of each cause there were. */
  finish(): void;
}

export interface PrintOptions {
  readonly json: boolean;
  /** What may be shown of an issue, to people and to programs. */
  readonly mask: (issue: Issue) => Issue;
  /** Wording of rules. */
  readonly extra?: ExtraCodes;
}

/** One cause: the same code, and rule of the authority, in the same column. */
const causeOf = (issue: Issue): string => {
  const { file, sheet, label, column } = issue.place;
  return [issue.code, paramOf(issue, 'rule'), file, sheet, label ?? column].join('\n');
};

export function createIssuePrinter(terminal: Terminal, options: PrintOptions): IssuePrinter {
  const { language } = terminal;
  const groups = new Map<string, Group>();
  const counts = { error: 0, warning: 0 };

  const show = (issue: Issue): void => {
    const line = issueLine(options.mask(issue), language, options.extra);
    if (issue.level === 'error') terminal.say(terminal.paint('red', '✗ ') + line);
    else terminal.say(`${terminal.paint('yellow', `! ${say(language, 'warning')}: `)}${line}`);
  };

  return {
    get errors() {
      return counts.error;
    },
    get warnings() {
      return counts.warning;
    },
    print(issue) {
      counts[issue.level] += 1;
      if (options.json)
        return terminal.out(JSON.stringify(issueEvent(options.mask(issue), language, options.extra)));
      const cause = causeOf(issue);
      const group = groups.get(cause) ?? { sample: issue, count: 0 };
      groups.set(cause, group);
      group.count += 1;
      if (group.count <= SHOWN) show(issue);
    },
    finish() {
      for (const { sample, count } of groups.values()) {
        if (count <= SHOWN) continue;
        const where = sample.place.label ?? sample.place.sheet;
        const more = say(language, 'more', {
          count: formatCount(count - SHOWN, language),
          title: word(sample, language, options.extra).title,
          where: where === undefined ? '' : say(language, 'moreIn', { label: where }),
        });
        terminal.say(terminal.paint('dim', more.trimEnd()));
      }
    },
  };
}
