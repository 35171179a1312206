import type { Decided, MonthDifference, PlannedChange, SetupLine } from '../families/family.js';
import type { CodeEntry, Text } from '../generated/issue-codes.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { Totals } from '../send/kind.js';
import type { NumberRange } from '../send/numbering.js';
import type { Run } from '../send/runs.js';
import type { Issue, Place } from '../toolkit/core/issue.js';
import type { JsonObject, JsonValue } from '../toolkit/core/json.js';
import type { MappingTestResult } from '../toolkit/documents/mapping-tests.js';
import type { Inspection } from '../toolkit/inspect/inspect.js';
import type { Question } from '../toolkit/inspect/question.js';
import type { ParamType } from '../toolkit/mapping/params.js';
import type { Message, Phrase, PlainPhrase, Saying } from '../toolkit/messages/texts.js';
import type {
  ColumnAccount,
  Document,
  DocumentCounts,
  Outcome,
  OutcomeCounts,
  RecordCounts,
} from '../toolkit/schema/document.js';
import type { Environment } from './environment.js';
import type { LawTableState } from './law-state.js';

/** The accounting of DESIGN: records, documents, outcomes, issues. Nothing is lost between two lines. */
export interface Accounts {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  /** Of a run of an older version it is not known. */
  readonly columns?: readonly ColumnAccount[];
  readonly errors: number;
  readonly warnings: number;
  /** Only where something was to be sent. */
  readonly outcomes?: OutcomeCounts;
}

/** Where documents go. */
export interface Destination {
  readonly company: string;
  readonly url: URL;
  readonly environment: Environment;
  readonly testSet: string | undefined;
}

/** Reports what else documents of a kind allow: corrections by month or by notes, drawings, questions, reading alone. */
interface Ways {
  readonly corrections: 'whole' | 'notes' | null;
  readonly preview: boolean;
  readonly worklist: boolean;
  readonly reception: boolean;
}

/** What a run comes down to, for the person who must say yes. */
interface PlanFigures extends Destination {
  /** `2026-10`; of kinds of documents that have a month. */
  readonly months: readonly string[];
  readonly planned: number;
  readonly totals: Totals;
  /** Accepted before. */
  readonly earlier: number;
  /** Not to be sent because of what the journal says. */
  readonly blocked: number;
  readonly errors: number;
  readonly warnings: number;
}

/** A document of the files that a run did not make. */
export interface LeftOut {
  readonly key: string;
  readonly name?: string;
  readonly state: 'held-back' | 'elsewhere';
  readonly issues: readonly Issue[];
  readonly place: Place;
}

/** Whose run it is, of when, and what of it was accepted: for who signs for it. */
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
  /** Of what was accepted. */
  readonly totals: Totals;
  /** What can be done with its documents, by the name of the use case. */
  readonly can: readonly string[];
}

/** Where a code list comes from and which version it is. */
export interface ShownOrigin {
  readonly origin: 'shipped' | 'sample' | 'file' | 'service' | 'pack' | 'absent';
  readonly rows: number;
  readonly source?: string;
  /** ISO instant. */
  readonly at?: string;
  /** First characters of the hash of its rows. */
  readonly version?: string;
  /** The first day on which it holds, where it was loaded for days. */
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

/** Whose personal fields are masked, and whether the keys of documents are open: an event is known by its invoice. */
export interface Masked {
  readonly schemas: readonly SchemaName[];
  readonly openKeys?: boolean;
}

/** A run of any company, as `status --all` shows it. */
export interface RunView {
  readonly address: string;
  readonly company: string;
  readonly run: string;
  readonly state: 'held' | 'open' | 'closed';
  readonly made: number;
  /** Final ones. */
  readonly done: number;
  readonly open: number;
  /** Machine and process that send for the company now. */
  readonly sender: string | null;
  /** Documents that came to an end in a minute: since the last look, at first since it was laid out. */
  readonly perMinute: number;
  /** Seconds since it was laid out. */
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

/** What is told of the data, of documents and of runs, as it happens. Personal values are in full: who shows them masks them. */
type DataEvent =
  /** `about`: the documents whose personal values are masked. `personal`: a value that the words of the service may hold. `of`: lists are grouped apart. */
  | {
      readonly event: 'issue';
      readonly issue: Issue;
      readonly about?: Masked;
      readonly personal?: string;
      readonly of?: 'journal';
    }
  /** No more issues of that list. */
  | { readonly event: 'issues-end'; readonly of?: 'journal' }
  /** An issue about the call itself, counted nowhere. */
  | { readonly event: 'remark'; readonly issue: Issue; readonly brief?: true }
  /** With the document where it is what was asked for; without it where it went to a file. */
  | { readonly event: 'document'; readonly document: Document; readonly numbered?: JsonObject }
  | { readonly event: 'outcome'; readonly outcome: Outcome; readonly about: Masked }
  /** A document that an error in the data kept from being made, or that another run has. */
  | { readonly event: 'left-out'; readonly document: LeftOut; readonly about: Masked }
  /** What was decided without being asked. */
  | {
      readonly event: 'assumed';
      readonly skipped: ReadonlyMap<string, number>;
      /** `few`: hardly a cell shows it. */
      readonly formats: readonly { readonly style: string; readonly cell: string; readonly few: boolean }[];
      /** Whether they are those of the last time. */
      readonly usualFormats: boolean;
      readonly defaults: Readonly<Record<string, unknown>>;
      /** The same as people call them. `type`: of the parameter. */
      readonly named: readonly { readonly title: Text; readonly type: string; readonly value: string }[];
      /** Whether they are those of the last time. */
      readonly usual: boolean;
    }
  | { readonly event: 'accounts'; readonly accounts: Accounts }
  | ({ readonly event: 'figures' } & PlanFigures)
  | { readonly event: 'run'; readonly run: Run; readonly counts: OutcomeCounts }
  | {
      readonly event: 'change';
      readonly change: PlannedChange;
      /** Takes out somebody who is merely not in the file any more. */
      readonly proposed: boolean;
    }
  /** A run that workers send from now on. */
  | { readonly event: 'queued'; readonly run: string }
  /** The runs of many companies. */
  | ({ readonly event: 'overview' } & Overview)
  /** Documents that nobody can take back, by what they are called. */
  | {
      readonly event: 'irreversible';
      readonly act: string;
      readonly count: number;
      readonly names: readonly string[];
      /** The first of them as a person knows them who decides; for nobody else. */
      readonly decided: readonly Decided[];
    }
  /** Other documents that are shown before the yes, likewise. */
  | { readonly event: 'to-decide'; readonly count: number; readonly decided: readonly Decided[] }
  | ({ readonly event: 'difference' } & MonthDifference)
  /** How the people of a run stand against the month before. */
  | {
      readonly event: 'differences';
      readonly month: string;
      readonly changed: number;
      readonly fresh: number;
      readonly missing: number;
    }
  /** A wave of equal failures ended it early. */
  | { readonly event: 'stopped'; readonly issue: Issue };

/** How far a long piece of work has come. */
type ProgressEvent =
  | {
      readonly event: 'begins';
      readonly what: PlainPhrase;
      /** Unknown while a file is being read. */
      readonly total?: number;
      /** What was done before this began: it says nothing of the pace. */
      readonly before?: number;
    }
  | { readonly event: 'progress'; readonly done: number }
  | { readonly event: 'ends' };

/** What was asked for is itself something to show. */
type ListingEvent =
  | { readonly event: 'text'; readonly text: string }
  | { readonly event: 'value'; readonly value: unknown }
  /** A mapping that is kept for a company; ISO instant. */
  | { readonly event: 'remembered'; readonly name: string; readonly at: string }
  | { readonly event: 'ready-made'; readonly name: string; readonly description: Text }
  /** What a run may say beside the files; `needed`: in any case. */
  | {
      readonly event: 'mapping-params';
      readonly mapping: string;
      readonly params: readonly (ParamType & {
        readonly name: string;
        readonly title: Text;
        readonly needed: boolean;
        readonly default: JsonValue;
        /** The code list that it is one of, and the column of it that is given. */
        readonly from: { readonly list: string; readonly column: string } | undefined;
        /** What people call the default, where that has a name. */
        readonly called: string | undefined;
      })[];
    }
  | {
      readonly event: 'inspection';
      readonly inspection: Inspection;
      /** Whether its questions are asked next. */
      readonly asks: boolean;
    }
  /** Questions of which all answers were asked for. */
  | { readonly event: 'answers'; readonly questions: readonly Question[] }
  | {
      readonly event: 'proposal';
      readonly inspection: Inspection;
      readonly files: readonly string[];
      readonly ways: Ways;
      readonly written: string | undefined;
      /** What was edited by hand stayed. */
      readonly kept: boolean;
      /** Whether somebody was there to be asked. */
      readonly asked: boolean;
    }
  /** `id`: the authority's own code that it was asked by. `family`, `field`: what that code is about. `brief`: one of a list. */
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
  /** A pack that was written; `key` is the fingerprint of the one that signed it. */
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
      /** By NIT. */
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
      /** The one address of all; undefined for each worker's own. */
      readonly to: string | undefined;
      readonly count: number;
      readonly counts: MailCounts;
    } & Destination);

/** What a program wants to know; people are told it by messages. */
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

/** A sentence for people. `repeats`: what another event said already, so that a program need not be told. */
type MessageEvent = { readonly event: 'message'; readonly repeats?: true } & Message;

/** All that a use case has to say, told while it runs. */
export type AppEvent = DataEvent | ProgressEvent | ListingEvent | FactEvent | MessageEvent;

export type EventOf<Name extends AppEvent['event']> = Extract<AppEvent, { event: Name }>;

interface Listener {
  readonly tell: (event: AppEvent) => void;
}

/** Says a sentence. */
export const say = <K extends Phrase>({ tell }: Listener, ...[key, params]: Saying<K>): void =>
  tell({ event: 'message', key, params } as AppEvent);

/** Says in words, for people, what another event says. */
export const sayAgain = <K extends Phrase>({ tell }: Listener, ...[key, params]: Saying<K>): void =>
  tell({ event: 'message', key, params, repeats: true } as AppEvent);

/** Says what is being done for as long as that takes. */
export async function during<T>({ tell }: Listener, what: PlainPhrase, work: () => Promise<T>): Promise<T> {
  tell({ event: 'begins', what });
  try {
    return await work();
  } finally {
    tell({ event: 'ends' });
  }
}

/** The accounts at the end of a use case. */
export function tellAccounts(
  { tell }: Listener,
  accounts: Accounts,
  more: Readonly<Record<string, unknown>> = {},
): void {
  tell({ event: 'accounts', accounts });
  tell({ event: 'summary', accounts, ...more });
}

/** Issues on their way to whoever reads, counted. */
export interface IssueTeller {
  readonly errors: number;
  readonly warnings: number;
  /** @param personal what the service may have repeated in its own words */
  tell(issue: Issue, personal?: string): void;
  /** No more of them. */
  end(): void;
}

/** @param about the documents whose personal fields the issues may show */
export function issueTeller({ tell }: Listener, about?: Masked, of?: 'journal'): IssueTeller {
  const counts = { error: 0, warning: 0 };
  const list = of === undefined ? {} : { of };
  return {
    get errors() {
      return counts.error;
    },
    get warnings() {
      return counts.warning;
    },
    tell(issue, personal) {
      counts[issue.level] += 1;
      tell({ event: 'issue', issue, ...(about && { about }), ...(personal && { personal }), ...list });
    },
    end: () => tell({ event: 'issues-end', ...list }),
  };
}
