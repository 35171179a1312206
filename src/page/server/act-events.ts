import { dirname } from 'node:path';
import type { AnyOptions } from '../../app/any-options.js';
import type { AppEvent } from '../../app/events.js';
import { maskFor } from '../../app/mask.js';
import { objectsOf } from '../../app/objects.js';
import { readingAnswersTo } from '../../app/reading-answers.js';
import { PAGE, PAGE_SAYS, type PageParams } from '../../generated/texts-page.js';
import { NO_NAME } from '../../send/journal-proof.js';
import type { Totals } from '../../send/kind.js';
import { type Issue, issuesOf, type Language, paramOf } from '../../toolkit/core/issue.js';
import {
  amountInWords,
  formatMoney,
  formatMonth,
  type Message,
  type PlainPhrase,
  say,
  sayer,
  wordingFor,
} from '../../toolkit/messages/texts.js';
import { cureOf, hasTrait, issueEvent, pageFix } from '../../toolkit/messages/wording.js';
import { explainRule, ruleEntry } from '../../toolkit/schema/rule-data.js';
import type { Amount, OutcomeEvent, PageEvent, PageIssue, Progress } from '../api.js';

/** Events of a kind that the page is told; of more it is told how many they are. */
const MOST_OF_A_KIND = 20_000;

/** Options that say where files are written. */
const WRITTEN = ['report', 'output', 'annotate', 'failed', 'folder', 'results', 'worklist', 'write'] as const;

/** The page is its owner's own: values are in full. */
const OPEN = maskFor(true);

/** What stopped a request or a use case, as the page shows it. */
export const failureOf = (error: unknown, language: Language, profile?: string): readonly PageIssue[] =>
  issuesOf(error).map((issue) => issueView(issue, language, profile));

/** Begins the ids of answers about how cells are read: inspecting asks of columns under the same names. */
export const READING = 'read.';

/** Returns the fix of an issue without a command: of a rejection that of its rule. */
function fixOf(issue: Issue, language: Language): string {
  const rule = hasTrait(issue, 'passes-on-rule')
    ? explainRule(String(paramOf(issue, 'rule') ?? ''))
    : undefined;
  return rule?.fix[language] || pageFix(issue, language, ruleEntry);
}

/** `profile` is that of the run which the issue may name. */
export const issueView = (issue: Issue, language: Language, profile?: string): PageIssue =>
  ({
    ...issueEvent(issue, language, ruleEntry),
    fix: fixOf(issue, language),
    cure: cureOf(issue) ?? null,
    run: runOf(issue, profile),
    answer: answerTo(issue),
    readings: readingAnswersTo(issue).map(([id, value]) => [READING + id, value]),
  }) as unknown as PageIssue;

/** ` (15 o 16)`: what may be meant, as the list of codes has it. */
const choicesIn = (candidates: string): readonly string[] => candidates.match(/[\w.]{2,}/g) ?? [];

function runOf(issue: Issue, profile: string | undefined): string | null {
  const run = paramOf(issue, 'run');
  return run === undefined
    ? null
    : [run, ...(profile === undefined ? [] : [encodeURIComponent(profile)])].join('/');
}

function answerTo(issue: Issue): PageIssue['answer'] {
  if (!hasTrait(issue, 'answered-by-param')) return null;
  const text = (name: string): string => String(paramOf(issue, name) ?? '');
  const choices = choicesIn(text('candidates'));
  return { param: text('param'), table: text('table'), code: text('code'), choices };
}

const pageText = sayer<PageParams>(PAGE);

/** Where the page has what a command does. */
const ON_PAGE: Readonly<Record<string, 'atResume' | 'atApprove' | 'atSend'>> = {
  resume: 'atResume',
  approve: 'atApprove',
  send: 'atSend',
};

function inPlaceOf(next: string, language: Language): string {
  const [command = '', run = ''] = next.split(' ');
  const place = next.includes(' --settle ') ? 'atSettle' : ON_PAGE[command];
  return place === undefined ? pageText(language, 'atStart') : pageText(language, place, { run });
}

/** What an event changes in an act: data alone, so that another thread can say it. */
export interface ActChange {
  readonly events: readonly PageEvent[];
  /** Absent if it is as it was. */
  readonly progress?: Progress | null;
  /** Absent if it is as it was. */
  readonly run?: string;
  /** True once documents leave, or go to the workers. */
  readonly hasBegunToSend?: boolean;
}

function runIn(event: AppEvent): string | undefined {
  if (event.event === 'run') return event.run.id;
  return event.event === 'plan' || event.event === 'facts' ? event.run : undefined;
}

/** Words the events of a use case for the page. */
export class ActEvents {
  readonly worded: (message: Message) => string;
  private readonly kept = new Map<string, number>();
  private readonly places: readonly string[];
  private readonly profile: string | undefined;
  private progress: Progress | null = null;

  constructor(
    private readonly language: Language,
    options: AnyOptions,
  ) {
    this.profile = options.profile;
    this.places = WRITTEN.flatMap((name) => (options[name] === undefined ? [] : [dirname(options[name])]));
    this.worded = wordingFor(language, (next) => inPlaceOf(next, language), PAGE_SAYS);
  }

  take(event: AppEvent): ActChange {
    if (event.event === 'begins') {
      const text = say(this.language, event.what);
      const { total = null, before = 0 } = event;
      this.progress = { text, done: 0, total, before, since: Date.now() };
      return {
        events: [],
        progress: this.progress,
        ...(event.what === 'sending' && { hasBegunToSend: true }),
      };
    }
    if (event.event === 'progress' || event.event === 'ends') {
      const isOn = event.event === 'progress' && this.progress !== null;
      this.progress = isOn ? { ...this.progress!, done: event.done } : null;
      return { events: [], progress: this.progress };
    }
    const run = runIn(event);
    return {
      events: this.objects(event).filter((object) => this.isKept(object)),
      ...(event.event === 'queued' && { hasBegunToSend: true }),
      ...(run !== undefined && { run }),
    };
  }

  private isKept({ event }: PageEvent): boolean {
    const count = (this.kept.get(event) ?? 0) + 1;
    this.kept.set(event, count);
    return count <= MOST_OF_A_KIND;
  }

  /** The objects of `--json`; what those leave to words, worded or as it is. */
  private objects(event: AppEvent): readonly PageEvent[] {
    switch (event.event) {
      case 'message':
        if (Object.values(event.params ?? {}).some((one) => this.isOwnPlace(one))) return [];
        return [{ event: 'message', key: event.key, text: this.worded(event) }];
      case 'remark':
      case 'stopped':
        return [{ ...issueView(event.issue, this.language, this.profile), event: event.event }];
      case 'issue':
        return [{ ...issueView(event.issue, this.language, this.profile) }];
      case 'outcome':
        return this.withPageFixes(event, event.outcome.issues);
      case 'left-out':
        return this.withPageFixes(event, event.document.issues);
      case 'figures':
        return [
          {
            ...event,
            company: this.companyName(event.company),
            url: event.url.href,
            testSet: event.testSet ?? null,
            months: event.months.map((month) => formatMonth(month, this.language)),
            totals: this.amounts(event.totals),
          },
        ];
      case 'irreversible':
      case 'to-decide':
        return [
          {
            ...event,
            decided: event.decided.map(({ total, ...one }) => ({
              ...one,
              ...(total !== undefined && { total: amountInWords(total, this.language) }),
            })),
          },
        ];
      case 'mail-plan':
        return [{ ...event, url: event.url.href }];
      case 'setup-plan': {
        const lines = event.lines.map(({ name, ...line }) => ({ name: this.worded({ key: name }), ...line }));
        return [{ ...event, url: event.url.href, lines }];
      }
      case 'assumed':
        return [{ ...event, skipped: [...event.skipped].map(([note, count]) => ({ note, count })) }];
      case 'facts':
        return [{ ...event, company: this.companyName(event.company), totals: this.amounts(event.totals) }];
      default:
    }
    return (objectsOf(event, this.language, OPEN) ?? [event]) as readonly PageEvent[];
  }

  /** The objects of an event whose reasons are these issues: a fix that names a command leads to its place instead. */
  private withPageFixes(event: AppEvent, issues: readonly Issue[]): readonly PageEvent[] {
    const objects = objectsOf(event, this.language, OPEN) as readonly (PageEvent &
      Pick<OutcomeEvent, 'reasons'>)[];
    const fixes = issues.map((issue) => fixOf(issue, this.language));
    return objects.map((object) => ({
      ...object,
      reasons: object.reasons.map((reason, at) => ({ ...reason, fix: fixes[at]! })),
    }));
  }

  /** The page has the files themselves to take away: where this server put them is of no use to anybody. */
  private isOwnPlace(param: unknown): boolean {
    return typeof param === 'string' && this.places.some((folder) => param.startsWith(folder));
  }

  private companyName(company: string): string {
    return company === NO_NAME ? pageText(this.language, 'noProfile') : company;
  }

  private amounts(totals: Totals): readonly Amount[] {
    return Object.entries(totals).map(([key, money]) => ({
      key,
      name: say(this.language, key as PlainPhrase),
      amount: formatMoney(money, this.language),
    }));
  }
}
