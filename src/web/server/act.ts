import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import type { Ask, Context, UseCase } from '../../app/context.js';
import type { AppEvent } from '../../app/events.js';
import { maskFor } from '../../app/mask.js';
import { objectsOf } from '../../app/objects.js';
import type { Options } from '../../app/options.js';
import { type Issue, issuesOf, type Language, paramOf } from '../../core/issue.js';
import { PAGE, PAGE_SAYS, type PageParams } from '../../generated/texts-page.js';
import {
  amountInWords,
  formatMoney,
  formatMonth,
  type Message,
  type PlainPhrase,
  say,
  sayer,
  wordingFor,
} from '../../messages/texts.js';
import { cureOf, hasTrait, issueEvent, pageFix } from '../../messages/wording.js';
import { ruleEntry } from '../../schema/rule-data.js';
import { NO_NAME } from '../../send/journal-proof.js';
import type { Totals } from '../../send/kind.js';
import type { ActName, ActTurn, ActView, Amount, PageEvent, PageIssue, Pending, Progress } from '../api.js';

/** Events of a kind that the page is told; of more it is told how many they are. */
const MOST_OF_A_KIND = 20_000;

/** Options that say where files are written. */
const WRITTEN = ['report', 'output', 'annotate', 'failed', 'folder', 'results', 'worklist', 'write'] as const;

/** The page is its owner's own: values are in full. */
const OPEN = maskFor(true);

/** What stopped a request or a use case, as the page shows it. */
export const failureOf = (error: unknown, language: Language, profile?: string): readonly PageIssue[] =>
  issuesOf(error).map((issue) => issueView(issue, language, profile));

/** What a use case was stopped by, already in words. */
export class Failed extends Error {
  constructor(readonly issues: readonly PageIssue[]) {
    super(issues.map(({ message }) => message).join(' '));
  }
}

/** `profile` is that of the run which the issue may name. */
export const issueView = (issue: Issue, language: Language, profile?: string): PageIssue =>
  ({
    ...issueEvent(issue, language, ruleEntry),
    fix: pageFix(issue, language, ruleEntry),
    cure: cureOf(issue) ?? null,
    run: runOf(issue, profile),
    answer: answerTo(issue),
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

export type Secrets = Map<string, string>;

/** A use case that runs for the page: its events are kept, so that every tab sees the same, whenever it comes. */
export class Act {
  readonly id = randomUUID();
  private readonly events: PageEvent[] = [];
  private readonly watchers = new Set<() => void>();
  private readonly stops: (() => void)[] = [];
  private readonly language: Language;
  private readonly worded: (message: Message) => string;
  private readonly kept = new Map<string, number>();
  private asked = 0;
  private answer: ((said: unknown) => void) | undefined;
  private pending: Pending | null = null;
  private progress: Progress | null = null;
  private outcome: string | null = null;
  private failure: readonly PageIssue[] = [];
  private run: string | null = null;
  private hasBegunToSend: boolean;
  private isWithdrawn = false;
  private readonly startedAt: string;
  private readonly places: readonly string[];
  private readonly profile: string | undefined;
  /** Settles when the use case has ended, however it did. */
  readonly done: Promise<void>;

  constructor(
    readonly name: ActName,
    useCase: UseCase,
    context: Omit<Context, 'tell' | 'taken' | 'ask' | 'onInterrupt'>,
    args: readonly string[],
    options: Options,
    /** What a form gave to be asked for unseen, by the phrase that asks; each is said once, and forgotten. */
    private readonly secrets: Secrets = new Map(),
    /** Revision of the upload that the act works on; null if it works on no upload. */
    readonly revision: number | null = null,
    /** When its documents were sent, as an ISO instant, if it only recalls that. */
    sentAt?: string,
  ) {
    this.startedAt = sentAt ?? new Date().toISOString();
    this.hasBegunToSend = sentAt !== undefined;
    this.language = context.language;
    this.profile = options.profile;
    this.places = WRITTEN.flatMap((name) => (options[name] === undefined ? [] : [dirname(options[name])]));
    this.worded = wordingFor(context.language, (next) => inPlaceOf(next, context.language), PAGE_SAYS);
    const whole: Context = {
      ...context,
      tell: (event) => this.take(event),
      taken: async () => undefined,
      ask: this.ask(),
      onInterrupt: (first, second) => this.onInterrupt(first, second),
    };
    this.done = this.play(() => useCase(whole, args, options));
  }

  private async play(work: () => Promise<string>): Promise<void> {
    try {
      this.outcome = await work();
    } catch (error) {
      this.failure = failureOf(error, this.language, this.profile);
      this.outcome = 'failed';
    }
    this.pending = null;
    this.progress = null;
    this.changed();
  }

  view(): ActView {
    const { id, name, outcome, failure, pending, progress, run, revision, startedAt } = this;
    return {
      id,
      name,
      revision,
      startedAt,
      hasBegunToSend: this.hasBegunToSend,
      state: outcome === null ? 'running' : 'ended',
      outcome,
      failure,
      pending,
      progress,
      run,
    };
  }

  /** What has happened since the event of that number. */
  turnFrom(from: number): ActTurn & { readonly next: number } {
    return { act: this.view(), events: this.events.slice(from), next: this.events.length };
  }

  /** @returns how to stop watching */
  watch(changed: () => void): () => void {
    this.watchers.add(changed);
    return () => this.watchers.delete(changed);
  }

  /** Answers what is asked; false when nothing of that id and kind of answer is. */
  say(id: number, said: unknown): boolean {
    if (this.pending?.id !== id || this.answer === undefined) return false;
    if (typeof said !== (this.pending.kind === 'confirm' ? 'boolean' : 'string')) return false;
    const { answer } = this;
    this.pending = null;
    this.answer = undefined;
    answer(said);
    this.changed();
    return true;
  }

  /** Ends in good order at the first call, at once at the second; what is being asked is answered with no. */
  stop(): void {
    this.stops.shift()?.();
    if (this.pending !== null) this.say(this.pending.id, this.pending.kind === 'confirm' ? false : '');
  }

  /** Ends an act whose input has changed, unless it is sending already: every question is answered with no. */
  withdraw(): void {
    if (this.hasBegunToSend || this.outcome !== null) return;
    this.isWithdrawn = true;
    this.stop();
  }

  private onInterrupt(first: () => void, second: () => void): () => void {
    const both = [first, second];
    this.stops.push(...both);
    return () => {
      for (const stop of both) {
        const at = this.stops.indexOf(stop);
        if (at >= 0) this.stops.splice(at, 1);
      }
    };
  }

  private ask(): Ask {
    const put = <T extends string | boolean>(
      kind: Pending['kind'],
      question: Message,
      typed: string | null = null,
    ): Promise<T> =>
      new Promise((resolve) => {
        if (this.isWithdrawn) {
          resolve((kind === 'confirm' ? false : '') as T);
          return;
        }
        this.asked += 1;
        this.pending = { id: this.asked, kind, key: question.key, text: this.worded(question), typed };
        this.answer = resolve as (said: unknown) => void;
        this.changed();
      });
    return {
      confirm: (question, typed) => put<boolean>('confirm', question, typed),
      text: (question) => put<string>('text', question),
      secret: async (question) => {
        const given = this.secrets.get(question.key);
        this.secrets.delete(question.key);
        return given ?? put<string>('secret', question);
      },
      // The page answers questions about columns by calling again.
      choose: async () => undefined,
    };
  }

  private take(event: AppEvent): void {
    if (event.event === 'queued' || (event.event === 'begins' && event.what === 'sending')) {
      this.hasBegunToSend = true;
      this.isWithdrawn = false;
    }
    if (event.event === 'begins') {
      const text = say(this.language, event.what);
      const { total = null, before = 0 } = event;
      this.progress = { text, done: 0, total, before, since: Date.now() };
    } else if (event.event === 'progress') {
      if (this.progress !== null) this.progress = { ...this.progress, done: event.done };
    } else if (event.event === 'ends') this.progress = null;
    else {
      if (event.event === 'plan') this.run = event.run;
      for (const object of this.objects(event)) this.keep(object);
    }
    this.changed();
  }

  private keep(object: PageEvent): void {
    const { event } = object;
    const count = (this.kept.get(event) ?? 0) + 1;
    this.kept.set(event, count);
    if (count <= MOST_OF_A_KIND) this.events.push(object);
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
      case 'run':
        this.run = event.run.id;
        break;
      case 'facts':
        this.run = event.run;
        return [{ ...event, company: this.companyName(event.company), totals: this.amounts(event.totals) }];
      default:
    }
    return (objectsOf(event, this.language, OPEN) ?? [event]) as readonly PageEvent[];
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

  private changed(): void {
    for (const watcher of this.watchers) watcher();
  }
}

/** Ends acts in good order: what is on its way to the service is waited for. */
export async function endAll(acts: readonly Act[]): Promise<void> {
  for (const act of acts) act.stop();
  await Promise.all(acts.map(({ done }) => done));
}
