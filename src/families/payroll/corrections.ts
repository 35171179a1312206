import type { SchemaName } from '../../generated/schema-types.js';
import { createIssue } from '../../send/create-issue.js';
import type { Sql } from '../../send/database.js';
import type { PlanInput } from '../../send/documents.js';
import { PAGE, pages } from '../../send/runs.js';
import { parseCanonical } from '../../toolkit/core/canonical.js';
import { hasErrors, type Issue, stop } from '../../toolkit/core/issue.js';
import { type JsonObject, valueAt } from '../../toolkit/core/json.js';
import { required } from '../../toolkit/core/required.js';
import { type Document, documentWith, makeDocument } from '../../toolkit/schema/document.js';
import { checkRules } from '../../toolkit/schema/rules.js';
import { validate } from '../../toolkit/schema/validate.js';
import type {
  ChangedField,
  ComparisonSite,
  Corrections,
  DocumentTransform,
  FileReading,
  Notes,
  PlannedChange,
} from '../family.js';
import {
  changesBetween,
  DELETION,
  deletionOf,
  fieldsAs,
  NOTE_TYPE,
  type NoteOptions,
  REPLACEMENT,
  replacementOf,
  saysTheSame,
} from './adjust-note.js';
import {
  conflict,
  type Known,
  knownDocuments,
  PREDECESSOR_LEAVES,
  predecessorFiller,
} from './known-documents.js';
import { newcomers } from './same-month.js';
import {
  isForgotten,
  isNovelty,
  monthOf,
  payrollSubject,
  personOf,
  plainDocument,
  WORKER_PLACE,
  workerMonth,
  workerOf,
} from './subject.js';

/** Text of `notes` if no reason was given; it goes to DIAN, in Spanish. */
const REASON = 'Corrección de la nómina';

/** A person that the journal has and the file does not. */
interface Vanished {
  readonly known: Known;
  readonly body: JsonObject;
  readonly person: string | undefined;
}

/**
 * Compares the corrected payroll of a month with the accepted documents of the journal. An unchanged person gets
 * nothing, a changed one a replacement, a new one a payroll, a missing one a deletion. A person who is missing and new
 * under another document number is the same one: the deletion is sent first, and the new payroll only after it. Other
 * deletions are proposals.
 */
function compare(site: ComparisonSite): DocumentTransform {
  const { mapping, notes, reason = REASON, journal, testSet, deleteMissing = false } = site;
  const known = knownDocuments(journal, testSet);
  const levels = new Map([...mapping.rules].map(([code, { level }]) => [code, level]));
  const seen = new Set<string>();
  /** Issue date of the documents, by month. */
  const issueDates = new Map<string, string>();
  /** New people of the file, with their sequences. */
  const fresh = newcomers<number>();
  const counts = { last: 0, added: 0 };

  function noteOptions(before: Known, body: JsonObject, issueDate: string): NoteOptions {
    const { prefix = stop('usage', { code: 'run/needs-note-prefix' }) } = notes;
    const predecessor = {
      number: before.consecutive,
      cune: before.documentCode ?? '',
      issueDate: String(valueAt(body, '/period/issue_date')),
    };
    const { resolution } = notes;
    return { prefix, ...(resolution !== undefined && { resolution }), issueDate, reason, predecessor };
  }

  /** Returns the errors of a note, which needs more than a payroll, such as bank data. */
  function errorsOf(note: JsonObject): readonly Issue[] {
    const rules = checkRules(REPLACEMENT, note, { derived: true, levels });
    const wrong = [...validate(REPLACEMENT, 'draft', note), ...rules].filter(
      ({ level }) => level === 'error',
    );
    return wrong.map((found) =>
      found.code === 'document/required' ? { ...found, code: 'payroll/note-needs' } : found,
    );
  }

  async function compared(document: Document): Promise<PlanInput> {
    const { sequence, key, name, body, trace, counted } = document;
    const subject = known.inRealm(payrollSubject(body));
    const issueDate = String(valueAt(body, '/period/issue_date'));
    seen.add(subject);
    // A document that a novelty follows is not missing.
    if (isNovelty(body)) seen.add(known.inRealm(workerMonth(workerOf(body), monthOf(body))));
    issueDates.set(monthOf(body), issueDate);
    counts.last = sequence;

    const top = await known.top(subject);
    if (top === undefined) {
      const number = await known.takenElsewhere(subject);
      if (number !== undefined) return documentWith(document, { refused: [takenElsewhere(number, body)] });
      if (!isNovelty(body)) fresh.add(body, sequence);
      return documentWith(document, { renumbered: true });
    }
    if (top.state !== 'accepted') return document; // its run must be finished first: the journal says so
    const before = await known.body(top.id);
    if (top.hash === document.hash || saysTheSame(before, body))
      return documentWith(document, { accepted: top });
    const note = replacementOf(body, noteOptions(top, before, issueDate));
    const errors = errorsOf(note);
    return {
      ...makeDocument({ sequence, key, ...(name && { name }), trace, schema: REPLACEMENT, body: note }),
      ...(counted && { counted }),
      ...(hasErrors(errors) && { refused: errors }),
    };
  }

  async function* vanished(heldBack: ReadonlySet<string>): AsyncIterable<Vanished> {
    for (const month of issueDates.keys())
      for await (const top of known.ofMonth(known.inRealm(month))) {
        const { worker, novelty } = known.parts(top);
        if (novelty || seen.has(top.subject ?? '') || heldBack.has(worker)) continue;
        const body = await known.body(top.id);
        yield { known: top, body, person: personOf(body) };
      }
  }

  /**
   * Builds a deletion. A document without a verdict gets only an issue that its run must end first; one whose data was
   * removed has too little left for a note.
   */
  function deletion({ known: top, body }: Vanished, before?: number): PlanInput {
    counts.last += 1;
    counts.added += 1;
    const issueDate = required(issueDates, monthOf(body));
    const open = top.state !== 'accepted';
    const forgotten = !open && isForgotten(body);
    return {
      ...makeDocument({
        sequence: counts.last,
        key: forgotten ? known.parts(top).worker : top.key,
        ...(top.name !== null && { name: top.name }),
        schema: DELETION,
        body: deletionOf(body, noteOptions(top, body, issueDate)),
        trace: new Map(),
      }),
      ...(open && { refused: [conflict(top, '', body, body)], unfinished: top.run }),
      ...(forgotten && { refused: [createIssue('payroll/purged', { number: top.number })] }),
      ...(before !== undefined && { before }),
    };
  }

  async function deletions(findings: ReturnType<FileReading['findings']>): Promise<PlanInput[]> {
    const { errors, issues, isPart } = findings;
    if (isPart && deleteMissing) stop('usage', { code: 'run/delete-from-part' });
    const faulty = issues.filter(({ level }) => level === 'error');
    const heldBack = new Set(faulty.map(({ documentKey = '' }) => plainDocument(documentKey)));
    const gone: Vanished[] = [];
    for await (const found of vanished(heldBack)) gone.push(found);
    const certain: PlanInput[] = [];
    const proposals: Vanished[] = [];
    const people = gone.map(({ person }) => person);
    for (const found of gone) {
      const isAccepted = found.known.state === 'accepted';
      const sequence = isAccepted ? fresh.renumbered(found.person, people) : undefined;
      if (sequence !== undefined) certain.push(deletion(found, sequence));
      else if (errors === 0 && !isPart && !isAccepted) certain.push(deletion(found));
      else proposals.push(found);
    }
    // A record with an error may be anybody's, and a part lacks most people: only people found under another number are
    // certain.
    if (errors > 0 || isPart) return certain;
    return [...certain, ...proposals.map((found) => ({ ...deletion(found), proposed: true }))];
  }

  return {
    async *shape(reading) {
      for await (const documents of reading.documents) {
        const batch: PlanInput[] = [];
        for (const document of documents) batch.push(await compared(document));
        yield batch;
      }
      yield await deletions(reading.findings());
    },
    get added() {
      return counts.added;
    },
  };
}

/** Refuses a new payroll, which would be rejected as the last one was. */
const takenElsewhere = (number: string, body: JsonObject): Issue => ({
  ...createIssue('payroll/accepted-elsewhere', { number }, { pointer: WORKER_PLACE }),
  value: workerOf(body),
});

interface Row {
  readonly sequence: number;
  readonly schema: SchemaName;
  readonly key: string;
  readonly name: string | null;
  readonly number: string;
  readonly body: string;
  readonly before: string | null;
  readonly beforeNumber: string | null;
  readonly beforeCode: string | null;
  readonly follows: string | null;
  readonly leads: string | null;
}

const PARTS = {
  made: '',
  planned: `AND d.state = 'planned'`,
  notes: `AND d.schema IN ('${REPLACEMENT}', '${DELETION}')`,
} as const;

const changesOf = (which: keyof typeof PARTS): string => `
  SELECT d.sequence, d.schema, d.key, d.name, o.prefix || o.consecutive AS number, c.body,
    b.body AS before, p.prefix || p.consecutive AS "beforeNumber", p.document_code AS "beforeCode",
    w.prefix || w.consecutive AS follows, l.prefix || l.consecutive AS leads
  FROM document d JOIN content c ON c.document = d.id
    JOIN document o ON o.id = coalesce(d.earlier, d.id)
    LEFT JOIN document p ON p.id = o.predecessor
    LEFT JOIN content b ON b.document = o.predecessor
    LEFT JOIN document w ON w.id = d.waits_for
    LEFT JOIN document l ON l.run = d.run AND l.waits_for = d.id
  WHERE d.run = ? AND d.sequence > ? ${PARTS[which]}
  ORDER BY d.sequence LIMIT ${PAGE}`;

export const kindOf = (schema: SchemaName): PlannedChange['kind'] =>
  schema === REPLACEMENT ? 'replace' : schema === DELETION ? 'delete' : 'new';

function fieldsOf(
  kind: PlannedChange['kind'],
  body: string,
  was: JsonObject | undefined,
): readonly ChangedField[] {
  if (kind === 'delete') return was === undefined ? [] : fieldsAs('before', was);
  const now = parseCanonical(body);
  if (was !== undefined) return changesBetween(was, now);
  const fields = fieldsAs('after', now);
  // The totals without difference: the replaced document had totals, too.
  return kind === 'new' ? fields : fields.map(({ difference: _, ...field }) => field);
}

/** Returns the document that a note corrects, from the journal, else from the note itself. */
function corrected({ before, beforeNumber, beforeCode, schema, body }: Row): PlannedChange['predecessor'] {
  if (before !== null) return { number: beforeNumber ?? '', code: beforeCode ?? '' };
  return kindOf(schema) === 'new' ? undefined : predecessorNamed(JSON.parse(body) as JsonObject);
}

export function predecessorNamed(body: JsonObject): PlannedChange['predecessor'] {
  const [number, code] = [
    valueAt(body, '/predecessor/predecessor_number'),
    valueAt(body, '/predecessor/predecessor_cune'),
  ];
  return number === undefined ? undefined : { number: String(number), code: String(code ?? '') };
}

/** Yields the changes of a run, read page by page. */
export async function* changes(
  journal: Sql,
  run: string,
  which: keyof typeof PARTS,
): AsyncIterable<PlannedChange> {
  for await (const row of pages<Row>(journal, changesOf(which), run)) {
    const { schema, sequence, key, name, number, body, before, follows, leads } = row;
    const kind = kindOf(schema);
    const predecessor = corrected(row);
    const was = before === null ? undefined : parseCanonical(before);
    const forgotten = was !== undefined && isForgotten(was);
    yield {
      kind,
      sequence,
      key,
      number,
      ...(name !== null && { name }),
      ...(predecessor && { predecessor }),
      ...(follows !== null && { follows }),
      ...(leads !== null && { leads }),
      ...(forgotten && { isForgotten: true }),
      fields: fieldsOf(kind, body, forgotten ? undefined : was),
    };
  }
}

const NOTES: readonly string[] = [REPLACEMENT, DELETION];

/** Payrolls are corrected by adjust notes. */
const ADJUST_NOTES: Notes = {
  series: NOTE_TYPE,
  fileOf(schemas) {
    if (schemas.every((schema) => schema === 'payroll/payroll')) return 'whole';
    return schemas.every((schema) => NOTES.includes(schema)) ? 'notes' : undefined;
  },
  known: PREDECESSOR_LEAVES,
  complete: predecessorFiller,
  compare,
  changes,
};

export const CORRECTIONS: Corrections = { notes: ADJUST_NOTES };
