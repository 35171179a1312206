import { copyFileSync } from 'node:fs';
import { type AttentionParts, attentionOf } from '../../src/families/rips/attention.js';
import {
  type Appointment,
  type Document,
  openRecords,
  type Package,
  type Patient,
} from '../../src/sandbox/rips/records.js';
import { openStore } from '../../src/sandbox/store.js';
import { outcomes } from '../../src/send/documents.js';
import type { Journal } from '../../src/send/journal.js';
import type { Made } from '../../src/send/state-machine.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import type { Outcome } from '../../src/toolkit/schema/document.js';
import { allOf } from '../support/all-of.js';

/** What the service holds: its own rows, and the packages at the health system. */
export interface Books {
  readonly patients: readonly Patient[];
  readonly appointments: readonly Appointment[];
  readonly documents: readonly Document[];
  readonly packages: readonly Package[];
}

/** Reads a copy of the service's state, so that it is not disturbed: what is the company's own. */
export function booksOf(stateFile: string, company: string): Books {
  const copy = `${stateFile}.copy`;
  copyFileSync(stateFile, copy);
  const store = openStore(copy);
  try {
    const { patients, appointments, documents, packages } = openRecords(store);
    return {
      patients: patients.ofCompany(company),
      appointments: appointments.ofCompany(company),
      documents: documents.ofCompany(company),
      packages: packages.ofCompany(company),
    };
  } finally {
    store.close();
  }
}

/** A visit as the journal knows it. */
export interface Told extends Outcome {
  readonly made: Made;
  readonly parts: AttentionParts;
}

interface Row {
  readonly sequence: number;
  readonly made: string | null;
  readonly body: string;
}

export async function toldOf(journal: Journal, run: string): Promise<readonly Told[]> {
  const rows = await journal.all<Row>(
    'SELECT d.sequence, d.made, c.body FROM document d JOIN content c ON c.document = d.id WHERE d.run = ?',
    run,
  );
  const bySequence = new Map(rows.map((row) => [row.sequence, row]));
  return (await allOf(outcomes(journal, run))).map((outcome) => {
    const { made, body } = bySequence.get(outcome.sequence)!;
    return {
      ...outcome,
      made: made === null ? {} : (JSON.parse(made) as Made),
      parts: attentionOf(JSON.parse(body) as JsonObject),
    };
  });
}

/** What may be left to a person. */
export type Stage = 'appointment' | 'document' | 'generate';

/** The steps that are left to a person, by code: the stage that hangs. */
export const LEFT_TO_PERSON: Readonly<Record<string, Stage>> = {
  'send/appointment-unknown': 'appointment',
  'send/rips-document-unknown': 'document',
  'send/cuv-unknown': 'generate',
  'send/id-contested': 'generate',
};

/** The stage in which a person is to look a visit up; undefined where the program goes on by itself. */
export const hangingAt = ({ state, issues }: Pick<Told, 'state' | 'issues'>) =>
  state === 'unknown' && issues.length === 1 ? LEFT_TO_PERSON[issues[0]!.code] : undefined;
