import { randomUUID } from 'node:crypto';
import type { AnyOptions } from '../../app/any-options.js';
import type { Ask, Context, UseCase } from '../../app/context.js';
import type { Language } from '../../toolkit/core/issue.js';
import { giveTurn } from '../../toolkit/core/turn.js';
import type { Message } from '../../toolkit/messages/texts.js';
import type { PageEvent, PageIssue, Pending, Progress, TaskName, TaskUpdate, TaskView } from '../api.js';
import { failureOf, type TaskChange, TaskEvents } from './task-events.js';

/** Issues that ended a use case, already in the page's language. */
export class TaskFailed extends Error {
  constructor(readonly issues: readonly PageIssue[]) {
    super(issues.map(({ message }) => message).join(' '));
  }
}

export type Secrets = Map<string, string>;

/** Runs a use case for the page and stores its events, so that a tab that opens later sees them all. */
export class Task {
  readonly id = randomUUID();
  private readonly events: PageEvent[] = [];
  private readonly watchers = new Set<() => void>();
  private readonly stops: (() => void)[] = [];
  private readonly language: Language;
  private readonly converter: TaskEvents;
  private asked = 0;
  private resolveAnswer: ((reply: unknown) => void) | undefined;
  private pending: Pending | null = null;
  private progress: Progress | null = null;
  private outcome: string | null = null;
  private failure: readonly PageIssue[] = [];
  private run: string | null = null;
  private hasBegunToSend: boolean;
  private isWithdrawn = false;
  private readonly startedAt: string;
  readonly profile: string | undefined;
  /** Person who started it, else the system account. */
  readonly account: string | undefined;
  /** Settles when the use case has ended, also if it failed. */
  readonly done: Promise<void>;

  constructor(
    readonly name: TaskName,
    useCase: UseCase<AnyOptions>,
    context: Omit<Context, 'tell' | 'taken' | 'ask' | 'onInterrupt'>,
    args: readonly string[],
    options: AnyOptions,
    /** Secrets from a form by the key of the question that asks for them; each is used once, then deleted. */
    private readonly secrets: Secrets = new Map(),
    /** Revision of the upload that the task works on; null if it works on no upload. */
    readonly revision: number | null = null,
    /** ISO instant at which the documents were sent, if the task only reports an earlier run. */
    sentAt?: string,
  ) {
    this.startedAt = sentAt ?? new Date().toISOString();
    this.hasBegunToSend = sentAt !== undefined;
    this.language = context.language;
    this.profile = options.profile;
    this.account = context.account;
    this.converter = new TaskEvents(context.language, options);
    const fullContext: Context = {
      ...context,
      tell: (event) => this.take([this.converter.take(event)]),
      // A use case that sends reads its files in this thread, so it must yield to requests.
      taken: giveTurn,
      ask: this.ask(),
      onInterrupt: (first, second) => this.onInterrupt(first, second),
    };
    this.done = this.play(() => useCase(fullContext, args, options));
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

  view(): TaskView {
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

  /** Returns the state, the events from index `from`, and the index to continue with. */
  updateFrom(from: number): TaskUpdate & { readonly next: number } {
    return { task: this.view(), events: this.events.slice(from), next: this.events.length };
  }

  /** @returns a function that stops watching */
  watch(changed: () => void): () => void {
    this.watchers.add(changed);
    return () => this.watchers.delete(changed);
  }

  /** Answers the pending question; false if its id or the type of the answer does not match. */
  answer(id: number, reply: unknown): boolean {
    const { pending, resolveAnswer } = this;
    if (pending?.id !== id || resolveAnswer === undefined) return false;
    if (typeof reply !== (pending.kind === 'confirm' ? 'boolean' : 'string')) return false;
    this.pending = null;
    this.resolveAnswer = undefined;
    resolveAnswer(reply);
    this.changed();
    return true;
  }

  /**
   * Stops the task: in good order at the first call, at once at the second; answers a pending question with
   * no.
   */
  stop(): void {
    this.stops.shift()?.();
    if (this.pending !== null) this.answer(this.pending.id, this.pending.kind === 'confirm' ? false : '');
  }

  /**
   * Stops the task because its input has changed, unless it is sending; every later question is answered
   * with no.
   */
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
        this.pending = {
          id: this.asked,
          kind,
          key: question.key,
          text: this.converter.worded(question),
          typed,
        };
        this.resolveAnswer = resolve as (reply: unknown) => void;
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
      // The page answers questions about columns by starting the task again.
      choose: async () => undefined,
    };
  }

  /** Applies changes that the use case reported. */
  take(changes: readonly TaskChange[]): void {
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

/** Stops tasks in good order: requests under way are awaited. */
export async function stopAll(tasks: readonly Task[]): Promise<void> {
  for (const task of tasks) task.stop();
  await Promise.all(tasks.map(({ done }) => done));
}
