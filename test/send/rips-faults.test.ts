import { describe, expect, test } from 'vitest';
import { FAULT_KINDS, type FaultKind } from '../../src/sandbox/faults.js';
import { outcomes } from '../../src/send/documents.js';
import { paramOf } from '../../src/toolkit/core/issue.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { arrived, attention, clinicOf, NIT, spoolCare } from './rips-support.js';

/** Repeatable chance: mulberry32. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const OPERATIONS = [
  'listPatients',
  'getPatient',
  'createPatient',
  'updatePatient',
  'listAppointments',
  'getAppointment',
  'createAppointment',
  'createRipsDocument',
  'generateRips',
];
/** Not of this family: they concern queries of DIAN, or the address of the service. */
const KINDS = FAULT_KINDS.filter((kind) => !['pending-forever', '302-html', 'login-failed'].includes(kind));
const PATIENTS = 9;
const VISITS = 27;

describe('whatever goes wrong', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'seed %i: no patient twice, nothing generated twice, every CUV is ours',
    async (seed) => {
      const next = chance(seed);
      const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
      const { box, journal, send } = await clinicOf();
      const { run } = await spoolCare(
        journal,
        Array.from({ length: VISITS }, (_, visit) => {
          const number = visit % PATIENTS;
          // Every other visit of a patient knows a newer surname.
          const person: JsonObject = visit % 2 === 0 ? {} : { last_name: `Rojas ${number}` };
          return attention(number, { hour: 6 + Math.floor(visit / PATIENTS), user: one([7, 7, 11]), person });
        }),
      );
      for (let round = 0; round < 4; round++) {
        for (let fault = 0; fault < 12; fault++)
          box.controls.addFault({
            kind: one<FaultKind>(KINDS),
            match: { operation: one(OPERATIONS) as never },
            times: 1 + Math.floor(next() * 2),
            ms: 2,
            retryAfter: 0,
          });
        await send(run);
      }
      for (const { id } of box.controls.faults()) box.controls.remove('faults', id);
      const { counts, stopped } = await send(run);
      expect([stopped, counts.rejected, counts.unsent, counts.pending]).toEqual([undefined, 0, 0, 0]);

      const packages = box.controls.packages(NIT);
      const numbers = packages.map(({ noteNumber }) => noteNumber);
      expect(new Set(numbers).size).toBe(numbers.length);
      const generated = box.controls
        .requests({ operation: 'generateRips' as never })
        .requests.filter(({ status }) => status !== 429)
        .map(({ key }) => key);
      expect(new Set(generated).size).toBe(generated.length);

      const cuvs = new Map(packages.map(({ noteNumber, cuv }) => [noteNumber, cuv]));
      for await (const { state, number, documentCode, issues } of outcomes(journal, run)) {
        if (state === 'accepted') expect(documentCode).toBe(cuvs.get(number!));
        // What stays unknown says what a person is to do.
        else expect(issues.some(({ params }) => paramOf({ params }, 'number') === number)).toBe(true);
      }
      const patients = new Set(packages.map(({ patient }) => patient));
      const made = box.controls
        .requests({ operation: 'createPatient' as never })
        .requests.filter(({ effect }) => effect === 'stored')
        .map(({ key }) => key);
      expect(new Set(made).size).toBe(made.length);
      expect(made.length).toBeGreaterThanOrEqual(patients.size);
      expect(arrived(box, 'createAppointment')).toBeGreaterThanOrEqual(counts.accepted);
    },
  );
});
