import { expect, test } from 'vitest';
import { createEventSequence } from '../../../src/families/events/sequence.js';
import { prepare } from '../../../src/toolkit/documents/prepare.js';
import { loadMapping } from '../../../src/toolkit/mapping/load.js';
import { resolveParams } from '../../../src/toolkit/mapping/params.js';
import { csv } from '../../inspect/grid.js';

const mapping = await loadMapping('mappings/events/list.yaml');
const CHUNKS = [1, 2, 3, 512];

/** Invoice, event and person, as in `A 030 Ana`; «Recibido» is a word that no list has. */
type RowText = string;

/** Returns documents as `A 030 Ana`, then records as `row what`, and the counts of records. */
async function made(rows: readonly RowText[], expand: boolean, atOnce: number) {
  const cells = rows.map((row) => row.split(' '));
  const file = csv({
    name: 'lista',
    labels: [
      'CUFE',
      'Factura',
      'Evento',
      'Cédula recibe',
      'Nombres recibe',
      'Apellidos recibe',
      'Área',
      'Cargo',
      'Motivo',
    ],
    rows: cells.map(([invoice = '', event = '', name = '']) => [
      (invoice === 'A' ? 'a' : 'b').repeat(96),
      invoice,
      event,
      '9700000000',
      name,
      'Ruiz',
      'Compras',
      'Jefe',
      event === '031' ? '1' : null,
    ]),
  });
  const params = resolveParams(mapping.params, {}).value;
  if (params === undefined) throw new Error('no params');
  const documents: string[] = [];
  const outcomes: string[] = [];
  let counts = '';
  const follow = createEventSequence({ expand });
  for await (const events of prepare({ files: [file], mapping, params, follow, atOnce }))
    for (const event of events) {
      if (event.kind === 'document') {
        const { details, body } = event.document as unknown as {
          details: { invoice: string };
          body: { event_id: 1 | 2 | 3 | 4; issuer_party: { first_name: string } };
        };
        const code = { 1: '030', 2: '031', 3: '032', 4: '033' }[body.event_id];
        documents.push(`${details.invoice} ${code} ${body.issuer_party.first_name}`);
      } else if (event.kind === 'issue' && /^(events\/(?!no-receiver)|class)/.test(event.issue.code))
        outcomes.push(`${event.issue.place.row} ${event.issue.code}`);
      else if (event.kind === 'end') {
        const { read, used, skipped, heldBack } = event.records;
        expect(used + skipped + heldBack).toBe(read);
        counts = `${used} ${skipped} ${heldBack}`;
      }
    }
  return [...documents, ...outcomes, counts];
}

const WAY = ['A 030 Ana', 'A 032 Ana', 'A 033 Luis'];

test.each<[string, readonly RowText[], readonly string[], readonly string[]]>([
  ['oldest first', WAY, [...WAY, '3 0 0'], [...WAY, '3 0 0']],
  ['newest first', WAY.toReversed(), [...WAY, '3 0 0'], [...WAY, '3 0 0']],
  [
    'newest first, of two invoices',
    ['B 032 Eva', 'A 033 Luis', 'B 030 Eva', 'A 032 Ana', 'A 030 Ana'],
    ['B 030 Eva', 'B 032 Eva', ...WAY, '5 0 0'],
    ['B 030 Eva', 'B 032 Eva', ...WAY, '5 0 0'],
  ],
  [
    'newest first, without 030: it is added by the person of 032',
    ['A 033 Luis', 'A 032 Ana'],
    ['3 events/order', '2 events/waits', '0 0 2'],
    [...WAY, '2 0 0'],
  ],
  [
    'an acceptance alone',
    ['A 033 Luis'],
    ['2 events/order', '0 0 1'],
    ['A 030 Luis', 'A 032 Luis', 'A 033 Luis', '1 0 0'],
  ],
  [
    'what a row to be corrected may say is not added',
    ['A 033 Luis', 'A Recibido Ana', 'A 030 Ana'],
    ['A 030 Ana', '3 class/unknown', '2 events/waits', '1 0 2'],
    ['A 030 Ana', '3 class/unknown', '2 events/waits', '1 0 2'],
  ],
  [
    'an acceptance and a claim above what they need: neither is taken',
    ['A 033 Luis', 'A 031 Eva', 'A 032 Ana', 'A 030 Ana'],
    ['A 030 Ana', 'A 032 Ana', '2 events/excluded', '3 events/waits', '2 0 2'],
    ['A 030 Ana', 'A 032 Ana', '2 events/excluded', '3 events/waits', '2 0 2'],
  ],
  [
    'an acceptance and a claim alone: neither is taken',
    ['A 033 Luis', 'A 031 Eva'],
    ['2 events/order', '3 events/order', '0 0 2'],
    ['2 events/excluded', '3 events/waits', '0 0 2'],
  ],
  [
    'an acceptance that is not yours beside one that is',
    ['A 033 Luis', 'A 034 Eva', 'A 032 Ana', 'A 030 Ana'],
    ['A 030 Ana', 'A 032 Ana', '3 events/not-yours', '2 events/waits', '2 0 2'],
    ['A 030 Ana', 'A 032 Ana', '3 events/not-yours', '2 events/waits', '2 0 2'],
  ],
  [
    'twice above what it needs',
    ['A 032 Ana', 'A 032 Eva', 'A 030 Ana'],
    ['A 030 Ana', 'A 032 Ana', '3 events/already-done', '2 1 0'],
    ['A 030 Ana', 'A 032 Ana', '3 events/already-done', '2 1 0'],
  ],
])(
  '%s: the same events, with and without missing ones added, in all chunk sizes',
  async (_, rows, plain, expanded) => {
    for (const atOnce of CHUNKS) {
      expect(await made(rows, false, atOnce)).toEqual(plain);
      expect(await made(rows, true, atOnce)).toEqual(expanded);
    }
  },
);
