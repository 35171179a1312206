import type { Route } from '../../../src/client/address.js';
import type { Authority, Family, Notes, Preview, ReportPart } from '../../../src/families/family.js';
import { sheetOf } from '../../../src/report/rows.js';
import { outcomes } from '../../../src/send/documents.js';
import { PAGE } from '../../../src/send/runs.js';
import type { JsonObject } from '../../../src/toolkit/core/json.js';
import { COUPON, COUPONS } from './family.js';

const DRAW: Route = { id: 'drawCoupon', method: 'POST', path: '/drawings', optionalPathParameters: [] };

const BODIES = `
  SELECT d.sequence, c.body FROM document d JOIN content c ON c.document = d.id
  WHERE d.run = ? AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`;

const REPORT: ReportPart = {
  columns: () => [
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
};

const DRAWN: Preview = {
  schema: COUPON,
  operation: DRAW,
  subject: ({ holder }) => (typeof holder === 'string' ? holder : undefined),
  read: ({ drawing }) => (typeof drawing === 'string' ? drawing : undefined),
};

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

/** A coupon takes the place of that of the same holder. */
const NOTES: Notes = {
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
};

const AUTHORITY: Authority = {
  form: { name: ({ holder }) => String(holder), text: (document) => JSON.stringify(document) },
  blame: () => [],
  async *results(journal, run) {
    for await (const { number, documentCode } of outcomes(journal, run))
      if (documentCode !== undefined) yield { name: `${number}.txt`, text: documentCode };
  },
  resultIn: () => undefined,
};

/** Coupons that are also reported, drawn and corrected, and of which results are kept. */
export const WHOLE: Family = {
  ...COUPONS,
  report: async () => REPORT,
  paper: async () => ({ preview: DRAWN }),
  corrections: async () => ({ notes: NOTES }),
  authority: async () => AUTHORITY,
};
