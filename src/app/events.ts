import type { ApprovalDetails, MonthDifference, PlannedChange, SetupLine } from '../families/family.js';
import type { CodeEntry, Text } from '../generated/issue-codes.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { Totals } from '../send/kind.js';
import type { NumberRange } from '../send/numbering.js';
import type { Run, RunAccounting } from '../send/runs.js';
import type { Issue, Place } from '../toolkit/core/issue.js';
import type { JsonObject, JsonValue } from '../toolkit/core/json.js';
import type { MappingTestResult } from '../toolkit/documents/mapping-tests.js';
import type { Inspection } from '../toolkit/inspect/inspect.js';
import type { Question } from '../toolkit/inspect/question.js';
import type { ParamType } from '../toolkit/mapping/params.js';
import type { Message, Phrase, PhraseWithParams, PlainPhrase } from '../toolkit/messages/texts.js';
import type { Document, Outcome, OutcomeCounts } from '../toolkit/schema/document.js';
import type { Environment } from './environment.js';
import type { LawTableState } from './law-state.js';

/** Counts of a run: records, documents, columns, issues, outcomes. */
export interface Accounts extends Omit<RunAccounting, 'outcomes'> {
  readonly errors: number;
  readonly warnings: number;
  /** Undefined if nothing was to be sent. */
  readonly outcomes?: OutcomeCounts;
}

export interface Destination {
  readonly company: string;
  readonly url: URL;
  readonly environment: Environment;
  readonly testSet: string | undefined;
}

/** Actions that documents of a kind allow: corrections, previews, a worklist, reception of invoices. */
interface AvailableActions {
  readonly corrections: 'whole' | 'notes' | null;
  readonly preview: boolean;
  readonly worklist: boolean;
  readonly reception: boolean;
}

interface PlanFigures extends Destination {
  /** Name of the family of the documents; undefined for a run without documents. */
  readonly family: string | undefined;
  /** Months (`2026-10`) of document kinds that have one. */
  readonly months: readonly string[];
  readonly planned: number;
  readonly totals: Totals;
  readonly earlier: number;
  /** Documents not sent because of the journal. */
  readonly blocked: number;
  readonly errors: number;
  readonly warnings: number;
}

/** Document of the files that a run did not make. */
export interface LeftOut {
  readonly key: string;
  readonly name?: string;
  readonly state: 'held-back' | 'elsewhere';
  readonly issues: readonly Issue[];
  readonly place: Place;
}

/** Summary of a run for a signature: company, dates, files, accepted totals. */
export interface RunFacts {
  readonly run: string;
  readonly company: string;
  readonly service: string;
  readonly environment: Environment;
  readonly files: readonly string[];
  /** ISO instants. */
  readonly created: string;
  readonly ended: string | null;
  readonly approval: Run['approval'] | null;
  readonly totals: Totals;
  /** Use cases that accept its documents, by name. */
  readonly can: readonly string[];
}

/** Origin and version of a code list. */
export interface ShownOrigin {
  readonly origin: 'shipped' | 'sample' | 'file' | 'service' | 'pack' | 'absent';
  readonly rows: number;
  readonly source?: string;
  /** ISO instant. */
  readonly at?: string;
  /** First characters of the hash of its rows. */
  readonly version?: string;
  /** First day on which it applies, if it was loaded with one. */
  readonly from?: string;
}

/** documents = written + there + failed + left */
export interface PreviewCounts {
  documents: number;
  written: number;
  there: number;
  failed: number;
  left: number;
}

/** documents = mailed + already + unconfirmed + refused + noAddress + deletions + corrected + notAccepted + left */
export interface MailCounts {
  documents: number;
  mailed: number;
  already: number;
  unconfirmed: number;
  refused: number;
  noAddress: number;
  /** Accepted; they have neither worker nor paper (service.md 4.8). */
  deletions: number;
  /** Accepted, and replaced or deleted by a later note. */
  corrected: number;
  notAccepted: number;
  left: number;
}

/** Schemas whose personal fields are masked. `hasPublicKeys`: document keys are not personal IDs and may be printed. */
export interface Masked {
  readonly schemas: readonly SchemaName[];
  readonly hasPublicKeys?: boolean;
}

/** Run of any company, as `status --all` shows it. */
export interface RunView {
  readonly address: string;
  readonly company: string;
  readonly run: string;
  readonly state: 'held' | 'open' | 'closed';
  readonly made: number;
  /** Documents with a final outcome. */
  readonly done: number;
  readonly open: number;
  /** Machine and process that send for the company; null if none does. */
  readonly sender: string | null;
  /** Documents finished per minute since the last poll; on the first, since the run was planned. */
  readonly perMinute: number;
  /** Seconds since the run was planned. */
  readonly age: number;
  readonly stopped: Issue | null;
}

export interface Overview {
  readonly runs: readonly RunView[];
  readonly total: {
    readonly runs: number;
    readonly companies: number;
    readonly made: number;
    readonly done: number;
    readonly open: number;
    readonly workers: number;
  };
}

/** Events about data, documents and runs. Personal values are in full: the receiver masks them. */
type DataEvent =
  /**
   * `about`: documents whose personal values are masked. `personal`: a value the service's text may repeat. `of`:
   * name of a separate list.
   */
  | {
      readonly event: 'issue';
      readonly issue: Issue;
      readonly about?: Masked;
      readonly personal?: string;
      readonly of?: 'journal';
    }
  /** End of an issue list. */
  | { readonly event: 'issues-end'; readonly of?: 'journal' }
  /** Issue of the call itself; not counted. */
  | { readonly event: 'remark'; readonly issue: Issue; readonly brief?: true }
  /** Checked document; `numbered` is its body, absent if it went to a file. */
  | { readonly event: 'document'; readonly document: Document; readonly numbered?: JsonObject }
  | { readonly event: 'outcome'; readonly outcome: Outcome; readonly about: Masked }
  /** Document that was held back, or that another run has. */
  | { readonly event: 'left-out'; readonly document: LeftOut; readonly about: Masked }
  /** Assumptions made without asking. */
  | {
      readonly event: 'assumed';
      readonly skipped: ReadonlyMap<string, number>;
      /** `few`: hardly any cell shows this format. */
      readonly formats: readonly { readonly style: string; readonly cell: string; readonly few: boolean }[];
      /** True if they are the same as last time. */
      readonly usualFormats: boolean;
      readonly defaults: Readonly<Record<string, unknown>>;
      /** Defaults as users name them. `type`: of the parameter. */
      readonly named: readonly { readonly title: Text; readonly type: string; readonly value: string }[];
      /** True if they are the same as last time. */
      readonly usual: boolean;
    }
  | { readonly event: 'accounts'; readonly accounts: Accounts }
  | ({ readonly event: 'figures' } & PlanFigures)
  | { readonly event: 'run'; readonly run: Run; readonly counts: OutcomeCounts }
  | {
      readonly event: 'change';
      readonly change: PlannedChange;
      /** True if the document is deleted only because it is not in the file. */
      readonly proposed: boolean;
    }
  /** Run handed over to the workers. */
  | { readonly event: 'queued'; readonly run: string }
  /** Runs of many companies. */
  | ({ readonly event: 'overview' } & Overview)
  /** Documents that cannot be undone, with their names. */
  | {
      readonly event: 'irreversible';
      readonly act: string;
      readonly count: number;
      readonly names: readonly string[];
      /** First documents in full, for the user who decides. */
      readonly decided: readonly ApprovalDetails[];
    }
  /** Other documents to show before confirmation, likewise. */
  | { readonly event: 'to-decide'; readonly count: number; readonly decided: readonly ApprovalDetails[] }
  | ({ readonly event: 'difference' } & MonthDifference)
  /** Comparison of a run with the month before. */
  | {
      readonly event: 'differences';
      readonly month: string;
      readonly changed: number;
      readonly fresh: number;
      readonly missing: number;
    }
  /** Reason a run ended early: a series of equal failures. */
  | { readonly event: 'stopped'; readonly issue: Issue };

/** Progress of a long task. */
type ProgressEvent =
  | {
      readonly event: 'begins';
      readonly what: PlainPhrase;
      /** Undefined while a file is being read. */
      readonly total?: number;
      /** Count done before this task began; not part of its speed. */
      readonly before?: number;
    }
  | { readonly event: 'progress'; readonly done: number }
  | { readonly event: 'ends' };

/** Requested content. */
type ListingEvent =
  | { readonly event: 'text'; readonly text: string }
  | { readonly event: 'log'; readonly line: string }
  /** Answer of the service to one call, without secrets; `body` is its JSON, `text` the begin of any other. */
  | ({ readonly event: 'response'; readonly operation: string; readonly status: number } & (
      | { readonly body: JsonValue }
      | { readonly text: string }
    ))
  | { readonly event: 'value'; readonly value: unknown }
  /** Mapping stored for a company; `at` is an ISO instant. */
  | { readonly event: 'remembered'; readonly name: string; readonly at: string }
  | { readonly event: 'ready-made'; readonly name: string; readonly description: Text }
  /** Parameters of a mapping; `needed`: required in any case. */
  | {
      readonly event: 'mapping-params';
      readonly mapping: string;
      readonly params: readonly (ParamType & {
        readonly name: string;
        readonly title: Text;
        readonly needed: boolean;
        readonly default: JsonValue;
        /** Code list of the values, and the column they are given in. */
        readonly from: { readonly list: string; readonly column: string } | undefined;
        /** Name of the default value, if it has one. */
        readonly called: string | undefined;
      })[];
    }
  | {
      readonly event: 'inspection';
      readonly inspection: Inspection;
      /** True if its questions are asked next. */
      readonly asks: boolean;
    }
  | { readonly event: 'answers'; readonly questions: readonly Question[] }
  | {
      readonly event: 'proposal';
      readonly inspection: Inspection;
      readonly files: readonly string[];
      readonly ways: AvailableActions;
      /** Values to offer for parameters, by name. */
      readonly offered: Readonly<Record<string, unknown>>;
      readonly written: string | undefined;
      /** True if changes made by hand were preserved. */
      readonly kept: boolean;
      /** True if a user was asked. */
      readonly asked: boolean;
    }
  /** `id`: the authority's code asked for. `family`, `field`: what that code is about. `brief`: one of a list. */
  | {
      readonly event: 'code';
      readonly code: string;
      readonly entry: CodeEntry;
      readonly id: string | undefined;
      readonly family?: string;
      readonly field?: string;
      readonly brief: boolean;
    }
  | { readonly event: 'schema'; readonly name: string; readonly title: string; readonly description: Text }
  | { readonly event: 'catalogue'; readonly name: string; readonly origin: ShownOrigin }
  | {
      readonly event: 'catalogue-rows';
      readonly name: string;
      readonly origin: ShownOrigin;
      readonly columns: readonly string[];
      readonly rows: readonly Readonly<Record<string, string>>[];
    }
  | {
      readonly event: 'catalogue-stored';
      readonly name: string;
      readonly isNew: boolean;
      readonly origin: { readonly rows: number; readonly source: string; readonly from?: string };
    }
  | ({ readonly event: 'law-table' } & LawTableState)
  /** Law pack that was written; `key` is the fingerprint of its signer. */
  | {
      readonly event: 'law-pack';
      readonly file: string;
      readonly sha256: string;
      readonly key: string | null;
    }
  | {
      readonly event: 'profile';
      readonly profile: string;
      readonly environment: Environment;
      readonly url: string;
      readonly company: string | null;
    }
  | {
      readonly event: 'profile-shown';
      readonly profile: string;
      readonly file: string;
      readonly content: JsonObject;
    }
  | ({ readonly event: 'test'; readonly ok: boolean } & MappingTestResult)
  | {
      readonly event: 'sandbox';
      readonly url: string;
      readonly token: string;
      /** Tokens by NIT. */
      readonly tokens: Readonly<Record<string, string>>;
      readonly adminToken: string;
    }
  | { readonly event: 'gaps'; readonly gaps: readonly NumberRange[] }
  | {
      readonly event: 'setup-plan';
      readonly company: string | undefined;
      readonly url: URL;
      readonly lines: readonly SetupLine[];
    }
  | ({
      readonly event: 'mail-plan';
      /** Address for all mails; undefined if each employee's own is used. */
      readonly to: string | undefined;
      readonly count: number;
      readonly counts: MailCounts;
    } & Destination);

/** Facts for programs; users get them as messages. */
type FactEvent =
  | ({ readonly event: 'summary' } & (
      | ({ readonly accounts: Accounts } & Readonly<Record<string, unknown>>)
      | { readonly tests: number; readonly passed: number }
      | { readonly run: string; readonly folder: string; readonly previews: PreviewCounts }
      | { readonly run: string; readonly emails: MailCounts }
    ))
  | ({ readonly event: 'facts' } & RunFacts)
  | { readonly event: 'plan'; readonly run: string; readonly digest: string }
  | {
      readonly event: 'approval';
      readonly run: string;
      readonly by: string;
      readonly at: string;
      readonly digest: string;
    }
  | { readonly event: 'abandon'; readonly run: string; readonly documents: number; readonly open: number }
  | { readonly event: 'adopt'; readonly company: string; readonly path: string }
  | { readonly event: 'backup'; readonly file: string }
  | {
      readonly event: 'copy';
      readonly company: string;
      readonly from: string;
      readonly to: string;
      readonly rows: number;
    }
  | { readonly event: 'migrate'; readonly path: string; readonly from: number; readonly to: number }
  | {
      readonly event: 'trail';
      readonly run: string;
      readonly file: string;
      readonly lines: number;
      readonly head: string;
      readonly signed: boolean;
    }
  | {
      readonly event: 'verified';
      readonly file: string;
      readonly run: string | null;
      readonly lines: number;
      readonly head: string;
      readonly signedBy: string | null;
      readonly fault: { readonly code: string; readonly line: number } | null;
    }
  | { readonly event: 'export'; readonly file: string; readonly lines: number }
  | {
      readonly event: 'purge';
      readonly before: string;
      readonly runs: readonly string[];
      readonly documents: number;
      readonly unfinished: readonly string[];
    }
  | {
      readonly event: 'report';
      readonly run: string;
      readonly report: string | null;
      readonly pdf?: string;
    }
  | { readonly event: 'template'; readonly mapping: string; readonly file: string }
  /** File taken from an inbox: what was found in it, the id of its upload, and where the file is now. */
  | {
      readonly event: 'inbox';
      readonly file: string;
      readonly state: 'ready' | 'doubts' | 'errors' | 'known' | 'problem';
      readonly doubts: number;
      readonly errors: number;
      readonly documents: number;
      readonly upload: string | null;
      /** Run that sent its documents, as the company's profile has it. */
      readonly run: string | null;
      readonly moved: string | null;
    }
  | { readonly event: 'project-written'; readonly file: string; readonly project: JsonObject }
  | { readonly event: 'profile-added'; readonly profile: string; readonly file: string }
  | ({ readonly event: 'setup'; readonly what: 'software' | 'resolution' } & Readonly<
      Record<string, unknown>
    >)
  | ({ readonly event: 'invoice' } & Readonly<Record<string, unknown>>)
  | {
      readonly event: 'reception';
      readonly sequence: number;
      readonly key: string;
      readonly data: JsonObject;
    }
  | {
      readonly event: 'preview';
      readonly key: string;
      readonly number: string | null;
      readonly state: string;
      readonly file: string;
    }
  | {
      readonly event: 'email';
      readonly key: string;
      readonly number: string;
      readonly to: string;
      readonly state: string;
    };

/** Sentence for users. `repeats`: its facts are in another event, so programs may skip it. */
type MessageEvent = { readonly event: 'message'; readonly repeats?: true } & Message;

/** Events a use case emits while it runs. */
export type AppEvent = DataEvent | ProgressEvent | ListingEvent | FactEvent | MessageEvent;

export type EventOf<Name extends AppEvent['event']> = Extract<AppEvent, { event: Name }>;

interface Listener {
  readonly tell: (event: AppEvent) => void;
}

/** Emits a sentence for users. */
export const emitMessage = <K extends Phrase>(
  { tell }: Listener,
  ...[key, params]: PhraseWithParams<K>
): void => tell({ event: 'message', key, params } as AppEvent);

/** Emits a sentence for users whose facts another event has. */
export const emitText = <K extends Phrase>({ tell }: Listener, ...[key, params]: PhraseWithParams<K>): void =>
  tell({ event: 'message', key, params, repeats: true } as AppEvent);

/** Emits progress of `what` while `work` runs. */
export async function during<T>({ tell }: Listener, what: PlainPhrase, work: () => Promise<T>): Promise<T> {
  tell({ event: 'begins', what });
  try {
    return await work();
  } finally {
    tell({ event: 'ends' });
  }
}

/** Emits the accounts at the end of a use case. */
export function emitAccounts(
  { tell }: Listener,
  accounts: Accounts,
  more: Readonly<Record<string, unknown>> = {},
): void {
  tell({ event: 'accounts', accounts });
  tell({ event: 'summary', accounts, ...more });
}

/** Emits a list of issues; returns the number of errors. */
export function emitIssues(
  listener: Listener,
  issues: Iterable<Issue>,
  about?: Masked,
  of?: 'journal',
): number {
  const emitter = issueEmitter(listener, about, of);
  for (const issue of issues) emitter.emit(issue);
  emitter.end();
  return emitter.errors;
}

/** Emits issues and counts them. */
export type IssueEmitter = ReturnType<typeof issueEmitter>;

/** Creates the emitter of a list of issues. @param about documents whose personal fields the issues may show */
export function issueEmitter({ tell }: Listener, about?: Masked, of?: 'journal') {
  const counts = { error: 0, warning: 0 };
  const list = of === undefined ? {} : { of };
  return {
    get errors() {
      return counts.error;
    },
    get warnings() {
      return counts.warning;
    },
    /** Emits one issue. @param personal value the service's text may repeat */
    emit(issue: Issue, personal?: string): void {
      counts[issue.level] += 1;
      tell({ event: 'issue', issue, ...(about && { about }), ...(personal && { personal }), ...list });
    },
    /** Ends the list. */
    end: () => tell({ event: 'issues-end', ...list }),
  };
}
