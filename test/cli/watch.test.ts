import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type TestContext, test } from 'vitest';
import type { UploadState } from '../../src/app/upload-store.js';
import { UploadReader } from '../../src/page/server/upload-reader.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import { type Event, freshFolder, runCli, startCli } from './run-cli.js';
import { columnOf, PARAMS, SAMPLE, sampleCsv } from './sample.js';

/** A busy machine starts programs late. */
const WAIT = { timeout: 100_000 };
const LONG = { timeout: 240_000 };

/** Buyer of the sample invoices. */
const NIT = '900555321';
const INVOICE = packageFile('samples', 'events', 'adjuntos', 'ad08600990010002600000001.xml');

/** An office with an empty inbox, whose payroll of this month was checked once. */
async function openOffice() {
  const folder = freshFolder();
  const inbox = join(folder, 'buzón');
  const web = join(folder, 'workspace', 'web');
  mkdirSync(inbox);
  await runCli(['check', SAMPLE, '--params', PARAMS, '--company', NIT], { folder });
  const list = (path: string): readonly string[] => (existsSync(path) ? readdirSync(path).sort() : []);
  return {
    folder,
    inbox,
    list,
    watch: (...more: readonly string[]) =>
      runCli(['watch', inbox, '--once', '--json', '--company', NIT, ...more], { folder }),
    start: () => startCli(['watch', inbox, '--json', '--company', NIT], { folder }),
    /** Uploads for the page, with their names and what was found in them. */
    uploads: () =>
      list(join(web, 'closed')).map((id) => {
        const path = join(web, 'closed', id);
        const state = JSON.parse(readFileSync(join(path, 'upload.json'), 'utf8')) as UploadState;
        return { path, name: state.files[0] ?? '', state };
      }),
    /** Folders of processes, which a closed one removes. */
    left: () => list(web).filter((name) => name !== 'closed' && list(join(web, name, 'inbox')).length > 0),
  };
}

/** A profile of the office with a service of its own. */
async function openProfile(folder: string, inbox: string, onTestFinished: TestContext['onTestFinished']) {
  const box = await startSandbox({ companies: [{ nit: NIT, token: 'x' }] });
  onTestFinished(() => box.close());
  const call = { folder, env: { CARGUE_TOKEN: 'x' } };
  const add = ['profile', 'add', 'andina', '--url', box.url, '--environment', 'test', '--company', NIT];
  expect((await runCli([...add, '--yes'], call)).code).toBe(0);
  return {
    box,
    call,
    async sendReceipts(): Promise<void> {
      const change = ['profile', 'change', 'andina', '--inbox', inbox, '--inbox-send', '030'];
      expect((await runCli(change, call)).code).toBe(0);
    },
  };
}

const statesIn = (events: readonly Event[]) =>
  Object.fromEntries(events.filter(({ event }) => event === 'inbox').map(({ file, state }) => [file, state]));

/** The sample without the salary of its first worker. */
const withError = (): Promise<string> =>
  sampleCsv((grid) => {
    grid[1]![columnOf(grid, 'Sueldo mensual')] = 'mil';
  });

test.concurrent(
  'each file is read, laid out for the page and moved; what is no table gets a note beside it',
  LONG,
  async () => {
    const { folder, inbox, list, watch, uploads } = await openOffice();
    copyFileSync(SAMPLE, join(inbox, 'nomina.xlsx'));
    copyFileSync(await withError(), join(inbox, 'con error.csv'));
    copyFileSync(INVOICE, join(inbox, 'factura.xml'));
    copyFileSync(packageFile('samples', 'events', 'adjuntos.zip'), join(inbox, 'facturas.zip'));
    writeFileSync(join(inbox, 'otra.csv'), 'uno;dos\n1;2\n');
    writeFileSync(join(inbox, 'contrato.pdf'), '%PDF-1.4 …');
    copyFileSync(SAMPLE, join(inbox, 'nomina (copia).xlsx'));
    const passedOver = ['.oculto.xlsx', 'nube.crdownload', '~$nomina.xlsx', 'a medias.xlsx.part'];
    for (const name of passedOver) writeFileSync(join(inbox, name), 'x');
    copyFileSync(SAMPLE, join(folder, 'fuera.xlsx'));
    symlinkSync(join(folder, 'fuera.xlsx'), join(inbox, 'enlace.xlsx'));
    mkdirSync(join(inbox, 'recibidos'));
    writeFileSync(join(inbox, 'recibidos', 'nomina.xlsx'), 'la de octubre');

    const { code, events } = await watch();
    expect(statesIn(events)).toEqual({
      'con error.csv': 'errors',
      'contrato.pdf': 'problem',
      'factura.xml': 'ready',
      'facturas.zip': 'errors',
      'nomina (copia).xlsx': 'ready',
      'nomina.xlsx': 'known',
      'otra.csv': 'doubts',
    });
    expect(code).toBe(1);
    expect(list(join(inbox, 'recibidos'))).toEqual([
      'con error.csv',
      'factura.xml',
      'facturas.zip',
      'nomina (2).xlsx',
      'nomina (copia).xlsx',
      'nomina.xlsx',
      'otra.csv',
    ]);
    expect(readFileSync(join(inbox, 'recibidos', 'nomina.xlsx'), 'utf8')).toBe('la de octubre');
    expect(list(join(inbox, 'con-problemas'))).toEqual(['contrato.pdf', 'contrato.pdf - problema.txt']);
    const note = readFileSync(join(inbox, 'con-problemas', 'contrato.pdf - problema.txt'), 'utf8');
    expect(note).toMatch(/^contrato\.pdf\n\nEl contenido del archivo es PDF\.\nEntregue un libro de Excel/);
    expect(note).not.toMatch(/cargue |--/);
    expect(list(inbox)).toEqual([...passedOver, 'con-problemas', 'enlace.xlsx', 'recibidos'].sort());

    const laidOut = uploads();
    expect(laidOut.map(({ name }) => name).sort()).toEqual([
      'con error.csv',
      'factura.xml',
      'facturas.zip',
      'nomina (copia).xlsx',
      'otra.csv',
    ]);
    const invoice = laidOut.find(({ name }) => name === 'factura.xml')!;
    // The receipt is proposed, and nothing was sent.
    expect(JSON.parse(readFileSync(join(invoice.path, 'params.json'), 'utf8'))).toEqual({ event_id: 1 });
    expect(invoice.state).toMatchObject({ sent: [], fixed: { company: NIT } });
    if (process.platform !== 'win32')
      for (const { path, name } of laidOut) expect(statSync(join(path, 'in', name)).mode & 0o077).toBe(0);
  },
);

/** Follows a watch until its end; `taken` returns what was taken so far. */
function follow(child: ReturnType<typeof startCli>, { onTestFinished }: TestContext) {
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    taken: () =>
      stdout
        .split('\n')
        .filter((line) => line.startsWith('{"event":"inbox"'))
        .map((line) => JSON.parse(line) as Event)
        .map(({ file, state }) => `${file}: ${state}`),
  };
}

test.concurrent(
  'a file that is still written is left alone, and one that is written again is taken again',
  LONG,
  async (context) => {
    const { inbox, start, uploads, list } = await openOffice();
    const child = start();
    const { taken } = follow(child, context);
    const content = readFileSync(SAMPLE);
    const path = join(inbox, 'nomina.xlsx');
    writeFileSync(path, content.subarray(0, 4_000));
    const table = Buffer.from('uno;dos\n1;2\n');
    writeFileSync(join(inbox, 'lista.csv'), Buffer.concat([table.subarray(0, 4), Buffer.alloc(8)]));
    writeFileSync(join(inbox, 'factura.xml'), readFileSync(INVOICE).subarray(0, 3_000));
    await sleep(5_000); // longer than a written file is left alone
    expect(taken()).toEqual([]);
    rmSync(join(inbox, 'factura.xml'));
    writeFileSync(join(inbox, 'lista.csv'), table);
    appendFileSync(path, content.subarray(4_000));
    for (const state of ['lista.csv: doubts', 'nomina.xlsx: ready'])
      await context.expect.poll(taken, WAIT).toContain(state);
    copyFileSync(await withError(), path);
    await context.expect.poll(taken, WAIT).toContain('nomina.xlsx: errors');
    expect(uploads()).toHaveLength(3);
    expect(list(join(inbox, 'recibidos'))).toEqual(['lista.csv', 'nomina (2).xlsx', 'nomina.xlsx']);
    const ended = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
  },
);

test
  .runIf(process.platform !== 'win32')
  .concurrent(
    'a program killed between the upload and the move makes no second upload of a file',
    LONG,
    async (context) => {
      const { inbox, start, watch, uploads, left, list, folder } = await openOffice();
      copyFileSync(SAMPLE, join(inbox, 'nomina.xlsx'));
      // Nothing is moved there: it leads elsewhere.
      mkdirSync(join(folder, 'fuera'));
      symlinkSync(join(folder, 'fuera'), join(inbox, 'recibidos'));
      const child = start();
      follow(child, context);
      await context.expect.poll(() => uploads().length, WAIT).toBe(1);
      child.kill('SIGKILL');
      await new Promise((resolve) => child.on('exit', resolve));
      expect(list(inbox)).toContain('nomina.xlsx');
      expect(list(join(folder, 'fuera'))).toEqual([]);
      rmSync(join(inbox, 'recibidos'));
      const { code, events } = await watch();
      expect(statesIn(events)).toEqual({ 'nomina.xlsx': 'known' });
      expect(code).toBe(0);
      expect(uploads()).toHaveLength(1);
      expect(left()).toEqual([]);
    },
  );

test.concurrent(
  'a program killed while it reads leaves the file, and its half upload is removed',
  LONG,
  async (context) => {
    const { inbox, start, watch, uploads, left } = await openOffice();
    copyFileSync(SAMPLE, join(inbox, 'nomina.xlsx'));
    const child = start();
    follow(child, context);
    await context.expect.poll(left, { ...WAIT, interval: 5 }).toHaveLength(1);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.on('exit', resolve));
    if (uploads().length === 0) expect(existsSync(join(inbox, 'nomina.xlsx'))).toBe(true);
    await watch();
    expect(uploads()).toHaveLength(1);
    expect(left()).toEqual([]);
    expect(existsSync(join(inbox, 'nomina.xlsx'))).toBe(false);
  },
);

test.concurrent('a folder that does not exist is refused', LONG, async () => {
  const { code, events, stderr } = await runCli(['watch', 'nada', '--once', '--json']);
  expect([code, [...events.map((event) => event.code)], stderr]).toEqual([
    2,
    ['inbox/no-folder'],
    expect.anything(),
  ]);
});

test.concurrent(
  'the receipt of an invoice is sent only where the profile of the company names it',
  LONG,
  async ({ onTestFinished }) => {
    const { folder, inbox, uploads } = await openOffice();
    const { box, call, sendReceipts } = await openProfile(folder, inbox, onTestFinished);
    const take = async (sample: string) => {
      copyFileSync(packageFile('samples', 'events', 'adjuntos', sample), join(inbox, 'factura.xml'));
      const { events } = await runCli(['watch', inbox, '--once', '--json', '--profile', 'andina'], call);
      return events.filter(({ event }) => event === 'inbox');
    };
    const registered = (): number => box.controls.requests({ operation: 'sendEvent' }).count;
    expect(await take('ad08600990010002600000001.xml')).toEqual([
      expect.objectContaining({ state: 'ready', run: null }),
    ]);
    expect(registered()).toBe(0);
    await sendReceipts();
    const [taken] = await take('ad08300990020002600000002.xml');
    expect(taken).toMatchObject({ state: 'ready', run: expect.stringMatching(/^\d{4}-\d\d-\d\d-1$/) });
    expect(registered()).toBe(1);
    expect(
      uploads()
        .map(({ state }) => state.sent.length)
        .sort(),
    ).toEqual([0, 1]);
  },
);

test.concurrent(
  'what an accepted event makes possible is laid out for a person, who sends it or decides',
  LONG,
  async ({ onTestFinished }) => {
    const { folder, inbox, uploads } = await openOffice();
    const { box, call, sendReceipts } = await openProfile(folder, inbox, onTestFinished);
    await sendReceipts();
    const look = async () => {
      const { events } = await runCli(['watch', inbox, '--once', '--json', '--profile', 'andina'], call);
      return events.flatMap(({ event, file, state, documents, errors }) =>
        event === 'inbox' ? [[file, state, documents, errors]] : [],
      );
    };
    const sent = (): number =>
      (['sendEvent', 'sendEventData'] as const).reduce(
        (sum, operation) => sum + box.controls.requests({ operation }).count,
        0,
      );
    copyFileSync(
      packageFile('samples', 'events', 'adjuntos', 'ad08600990010002600000001.xml'),
      join(inbox, 'f.xml'),
    );
    expect(await look()).toEqual([['f.xml', 'ready', 1, 0]]);
    expect(sent()).toBe(1);
    expect(await look()).toEqual([['recibo-032.csv', 'ready', 1, 0]]);
    expect(await look()).toEqual([]);
    expect(sent()).toBe(1);

    const receipt = uploads().find(({ name }) => name === 'recibo-032.csv')!;
    const list = join(receipt.path, 'in', receipt.name);
    const send = ['send', list, '-m', 'events/list', '--profile', 'andina', '--yes'];
    expect((await runCli(send, call)).code).toBe(0);
    expect(sent()).toBe(2);
    // Which of the two it is to be is for a person to say.
    expect(await look()).toEqual([['aceptar-o-reclamar.csv', 'errors', 0, expect.any(Number)]]);
    expect(await look()).toEqual([]);
    expect(sent()).toBe(2);
  },
);

test.concurrent(
  'the page sends it as well, but not where two people are needed',
  LONG,
  async ({ onTestFinished }) => {
    const { folder, inbox, uploads } = await openOffice();
    const box = await startSandbox({ companies: [{ nit: NIT, token: 'x' }] });
    onTestFinished(() => box.close());
    const workspace = join(folder, 'workspace');
    mkdirSync(join(workspace, 'profiles'));
    const inboxOf = `inbox: { folder: ${JSON.stringify(inbox)}, send: ["030"] }`;
    const lines = [`url: ${box.url}`, 'environment: test', `company: { nit: "${NIT}" }`, 'token: x', inboxOf];
    writeFileSync(join(workspace, 'profiles', 'andina.yaml'), lines.join('\n'), { mode: 0o600 });
    const context = { language: 'es', workspace, clockOffsetMs: 0 } as const;
    const take = async (sample: string, more: object): Promise<number> => {
      copyFileSync(packageFile('samples', 'events', 'adjuntos', sample), join(inbox, sample));
      const options = { profile: 'andina', once: true, ...more };
      await new UploadReader().watch({ context, files: [inbox], options }, () => undefined);
      return box.controls.requests({ operation: 'sendEvent' }).count;
    };
    expect(await take('ad08300990020002600000002.xml', { inboxSend: 'none' })).toBe(0);
    expect(await take('ad08600990010002600000001.xml', {})).toBe(1);
    expect(uploads().map(({ state }) => [state.profile, state.found?.state])).toEqual([
      ['andina', 'ready'],
      ['andina', 'ready'],
    ]);
  },
);

test.concurrent('a folder that goes away for a time is watched again', LONG, async (context) => {
  const { inbox, folder } = await openOffice();
  const child = startCli(['watch', inbox, '--company', NIT], { folder });
  context.onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  const take = (more: Buffer): void => {
    text += more.toString();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  await context.expect.poll(() => text, WAIT).toContain('Vigila la carpeta');
  renameSync(inbox, `${inbox} desconectado`);
  await context.expect.poll(() => text, WAIT).toContain('no se puede leer (no existe)');
  renameSync(`${inbox} desconectado`, inbox);
  await context.expect.poll(() => text, WAIT).toContain('responde de nuevo');
  copyFileSync(SAMPLE, join(inbox, 'nomina.xlsx'));
  await context.expect.poll(() => text, WAIT).toContain('nomina.xlsx: listo, con 25 documentos.');
  expect(text.match(/no se puede leer/g)).toHaveLength(1);
});
