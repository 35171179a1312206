import { RIPS } from '../../src/families/rips/delivery.js';
import type { Journal } from '../../src/send/journal.js';
import { NOT_THERE, settleByPerson } from '../../src/send/settle.js';
import { type Books, hangingAt, type Stage, type Told, toldOf } from './rips-books.js';

/** What an appointment is known by. */
export const slotOf = (
  patient: number | undefined,
  appointment: { readonly [name: string]: unknown },
): string =>
  [patient, appointment['user_id'], appointment['date'], String(appointment['time']).slice(0, 5)].join(' ');

/** Looks up in the service's own books what no request can ask, and says it; the stages in which visits hung. */
export async function personLooksUp(journal: Journal, run: string, books: Books): Promise<readonly Stage[]> {
  const told = await toldOf(journal, run);
  const taken = new Set(told.flatMap(({ made }) => made['appointment'] ?? []));

  const appointmentOf = ({ made, parts, number }: Told): number | undefined => {
    const slot = slotOf(made['patient'], parts.appointment);
    // A document that hangs on it says whose it is: of two at the same time nothing else does.
    const whose = (id: number) => books.documents.find((row) => row.appointment_id === id)?.note_number;
    const free = books.appointments.filter(
      (row) => slotOf(row.patient_id, { ...row }) === slot && !taken.has(row.id),
    );
    const found =
      free.find(({ id }) => whose(id) === number) ?? free.find(({ id }) => whose(id) === undefined);
    if (found !== undefined) taken.add(found.id);
    return found?.id;
  };
  const LOOKS = {
    appointment: appointmentOf,
    document: ({ number }: Told) => books.documents.find((row) => row.note_number === number)?.id,
    generate: ({ number }: Told) => books.packages.find((row) => row.noteNumber === number)?.cuv,
  };

  const hanging = told.flatMap((visit) => {
    const stage = hangingAt(visit);
    return stage === undefined ? [] : [{ visit, stage }];
  });
  for (const { visit, stage } of hanging) {
    const word = String(LOOKS[stage](visit) ?? NOT_THERE);
    await settleByPerson(journal, RIPS, run, { number: visit.number!, word, now: 0 });
  }
  return hanging.map(({ stage }) => stage);
}
