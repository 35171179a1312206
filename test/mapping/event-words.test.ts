import { describe, expect, test } from 'vitest';
import { createEventSequence } from '../../src/families/events/sequence.js';
import { paramOf } from '../../src/toolkit/core/issue.js';
import type { DocumentSequence } from '../../src/toolkit/documents/phases.js';
import { run } from '../../src/toolkit/documents/run.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { resolveParams } from '../../src/toolkit/mapping/params.js';
import type { InputFile, Row } from '../../src/toolkit/tables/table.js';

const mapping = await loadMapping('mappings/events/list.yaml');

/** A list in memory; all its records have the same columns. */
function listOf(...records: readonly Readonly<Record<string, string>>[]): InputFile {
  const row = (number: number, texts: readonly string[]): Row => ({
    number,
    hidden: false,
    texts: texts.map((text) => text || undefined),
    kinds: undefined,
  });
  const rows = [Object.keys(records[0]!), ...records.map(Object.values)].map((texts, at) =>
    row(at + 1, texts),
  );
  const table = {
    file: 'lista.csv',
    async *batches() {
      yield rows;
    },
  };
  return { path: 'lista.csv', file: 'lista.csv', kind: 'csv', tables: [table], close: async () => undefined };
}

/** What becomes of one record: its event and reason, or the codes of what is wrong. */
async function read(event: string, reason = ''): Promise<string> {
  const inputs = [listOf({ CUFE: 'a'.repeat(96), Evento: event, Motivo: reason, 'Forma de pago': '2' })];
  const params = resolveParams(mapping.params, {}).value!;
  const senders = ['comprador', 'vendedor', 'DIAN'];
  const registered = () => [{ code: '030' }, { code: '032' }] as const;
  const open = createEventSequence({ senders });
  const late = createEventSequence({ senders, registered });
  const found: string[] = [];
  const follow: DocumentSequence = {
    next: (body) => (body['event_id'] === 1 ? open.next(body) : late.next(body)),
  };
  for await (const events of run({ mapping, params }, inputs, { follow }))
    for (const one of events) {
      if (one.kind === 'document') {
        const { event_id: id, type_rejection_id: why } = one.document.body as unknown as Record<
          string,
          number
        >;
        found.push([id, why].filter(Boolean).join(' '));
      }
      // What is registered already was read, too.
      if (one.kind === 'issue' && one.issue.code !== 'events/no-receiver') found.push(one.issue.code);
    }
  return found.join(' ');
}

describe('an event by its words', () => {
  test.each([
    ['030', '1'],
    ['30', '1'],
    ['1', '1'],
    ['Acuse de recibo', '1'],
    ['ACUSE DE RECIBO DE LA FACTURA', '1'],
    ['030 - Acuse de recibo', '1'],
    ['Recibo de la factura de servicios', '1'],
    ['Acuse de recibo de la factura electrónica', '1'],
    ['Acuse de recibo (030)', '1'],
    ['030: Acuse de recibo de Factura Electrónica de Venta', '1'],
    ['Acuse recibo', '1'],
    ['Reclamo de la factura', 'document/required'],
    ['031 - Reclamo de la Factura Electrónica de Venta', 'document/required'],
    ['033', '4'],
    ['4', '4'],
    ['aceptacion expresa', '4'],
    ['Aceptación', '4'],
    ['33 Aceptación expresa', '4'],
    ['Aceptación expresa de la factura', '4'],
    ['Aceptación tácita', '5'],
    ['034', '5'],
    ['02', '6'],
    ['04', '7'],
    ['032', 'events/already-done'],
    ['Recibo del bien y/o prestación del servicio', 'events/already-done'],
    ['032 - Recibo del bien y/o prestación del servicio', 'events/already-done'],
    ['Recibo de bienes y servicios', 'events/already-done'],
    ['Recibo del bien/servicio', 'events/already-done'],
    ['Recepción de mercancía', 'events/already-done'],
    ['3', 'events/already-done'],
    // The number of one with the name of another.
    ['032 Acuse de recibo', 'class/unknown'],
    ['033 Aceptación tácita', 'class/unknown'],
    ['031 - Aceptación expresa', 'class/unknown'],
    ['Acuse 032', 'class/unknown'],
    ['8', 'class/unknown'],
    ['035', 'class/unknown'],
    ['Pagado', 'class/unknown'],
    // Of two codes each is an event.
    ['030 y 032', '1 events/already-done'],
    ['', 'row/key-blank cell/blank'],
  ])('%s', async (event, expected) => expect(await read(event)).toBe(expected));
});

describe('an event with words that may undo it, or beside another one, is none', () => {
  test.each([
    'Aceptación expresa no',
    'No aceptación expresa',
    'Aceptación expresa pendiente',
    '033 Aceptación expresa de la factura (anulada)',
    'Reclamo resuelto',
    'Reclamo - cerrado',
    'Reclamo de la factura, resuelto',
    'Rechazo anulado',
    'Acuse anulado',
    'Acuse pendiente',
    'Acuse - NO',
    '030 sin acuse',
    'Recibo de la factura pendiente',
    'Recibo del bien: pendiente',
    'Recibo parcial del bien',
    'Acuse y recibo',
    'Acuse / recibo',
    'Acuse - recibo',
    'Acuse de recibo / Aceptación',
    'Acuse de recibo y recibo del bien',
    'Acuse de recibo de la factura y recibo del bien',
    'Recibo del bien y aceptación del servicio',
    '030 Acuse, 032 Recibo del bien',
    'Acuse de recibo de la factura, 033',
  ])('%s', async (event) => expect(await read(event)).toBe('class/unknown'));

  test.each(['Inconsistencias corregidas', '01 - Documento sin inconsistencias'])(
    'nor is a reason: %s',
    async (reason) => expect(await read('Reclamo', reason)).toBe('class/unknown'),
  );
});

describe('a reason by its words', () => {
  test.each([
    ['1', '2 1'],
    ['02', '2 2'],
    ['03 - Mercancía no entregada parcialmente', '2 3'],
    ['3. MERCANCIA NO ENTREGADA PARCIALMENTE', '2 3'],
    ['Servicio no prestado', '2 4'],
    ['Mercancía no entregada totalmente', '2 2'],
    ['Documento con inconsistencias', '2 1'],
    ['04 Documento con inconsistencias', 'class/unknown'],
    ['2 - Mercancía no entregada parcialmente', 'class/unknown'],
    ['5', 'class/unknown'],
    ['Precio', 'class/unknown'],
    ['', 'document/required'],
  ])('%s', async (reason, expected) => expect(await read('Reclamo', reason)).toBe(expected));
});

/** What is wrong with a list of events, by row, and for which row one waits. */
async function wrong(rows: readonly (readonly [cufe: string, invoice: string, event: string])[]) {
  const inputs = [
    listOf(...rows.map(([CUFE, Factura, Evento]) => ({ CUFE, Factura, Evento, 'Forma de pago': '2' }))),
  ];
  const params = resolveParams(mapping.params, {}).value!;
  const found: string[] = [];
  for await (const events of run({ mapping, params }, inputs, { follow: createEventSequence() }))
    for (const one of events) {
      if (one.kind !== 'issue' || one.issue.code === 'events/no-receiver') continue;
      const { place, code } = one.issue;
      const more = code === 'events/waits' ? ['first'] : code === 'events/order' ? ['rule'] : [];
      found.push([place.row, code, ...more.map((name) => paramOf(one.issue, name))].join(' '));
    }
  return found.sort();
}

describe('an event whose predecessor is to be corrected waits for it', () => {
  const [A, B, SHORT] = ['a'.repeat(96), 'b'.repeat(96), 'a'.repeat(95)];
  test.each<[string, Parameters<typeof wrong>[0], string[]]>([
    [
      'of an unknown word, and so do those after it',
      [
        [A, '1', '030'],
        [A, '1', 'Recibido'],
        [A, '1', '033'],
        [A, '1', '033'],
      ],
      ['3 class/unknown', '4 events/waits 3', '5 events/waits 3'],
    ],
    [
      'that lacks one itself',
      [
        [A, '1', '032'],
        [A, '1', '033'],
      ],
      ['2 events/order LGC09', '3 events/waits 2'],
    ],
    [
      'not where it stands above what it needs',
      [
        [A, '1', '032'],
        [A, '1', '030'],
        [A, '1', '033'],
      ],
      [],
    ],
    [
      'whose CUFE is wrong: the number tells the invoice',
      [
        [SHORT, '1', '030'],
        [A, '1', '032'],
        [B, '2', '032'],
      ],
      ['2 document/format-cufe', '3 events/waits 2', '4 events/order LGC09'],
    ],
    [
      'not where that is of another invoice',
      [
        [B, '1', 'Recibido'],
        [A, '1', '033'],
      ],
      ['2 class/unknown', '3 events/order LGC12'],
    ],
    [
      'not where that is another event than what is missing',
      [
        [A, '1', '030'],
        [A, '1', '031'],
        [A, '1', '032'],
        [A, '1', '032'],
      ],
      ['3 document/required', '5 events/already-done'],
    ],
    [
      'what else is missing is said',
      [
        [SHORT, '1', '030'],
        [A, '1', '033'],
      ],
      ['2 document/format-cufe', '3 events/order LGC13'],
    ],
  ])('%s', async (_name, rows, expected) => expect(await wrong(rows)).toEqual(expected));
});
