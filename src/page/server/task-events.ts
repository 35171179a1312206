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
  type Message,
  type PlainPhrase,
  translate,
  translatorOf,
  wordingFor,
} from '../../toolkit/messages/texts.js';
import { hasTrait, issueEvent, pageWording } from '../../toolkit/messages/wording.js';
import { explainRule, ruleEntry } from '../../toolkit/schema/rule-data.js';
import { withoutCents } from '../amounts.js';
import type { Amount, OutcomeEvent, PageEvent, PageIssue, Progress } from '../api.js';

/** Max events of one kind that the page receives; its summary still counts all of them. */
const MAX_EVENTS_PER_KIND = 20_000;

/** Options that name files or folders to write. */
const OUTPUT_OPTIONS = [
  'report',
  'output',
  'annotate',
  'failed',
  'folder',
  'results',
  'worklist',
  'write',
] as const;

/** Shows values unmasked: only the user of this computer sees the page. */
const UNMASKED = maskFor(true);

/** Converts what stopped a request or a use case into issues for the page. */
export const failureOf = (error: unknown, language: Language, profile?: string): readonly PageIssue[] =>
  issuesOf(error).map((issue) => issueView(issue, language, profile));

/**
 * Prefix of the ids of answers about how cells are read; `inspect` asks about columns under the same names.
 */
export const READING_PREFIX = 'read.';

/** Words an issue for the page; the fix of a rejection is that of its rule. */
function worded(issue: Issue, language: Language) {
  const rule = hasTrait(issue, 'passes-on-rule')
    ? explainRule(String(paramOf(issue, 'rule') ?? ''))
    : undefined;
  const { message, fix, cure = null } = pageWording(issue, language, ruleEntry);
  return { message: withoutCents(message), fix: rule?.fix[language] || fix, cure };
}

/** Converts an issue for the page. `profile` is the profile of a run that the issue may name. */
export const issueView = (issue: Issue, language: Language, profile?: string): PageIssue =>
  ({
    ...issueEvent(issue, language, ruleEntry),
    ...worded(issue, language),
    run: runOf(issue, profile),
    computed: issue.documentKey === undefined ? null : (paramOf(issue, 'computed') ?? null),
    answer: answerTo(issue),
    readings: readingAnswersTo(issue).map(([id, value]) => [READING_PREFIX + id, value]),
  }) as unknown as PageIssue;

/** Extracts the codes from the candidates of an issue, such as ` (15 o 16)`. */
const candidateCodes = (candidates: string): readonly string[] => candidates.match(/[\w.]{2,}/g) ?? [];

function runOf(issue: Issue, profile: string | undefined): string | null {
  const run = paramOf(issue, 'run');
  return run === undefined
    ? null
    : [run, ...(profile === undefined ? [] : [encodeURIComponent(profile)])].join('/');
}

function answerTo(issue: Issue): PageIssue['answer'] {
  const text = (name: string): string => String(paramOf(issue, name) ?? '');
  if (!hasTrait(issue, 'answered-by-param') || text('param') === '') return null;
  const choices = candidateCodes(text('candidates') || text('to'));
  return { param: text('param'), table: text('table'), code: text('code'), choices };
}

const pageText = translatorOf<PageParams>(PAGE);

/** Returns totals with their names; the page formats the amounts. */
export const amountsOf = (totals: Totals, language: Language): readonly Amount[] =>
  Object.entries(totals).map(([key, amount]) => ({
    key,
    name: translate(language, key as PlainPhrase),
    amount,
  }));

/** Phrases that say where the page offers what a command does. */
const PLACE_PHRASES: Readonly<Record<string, 'atResume' | 'atApprove' | 'atSend'>> = {
  resume: 'atResume',
  approve: 'atApprove',
  send: 'atSend',
};

function placePhrase(next: string, language: Language): string {
  const [command = '', run = ''] = next.split(' ');
  const place = next.includes(' --settle ') ? 'atSettle' : PLACE_PHRASES[command];
  return place === undefined ? pageText(language, 'atStart') : pageText(language, place, { run });
}

/** Changes of a task caused by one event; plain data, so that a thread can post it. */
export interface TaskChange {
  readonly events: readonly PageEvent[];
  /** Undefined if unchanged. */
  readonly progress?: Progress | null;
  /** Undefined if unchanged. */
  readonly run?: string;
  /** True once documents are sent or handed to the queue workers. */
  readonly hasBegunToSend?: boolean;
}

function runIn(event: AppEvent): string | undefined {
  if (event.event === 'run') return event.run.id;
  return event.event === 'plan' || event.event === 'facts' ? event.run : undefined;
}

/** Converts the events of a use case into what the page shows. */
export class TaskEvents {
  readonly worded: (message: Message) => string;
  private readonly countsByKind = new Map<string, number>();
  private readonly places: readonly string[];
  private readonly profile: string | undefined;
  private progress: Progress | null = null;

  constructor(
    private readonly language: Language,
    options: AnyOptions,
  ) {
    this.profile = options.profile;
    this.places = OUTPUT_OPTIONS.flatMap((name) =>
      options[name] === undefined ? [] : [dirname(options[name])],
    );
    this.worded = wordingFor(language, (next) => placePhrase(next, language), PAGE_SAYS);
  }

  take(event: AppEvent): TaskChange {
    if (event.event === 'begins') {
      const text = translate(this.language, event.what);
      const { total = null, before = 0 } = event;
      this.progress = { text, done: 0, total, before, since: Date.now() };
      return {
        events: [],
        progress: this.progress,
        ...(event.what === 'sending' && { hasBegunToSend: true }),
      };
    }
    if (event.event === 'progress' || event.event === 'ends') {
      const { progress } = this;
      this.progress = event.event === 'progress' && progress ? { ...progress, done: event.done } : null;
      return { events: [], progress: this.progress };
    }
    const run = runIn(event);
    return {
      events: this.objects(event).filter((object) => this.isWithinLimit(object)),
      ...(event.event === 'queued' && { hasBegunToSend: true }),
      ...(run !== undefined && { run }),
    };
  }

  private isWithinLimit({ event }: PageEvent): boolean {
    const count = (this.countsByKind.get(event) ?? 0) + 1;
    this.countsByKind.set(event, count);
    return count <= MAX_EVENTS_PER_KIND;
  }

  /**
   * Returns the objects of `--json` for an event, with texts and amounts formatted where the page shows
   * them.
   */
  private objects(event: AppEvent): readonly PageEvent[] {
    switch (event.event) {
      case 'message':
        if (Object.values(event.params ?? {}).some((param) => this.isOwnPlace(param))) return [];
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
            // Several months give the files no name.
            month: event.months.length === 1 ? event.months[0] : null,
            totals: amountsOf(event.totals, this.language),
          },
        ];
      case 'irreversible':
      case 'to-decide':
        return [{ ...event }];
      case 'mail-plan':
        return [{ ...event, url: event.url.href }];
      case 'setup-plan': {
        const lines = event.lines.map(({ name, ...line }) => ({ name: this.worded({ key: name }), ...line }));
        return [{ ...event, url: event.url.href, lines }];
      }
      case 'assumed':
        return [{ ...event, skipped: [...event.skipped].map(([note, count]) => ({ note, count })) }];
      case 'facts':
        return [
          {
            ...event,
            company: this.companyName(event.company),
            totals: amountsOf(event.totals, this.language),
          },
        ];
      default:
    }
    return (objectsOf(event, this.language, UNMASKED) ?? [event]) as readonly PageEvent[];
  }

  /** Returns the objects of an event with fixes that name no command, in the order of `issues`. */
  private withPageFixes(event: AppEvent, issues: readonly Issue[]): readonly PageEvent[] {
    const objects = objectsOf(event, this.language, UNMASKED) as readonly (PageEvent &
      Pick<OutcomeEvent, 'reasons'>)[];
    const texts = issues.map((issue) => worded(issue, this.language));
    return objects.map((object) => ({
      ...object,
      reasons: object.reasons.map((reason, at) => {
        const { message, fix } = texts[at]!;
        return { ...reason, message, fix };
      }),
    }));
  }

  /** True if a parameter is a path of this server: the page offers the files for download instead. */
  private isOwnPlace(param: unknown): boolean {
    return typeof param === 'string' && this.places.some((folder) => param.startsWith(folder));
  }

  private companyName(company: string): string {
    return company === NO_NAME ? pageText(this.language, 'noProfile') : company;
  }
}
