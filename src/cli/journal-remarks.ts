import { formatPlace, type Issue } from '../issues/issue.js';
import { word } from '../issues/wording.js';
import { ruleEntry } from '../schema/rules.js';
import type { Context } from './context.js';
import { createIssuePrinter } from './issue-printer.js';
import type { Job } from './job.js';
import { maskFor, shownPerson } from './mask.js';
import type { Options } from './options.js';
import { formatCount, say } from './say.js';

/** Says what is found when documents are held against the journal. */
export interface JournalRemarks {
  take(issue: Issue): void;
  finish(): void;
  readonly errors: number;
  readonly warnings: number;
}

/** Comparisons with the month before, of which people see a line a group: in a big company there are many. */
const GROUPED: ReadonlySet<string> = new Set([
  'payroll/new-worker',
  'payroll/missing-worker',
  'payroll/salary-changed',
  'payroll/account-changed',
]);

/** How many places of a group are named. */
const NAMED = 3;

interface Group {
  readonly sample: Issue;
  readonly places: string[];
  count: number;
}

export function createJournalRemarks(
  { terminal, language }: Context,
  { mapping }: Pick<Job, 'mapping'>,
  options: Options,
): JournalRemarks {
  const schemas = mapping.targets.map(({ schema }) => schema);
  const mask = maskFor(options, schemas);
  const printer = createIssuePrinter(terminal, { json: options.json === true, mask, extra: ruleEntry });
  const groups = new Map<string, Group>();

  const placeOf = ({ place, documentKey = '' }: Issue): string =>
    place.row === undefined ? shownPerson(options)(documentKey) : formatPlace(place);

  function group(issue: Issue): void {
    const found = groups.get(issue.code) ?? { sample: issue, places: [], count: 0 };
    groups.set(issue.code, found);
    found.count += 1;
    if (found.count <= NAMED) found.places.push(placeOf(issue));
  }

  let grouped = 0;
  return {
    get errors() {
      return printer.errors;
    },
    get warnings() {
      return printer.warnings + grouped;
    },
    take(issue) {
      if (options.json || !GROUPED.has(issue.code)) return printer.print(issue);
      grouped += 1;
      group(issue);
    },
    finish() {
      printer.finish();
      for (const { sample, places, count } of groups.values()) {
        const line = say(language, 'monthGroup', {
          title: word(sample, language).title,
          month: String(sample.params['month'] ?? ''),
          count: formatCount(count, language),
          where: places.join(', ') + (count > NAMED ? ' …' : ''),
        });
        terminal.say(`${terminal.paint('yellow', `! ${say(language, 'warning')}: `)}${line}`);
      }
    },
  };
}
