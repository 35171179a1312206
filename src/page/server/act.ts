import { randomUUID } from 'node:crypto';
import type { AnyOptions } from '../../app/any-options.js';
import type { Ask, Context, UseCase } from '../../app/context.js';
import type { Language } from '../../toolkit/core/issue.js';
import { giveTurn } from '../../toolkit/core/turn.js';
import type { Message } from '../../toolkit/messages/texts.js';
import type { ActName, ActTurn, ActView, PageEvent, PageIssue, Pending, Progress } from '../api.js';
import { type ActChange, ActEvents, failureOf } from './act-events.js';

/** What a use case was stopped by, already in words. */
export class Failed extends Error {
  constructor(readonly issues: readonly PageIssue[]) {
    super(issues.map(({ message }) => message).join(' '));
  }
}

export type Secrets = Map<string, string>;

/** A use case that runs for the page: its events are kept, so that every tab sees the same, whenever it comes. */
export class Act {
  readonly id = randomUUID();
  private readonly events: PageEvent[] = [];
  private readonly watchers = new Set<() => void>();
  private readonly stops: (() => void)[] = [];
  private readonly language: Language;
  private readonly told: ActEvents;
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
  private readonly profile: string | undefined;
  /** Settles when the use case has ended, however it did. */
  readonly done: Promise<void>;

  constructor(
    readonly name: ActName,
    useCase: UseCase<AnyOptions>,
    context: Omit<Context, 'tell' | 'taken' | 'ask' | 'onInterrupt'>,
    args: readonly string[],
    options: AnyOptions,
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
    this.told = new ActEvents(context.language, options);
    const whole: Context = {
      ...context,
      tell: (event) => this.take([this.told.take(event)]),
      // What sends reads its files in the thread of the server.
      taken: giveTurn,
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
        this.pending = { id: this.asked, kind, key: question.key, text: this.told.worded(question), typed };
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

  /** Takes what the use case says has changed. */
  take(changes: readonly ActChange[]): void {
    for (const { events, progress, run, hasBegunToSend } of changes) {
      if (hasBegunToSend) {
        this.hasBegunToSend = true;
        this.isWithdrawn = false;
      }
      if (progress !== undefined) this.progress = progress;
      if (run !== undefined) this.run = run;
      for (const event of events) this.events.push(event);
    }
    this.changed();
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
