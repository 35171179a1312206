import type { DocumentState } from '../toolkit/schema/document.js';
import { createCaseIssue, createIssue } from './create-issue.js';
import type { Sql, Write } from './database.js';
import type { DocumentKind } from './kind.js';
import { doubtOf, idsFromText, idsToText, RESTORED } from './planned-document.js';
import { lastStage, stageAt, withSpent } from './stage.js';
import { type Ids, idsBefore, type Position } from './state-machine.js';

/** Another document, of any run, that has an id of a stage or was answered under it. */
export interface IdHolder {
  readonly id: number;
  readonly run: string;
  readonly number: string;
  readonly position: Position;
  /** True if the last request of the document has left: it is left to a user, not asked for its id again. */
  readonly wasSent: boolean;
  /** True if the last request of a document was made under the id. */
  readonly isUsed: boolean;
  /** True if the id is still the document's, and not rejected with it. */
  readonly holds: boolean;
  /** True if the id was shown with the document's own number. */
  readonly isShown: boolean;
}

interface Row {
  readonly id: number;
  readonly run: string;
  readonly number: string;
  readonly state: DocumentState;
  readonly doubt: number;
  readonly made: string;
}

/** Reads all spent ids: they are rare. */
const HOLDERS = `
  SELECT id, run, coalesce(number, prefix || consecutive, key) AS number, state, doubt, made FROM document
  WHERE id <> ? AND made IS NOT NULL AND earlier IS NULL
    AND (CAST(json_extract(made, '$.' || ?) AS BIGINT) = ? OR instr(made, '"spentIds"') > 0)`;

/** Finds the other documents that have an id of a stage, or whose last request was answered under it. */
export async function idHolders(
  journal: Sql,
  { stages }: Pick<DocumentKind, 'stages'>,
  stage: string,
  id: number,
  but: number,
): Promise<readonly IdHolder[]> {
  const last = lastStage(stages);
  const rows = await journal.all<Row>(HOLDERS, but, stage, id);
  return rows.flatMap(({ state, doubt, made, ...row }): readonly IdHolder[] => {
    const position: Position = {
      state,
      doubt: doubt > 0,
      ...(doubt === RESTORED && { restored: true }),
      ...idsFromText(made),
    };
    const has = position.made?.[stage] === id;
    const isUnder = last.under === stage;
    const wasSent = state !== 'planned' && stageAt(stages, position) === last;
    const isSpent = isUnder && position.spentIds?.includes(id) === true;
    if (!has && !isSpent) return [];
    return [
      {
        ...row,
        position,
        wasSent,
        isUsed: isSpent || (isUnder && wasSent),
        holds: has && state !== 'rejected',
        isShown: position.shownStages?.includes(stage) === true,
      },
    ];
  });
}

/** Document that claims the same id. */
export interface Contest {
  readonly stage: string;
  readonly id: number;
  readonly other: string;
  readonly now: number;
}

/** Reports that an id may be another document's; once it was used only a user can decide. */
export const idContestedIssue = (
  number: string,
  { id, other }: Pick<Contest, 'id' | 'other'>,
  isUsed: boolean,
) =>
  isUsed
    ? createCaseIssue('send/id-contested', 'transmitted', { number, id, other })
    : createIssue('send/id-contested', { number, id, other });

const MARK_UNKNOWN = `UPDATE document SET state = 'unknown', doubt = ?, made = ?, issues = ?, updated = ? WHERE id = ?`;
const REOPEN = `UPDATE run SET state = CASE state WHEN 'closed' THEN 'open' ELSE state END WHERE id = ?`;

/** Marks a holder unknown: it is asked for its id again, or left to a user if its last request has left. */
export function markHolderUnknown(
  { stages }: Pick<DocumentKind, 'stages'>,
  { id, run, number, position, wasSent }: IdHolder,
  { stage, now, ...contest }: Contest,
): readonly Write[] {
  const { spentIds } = position;
  const ids: Ids = wasSent
    ? withSpent(position, stages.at(-1))
    : { ...idsBefore(position, stage), ...(spentIds !== undefined && { spentIds }) };
  const issues = JSON.stringify([idContestedIssue(number, contest, wasSent)]);
  return [
    [MARK_UNKNOWN, doubtOf({ ...position, doubt: true }), idsToText(ids), issues, now, id],
    [REOPEN, run],
  ];
}
