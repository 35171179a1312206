import type { DocumentState } from '../../document/outcome.js';
import type { JsonObject } from '../../values/json.js';
import { say } from '../say.js';
import type { Judge, Scope, Standing } from '../standing.js';
import { eventOf, eventSubject } from './event-subject.js';

interface Holder {
  readonly id: number;
  readonly run: string;
  readonly key: string;
  readonly state: DocumentState;
  readonly document_code: string | null;
}

/** Events against the journal: an event of an invoice is registered once, whoever is named as its receiver. */
export function eventJudge({ journal }: Scope): Judge {
  const find = journal.prepare(
    `SELECT id, run, key, state, document_code FROM document WHERE subject = ? AND state <> 'rejected' AND earlier IS NULL
      ORDER BY state = 'accepted' DESC, id DESC LIMIT 1`,
  );
  return {
    standing({ document }): Standing {
      const { cufe, code } = eventOf(document as unknown as JsonObject);
      const subject = eventSubject(cufe, code);
      const holder = find.first<Holder>(subject);
      if (holder === undefined) return { is: 'new', subject, remarks: [] };
      if (holder.state === 'accepted')
        return { is: 'earlier', subject, id: holder.id, documentCode: holder.document_code };
      return { is: 'refused', subject, issues: [say('send/unfinished-run', { run: holder.run })] };
    },
    remarks: () => [],
  };
}
