import { createHash } from 'node:crypto';
import type { DocumentState } from '../../document/outcome.js';
import { groupOf, STARTS } from '../../rips/groups.js';
import type { JsonObject } from '../../values/json.js';
import { GIVEN_UP, NOT_HELD } from '../runs.js';
import { say } from '../say.js';
import { behind, type Judge, type Scope, type Standing } from '../standing.js';
import type { AttentionParts } from './attention-parts.js';

interface Holder {
  readonly id: number;
  readonly run: string;
  readonly key: string;
  readonly number: string;
  readonly hash: string;
  readonly state: DocumentState;
  readonly documentCode: string | null;
  readonly givenUp: number;
}

/** Members that say what was done; each group has one of them, or none. */
const CODES = [
  'codConsulta',
  'codProcedimiento',
  'codTecnologiaSalud',
  'numDocumentoIdentificacion',
] as const;

const serviceKey = (service: JsonObject): string => {
  const group = groupOf(service['service_type_id']);
  const code = CODES.map((name) => service[name]).find((value) => value !== undefined && value !== null);
  const start = group === undefined ? undefined : service[STARTS[group]];
  return [service['service_type_id'], code ?? '', start ?? ''].join(' ');
};

/** Whose care it is and what was done when: the same care has the same subject, whatever its price or its file. */
export function subjectOf({ patient, document }: AttentionParts): string {
  const services = document.services.map(serviceKey).toSorted().join('\n');
  const { type_document_identification_id: type, document_number: number } = patient;
  const done = createHash('sha256').update(services).digest('hex').slice(0, 24);
  return ['rips', document['note_type'], type, number, done].join('|');
}

/** Attentions against the journal: the same care is sent once. */
export function careJudge({ journal, run }: Scope): Judge {
  const holderOf = journal.prepare(`
    SELECT d.id, d.run, d.key, coalesce(d.number, d.key) AS number, d.hash, d.state, d.document_code AS documentCode,
      ${GIVEN_UP} AS givenUp
    FROM document d WHERE d.subject = ? AND d.earlier IS NULL AND d.state <> 'rejected' AND ${NOT_HELD}
    ORDER BY d.state = 'accepted' DESC, ${GIVEN_UP}, d.id DESC LIMIT 1`);
  const bodyOf = journal.prepare('SELECT body FROM content WHERE document = ?');

  const sameCare = (held: number, { document }: AttentionParts): boolean => {
    const before = JSON.parse(bodyOf.first<{ body: string }>(held)!.body) as AttentionParts;
    return JSON.stringify(before.document.services) === JSON.stringify(document.services);
  };

  return {
    standing(envelope): Standing {
      const attention = envelope.document as unknown as AttentionParts;
      const subject = subjectOf(attention);
      const holder = holderOf.first<Holder>(subject);
      if (holder === undefined) return { is: 'new', subject, remarks: [] };
      const refused = (issue: ReturnType<typeof say>): Standing => ({
        is: 'refused',
        subject,
        issues: [issue],
      });
      if (holder.run === run) return refused(say('send/care-repeated', { key: holder.key }));
      if (holder.state !== 'accepted') return behind(holder, { subject });
      if (holder.hash === envelope.hash || sameCare(holder.id, attention))
        return { is: 'earlier', subject, id: holder.id, documentCode: holder.documentCode };
      const { number, documentCode } = holder;
      return refused(say('send/care-accepted', { number, cuv: documentCode ?? '—', run: holder.run }));
    },
    *remarks() {},
  };
}
