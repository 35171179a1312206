import { createHash } from 'node:crypto';
import { createIssue } from '../../send/create-issue.js';
import { type Admission, behind, type Judge, type Scope } from '../../send/kind.js';
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

interface Holder {
  readonly id: number;
  readonly run: string;
  readonly subject: string;
  readonly key: string;
  readonly number: string;
  readonly hash: string;
  readonly state: DocumentState;
  readonly documentCode: string | null;
  readonly givenUp: unknown;
}

/**
 * RIPS without invoice and the adjust note that corrects it are both packages of one visit, held against each other. What a
 * credit or debit note holds is not shown: each is held against its own kind alone.
 */
const COUNTERPART: Readonly<Record<string, string>> = { RS: NOTE, [NOTE]: 'RS' };

/** What the subjects of the packages of a patient begin with: those of the kind of this one, and of its counterpart. */
function patientSubjects({ patient, document }: AttentionParts): Subjects {
  const { type_document_identification_id: type, document_number: number } = patient;
  const kind = String(document['note_type']);
  const subject = (of: string): string => ['rips', of, type, number].join('|');
  return [subject(kind), subject(COUNTERPART[kind] ?? kind)];
}

/** Whose care it is and what was done when: the same care has the same subjects, whatever its price or its file. */
function subjectsOf(attention: AttentionParts): Subjects {
  const services = attention.document.services.map(serviceKey).toSorted().join('\n');
  const done = createHash('sha256').update(services).digest('hex').slice(0, 24);
  const [own, other] = patientSubjects(attention);
  return [`${own}|${done}`, `${other}|${done}`];
}

/** The packages of a patient with this care, the one that stands for it first, and those of other runs. */
const PACKAGES = `
  SELECT d.id, d.run, d.subject, d.key, coalesce(d.number, d.key) AS number, d.hash, d.state,
    d.document_code AS "documentCode", ${GIVEN_UP} AS "givenUp"
  FROM document d WHERE ${OF_PATIENT} AND (d.subject IN (?, ?) OR d.run <> ?)
    AND (d.earlier IS NULL OR d.run = ? AND d.subject = ?) AND d.state <> 'rejected' AND ${NOT_HELD}
  ORDER BY d.state = 'accepted' DESC, ${GIVEN_UP}, d.id DESC`;

/** The hash that this content would have as a package of the kind of another, of which a purge leaves no more than that. */
function hashAs(attention: AttentionParts, { subject }: Holder): string {
  const [, note_type] = subject.split('|');
  return contentHash('rips/attention', { ...attention, document: { ...attention.document, note_type } });
}

/** Attentions against the journal: the same care is sent once, and again in a note where something of it changed. */
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
      const same = packages.filter((one) => subjects.includes(one.subject));
      // A note that is on its way stands before what was accepted earlier.
      const [holder] = isNote ? same.toSorted((one, other) => other.id - one.id) : same;
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
      for (const one of isNote ? [holder] : same.filter(({ state }) => state === 'accepted')) {
        const found = !isNote && one.hash === hash ? [] : await careChanges(journal, one, attention);
        if (found === undefined ? one.hash === hashAs(attention, one) : found.length === 0)
          return { is: 'earlier', subject, id: one.id, documentCode: one.documentCode };
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
