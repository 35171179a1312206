import { withIncapacity } from '../../rips/attention.js';
import type { JsonObject } from '../../values/json.js';
import { bogotaDate } from '../time.js';
import type { AttentionParts } from './attention-parts.js';
import { type NoteNumbers, noteForm } from './note-numbers.js';

/** How a run is to be sent, beside what its files say. */
export interface CareOptions {
  readonly notes: NoteNumbers;
  /**
   * Day to book appointments on, where past ones are refused: `today` or a date, in Bogotá. The services keep their own
   * moment. @default the day of the care
   */
  readonly booking?: string;
  /** Whether `conceptoRecaudo` is the number of the contract or the national two digits. @default 'number' */
  readonly paymentConcept?: 'number' | 'code';
}

/** An attention ready to be laid out, so that the journal holds what is sent. `now` in milliseconds since 1970. */
export function forDeployment(
  attention: JsonObject,
  { notes, booking, paymentConcept }: CareOptions,
  now: number,
): JsonObject {
  const { patient, appointment, document, national } = attention as unknown as AttentionParts;
  const services = paymentConcept === 'code' ? document.services.map(withConceptCode) : document.services;
  return {
    ...attention,
    patient: withIncapacity(patient, national?.usuario ?? {}),
    appointment: booking === undefined ? appointment : book(appointment, booking, now),
    document: { ...document, note_number: noteForm(notes), services },
  };
}

function withConceptCode(service: JsonObject): JsonObject {
  const { conceptoRecaudo: concept } = service;
  if (concept === undefined || concept === null) return service;
  return { ...service, conceptoRecaudo: String(concept).padStart(2, '0') };
}

/** Of today, what is past is as refused as yesterday. */
const LAST_MINUTE = '23:59';

function book(appointment: JsonObject, booking: string, now: number): JsonObject {
  const today = bogotaDate(now);
  const date = booking === 'today' ? today : booking;
  const time = new Date(now - 5 * 3_600_000).toISOString().slice(11, 16);
  const isPast = date === today && String(appointment['time']) <= time;
  return { ...appointment, date, ...(isPast && { time: LAST_MINUTE }) };
}
