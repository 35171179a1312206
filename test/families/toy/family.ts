import { fileURLToPath } from 'node:url';
import type { Route } from '../../../src/client/address.js';
import type { Answer } from '../../../src/client/answer.js';
import { isObject, type JsonObject } from '../../../src/core/json.js';
import type { Family } from '../../../src/families/family.js';
import type { SchemaName } from '../../../src/generated/schema-types.js';
import { sheetOf } from '../../../src/report/rows.js';
import { fileSchema } from '../../../src/schema/registry.js';
import { outcomes } from '../../../src/send/documents.js';
import { PAGE } from '../../../src/send/runs.js';
import { say } from '../../../src/send/say.js';
import type { Matter } from '../../../src/send/stage.js';
import { readVerdict, type Verdict } from '../../../src/send/verdict.js';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
export const MAPPING = `${FOLDER}coupons.yaml`;
const COUPON = fileSchema(FOLDER, './coupon.schema.json') as SchemaName;

const ISSUE: Route = { id: 'issueCoupon', method: 'POST', path: '/coupons', optionalPathParameters: [] };
const LOOK: Route = { id: 'getCoupon', method: 'GET', path: '/coupons/{number}', optionalPathParameters: [] };

const DRAW: Route = { id: 'drawCoupon', method: 'POST', path: '/drawings', optionalPathParameters: [] };

const numberOf = ({ prefix, consecutive }: JsonObject): string => `${prefix}${consecutive}`;
const bodyOf = ({ body }: Matter): JsonObject => JSON.parse(body) as JsonObject;

function read(answer: Answer): Verdict {
  if (answer.kind !== 'json' || !isObject(answer.body)) return readVerdict(answer, 'query');
  const { code, number, reason } = answer.body;
  if (answer.status === 404) return { kind: 'absent' };
  if (answer.status === 422)
    return { kind: 'refused', issues: [say('remote/refused', { text: String(reason) })] };
  return { kind: 'accepted', documentCode: String(code), shown: { numbers: [String(number)] }, issues: [] };
}

const ACCEPTED = `
  SELECT id, document_code AS "documentCode" FROM document WHERE subject = ? AND hash = ? AND state = 'accepted'`;
const BODIES = `
  SELECT d.sequence, c.body FROM document d JOIN content c ON c.document = d.id
  WHERE d.run = ? AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`;

interface Change {
  readonly sequence: number;
  readonly key: string;
  readonly number: string;
  readonly body: string;
  readonly before: string | null;
}

const CHANGES = `
  SELECT d.sequence, d.key, d.prefix || d.consecutive AS number, c.body, (
    SELECT b.body FROM document o JOIN content b ON b.document = o.id
    WHERE o.subject = d.subject AND o.state = 'accepted' ORDER BY o.id DESC LIMIT 1) AS before
  FROM document d JOIN content c ON c.document = d.id WHERE d.run = ? AND d.state = 'planned' ORDER BY d.sequence`;

/** Coupons: everything that the program has to know of them. */
export const COUPONS: Family = {
  schemas: [COUPON],
  subjectLeaf: '/holder',
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
  columns: [
    ['key', 20, 'code'],
    ['amount', 20, 'code', ({ about }) => about?.['value']],
    ['number', 12, 'code'],
    ['state', 15, 'code'],
    ['code', 30, 'hash'],
  ],
  about: {
    page: BODIES,
    of: ({ body }: { sequence: number; body: string }) => ({
      value: String((JSON.parse(body) as JsonObject)['value']),
    }),
  },
  sheets: (journal, run, saying) => [
    {
      ...sheetOf(
        'documents',
        [['code', 30, 'hash']],
        (async function* () {
          for await (const { documentCode } of outcomes(journal, run)) yield [documentCode];
        })(),
        saying,
      ),
      name: 'Bonos',
    },
  ],
  preview: {
    schema: COUPON,
    operation: DRAW,
    subject: ({ holder }) => (typeof holder === 'string' ? holder : undefined),
    read: ({ drawing }) => (typeof drawing === 'string' ? drawing : undefined),
  },
  template: { name: 'coupons', mapping: MAPPING },
  /** A coupon takes the place of that of the same holder. */
  corrections: {
    series: 901,
    fileOf: (schemas) => (schemas.every((schema) => schema === COUPON) ? 'whole' : undefined),
    known: [],
    complete: () => async () => undefined,
    compare: () => ({
      async *shape({ documents }) {
        yield* documents;
      },
      added: 0,
    }),
    async *changes(journal, run) {
      for (const { sequence, key, number, body, before } of await journal.all<Change>(CHANGES, run)) {
        const values = [before, body].map((text) => text && (JSON.parse(text) as JsonObject)['value']);
        yield {
          kind: before === null ? 'new' : 'replace',
          sequence,
          key,
          number,
          fields: [
            {
              pointer: '/value',
              titles: ['Value'],
              isAmount: true,
              isPersonal: false,
              ...(before !== null && { before: String(values[0]) }),
              after: String(values[1]),
            },
          ],
        };
      }
    },
  },
  async *results(journal, run) {
    for await (const { number, documentCode } of outcomes(journal, run))
      if (documentCode !== undefined) yield { name: `${number}.txt`, text: documentCode };
  },
};
