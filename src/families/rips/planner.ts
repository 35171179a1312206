import type { Numbers } from '../../send/kind.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import { dateInBogota, timeInBogota } from '../../toolkit/core/plain-date.js';
import { documentWith } from '../../toolkit/schema/document.js';
import type { Planner, PlannerSite } from '../family.js';
import { attentionOf, withIncapacity } from './attention.js';

/** Form of package numbers: `RS-2026-10-` and four digits. */
interface NoteNumbers {
  readonly prefix: string;
  /** Min digits, with leading zeros; longer numbers are not cut. */
  readonly width: number;
}

/** Formats the number of a body that has none yet: `RS-2026-10-####`. */
const noteForm = ({ prefix, width }: NoteNumbers): string => prefix + '#'.repeat(width);

const FORM = /^(.*?)(#*)$/s;

/** Series ID outside DIAN's document types, so these numbers are counted separately. */
const RIPS_SERIES = 0;

const numberOf = (body: JsonObject): string => String(attentionOf(body).document['note_number'] ?? '');

function formOf(body: JsonObject): NoteNumbers {
  const [, prefix = '', digits = ''] = FORM.exec(numberOf(body)) ?? [];
  return { prefix, width: digits.length };
}

const withNumber = (body: JsonObject, note_number: string): JsonObject => ({
  ...body,
  document: { ...(body['document'] as JsonObject), note_number },
});

/** Numbers of packages; a planned body holds the form of its number. */
export const NOTE_NUMBERS: Numbers = {
  firstParam: 'first_note_number',
  goesOn: true,
  series: (body) => ({ typeDocumentId: RIPS_SERIES, prefix: formOf(body).prefix }),
  write: (body, consecutive) => {
    const { prefix, width } = formOf(body);
    return withNumber(body, prefix + String(consecutive).padStart(width, '0'));
  },
  clear: (body, { prefix }) =>
    withNumber(body, noteForm({ prefix, width: numberOf(body).length - prefix.length })),
  text: numberOf,
};

/** Service type 1 of seven; the others are in the contract but not observed everywhere (service.md 6.6). */
const CONSULTATION = 1;

const hasLaterTypes = (attention: JsonObject): boolean =>
  ((attention['document'] as JsonObject)['services'] as JsonObject[]).some(
    ({ service_type_id: type }) => Number(type) !== CONSULTATION,
  );

/** Creates the planner of attentions for the deployment. */
export function createPlanner({ params, options, now }: PlannerSite): Planner {
  const { note_number_prefix: prefix = '', note_number_width: width = 1 } = params.values;
  const { booking, paymentConcept } = options as Pick<RipsOptions, 'booking' | 'paymentConcept'>;
  const deployment: RipsOptions = {
    notes: { prefix: String(prefix), width: Number(width) },
    ...(booking !== undefined && { booking }),
    ...(paymentConcept !== undefined && { paymentConcept }),
  };
  let later = false;
  return {
    take(document) {
      later ||= hasLaterTypes(document.body);
      return documentWith(document, { body: forDeployment(document.body, deployment, now) });
    },
    notices: () => (later ? ['laterTypes'] : []),
  };
}

/** Options of a run that its files do not state. */
export interface RipsOptions {
  readonly notes: NoteNumbers;
  /**
   * Day of the appointments, for services that refuse past ones: `today` or a date, in Bogotá. The services keep
   * their own times.
   * @default the day of the care
   */
  readonly booking?: string;
  /** Form of `conceptoRecaudo`: the contract's number or the national two digits. @default 'number' */
  readonly paymentConcept?: 'number' | 'code';
}

/** Prepares an attention, so that the journal holds what is sent. @param now epoch milliseconds */
export function forDeployment(
  attention: JsonObject,
  { notes, booking, paymentConcept }: RipsOptions,
  now: number,
): JsonObject {
  const { patient, appointment, document, national } = attentionOf(attention);
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

/** Time for an appointment earlier today, which would be refused as past. */
const LAST_MINUTE = '23:59';

function book(appointment: JsonObject, booking: string, now: number): JsonObject {
  const today = dateInBogota(now);
  const date = booking === 'today' ? today : booking;
  const time = timeInBogota(now).slice(11);
  const isPast = date === today && String(appointment['time']) <= time;
  return { ...appointment, date, ...(isPast && { time: LAST_MINUTE }) };
}
