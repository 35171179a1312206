import { fileURLToPath } from 'node:url';
import type { Route } from '../../../src/client/address.js';
import type { Answer } from '../../../src/client/answer.js';
import { AS_IT_IS, type Delivery, type Family } from '../../../src/families/family.js';
import type { SchemaName } from '../../../src/generated/schema-types.js';
import { createIssue } from '../../../src/send/create-issue.js';
import type { StageInput } from '../../../src/send/stage.js';
import { readVerdict, type Verdict } from '../../../src/send/verdict.js';
import { isObject, type JsonObject } from '../../../src/toolkit/core/json.js';
import { fileSchema } from '../../../src/toolkit/schema/registry.js';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
export const MAPPING = `${FOLDER}coupons.yaml`;
export const COUPON = fileSchema(FOLDER, './coupon.schema.json') as SchemaName;

const ISSUE: Route = { id: 'issueCoupon', method: 'POST', path: '/coupons', optionalPathParameters: [] };
const LOOK: Route = { id: 'getCoupon', method: 'GET', path: '/coupons/{number}', optionalPathParameters: [] };

const numberOf = ({ prefix, consecutive }: JsonObject): string => `${prefix}${consecutive}`;
const bodyOf = ({ body }: StageInput): JsonObject => JSON.parse(body) as JsonObject;

function read(answer: Answer): Verdict {
  if (answer.kind !== 'json' || !isObject(answer.body)) return readVerdict(answer, 'query');
  const { code, number, reason } = answer.body;
  if (answer.status === 404) return { kind: 'absent' };
  if (answer.status === 422)
    return { kind: 'refused', issues: [createIssue('remote/refused', { text: String(reason) })] };
  return { kind: 'accepted', documentCode: String(code), shown: { numbers: [String(number)] }, issues: [] };
}

const ACCEPTED = `
  SELECT id, document_code AS "documentCode" FROM document WHERE subject = ? AND hash = ? AND state = 'accepted'`;
const DELIVERY: Delivery = {
  subjectLeaf: '/holder',
  createPlanner: () => AS_IT_IS,
  judge: ({ journal }) => ({
    async admit({ body, hash }) {
      const subject = `coupon:${body['holder']}`;
      const held = await journal.first<{ id: number; documentCode: string }>(ACCEPTED, subject, hash);
      return held === undefined ? { is: 'new', subject, remarks: [] } : { is: 'earlier', subject, ...held };
    },
    remarks: () => [],
  }),
  numbers: {
    firstParam: 'first_consecutive',
    series: ({ prefix }) => ({ typeDocumentId: 900, prefix: String(prefix) }),
    write: (body, consecutive) => ({ ...body, consecutive }),
    clear: ({ consecutive: _, ...body }) => body,
  },
  stages: [
    {
      name: 'issue',
      asks: 'always',
      send: ({ body: bodyText }) => ({ operation: ISSUE, request: { bodyText }, read }),
      ask: (matter) => ({
        operation: LOOK,
        request: { path: { number: numberOf(bodyOf(matter)) } } as never,
        read,
      }),
    },
  ],
  fit: (body, { numbers = [] }) =>
    numbers.every((number) => number === numberOf(body)) ? 'ours' : 'other-number',
  echoRules: [],
  tooEarlyRules: [],
  setUpRules: [],
};

/** Coupons: what the program has to know to send them. */
export const COUPONS: Family = {
  name: 'coupons',
  documents: {
    schemas: [COUPON],
    hasPublicKeys: false,
    deadlines: () => [],
    company: 'unsaid',
    mappings: { template: { name: 'coupons', mapping: MAPPING } },
    derive: () => ({
      complete(document) {
        document['seal'] = `${document['value']}/${document['valid_until']}`;
        return [];
      },
      shape: (_, faults) => faults,
      rules: () => [],
      batch: [],
      origins: (_, origins) => origins,
    }),
  },
  delivery: async () => DELIVERY,
};
