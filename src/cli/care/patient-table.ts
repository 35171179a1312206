import type { DocumentFate } from '../../document/outcome.js';
import type { ReportedPatient } from '../../report/care-report.js';
import { RIPS_GROUPS, type RipsGroup } from '../../rips/groups.js';
import type { Journal } from '../../send/journal.js';
import type { CarePackage } from '../../send/rips/run-care.js';

/** From what is over to what must be looked at: a patient shows the worst of all packages. */
const WORST_LAST: readonly DocumentFate[] = [
  'accepted',
  'unsent',
  'pending',
  'unknown',
  'held-back',
  'rejected',
];

/** The patients of a run, each once, in SQLite's own temporary file: any run fits in memory. */
export interface PatientTable {
  add(one: CarePackage): void;
  count(group?: RipsGroup): number;
  /** By document. */
  all(): Iterable<ReportedPatient>;
}

interface Row {
  readonly document: string;
  readonly name: string;
  readonly packages: number;
  readonly services: number;
  readonly worst: number;
}

const PAGE = 512;

const bitOf = (group: RipsGroup): number => 1 << RIPS_GROUPS.indexOf(group);

/** Begins anew: a connection has one table of patients. */
export function patientTable(journal: Journal): PatientTable {
  journal.exec(`
    DROP TABLE IF EXISTS temp.patient;
    CREATE TEMP TABLE patient (
      document TEXT PRIMARY KEY, name TEXT NOT NULL, packages INTEGER NOT NULL, services INTEGER NOT NULL,
      worst INTEGER NOT NULL, groups INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`);
  const add = journal.prepare(`
    INSERT INTO temp.patient VALUES (?, ?, 1, ?, ?, ?) ON CONFLICT (document) DO UPDATE SET
      packages = packages + 1, services = services + excluded.services, worst = max(worst, excluded.worst),
      groups = groups | excluded.groups`);
  const count = journal.prepare('SELECT count(*) AS patients FROM temp.patient WHERE groups & ? OR ? = 0');
  const page = journal.prepare(
    `SELECT document, name, packages, services, worst FROM temp.patient WHERE document > ? ORDER BY document LIMIT ${PAGE}`,
  );
  return {
    add({ document, name, services, state }) {
      const groups = services.reduce((bits, { group }) => bits | bitOf(group), 0);
      add.run(document, name, services.length, WORST_LAST.indexOf(state), groups);
    },
    count(group) {
      const bit = group === undefined ? 0 : bitOf(group);
      return count.first<{ patients: number }>(bit, bit)?.patients ?? 0;
    },
    *all() {
      for (let after = ''; ; ) {
        const rows = page.all<Row>(after);
        for (const { worst, ...patient } of rows) yield { ...patient, state: WORST_LAST[worst]! };
        if (rows.length < PAGE) return;
        after = rows.at(-1)!.document;
      }
    },
  };
}
