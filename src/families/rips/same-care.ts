import { createHash } from 'node:crypto';
import { createIssue } from '../../send/create-issue.js';
import { type Admission, behind, type ConflictingDocument, type Judge, type Scope } from '../../send/kind.js';
import { GIVEN_UP, NOT_HELD } from '../../send/runs.js';
import type { Issue } from '../../toolkit/core/issue.js';
import { contentHash, type DocumentState } from '../../toolkit/schema/document.js';
import { type AttentionParts, attentionOf, NOTE } from './attention.js';
import {
  careChanges,
  OF_PATIENT,
  patientDifferences,
  rangesOf,
  repeatsOfOthers,
  type Subjects,
  serviceKey,
} from './sent-before.js';

interface Holder extends ConflictingDocument {
  readonly id: number;
  readonly subject: string;
  readonly key: string;
  readonly hash: string;
  readonly state: DocumentState;
  readonly documentCode: string | null;
}

/**
 * Note types of one visit that are compared with each other: RIPS without invoice and its adjust note. Credit and
 * debit notes are compared only with their own type, as their content is unknown.
 */
const COUNTERPART: Readonly<Record<string, string>> = { RS: NOTE, [NOTE]: 'RS' };

/** Returns the subject prefixes of a patient's packages: of this note type and its counterpart. */
function patientSubjects({ patient, document }: AttentionParts): Subjects {
  const { type_document_identification_id: type, document_number: number } = patient;
  const kind = String(document['note_type']);
  const subject = (of: string): string => ['rips', of, type, number].join('|');
  return [subject(kind), subject(COUNTERPART[kind] ?? kind)];
}

/** Returns the subjects of a care: patient, note type, and what was done when; price and file do not matter. */
function subjectsOf(attention: AttentionParts): Subjects {
  const services = attention.document.services.map(serviceKey).toSorted().join('\n');
  const done = createHash('sha256').update(services).digest('hex').slice(0, 24);
  const [ownPrefix, other] = patientSubjects(attention);
  return [`${ownPrefix}|${done}`, `${other}|${done}`];
}

/** Packages of a patient with this care, the relevant one first, and those of other runs. */
const PACKAGES = `
  SELECT d.id, d.run, d.subject, d.key, coalesce(d.number, d.key) AS number, d.hash, d.state,
    d.document_code AS "documentCode", ${GIVEN_UP} AS "givenUp"
  FROM document d WHERE ${OF_PATIENT} AND (d.subject IN (?, ?) OR d.run <> ?)
    AND (d.earlier IS NULL OR d.run = ? AND d.subject = ?) AND d.state <> 'rejected' AND ${NOT_HELD}
  ORDER BY d.state = 'accepted' DESC, ${GIVEN_UP}, d.id DESC`;

/** Returns the hash this content has with the other package's note type; a purged package has only its hash. */
function hashAs(attention: AttentionParts, { subject }: Holder): string {
  const [, note_type] = subject.split('|');
  return contentHash('rips/attention', { ...attention, document: { ...attention.document, note_type } });
}

/** Checks attentions against the journal: a care is sent once, and again in a note if something changed. */
export function judge({ journal, run }: Scope): Judge {
  const repeats = repeatsOfOthers(journal);

  return {
    async admit({ body, hash }): Promise<Admission> {
      const attention = attentionOf(body);
      const isNote = attention.document['note_type'] === NOTE;
      const subjects = subjectsOf(attention);
      const [subject] = subjects;
      const patient = patientSubjects(attention);
      const packages = await journal.all<Holder>(
        PACKAGES,
        ...rangesOf(patient),
        ...subjects,
        run,
        run,
        subject,
      );
      const same = packages.filter((found) => subjects.includes(found.subject));
      // A note under way takes precedence over packages accepted earlier.
      const [holder] = isNote ? same.toSorted((a, b) => b.id - a.id) : same;
      if (holder === undefined) {
        const differences = await patientDifferences(journal, attention, patient);
        const remarks = [...differences, ...(await repeats(attention, packages))];
        return {
          is: 'new',
          subject,
          remarks: isNote ? [createIssue('send/note-of-nothing'), ...remarks] : remarks,
        };
      }
      const refused = (issue: ReturnType<typeof createIssue>): Admission => ({
        is: 'refused',
        subject,
        issues: [issue],
      });
      if (holder.run === run) return refused(createIssue('send/care-repeated', { key: holder.key }));
      if (holder.state !== 'accepted') return behind(holder, { subject });
      let changes: readonly Issue[] | undefined;
      for (const candidate of isNote ? [holder] : same.filter(({ state }) => state === 'accepted')) {
        const found =
          !isNote && candidate.hash === hash ? [] : await careChanges(journal, candidate, attention);
        if (found === undefined ? candidate.hash === hashAs(attention, candidate) : found.length === 0)
          return { is: 'earlier', subject, id: candidate.id, documentCode: candidate.documentCode };
        changes ??= found;
      }
      const { number, documentCode } = holder;
      if (!isNote) {
        const params = { number, cuv: documentCode ?? '—', run: holder.run };
        return refused(createIssue('send/care-accepted', params, changes?.[0]?.place));
      }
      const unknown = createIssue('send/note-of-unknown', { number, before: holder.run });
      const differences = await patientDifferences(journal, attention, patient, changes === undefined);
      return {
        is: 'new',
        subject,
        predecessor: holder.id,
        remarks: [...(changes ?? [unknown]), ...differences],
      };
    },
    remarks: () => [],
  };
}
