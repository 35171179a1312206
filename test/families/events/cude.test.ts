import { describe, expect, it, test } from 'vitest';
import { isDocumentCode } from '../../../src/core/json.js';
import {
  type CudeParts,
  type CufeParts,
  cude,
  cudeInput,
  cufe,
  cufeInput,
} from '../../../src/families/events/cude.js';

/** Invoice annex, example; hash published there. */
const V6: CufeParts = {
  number: '323200000129',
  issueDate: '2019-01-16',
  issueTime: '10:53:10-05:00',
  gross: '1500000.00',
  iva: '285000.00',
  inc: '0.00',
  ica: '0.00',
  total: '1785000.00',
  seller: '700085371',
  buyer: '800199436',
  technicalKey: '693ff6f2a553c3646a063436fd4dd9ded0311471',
  environment: '1',
};

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

describe('CUFE', () => {
  it('V6', () => {
    expect(cufeInput(V6)).toBe(
      '3232000001292019-01-1610:53:10-05:001500000.0001285000.00040.00030.001785000.00700085371800199436693ff6f2a553c3646a063436fd4dd9ded03114711',
    );
    expect(cufe(V6)).toBe(
      '8bb918b19ba22a694f1da11c643b5e9de39adf60311cf179179e9b33381030bcd4c3c3f156c506ed5908f9276f5bd9b4',
    );
  });

  it.each(Object.keys(V6) as (keyof CufeParts)[])('depends on %s', (part) => {
    expect(cufe({ ...V6, [part]: `${V6[part]}9` })).not.toBe(cufe(V6));
  });
});

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
