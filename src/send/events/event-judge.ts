import type { DocumentState } from '../../document/outcome.js';
import type { JsonObject } from '../../values/json.js';
import { GIVEN_UP, NOT_HELD } from '../runs.js';
import { say } from '../say.js';
import { behind, type Judge, type Scope, type Standing } from '../standing.js';
import { eventOf, eventSubject } from './event-subject.js';

interface Holder {
  readonly id: number;
  readonly run: string;
  readonly key: string;
  readonly state: DocumentState;
  readonly document_code: string | null;
  readonly number: string;
  readonly givenUp: number;
}

/** Events against the journal: an event of an invoice is registered once, whoever is named as its receiver. */
export function eventJudge({ journal, run }: Scope): Judge {
  const find = journal.prepare(
    `SELECT d.id, d.run, d.key, d.key AS number, d.state, d.document_code, ${GIVEN_UP} AS givenUp FROM document d
      WHERE d.subject = ? AND d.state <> 'rejected' AND d.earlier IS NULL AND ${NOT_HELD}
      ORDER BY d.state = 'accepted' DESC, ${GIVEN_UP}, d.id DESC LIMIT 1`,
  );
  return {
    standing({ document }): Standing {
      const { cufe, code } = eventOf(document as unknown as JsonObject);
      const subject = eventSubject(cufe, code);
      const holder = find.first<Holder>(subject);
      if (holder === undefined) return { is: 'new', subject, remarks: [] };
      if (holder.state === 'accepted')
        return { is: 'earlier', subject, id: holder.id, documentCode: holder.document_code };
      if (holder.run !== run) return behind(holder, { subject });
      return { is: 'refused', subject, issues: [say('send/unfinished-run', { run })] };
    },
    remarks: () => [],
  };
}
