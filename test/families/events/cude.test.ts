import { describe, expect, it, test } from 'vitest';
import { type CudeParts, cude, cudeInput } from '../../../src/families/events/cude.js';
import { isDocumentCode } from '../../../src/toolkit/core/json.js';

/** Invoice annex 1.9, 11.5.1; hash published there. */
const V7: CudeParts = {
  eventNumber: '1',
  issueDate: '2019-04-30',
  issueTime: '19:48:50-05:00',
  sender: '99998888',
  receiver: '800197268',
  eventCode: '030',
  invoiceNumber: 'FE123',
  invoiceType: '01',
  softwarePin: '11111',
};

/** The worked example of service.md 13.9. */
const WORKED: CudeParts = {
  eventNumber: '860012345FE2301030',
  issueDate: '2026-03-11',
  issueTime: '10:00:00-05:00',
  sender: '900123456',
  receiver: '860012345',
  eventCode: '030',
  invoiceNumber: 'FE2301',
  invoiceType: '01',
  softwarePin: '12345',
};

describe('CUDE', () => {
  it('V7', () => {
    expect(cudeInput(V7)).toBe('12019-04-3019:48:50-05:0099998888800197268030FE1230111111');
    expect(cude(V7)).toBe(
      '0d91ba25b01f5e7dbda870a11b274501d3a62a73e91932c473c86c93f12a142a2ac45876efcde3e679024a01c0be41f9',
    );
  });

  it('worked example', () => {
    expect(cude(WORKED)).toBe(
      'ec6c117f30acb43d5596771ddabc624efeffd9d995ff8e77516214f6e58d0fbb6980af52bb5cc47b6d5053b186293e08',
    );
  });

  it.each(Object.keys(V7) as (keyof CudeParts)[])('depends on %s', (part) => {
    expect(cude({ ...V7, [part]: `${V7[part]}9` })).not.toBe(cude(V7));
  });
});

test.each([
  ['a'.repeat(96), true],
  ['0123456789abcdef'.repeat(6), true],
  ['a'.repeat(95), false],
  ['a'.repeat(97), false],
  ['A'.repeat(96), false],
  ['g'.repeat(96), false],
  [`${'a'.repeat(96)}\n`, false],
  ['', false],
])('form of %s', (text, good) => expect(isDocumentCode(text)).toBe(good));
