import { createHash } from 'node:crypto';
import type { Answer } from '../../client/answer.js';
import type { CallRequest } from '../../client/client.js';
import type { Issue } from '../../core/issue.js';
import { isObject, type JsonObject, type JsonValue, type Pointer } from '../../core/json.js';
import { contentHash, type DocumentState, documentWith } from '../../schema/document.js';
import { blamedLeaves } from '../../schema/rule-data.js';
import { type Admission, behind, type Judge, type Numbers, type Scope } from '../../send/kind.js';
import { GIVEN_UP, NOT_HELD } from '../../send/runs.js';
import { say } from '../../send/say.js';
import { bogotaDate } from '../../send/traffic.js';
import {
  type Matter,
  personSaysCode,
  type Question,
  type Stage,
  textOf,
  type Verdict,
} from '../../send/verdict.js';
import type { DocumentForm, Family, Layout, LayoutSite } from '../family.js';
import {
  configureHealthAccess,
  type HealthAccess,
  idOf,
  paperIn,
  readGenerated,
  readHealth,
  readMade,
  readRow,
  sourceForm,
  unlessTaken,
} from './answer.js';
import { type AttentionParts, attentionOf, transactionOf, withIncapacity } from './attention.js';
import { attentionDerivation } from './attention-parts.js';
import { recordDerivation, recordPart } from './national-file.js';
import { careTotals, RIPS_COLUMNS, resultFiles, ripsAbout, ripsSheets } from './report.js';
import {
  careChanges,
  OF_PATIENT,
  patientDifferences,
  rangesOf,
  repeatsOfOthers,
  type Subjects,
  serviceKey,
} from './sent-before.js';

const partsOf = ({ body }: Pick<Matter, 'body'>): AttentionParts =>
  attentionOf(JSON.parse(body) as JsonObject);

/** The number of the package, by which people and the ministry know it. */
const noteNumber = ({ document }: Pick<AttentionParts, 'document'>): string =>
  String(document['note_number'] ?? '');

/** The id that an earlier stage found or made. */
function idFrom({ position }: Matter, stage: string): number {
  const id = position.made?.[stage];
  if (id === undefined) throw new Error(`Stage ${stage} has made nothing`);
  return id;
}

/** A person looked it up in the service: its id. */
function personSaysId(word: string): Verdict | undefined {
  const id = idOf(word);
  return id === undefined ? undefined : { kind: 'made', id };
}

const PART = '/appointment';
const STAGE = 'appointment';

const ask = (question: Question): Verdict => ({ kind: 'then', step: 'ask', question });

/** The appointment that was asked for: body of R13. */
const wantedOf = (matter: Matter): JsonObject => ({
  ...partsOf(matter).appointment,
  patient_id: idFrom(matter, 'patient'),
});

const minute = (value: JsonObject[string] | undefined): string => (textOf(value) ?? '').slice(0, 5);

/** Date and minute are what a list shows; whose it is says only the appointment itself. */
const isThen = (row: JsonObject, wanted: JsonObject): boolean =>
  (textOf(row['date']) ?? '').slice(0, 10) === wanted['date'] &&
  minute(row['time']) === minute(wanted['time']);

const isWanted = (row: JsonObject, wanted: JsonObject): boolean =>
  isThen(row, wanted) &&
  idOf(row['patient_id']) === idOf(wanted['patient_id']) &&
  idOf(row['user_id']) === idOf(wanted['user_id']);

/** The list has no more rows, nor pages: a full one may lack anything. */
const MOST_LISTED = 20;

/** Whatever else a list shows: an appointment at that time of the professional stands in it. */
const atTime = (
  appointment: JsonObject,
  read: (rows: readonly JsonObject[]) => Verdict | Promise<Verdict>,
): Question => ({
  operation: 'listAppointments',
  request: {
    query: { search: minute(appointment['time']), month: String(appointment['date']).slice(0, 7) },
  } as CallRequest,
  read: (answer) => listed(answer, read),
});

async function listed(
  answer: Answer,
  read: (rows: readonly JsonObject[]) => Verdict | Promise<Verdict>,
): Promise<Verdict> {
  let rows: readonly JsonObject[] = [];
  const verdict = readHealth(answer, PART, (data) => {
    if (!Array.isArray(data)) return undefined;
    rows = data.filter(isObject);
    return LISTED;
  });
  return verdict === LISTED ? read(rows) : verdict;
}

/**
 * What is missing from a list is only known not to be there where the list is not full, and has shown another appointment
 * of the same professional that surely is: some lists are of the token's own user alone (service.md 6.4).
 */
async function missing(matter: Matter, unknown: Verdict): Promise<Verdict> {
  const user = wantedOf(matter)['user_id'];
  for (const { body, made } of await matter.others()) {
    const { appointment } = attentionOf(JSON.parse(body) as JsonObject);
    if (idOf(appointment['user_id']) !== idOf(user)) continue;
    return ask(
      atTime(appointment, (rows) =>
        rows.some((row) => idOf(row['id']) === made) ? absentBy(matter, unknown) : unknown,
      ),
    );
  }
  return unknown;
}

/** What is not there may still be on its way; a restored journal does not know what left since. */
function absentBy(matter: Matter, unknown: Verdict): Verdict {
  if (matter.position.restored) return unknown;
  return matter.isOver
    ? { kind: 'absent' }
    : { kind: 'unclear', issue: say('send/may-arrive', { number: noteNumber(partsOf(matter)) }) };
}

/**
 * The list shows twenty rows of the token's own user, and by the time those of others (service.md 6.4): exactly one that
 * is found is an answer.
 */
function lookup(matter: Matter): Question {
  const wanted = wantedOf(matter);
  const month = String(wanted['date']).slice(0, 7);

  const conclude = ([id, ...others]: readonly number[]): Verdict =>
    id !== undefined && others.length === 0
      ? { kind: 'made', id }
      : { kind: 'unclear', issue: unknownIssue(matter, others.length + (id === undefined ? 0 : 1)) };

  /** Reads one after the other; `none` where each is another's. */
  function lookAt([id, ...rest]: readonly number[], none: Verdict, found: readonly number[] = []): Verdict {
    if (id === undefined) return found.length === 0 ? none : conclude(found);
    return ask({
      operation: 'getAppointment',
      request: { path: { id } },
      read: (answer) =>
        readRow(answer, PART, id, (data) =>
          lookAt(rest, none, isObject(data) && isWanted(data, wanted) ? [...found, id] : found),
        ),
    });
  }

  /** Of the rows at that minute those that no other document has. */
  async function idsIn(rows: readonly JsonObject[]): Promise<readonly number[]> {
    const then = rows.filter((row) => isThen(row, wanted)).flatMap((row) => idOf(row['id']) ?? []);
    const free = await Promise.all(then.map(async (id) => ((await matter.isTaken(id)) ? [] : [id])));
    return free.flat();
  }

  const list = (query: Readonly<Record<string, string>>, otherwise: Verdict): Question => ({
    operation: 'listAppointments',
    request: { query } as CallRequest,
    read: (answer) =>
      listed(answer, async (rows) => {
        const ids = await idsIn(rows);
        return ids.length === 0 ? otherwise : lookAt(ids, conclude([]));
      }),
  });
  const byDate = list({ search: String(wanted['date']), month }, ask(list({ month }, conclude([]))));
  if (matter.position.restored) return byDate;
  return atTime(wanted, async (rows) => {
    const ids = await idsIn(rows);
    const isWhole = rows.length < MOST_LISTED;
    const none = isWhole ? await missing(matter, ask(byDate)) : ask(byDate);
    return ids.length === 0 ? none : lookAt(ids, none);
  });
}

/** The list is there; what it says is seen when the ids of others are left out. */
const LISTED: Verdict = { kind: 'absent' };

function unknownIssue(matter: Matter, found: number) {
  const { appointment, document } = partsOf(matter);
  return say('send/appointment-unknown', {
    number: noteNumber({ document }),
    date: String(appointment['date']),
    time: String(appointment['time']),
    user: String(appointment['user_id']),
    found,
  });
}

const APPOINTMENT_STAGE: Stage = {
  name: STAGE,
  asks: 'always',
  send: (matter) => ({
    operation: 'createAppointment',
    request: { bodyText: JSON.stringify(wantedOf(matter)) },
    read: (answer) => {
      const { patient_id, user_id, date, time } = wantedOf(matter);
      const wanted = { patient_id, user_id, date, time } as JsonObject;
      return unlessTaken(readMade(answer, PART, { asked: 'createAppointment', wanted }), matter.isTaken);
    },
  }),
  ask: lookup,
  byPerson: personSaysId,
};

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

/** What an adjust note calls itself. */
const NOTE = 'NA';

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
function judge({ journal, run }: Scope): Judge {
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
        return { is: 'new', subject, remarks: isNote ? [say('send/note-of-nothing'), ...remarks] : remarks };
      }
      const refused = (issue: ReturnType<typeof say>): Admission => ({
        is: 'refused',
        subject,
        issues: [issue],
      });
      if (holder.run === run) return refused(say('send/care-repeated', { key: holder.key }));
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
        return refused(say('send/care-accepted', params, changes?.[0]?.place));
      }
      const unknown = say('send/note-of-unknown', { number, before: holder.run });
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

/** R14 shows the documents of an appointment (service.md 6.4), which is this package's alone; of a restored journal it may be another's. */
const documentThere = (matter: Matter): Question => {
  const id = idFrom(matter, 'appointment');
  const number = noteNumber(partsOf(matter));
  const unclear = (found: number | undefined): Verdict => ({
    kind: 'unclear',
    issue: say('send/rips-document-unknown', { number, reason: found ?? '—' }),
  });
  return {
    operation: 'getAppointment',
    request: { path: { id } },
    read: (answer) =>
      unlessTaken(
        readRow(answer, '/document', id, (data) => {
          const documents = isObject(data) ? data['documents'] : undefined;
          if (matter.position.restored || !Array.isArray(documents)) return unclear(undefined);
          const rows = documents.filter(isObject);
          const own = rows
            .filter((row) => textOf(row['note_number']) === number)
            .map((row) => idOf(row['id']));
          const [made, ...others] = own;
          if (made !== undefined && others.length === 0) return { kind: 'made', id: made };
          return rows.length === 0 ? absentBy(matter, unclear(0)) : unclear(own.length);
        }),
        matter.isTaken,
      ),
  };
};

/** R18. */
const DOCUMENT_STAGE: Stage = {
  name: 'document',
  asks: 'always',
  ask: documentThere,
  send: (matter) => {
    const { document } = partsOf(matter);
    const body = { ...document, appointment_id: idFrom(matter, 'appointment') };
    return {
      operation: 'createRipsDocument',
      request: { bodyText: JSON.stringify(body) },
      read: (answer) =>
        unlessTaken(
          readMade(answer, '/document', {
            asked: 'createRipsDocument',
            wanted: { appointment_id: body.appointment_id, note_number: document['note_number'] ?? null },
          }),
          matter.isTaken,
        ),
    };
  },
  byPerson: personSaysId,
};

/**
 * Finds the patient by type and number, brings the row up to date, or creates it (rips.md 6). A lost answer is asked about
 * by the same search. The search shows patients of other companies too, so a row is ours only when it can be read by id.
 */

const PATIENT_PART = '/patient';
/** Body of R9. */
type Patient = JsonObject;

const sameText = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  (textOf(a) ?? '').toLowerCase() === (textOf(b) ?? '').toLowerCase();

/** How a column is compared: the service may add a time to a date, or shorten a country's code. */
const COLUMNS: Readonly<Record<string, (value: JsonValue | undefined) => string>> = {
  birth_date: (value) => (textOf(value) ?? '').slice(0, 10),
  country_code: (value) => String(Number(textOf(value) ?? 0)),
  incapacity: (value) => textOf(value) ?? 'NO',
};

/** The service takes `NO` for granted only in a row that it makes. */
const wholeOf = (patient: Patient): Patient => ({ incapacity: 'NO', ...patient });

const isUpToDate = (row: JsonObject, patient: Patient): boolean =>
  Object.entries(wholeOf(patient)).every(([name, value]) => {
    const read = COLUMNS[name];
    return read === undefined ? textOf(row[name]) === textOf(value) : read(row[name]) === read(value);
  });

const isPerson = (row: JsonObject, patient: Patient): boolean =>
  sameText(row['document_number'], patient['document_number']) &&
  idOf(row['type_document_identification_id']) === idOf(patient['type_document_identification_id']);

/** A search, and what follows when it does not find the patient. */
interface Search {
  readonly patient: Patient;
  readonly otherwise: Verdict;
  /** `send` where it belongs to a creation, whose refusal it may confirm. */
  readonly step: 'ask' | 'send';
}

const then = ({ step }: Search, question: Question): Verdict => ({ kind: 'then', step, question });

function pageOf(search: Search, page: number): Question {
  const { patient, otherwise } = search;
  const query = { search: String(patient['document_number']), ...(page > 1 && { page }) };
  return {
    operation: 'listPatients',
    request: { query } as CallRequest,
    read: (answer) =>
      readHealth(answer, PATIENT_PART, (data) => {
        if (!isObject(data) || !Array.isArray(data['data'])) return undefined;
        const rows = data['data'].filter(isObject).filter((row) => isPerson(row, patient));
        const isLast = page >= (idOf(data['last_page']) ?? 1);
        return lookAt(
          search,
          candidates(rows, patient),
          isLast ? otherwise : then(search, pageOf(search, page + 1)),
        );
      }),
  };
}

/** Of two rows of a person, first the one whose address would stand in the way of the other. */
function candidates(rows: readonly JsonObject[], patient: Patient): readonly number[] {
  const hasAddress = (row: JsonObject): boolean => sameText(row['email'], patient['email']);
  const sorted = [...rows.filter(hasAddress), ...rows.filter((row) => !hasAddress(row))];
  return sorted.flatMap((row) => idOf(row['id']) ?? []);
}

/** Reads candidates one after the other until one is ours. */
function lookAt(search: Search, [id, ...others]: readonly number[], otherwise: Verdict): Verdict {
  if (id === undefined) return otherwise;
  const { patient } = search;
  const notOurs = lookAt(search, others, otherwise);
  return then(search, {
    operation: 'getPatient',
    request: { path: { id } },
    read: (answer) => {
      if (isMissing(answer)) return notOurs;
      return readRow(answer, PATIENT_PART, id, (data) => {
        if (data === undefined) return undefined;
        if (!isObject(data) || !isPerson(data, patient)) return notOurs;
        return isUpToDate(data, patient) ? { kind: 'made', id } : update(id, patient, notOurs);
      });
    },
  });
}

const update = (
  id: number,
  patient: Patient,
  notOurs: Verdict,
  step: 'ask' | 'send' = 'send',
  done: Verdict = { kind: 'made', id },
): Verdict => ({
  kind: 'then',
  step,
  question: {
    operation: 'updatePatient',
    request: { path: { id }, bodyText: JSON.stringify(wholeOf(patient)) },
    read: (answer) => {
      if (isMissing(answer)) return notOurs;
      const verdict = readHealth(answer, PATIENT_PART, () => done);
      // Of a question it would only be tried again: the reason is to be told.
      return step === 'ask' && verdict.kind === 'refused'
        ? { kind: 'unknown', issue: verdict.issues[0]! }
        : verdict;
    },
  },
});

/** 404 of the health module, and not of the router: it says that the row is not there. */
const isMissing = (answer: Answer): boolean =>
  answer.kind === 'json' &&
  answer.status === 404 &&
  isObject(answer.body) &&
  answer.body['success'] === false;

function create(patient: Patient): Question {
  return {
    operation: 'createPatient',
    request: { bodyText: JSON.stringify(patient) },
    read: (answer) => {
      const { type_document_identification_id, document_number } = patient;
      const wanted = { type_document_identification_id, document_number } as JsonObject;
      const verdict = readMade(answer, PATIENT_PART, { asked: 'createPatient', wanted });
      const addressTaken =
        verdict.kind === 'refused' &&
        verdict.issues.some(({ place }) => place.pointer === `${PATIENT_PART}/email`);
      // By another person, or by this one, who has just been created.
      if (!addressTaken) return verdict;
      const search: Search = { patient, otherwise: verdict, step: 'send' };
      return then(search, pageOf(search, 1));
    },
  };
}

const patientOf = (matter: Matter): Patient => partsOf(matter).patient;

/**
 * Before a package is generated whose patient was found or made in an earlier run: another package may have brought the row
 * up to its own date since.
 */
const patientAsWanted = (matter: Matter): Question => {
  const patient = patientOf(matter);
  const id = idFrom(matter, 'patient');
  const wanted: Verdict = { kind: 'absent' }; // nothing stands in the way of the request
  const fail: Verdict = {
    kind: 'unknown',
    issue: say('send/patient-changed', { number: noteNumber(partsOf(matter)) }),
  };
  return {
    operation: 'getPatient',
    request: { path: { id } },
    read: (answer) =>
      readHealth(answer, PATIENT_PART, (data) => {
        if (!isObject(data) || !isPerson(data, patient)) return fail;
        return isUpToDate(data, patient) ? wanted : update(id, patient, fail, 'ask', wanted);
      }),
  };
};

const PATIENT_STAGE: Stage = {
  name: 'patient',
  asks: 'first',
  thing: (matter) => {
    const { type_document_identification_id: type, document_number: number } = patientOf(matter);
    return { name: [type, number].join(' '), form: JSON.stringify(patientOf(matter)) };
  },
  ask: (matter) => pageOf({ patient: patientOf(matter), otherwise: { kind: 'absent' }, step: 'ask' }, 1),
  send: (matter) => create(patientOf(matter)),
};

/** R19: the one request that reaches the ministry. After a lost answer it is never sent again by itself. */
const GENERATE_STAGE: Stage = {
  name: 'generate',
  asks: 'before',
  ask: (matter) => (matter.isLate ? patientAsWanted(matter) : undefined),
  send: (matter) => {
    const { document } = partsOf(matter);
    return {
      operation: 'generateRips',
      request: { path: { id: idFrom(matter, 'document') } },
      read: (answer) => readGenerated(answer, document.services),
    };
  },
  lost: (matter) => say('send/cuv-unknown', { number: noteNumber(partsOf(matter)), reason: 'aborted' }),
  byPerson: personSaysCode,
};

/** How the numbers of packages read: `RS-2026-10-` and four digits. */
interface NoteNumbers {
  readonly prefix: string;
  /** Digits, zeros before; longer numbers keep all of theirs. */
  readonly width: number;
}

/** `RS-2026-10-####`: in a body that has no number yet it says how that will read. */
const noteForm = ({ prefix, width }: NoteNumbers): string => prefix + '#'.repeat(width);

const FORM = /^(.*?)(#*)$/s;

/** No document type of DIAN: these numbers are counted apart from theirs. */
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

/** Numbers of packages; a body that is laid out holds the form of its number. */
const NOTE_NUMBERS: Numbers = {
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

const FINE: Verdict = { kind: 'absent' };

/** Type 1 of the seven; the others are contract, and not observed to work everywhere (service.md 6.6). */
const CONSULTATION = 1;

const hasLaterTypes = (attention: JsonObject): boolean =>
  ((attention['document'] as JsonObject)['services'] as JsonObject[]).some(
    ({ service_type_id: type }) => Number(type) !== CONSULTATION,
  );

/** Attentions as the deployment wants them. */
function layOut({ params, options, now }: LayoutSite): Layout {
  const { note_number_prefix: prefix = '', note_number_width: width = 1 } = params.values;
  const { booking, paymentConcept } = options as Pick<RipsOptions, 'booking' | 'paymentConcept'>;
  const wishes: RipsOptions = {
    notes: { prefix: String(prefix), width: Number(width) },
    ...(booking !== undefined && { booking }),
    ...(paymentConcept !== undefined && { paymentConcept }),
  };
  let later = false;
  return {
    take(document) {
      later ||= hasLaterTypes(document.body);
      return documentWith(document, { body: forDeployment(document.body, wishes, now) });
    },
    notices: () => (later ? ['laterTypes'] : []),
  };
}

/** The national JSON of a package, named by the number of its note, or of its invoice. */
const NATIONAL: DocumentForm = {
  name({ document, transaccion }) {
    const { numFactura, numNota } = (transaccion ?? {}) as JsonObject;
    const number = (document as JsonObject | undefined)?.['note_number'] ?? numFactura ?? numNota ?? '';
    return String(number).replace(/[^\p{L}\p{N}._-]+/gu, '_') || 'paquete';
  },
  part: recordPart,
  text(document, { values: { numDocumentoIdObligado: nit } }) {
    return `${JSON.stringify(transactionOf(document, typeof nit === 'string' ? nit : null), null, 2)}\n`;
  },
};

const LISTS: Family['lists'] = {
  getPatientTables: {
    document_types: 'type_document_identifications',
    user_types: 'rips_user_types',
    genders: 'rips_genders',
    zones: 'rips_zones',
    municipalities: 'municipalities',
  },
  getServiceTables: {
    care_modalities: 'rips_care_modalities',
    service_groups: 'rips_service_groups',
    main_diagnosis_types: 'rips_main_diagnosis_types',
    collection_concepts: 'rips_collection_concepts',
    consultation_purposes: 'rips_consultation_purposes',
    external_causes: 'rips_external_causes',
  },
  getHealthDocumentTypes: { health_type_document_identifications: 'health_type_document_identifications' },
  getHealthUserTypes: { health_type_users: 'health_type_users' },
  getHealthPaymentMethods: { health_contracting_payment_methods: 'health_contracting_payment_methods' },
  getHealthCoverages: { health_coverages: 'health_coverages' },
};

/** The ministry's rules are about the national form; people know the leaves behind it. */
const blame = (rule: string): readonly Pointer[] => [
  ...new Set(blamedLeaves(rule).flatMap((leaf) => sourceForm(leaf) ?? [])),
];

/**
 * RIPS packages without invoice: a patient's visit from patient to CUV (service.md 6, rips.md 6). Bodies are attentions
 * (schemas/rips/attention) that were made ready by `forDeployment`.
 */
export const RIPS: Family = {
  schemas: ['rips/attention', 'rips/national/record'],
  unsent: ['rips/national/record'],
  ready: { kind: 'json', mapping: 'rips/json', sending: 'rips/json-envio' },
  derive: (params, schema) =>
    schema === 'rips/attention' ? attentionDerivation(params) : recordDerivation(params),
  layOut,
  blame,
  columns: RIPS_COLUMNS,
  sheets: ripsSheets,
  results: resultFiles,
  paperIn,
  form: NATIONAL,
  access: {
    schema: 'rips/configuration',
    password: {
      question: 'askSisproPassword',
      needs: { code: 'send/needs-sispro-password', params: {} },
    },
    unreadable: (reason) => ({ code: 'send/health-access-file', params: { reason } }),
    done: 'sisproStored',
    store: (client, access) => configureHealthAccess(client, access as unknown as HealthAccess),
  },
  lists: LISTS,
  correcting: { note_type: NOTE, note_number_prefix: 'NA-' },
  judge,
  kept: {
    bare: { patient: {}, appointment: {}, document: { services: [] } },
    leaves: ['/document/note_type', '/document/note_number'],
  },
  numbers: NOTE_NUMBERS,
  totals: careTotals,
  about: ripsAbout,
  probe: { operation: 'getServiceTables', request: {}, read: (answer) => readHealth(answer, '', () => FINE) },
  // The service makes a package of what the patient's row says at that moment; and appointments of one patient could not be told apart.
  alone: (body) => {
    const { patient } = attentionOf(body);
    return `${patient['type_document_identification_id']} ${patient['document_number']}`;
  },
  stages: [PATIENT_STAGE, APPOINTMENT_STAGE, DOCUMENT_STAGE, GENERATE_STAGE],
  fit: ({ document }, { numbers = [] }) =>
    numbers.every((number) => number === String((document as JsonObject)['note_number']))
      ? 'open'
      : 'other-number',
  echoRules: [],
  tooEarlyRules: [],
  setUpRules: [],
  equalRejections: 10,
};

/** How a run is to be sent, beside what its files say. */
export interface RipsOptions {
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

/** Of today, what is past is as refused as yesterday. */
const LAST_MINUTE = '23:59';

function book(appointment: JsonObject, booking: string, now: number): JsonObject {
  const today = bogotaDate(now);
  const date = booking === 'today' ? today : booking;
  const time = new Date(now - 5 * 3_600_000).toISOString().slice(11, 16);
  const isPast = date === today && String(appointment['time']) <= time;
  return { ...appointment, date, ...(isPast && { time: LAST_MINUTE }) };
}
