import { isDeepStrictEqual } from 'node:util';
import { paramOf } from '../../src/toolkit/core/issue.js';
import type { Findings } from './oracle.js';
import { type Books, hangingAt, type Told } from './rips-books.js';
import { slotOf } from './rips-person.js';

/** What the journal tells, what the service holds, and what was asked of it. */
export interface RipsEvidence {
  /** Directed into the journal. */
  readonly visits: number;
  readonly told: readonly Told[];
  readonly books: Books;
  /** Numbers of the packages that were generated, one for each request that reached the service. */
  readonly generated: readonly string[];
  /** The journal forgot the last that was done: a visit may hang before what the service has of it. @default false */
  readonly forgot?: boolean;
}

export const examineRips = (evidence: RipsEvidence): Findings => ({
  doubles: doublesIn(evidence),
  lost: lostIn(evidence),
  wrong: wrongIn(evidence),
});

/** Once a person has said what was not known: every visit came to its end, and nothing was made beside that. */
export function examineEnd(evidence: RipsEvidence): Findings {
  const { doubles, lost, wrong } = examineRips(evidence);
  const { told, books } = evidence;
  const used = (stage: string): ReadonlySet<number | undefined> =>
    new Set(told.map(({ made }) => made[stage]));
  const orphans = [
    ...spare('patient', books.patients, used('patient')),
    ...spare('appointment', books.appointments, used('appointment')),
    ...spare('document', books.documents, used('document')),
    ...spare(
      'package of document',
      books.packages.map(({ documentId: id }) => ({ id })),
      used('document'),
    ),
  ];
  const open = told.filter(({ state }) => state !== 'accepted');
  return {
    doubles: [...doubles, ...orphans],
    lost: [...lost, ...open.map(({ number, state }) => `${number} ends ${state}`)],
    wrong,
  };
}

const spare = (
  what: string,
  rows: readonly { readonly id: number }[],
  used: ReadonlySet<number | undefined>,
): readonly string[] => rows.filter(({ id }) => !used.has(id)).map(({ id }) => `${what} ${id} is nobody's`);

/** Keys that more things have than may have them. */
function crowded<T>(items: Iterable<T>, keyOf: (item: T) => string, allowed = (_key: string) => 1): string[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return [...counts].filter(([key, count]) => count > allowed(key)).map(([key]) => key);
}

const personOf = (row: { readonly [name: string]: unknown }): string =>
  `${row['type_document_identification_id']} ${row['document_number']}`;

function doublesIn({ told, books, generated }: RipsEvidence): string[] {
  const { patients, appointments, documents, packages } = books;
  const wanted = new Map<string, number>();
  for (const { made, parts } of told) {
    const slot = slotOf(made['patient'], parts.appointment);
    wanted.set(slot, (wanted.get(slot) ?? 0) + 1);
  }
  const people = crowded(patients, (row) => personOf({ ...row }));
  const slots = crowded(
    appointments,
    (row) => slotOf(row.patient_id, { ...row }),
    (slot) => wanted.get(slot) ?? 0,
  );
  const patientOf = new Map(appointments.map(({ id, patient_id }) => [id, patient_id]));
  const care = ({ appointment_id, services }: (typeof documents)[number]): string =>
    `${patientOf.get(appointment_id)} ${JSON.stringify(services)}`;
  const shared = (stage: string): readonly string[] =>
    crowded(
      told.flatMap(({ made }) => made[stage] ?? []),
      String,
    );
  return [
    ...people.map((person) => `patient ${person} is there twice`),
    ...slots.map((slot) => `more appointments than visits: ${slot}`),
    ...crowded(documents, ({ note_number }) => String(note_number)).map((one) => `${one} was created twice`),
    ...crowded(documents, care).map((one) => `under two numbers: ${one.slice(0, 80)}`),
    ...crowded(packages, ({ noteNumber }) => noteNumber).map((one) => `${one} has two CUVs`),
    ...crowded(generated, String).map((one) => `${one} was generated twice`),
    ...shared('appointment').map((id) => `appointment ${id} belongs to two visits`),
    ...shared('document').map((id) => `document ${id} belongs to two visits`),
  ];
}

function lostIn({ visits, told, books, forgot = false }: RipsEvidence): string[] {
  const byNumber = new Map(told.map((visit) => [visit.number, visit]));
  return [
    ...(told.length === visits ? [] : [`${told.length} of ${visits} visits told of`]),
    ...told.flatMap(hangsWithoutSteps),
    ...books.packages.flatMap(({ noteNumber }) => {
      const visit = byNumber.get(noteNumber);
      const stage = visit === undefined ? undefined : hangingAt(visit);
      if (visit?.state === 'accepted' || stage === 'generate' || (forgot && stage !== undefined)) return [];
      return [`${noteNumber} has a CUV and is told ${visit?.state ?? 'nowhere'}`];
    }),
  ];
}

/** What is left must say what a person is to do, and of what. */
function hangsWithoutSteps(visit: Told): readonly string[] {
  const { state, number, issues, made, parts } = visit;
  if (state === 'accepted' || state === 'rejected') return [];
  const stage = hangingAt(visit);
  const { params = {} } = issues[0] ?? {};
  const isThis =
    stage === 'appointment'
      ? paramOf({ params }, 'date') === parts.appointment['date'] &&
        paramOf({ params }, 'time') === parts.appointment['time'] &&
        paramOf({ params }, 'user') === String(parts.appointment['user_id'])
      : stage !== undefined && String(paramOf({ params }, 'reason') ?? '') !== '';
  const before = stage === undefined ? undefined : BEFORE[stage];
  if (isThis && paramOf({ params }, 'number') === number && made[before!] !== undefined) return [];
  return [`${number} is left ${state}: ${issues.map(({ code }) => code).join() || 'no word'}`];
}

/** What must be there for the next to hang. */
const BEFORE = { appointment: 'patient', document: 'appointment', generate: 'document' } as const;

function wrongIn({ told, books }: RipsEvidence): string[] {
  const patients = new Map(books.patients.map((row) => [row.id, row]));
  const appointments = new Map(books.appointments.map((row) => [row.id, row]));
  const documents = new Map(books.documents.map((row) => [row.id, row]));
  const packages = new Map(books.packages.map((row) => [row.documentId, row]));
  return told.flatMap(({ number, state, documentCode, made, parts, issues }) => {
    const patient = patients.get(made['patient'] ?? 0);
    const appointment = appointments.get(made['appointment'] ?? 0);
    const document = documents.get(made['document'] ?? 0);
    const sent = packages.get(made['document'] ?? 0);
    const faults = {
      'was refused': state === 'rejected',
      'has another patient':
        made['patient'] !== undefined &&
        (patient === undefined || personOf({ ...patient }) !== personOf(parts.patient)),
      'has another appointment':
        made['appointment'] !== undefined &&
        (appointment === undefined ||
          slotOf(appointment.patient_id, { ...appointment }) !== slotOf(made['patient'], parts.appointment)),
      'has another document':
        made['document'] !== undefined &&
        (document?.note_number !== number ||
          document?.appointment_id !== made['appointment'] ||
          !isDeepStrictEqual(document?.services, parts.document.services)),
      'has another CUV': state === 'accepted' && (sent === undefined || sent.cuv !== documentCode),
      'was sent for another patient':
        sent !== undefined && sent.patient !== String(parts.patient['document_number']),
    };
    const codes = issues.map(({ code }) => code).join();
    return Object.entries(faults).flatMap(([what, is]) => (is ? [`${number} ${what} ${codes}`.trim()] : []));
  });
}
