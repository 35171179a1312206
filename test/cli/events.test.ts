import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Options } from '../../src/cli/options.js';
import type { EventCode } from '../../src/families/events/sequence.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { openInput } from '../../src/toolkit/tables/open.js';
import { byCufe, outcome, sendEvent } from '../sandbox/events/requests.js';
import { type Fake, fake, NOW } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { approve, check, events, explain, inspect, reception, resume, send } from './use-cases.js';

const BUYER = '900555321'; // of the sample files
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ companies: [{ nit: BUYER }] });
  sandbox.controls.setClock(NOW);
});
afterAll(() => sandbox.close());

let folder: string;
let options: Options;
let turn = 0;
beforeEach(() => {
  turn += 1;
  folder = freshFolder();
  sandbox.controls.clearRequests();
  options = { mapping: 'events/list', yes: true, json: true, report: join(folder, 'report.xlsx') };
});

const here = (): Fake => fake({ url: sandbox.url, token: sandbox.token, workspace: join(folder, 'ws') });
const cufeOf = (name: string): string => createHash('sha384').update(`${turn} ${name}`).digest('hex');

type RowOf = readonly [invoice: string, event: string, reason?: string];
const list = (...rows: readonly RowOf[]): string => {
  const file = join(folder, 'eventos.csv');
  const lines = rows.map(([invoice, event, reason = '']) =>
    [cufeOf(invoice), invoice, event, reason, '1020', 'Ana', 'Ruiz', 'Compras', 'Jefe', 'Crédito'].join(';'),
  );
  const header =
    'CUFE;Factura;Evento;Motivo;Cédula recibe;Nombres recibe;Apellidos recibe;Área;Cargo;Forma de pago';
  writeFileSync(file, [header, ...lines].join('\n'));
  return file;
};

const sent = (operation = 'sendEventData'): number =>
  sandbox.controls.requests({ operation: operation as never }).count;
const registered = (name: string): string[] => sandbox.controls.events(cufeOf(name)).map(({ code }) => code);
const outcomes = (call: Fake) =>
  call
    .events()
    .flatMap(({ event, name, state, issues }) =>
      event === 'outcome' ? [[name, state, ...(issues as string[])].join(' ')] : [],
    );
const issues = (call: Fake) =>
  call.events().flatMap(({ event, code, row }) => (event === 'issue' ? [`${row} ${code}`] : []));

const WAY: readonly RowOf[] = [
  ['F1', '030'],
  ['F2', '030'],
  ['F1', '032'],
  ['F1', '033'],
];

test('a held list goes as it was laid out, though its file is another by then', async () => {
  const call = here();
  const file = list(...WAY);
  expect(await send(call.context, [file], { ...options, hold: true })).toBe(0);
  const run = String(call.events().at(-1)!['run']);
  list(['F3', '030']);
  expect(await approve(here().context, [run], { yes: true, as: 'Ana' })).toBe(0);
  expect(await send(here().context, [run], options)).toBe(0);
  expect([registered('F1'), registered('F2'), registered('F3')]).toEqual([
    ['030', '032', '033'],
    ['030'],
    [],
  ]);
});

test('an event whose answers were lost is settled by a person, by its invoice or its position', async () => {
  const operations = ['sendEventData', 'getInvoiceEvents'];
  const file = list(['F1', '030'], ['F2', '030']);
  const faults = operations.map((operation) =>
    sandbox.controls.addFault({ kind: 'reset-after', match: { operation: operation as never }, times: 1000 }),
  );
  const call = here();
  expect(await send(call.context, [file], { ...options, concurrency: 1 })).toBe(4);
  for (const { id } of faults) sandbox.controls.remove('faults', id);
  const open = call.events().filter(({ event, state }) => event === 'outcome' && state === 'unknown');
  expect(open.length).toBeGreaterThan(0);
  const { sequence, key } = open[0]!;
  const words = [`#${sequence}=accepted:${'0c'.repeat(48)}`];
  const left = here();
  expect(await resume(left.context, [], { ...options, settle: words, as: 'Ana' })).toBe(0);
  const told = left.events().find((event) => event.event === 'outcome' && event['key'] === key);
  expect(told).toMatchObject({ state: 'accepted', documentCode: '0c'.repeat(48), settled: { by: 'Ana' } });
});

describe('a list', () => {
  test('is registered in order, with CUDE and consecutive; the same list again sends nothing', async () => {
    const call = here();
    expect(await send(call.context, [list(...WAY)], options)).toBe(0);
    expect(outcomes(call)).toEqual(['F1 accepted', 'F2 accepted', 'F1 accepted', 'F1 accepted']);
    expect(registered('F1')).toEqual(['030', '032', '033']);
    const told = call.events().filter(({ event }) => event === 'outcome');
    const [listed] = sandbox.controls.events(cufeOf('F2'));
    expect(told[1]).toMatchObject({ documentCode: listed!.cude, number: listed!.number });

    const again = here();
    expect(await send(again.context, [list(...WAY)], options)).toBe(0);
    expect(sent()).toBe(4);
    expect(again.events().filter(({ earlier }) => earlier === true)).toHaveLength(4);
  });

  test('goes on where others have been', async () => {
    sandbox.controls.addEvent({ cufe: cufeOf('F1'), code: '030', company: BUYER });
    sandbox.controls.addEvent({ cufe: cufeOf('F2'), code: '030', company: BUYER });
    const call = here();
    expect(await send(call.context, [list(['F1', '030'], ['F1', '032'])], options)).toBe(0);
    expect(issues(call)).toEqual(['2 events/already-done']);
    expect(registered('F1')).toEqual(['030', '032']);
    const { context, shown } = here();
    expect(await explain(context, ['90'], options)).toBe(0);
    expect(shown.out().map((line) => JSON.parse(line)['code'])).toEqual([
      'events/already-done',
      'authority/90',
      'send/number-taken',
      'send/landed-unconfirmed',
    ]);

    const nothing = here();
    expect(await send(nothing.context, [list(['F2', '030'])], options)).toBe(0);
    expect(issues(nothing)).toEqual(['2 events/already-done']);
    expect(sent()).toBe(1);
  });

  test('goes on after what the parameters say', async () => {
    const params = join(folder, 'params.json');
    const earlier = ['030', 3].map((event) => ({ cufe: cufeOf('F1'), event, date: '2026-11-20' }));
    writeFileSync(params, JSON.stringify({ already_registered: earlier }));
    const call = here();
    const wishes = { ...options, params, dryRun: true };
    expect(await send(call.context, [list(['F1', '030'], ['F1', '033'])], wishes)).toBe(0);
    expect(issues(call)).toEqual(['2 events/already-done']);
    expect(call.events().at(-1)).toMatchObject({ documents: { planned: 1, made: 1 } });
  });

  test('with missing steps put in, and only then', async () => {
    const refused = here();
    expect(await send(refused.context, [list(['F1', '033'])], options)).toBe(1);
    expect(issues(refused)).toEqual(['2 events/order']);
    const call = here();
    expect(await send(call.context, [list(['F1', '033'])], { ...options, expand: true })).toBe(0);
    const acts = call.events().filter(({ event }) => event === 'irreversible');
    expect(acts).toEqual([
      { event: 'irreversible', act: '033 Aceptación expresa', count: 1, names: ['F1 033'] },
    ]);
    expect(registered('F1')).toEqual(['030', '032', '033']);
  });
});

describe('before the yes a person reads of which invoice it is', () => {
  const asked = (): Fake =>
    fake({ url: sandbox.url, token: sandbox.token, workspace: join(folder, 'ws'), answers: [] });
  const lines = (call: Fake) =>
    call.shown.said().filter((line) => line.startsWith('    ') || /deshacer/.test(line));
  const wide = (many: number): string => {
    const file = join(folder, 'reclamos.csv');
    const rows = Array.from({ length: many }, (_, at) =>
      [cufeOf(`W${at}`), `W${at}`, '033', 'Papeles S.A.S.', '1190000,50'].join(';'),
    );
    writeFileSync(file, ['CUFE;Factura;Evento;Vendedor;Total', ...rows].join('\n'));
    return file;
  };
  const PERSON = {
    issuer_party_identification_number: '1020',
    issuer_party_first_name: 'Ana',
    issuer_party_last_name: 'Ruiz',
    issuer_party_organization_department: 'Compras',
    issuer_party_job_title: 'Jefe',
  };
  const param = Object.entries(PERSON).map(([name, value]) => `${name}=${value}`);

  test.each([
    [1, 0],
    [20, 0],
    [23, 3],
  ])('of %i acceptances with seller and total', async (many, more) => {
    const call = asked();
    await send(call.context, [wide(many)], { ...options, json: false, yes: false, expand: true, param });
    const [head, first, ...others] = lines(call);
    expect(head).toContain(`No se puede deshacer: 033 Aceptación expresa (${many}):`);
    expect(first).toBe('    W0 · 033 Aceptación expresa · Papeles S.A.S. · 1.190.000,50');
    expect(others.length).toBe(Math.min(many, 20) - 1 + (more > 0 ? 1 : 0));
    expect(others.at(-1)?.includes(`y ${more} más`) ?? false).toBe(more > 0);
    expect(sent()).toBe(0);
  });

  test('as an earlier answer tells it, where the list does not', async () => {
    expect(await send(here().context, [list(['F1', '030'], ['F1', '032'])], options)).toBe(0);
    const call = asked();
    await send(call.context, [list(['F1', '033'])], { ...options, json: false, yes: false });
    expect(lines(call)[1]).toMatch(/^ {4}F1 · .+ · .*\d,\d\d$/);
  });

  test('where it was held back for who approves, too', async () => {
    const call = here();
    await send(call.context, [wide(1)], { ...options, hold: true, expand: true, param });
    const asking = asked();
    await approve(asking.context, [String(call.events().at(-1)!['run'])], { as: 'Ana' });
    const shown = lines(asking);
    expect(shown.some((line) => line.includes('033 Aceptación expresa (1):'))).toBe(true);
    const whom = /^ {4}W0 · (\d+) .+ · Papeles S\.A\.S\. · 1\.190\.000,50$/;
    expect(shown.flatMap((line) => whom.exec(line)?.[1] ?? [])).toEqual(['030', '032', '033']);
  });

  test('of what the service is to read, by its file', async () => {
    const call = asked();
    const wishes = { yes: false, param: [`company_idnumber=${BUYER}`] };
    await reception(call.context, ['samples/events/adjuntos.zip'], wishes);
    expect(lines(call)[0]).toMatch(/^ {4}\S+ · .+ · .*\d,\d\d$/);
  });
});

describe('beyond this machine', () => {
  const there = (answers: readonly boolean[]): Fake =>
    fake({ url: 'https://servicio.invalid', token: 'T', workspace: join(folder, 'ws'), answers });

  test('a person is asked before DIAN is, and before anything is sent', async () => {
    const call = there([false, false]);
    expect(await send(call.context, [list(['F1', '030'])], { ...options, yes: false })).toBe(0);
    expect(call.asked[0]).toContain('servicio.invalid');
    expect(call.asked).toHaveLength(2);
  });

  test('without sending nobody is asked', async () => {
    const call = there([]);
    expect(await send(call.context, [list(['F1', '030'])], { ...options, yes: false, dryRun: true })).toBe(0);
    expect(call.asked).toEqual([]);
  });
});

describe('an answer that is lost', () => {
  test.each([
    ['reset-after', 1],
    ['bare-string', 1],
    ['truncated-json', 1],
    ['500', 2],
    ['502-html', 2],
  ] as const)('%s: the list of DIAN is asked, and it was sent %i times', async (kind, times) => {
    const key = `${cufeOf('F1')}-030`;
    sandbox.controls.addFault({ kind, match: { operation: 'sendEventData', key }, times: 1 });
    const call = here();
    const code = await send(call.context, [list(['F1', '030'], ['F1', '032'])], options);
    if (code === 4) expect(await resume(call.context, [], options)).toBe(0);
    else expect(code).toBe(0);
    expect(registered('F1')).toEqual(['030', '032']);
    expect(sandbox.controls.requests({ operation: 'sendEventData', key }).count).toBe(times);
  });

  test('what follows waits until it is known', async () => {
    sandbox.controls.addOutcome({
      verdict: 'reject',
      rules: ['LGC62'],
      match: { key: `${cufeOf('F1')}-030` },
      times: 1,
    });
    const call = here();
    expect(await send(call.context, [list(['F1', '030'], ['F1', '032'], ['F2', '030'])], options)).toBe(1);
    expect(outcomes(call)).toEqual([
      'F1 rejected remote/rejected',
      'F1 held-back send/predecessor-not-accepted',
      'F2 accepted',
    ]);
    expect(sent()).toBe(2);
  });

  test('registered by others between question and request: done, with a remark', async () => {
    const cufe = cufeOf('F1');
    const others = fake({
      url: sandbox.url,
      token: sandbox.token,
      workspace: join(folder, 'ws'),
      answers: [true],
      onSay: () => {
        if (registered('F1').length === 0) sandbox.controls.addEvent({ cufe, code: '030', company: BUYER });
      },
    });
    expect(await send(others.context, [list(['F1', '030'])], options)).toBe(0);
    expect(outcomes(others)).toEqual(['F1 accepted events/found-registered']);
    expect(registered('F1')).toEqual(['030']);
  });
});

describe('AttachedDocument files', () => {
  const params = ['event_id=1', `company_idnumber=${BUYER}`];
  test.each([
    ['with the file', {}, 'sendEvent'],
    ['by CUFE', { byCufe: true }, 'sendEventData'],
  ] as const)('%s; the damaged one is held back', async (_name, more, operation) => {
    const call = here();
    const wishes = { ...options, ...more, mapping: 'events/attached', param: params, partial: true };
    expect(await send(call.context, ['samples/events/adjuntos.zip'], wishes)).toBe(1);
    const files = call
      .events()
      .flatMap(({ event, code, file }) => (event === 'issue' && code === 'xml/malformed' ? [file] : []));
    expect(files).toEqual(['ad08600990010002600000004.xml']);
    expect(sent(operation) + call.events().filter(({ code }) => code === 'events/already-done').length).toBe(
      5,
    );
  });
});

describe('all orders of up to three events', () => {
  const CODES: readonly EventCode[] = ['030', '031', '032', '033', '034'];
  const upTo = (length: number): EventCode[][] =>
    length === 0 ? [[]] : [[], ...upTo(length - 1).flatMap((rest) => CODES.map((code) => [...rest, code]))];
  const ORDERS = upTo(3).filter((order) => order.length > 0);
  const BY_NEEDS: readonly EventCode[] = ['030', '032', '031', '033', '034'];
  /** Rules of DIAN about events that are missing. */
  const LACKS = new Set(['LGC03', 'LGC09', 'LGC12', 'LGC13', 'LGC14']);

  test('allowed ones are accepted, the others are refused with the code of DIAN before anything leaves, or wait for one that was', async () => {
    expect(ORDERS).toHaveLength(155);
    const name = (order: readonly EventCode[]): string => order.join('-');
    const rows = ORDERS.flatMap((order) =>
      order.map((code): RowOf => [name(order), code, code === '031' ? '1' : '']),
    );
    const call = here();
    const wishes = { ...options, partial: true, param: ['sender=vendedor'] };
    expect(await send(call.context, [list(...rows)], wishes)).toBe(1);
    const rules = new Map(
      call.events().flatMap(({ event, code, row, message }) => {
        if (code === 'events/waits') return [[row, code] as const];
        const [rule] = /LGC\d+/.exec(String(message)) ?? [];
        return event === 'issue' && rule !== undefined ? [[row, rule] as const] : [];
      }),
    );
    expect(outcomes(call).every((line) => line.endsWith(' accepted'))).toBe(true);
    let before = 1;
    for (const order of ORDERS) {
      const first = before + 1;
      const offline = order.map((_, at) => rules.get(first + at) ?? 'accepted');
      before += order.length;
      const direct: string[] = [];
      const ask = async (at: number): Promise<void> => {
        const code = order[at]!;
        const more = { resend_consecutive: true, ...(code === '031' && { type_rejection_id: 1 }) };
        direct[at] = outcome(await sendEvent(sandbox, byCufe(code, cufeOf(`direct ${name(order)}`), more)));
        if (direct[at] !== 'accepted') return;
        // What an event needs may stand further below in a list: it is sent again after each that is accepted.
        for (const earlier of order.keys()) if (LACKS.has(direct[earlier]!)) await ask(earlier);
      };
      for (const at of order.keys()) await ask(at);
      // A resend may draw a digit that was drawn before, which DIAN knows as rule 90.
      const told = direct.map((rule) => (rule === '90' ? 'LGC01' : rule));
      for (const [at, word] of offline.entries()) {
        if (word !== 'events/waits') expect([order, at, word]).toEqual([order, at, told[at]]);
        else expect([order, at, told[at]]).not.toEqual([order, at, 'accepted']);
        if (word === 'events/waits')
          expect(told.some((one, other) => other !== at && one !== 'accepted')).toBe(true);
      }
      const accepted = order.filter((_, at) => offline[at] === 'accepted');
      expect(registered(name(order))).toEqual(BY_NEEDS.filter((code) => accepted.includes(code)));
    }
  });
});

test.each([
  [
    'what the journal has is not missing',
    '033',
    [
      ['F1', '030'],
      ['F1', '032'],
    ],
    [],
  ],
  ['what it lacks is', '033', [['F1', '030']], ['2 events/order']],
  ['of a company without a journal too', '031', [], ['2 events/order']],
] as const)('a check of the next day: %s', async (_, event, before, found) => {
  if (before.length > 0) expect(await send(here().context, [list(...before)], options)).toBe(0);
  sandbox.controls.clearRequests();
  const call = here();
  const { mapping, json } = options;
  const file = list(['F1', event, event === '031' ? '1' : '']);
  expect(await check(call.context, [file], { mapping, json })).toBe(Math.sign(found.length));
  expect(issues(call)).toEqual(found);
  expect(sandbox.controls.requests({}).count).toBe(0);
});

describe('the worklist', () => {
  test('names who sold what, where answers of earlier events told it', async () => {
    sandbox.controls.addInvoice({ cufe: cufeOf('F1'), number: 'FE77', seller: '800999888', buyer: BUYER });
    expect(await send(here().context, [list(['F1', '030'])], options)).toBe(0);
    const call = here();
    const file = list(['F1', '032'], ['F2', '032']);
    expect(await events(call.context, [file], { ...options, worklist: join(folder, 'lista.xlsx') })).toBe(0);
    const lines = call.events().filter(({ event: what }) => what === 'invoice');
    expect(lines.map(({ invoice, sellerId, total }) => [invoice, sellerId, total])).toEqual([
      ['F1', '800999888', expect.stringMatching(/^\d/)],
      ['F2', null, null],
    ]);
  });

  test.each([
    ['dian', {}],
    ['page', { ask: 'page' }],
  ] as const)('says what is next for each invoice, by %s', async (_name, more) => {
    const before: readonly (readonly [string, EventCode])[] = [
      ['F2', '030'],
      ['F3', '030'],
      ['F3', '032'],
      ['F4', '030'],
      ['F4', '032'],
      ['F4', '031'],
    ];
    for (const [name, code] of before)
      sandbox.controls.addEvent({ cufe: cufeOf(name), code, company: BUYER });
    const rows = ['F1', 'F2', 'F3', 'F4'].map((name): RowOf => [name, '033']);
    const call = here();
    const output = join(folder, 'pendientes.xlsx');
    const ics = join(folder, `plazos ${_name}.ics`);
    expect(await events(call.context, [list(...rows)], { ...options, ...more, worklist: output, ics })).toBe(
      0,
    );
    expect(readFileSync(ics, 'utf8')).toContain('DTSTART;VALUE=DATE:20261125\r\n');
    if (process.platform !== 'win32') expect(statSync(ics).mode & 0o777).toBe(0o600);
    const lines = call.events().filter(({ event }) => event === 'invoice');
    expect(lines.map(({ invoice, state, next, deadline }) => [invoice, state, next, deadline])).toEqual([
      ['F1', 'none', ['030'], null],
      ['F2', 'acknowledged', ['032'], null],
      ['F3', 'received', ['031', '033'], '2026-11-25'],
      ['F4', 'claimed', [], null],
    ]);
    expect(sent()).toBe(0);
    const book = await openInput(output);
    const found: string[] = [];
    for await (const batch of book.tables[0]!.batches())
      for (const { texts } of batch) found.push([texts[0], texts[4], texts[6]].join('|'));
    await book.close();
    expect(found.slice(1)).toEqual([
      'F1|Sin eventos|',
      'F2|Con acuse de recibo|',
      'F3|Bien o servicio recibido|2026-11-25',
      'F4|Reclamada|',
    ]);
  });

  test.each(['own', 'own-number'] as const)('of own invoices, by %s', async (ask) => {
    const [cufe, number] = [cufeOf('own'), `FV${turn}`];
    sandbox.controls.addInvoice({ cufe, number, seller: BUYER, buyer: '800999888' });
    sandbox.controls.addEvent({ cufe, code: '030', company: '800999888' });
    const file = list(['own', '033']);
    writeFileSync(file, readFileSync(file, 'utf8').replace(';own;', `;${number};`));
    const call = here();
    expect(await events(call.context, [file], { ...options, ask, worklist: join(folder, 'own.xlsx') })).toBe(
      0,
    );
    const [line] = call.events().filter(({ event }) => event === 'invoice');
    expect(line).toMatchObject({ invoice: number, state: 'acknowledged', events: [{ code: '030' }] });
  });
});

describe('reception', () => {
  test('hands on what the service read, and says which file it could not', async () => {
    const call = here();
    const { mapping: _, ...rest } = options;
    const output = join(folder, 'recibidas.jsonl');
    const wishes = { ...rest, param: [`company_idnumber=${BUYER}`], partial: true, output };
    expect(await reception(call.context, ['samples/events/adjuntos.zip'], wishes)).toBe(1);
    const read = call.events().filter(({ event }) => event === 'reception');
    const records = readFileSync(output, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(read.map(({ data }) => data)).toEqual(records);
    expect(records.map(({ prefix, number }) => [prefix, number])).toContainEqual(['FE', 'FE2301']);
    expect(records).toHaveLength(5);
    expect(issues(call)).toEqual(['null xml/malformed']);
  });
});

test('events: the list is sent after what DIAN has; another document is refused', async () => {
  const call = here();
  expect(await events(call.context, [list(...WAY)], options)).toBe(0);
  expect(registered('F1')).toEqual(['030', '032', '033']);
  await expect(
    events(here().context, ['samples/payroll/nomina-octubre-2026.xlsx'], {
      ...options,
      mapping: 'payroll/wide',
      params: 'samples/payroll/params.json',
    }),
  ).rejects.toMatchObject({ issues: [{ code: 'events/not-events' }] });
});

test('events: a list of the office is read as it was answered before', async () => {
  const own = list(['P1', '030']);
  const [head, ...rows] = readFileSync(own, 'utf8').split('\n');
  writeFileSync(own, [`${head};Archivado en`, ...rows.map((row) => `${row};A-Z`)].join('\n'));
  const answer = ['Archivado en=ignore'];
  await inspect(here().context, [own], { write: join(folder, 'propia.yaml'), answer });
  const { mapping: _, ...wishes } = options;
  expect(await events(here().context, [own], wishes)).toBe(0);
  expect(registered('P1')).toEqual(['030']);
});

test('of a list with its documents, the copy and the rows to mend are of the list', async () => {
  const sample = (name: string): string => join('samples/events/lista-y-zip', name);
  const wishes = { annotate: join(folder, 'copia.xlsx'), failed: join(folder, 'corregir.xlsx') };
  const files = [sample('lista.xlsx'), sample('recibidas.zip')];
  const reading = { mapping: sample('mapeo.yaml'), params: sample('params.json') };
  expect(await check(here().context, files, { ...reading, ...wishes })).toBe(1);
  for (const file of Object.values(wishes)) {
    const { tables, close } = await openInput(file);
    expect(tables.map(({ sheet }) => sheet)).toContain('Eventos');
    await close();
  }
});

describe('without a mapping', () => {
  test.each([
    ['a list', ['samples/events/eventos-facturas-recibidas.csv'], [], { read: 30, used: 24 }],
    ['a zip of documents', ['samples/events/adjuntos.zip'], ['event_id=1'], { read: 6, used: 5 }],
    ['a folder of documents', ['samples/events/adjuntos'], ['event_id=1'], { read: 6, used: 5 }],
    [
      'a zip and a folder: an event that comes twice is done once',
      ['samples/events/adjuntos.zip', 'samples/events/adjuntos'],
      ['event_id=1'],
      { read: 12, used: 5, skipped: 5, heldBack: 2 },
    ],
  ])('%s is read as what it is', async (_name, files, param, records) => {
    const call = here();
    expect(await check(call.context, files, { param, json: true })).toBe(1);
    expect(call.events().at(-1)).toMatchObject({ records });
  });

  test('an acceptance is not registered on all documents at once', async () => {
    const call = here();
    expect(
      await check(call.context, ['samples/events/adjuntos.zip'], { param: ['event_id=4'], json: true }),
    ).toBe(1);
    expect(new Set(issues(call))).toEqual(new Set(['null check/failed', 'null xml/malformed']));
  });

  test('no annotated copy is made of documents', async () => {
    const wishes = { param: ['event_id=1'], annotate: join(folder, 'copia.xlsx') };
    await expect(check(here().context, ['samples/events/adjuntos.zip'], wishes)).rejects.toMatchObject({
      issues: [{ code: 'run/annotate-no-table' }],
    });
  });
});
