import type { Answer } from '../../client/answer.js';
import type { CallRequest } from '../../client/client.js';
import { createIssue } from '../../send/create-issue.js';
import type { Stage, StageInput } from '../../send/stage.js';
import { type Question, textOf, type Verdict } from '../../send/verdict.js';
import { isObject, type JsonObject, type JsonValue } from '../../toolkit/core/json.js';
import { idOf, readHealth, readMade, readRow, unproven } from './answer.js';
import { idFrom, noteNumber, partsOf, personSaysId } from './matter.js';

const PART = '/patient';
/** Patient in the service's form: body of R9. */
type Patient = JsonObject;

const sameText = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  (textOf(a) ?? '').toLowerCase() === (textOf(b) ?? '').toLowerCase();

/** Normalisation of columns to compare: the service may add a time to a date, or shorten a country code. */
const COLUMNS: Readonly<Record<string, (value: JsonValue | undefined) => string>> = {
  birth_date: (value) => (textOf(value) ?? '').slice(0, 10),
  country_code: (value) => String(Number(textOf(value) ?? 0)),
  incapacity: (value) => textOf(value) ?? 'NO',
};

/** Adds the default `NO`, which the service sets only in rows it creates. */
const wholeOf = (patient: Patient): Patient => ({ incapacity: 'NO', ...patient });

const isUpToDate = (row: JsonObject, patient: Patient): boolean =>
  Object.entries(wholeOf(patient)).every(([name, value]) => {
    const read = COLUMNS[name];
    return read === undefined ? textOf(row[name]) === textOf(value) : read(row[name]) === read(value);
  });

const isPerson = (row: JsonObject, patient: Patient): boolean =>
  sameText(row['document_number'], patient['document_number']) &&
  idOf(row['type_document_identification_id']) === idOf(patient['type_document_identification_id']);

/** Search for a patient, with the verdict if none is found. */
interface Search {
  readonly patient: Patient;
  readonly otherwise: Verdict;
  /** `send` if the search belongs to a creation, whose refusal it may confirm. */
  readonly step: 'ask' | 'send';
  /** Verdict if a queried ID has no row. @default that row is not ours */
  readonly missing?: Verdict;
}

const then = ({ step }: Search, question: Question): Verdict => ({ kind: 'then', step, question });

function pageOf(search: Search, page: number): Question {
  const { patient, otherwise } = search;
  const query = { search: String(patient['document_number']), ...(page > 1 && { page }) };
  return {
    operation: 'listPatients',
    request: { query } as CallRequest,
    read: (answer) =>
      readHealth(answer, PART, (data) => {
        if (!isObject(data) || !Array.isArray(data['data'])) return undefined;
        const rows = data['data'].filter(isObject).filter((row) => isPerson(row, patient));
        if (rows.some((row) => idOf(row['id']) === undefined)) return undefined;
        const isLast = page >= (idOf(data['last_page']) ?? 1);
        return tryRows(
          search,
          candidates(rows, patient),
          isLast ? otherwise : then(search, pageOf(search, page + 1)),
        );
      }),
  };
}

/** Returns the IDs of a person's rows; first those with the e-mail that would conflict. */
function candidates(rows: readonly JsonObject[], patient: Patient): readonly number[] {
  const hasAddress = (row: JsonObject): boolean => sameText(row['email'], patient['email']);
  const sorted = [...rows.filter(hasAddress), ...rows.filter((row) => !hasAddress(row))];
  return sorted.flatMap((row) => idOf(row['id']) ?? []);
}

/** Reads candidates one by one until one is ours. */
function tryRows(search: Search, [id, ...others]: readonly number[], otherwise: Verdict): Verdict {
  if (id === undefined) return otherwise;
  const { patient, missing } = search;
  const notOurs = tryRows(search, others, otherwise);
  return then(search, {
    operation: 'getPatient',
    request: { path: { id } },
    read: (answer) => {
      if (isMissing(answer)) return missing ?? notOurs;
      return readRow(answer, PART, id, (data) => {
        if (!isObject(data)) return missing ?? notOurs;
        // A row of another kind may have the same ID.
        if (textOf(data['document_number']) === undefined) return undefined;
        if (!isPerson(data, patient)) return notOurs;
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
      const verdict = readHealth(answer, PART, (row) =>
        isObject(row) && idOf(row['id']) === id && isPerson(row, patient)
          ? done
          : updated(id, patient, notOurs, step, done),
      );
      // A refused update would only be repeated: report the reason.
      const [issue] = step === 'ask' && verdict.kind === 'refused' ? verdict.issues : [];
      return issue === undefined ? verdict : { kind: 'unknown', issue };
    },
  },
});

/** Reads back a row whose update response did not show it. */
const updated = (
  id: number,
  patient: Patient,
  notOurs: Verdict,
  step: 'ask' | 'send',
  done: Verdict,
): Verdict => ({
  kind: 'then',
  step,
  question: {
    operation: 'getPatient',
    request: { path: { id } },
    read: (answer) =>
      isMissing(answer)
        ? notOurs
        : readRow(answer, PART, id, (row) => {
            if (!isObject(row) || !isPerson(row, patient)) return notOurs;
            return isUpToDate(row, patient) ? done : undefined;
          }),
  },
});

/** True for a 404 of the health module (not the router): the row does not exist. */
const isMissing = (answer: Answer): boolean =>
  answer.kind === 'json' &&
  answer.status === 404 &&
  isObject(answer.body) &&
  answer.body['success'] === false;

/** Reads back whose row an ID is; if it is another person's, all rows are searched. */
const readBackOf = (patient: Patient, id: number, missing?: Verdict): Extract<Verdict, { kind: 'then' }> => {
  const otherwise: Verdict = { kind: 'absent' };
  const search: Search = { patient, otherwise, step: 'ask', ...(missing !== undefined && { missing }) };
  return tryRows(search, [id], unproven(id)) as Extract<Verdict, { kind: 'then' }>;
};

function create(patient: Patient): Question {
  return {
    operation: 'createPatient',
    request: { bodyText: JSON.stringify(patient) },
    read: (answer) => {
      const { type_document_identification_id, document_number } = patient;
      const claimed = (id: number): Verdict => {
        const { issue } = unproven(id);
        // A row just created may not be readable yet.
        return { ...readBackOf(patient, id, { kind: 'unknown', issue }), unknownIssue: issue };
      };
      const verdict = readMade(answer, PART, {
        asked: 'createPatient',
        wanted: { type_document_identification_id, document_number } as JsonObject,
        claimed,
      });
      // Our own data next to an ID may be an echo of the request.
      if (verdict.kind === 'made') return claimed(verdict.id);
      const addressTaken =
        verdict.kind === 'refused' && verdict.issues.some(({ place }) => place.pointer === `${PART}/email`);
      // The address may belong to another person, or to this one, just created.
      if (!addressTaken) return verdict;
      const search: Search = { patient, otherwise: verdict, step: 'send' };
      return then(search, pageOf(search, 1));
    },
  };
}

const patientOf = (matter: StageInput): Patient => partsOf(matter).patient;

/**
 * Queries the patient before a package is generated whose patient comes from an earlier run, since another package
 * may have updated the row.
 */
export const patientAsWanted = (matter: StageInput): Question => {
  const patient = patientOf(matter);
  const id = idFrom(matter, 'patient');
  const wanted: Verdict = { kind: 'absent' }; // nothing stands in the way of the request
  const fail: Verdict = {
    kind: 'unknown',
    issue: createIssue('send/patient-changed', { number: noteNumber(partsOf(matter)) }),
  };
  return {
    operation: 'getPatient',
    request: { path: { id } },
    read: (answer) =>
      readRow(answer, PART, id, (data) => {
        if (!isObject(data) || !isPerson(data, patient)) return fail;
        return isUpToDate(data, patient) ? wanted : update(id, patient, fail, 'ask', wanted);
      }),
  };
};

/**
 * Finds a patient by type and number and updates or creates the row (rips.md 6). A lost response is resolved by the
 * same search. The search also shows patients of other companies, so a row is ours only if it can be read by ID.
 */
export const PATIENT_STAGE: Stage = {
  name: 'patient',
  asks: 'first',
  resource: (matter) => {
    const { type_document_identification_id: type, document_number: number } = patientOf(matter);
    return { name: [type, number].join(' '), form: JSON.stringify(patientOf(matter)) };
  },
  ask: (matter) => pageOf({ patient: patientOf(matter), otherwise: { kind: 'absent' }, step: 'ask' }, 1),
  readBack: (matter, id) => readBackOf(patientOf(matter), id).question,
  send: (matter) => create(patientOf(matter)),
  byPerson: personSaysId,
};
