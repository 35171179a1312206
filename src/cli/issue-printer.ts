import type { Issue } from '../issues/issue.js';
import { type ExtraCodes, word } from '../issues/wording.js';
import { issueEvent, issueLine } from './issue-line.js';
import { formatCount, say } from './say.js';
import type { Terminal } from './terminal.js';

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
const causeOf = ({ code, place, params }: Issue): string =>
  [code, params['rule'], place.file, place.sheet, place.label ?? place.column].join('\n');

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
