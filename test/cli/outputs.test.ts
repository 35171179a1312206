import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { journalFile } from '../../src/app/journal-access.js';
import type { Options } from '../../src/cli/options.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import { type Fake, fake, NOW } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { PARAMS, SAMPLE, WIDE } from './sample.js';
import {
  journalBackup as backup,
  check,
  convert,
  events,
  journalExport as exportJournal,
  inspect,
  reception,
  report,
  send,
  template,
} from './use-cases.js';

const BUYER = '900555321';
const folder = freshFolder();
const at = (name: string): string => join(folder, name);
const GROUPS = resolve('samples/rips/grupos');
const ATTACHED = packageFile('samples', 'events', 'adjuntos', 'ad08300990020002600000002.xml');

let box: Sandbox;
const here = (): Fake => fake({ url: box.url, token: box.token, workspace: at('ws') });
const journal = async (): Promise<string> => await journalFile(here().context, {});

beforeAll(async () => {
  box = await startSandbox({ companies: [{ nit: BUYER }] });
  box.controls.setClock(NOW);
  const first = { ...WIDE, testSet: 'set-1', yes: true, json: true, report: at('first.xlsx') };
  await send(here().context, [SAMPLE], first);
  writeFileSync(
    at('facturas.csv'),
    `CUFE;Factura;Evento\n${createHash('sha384').update('FV1').digest('hex')};FV1;030\n`,
  );
}, 60_000);
afterAll(() => box.close());

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    return String(await work);
  } catch (error) {
    if (error instanceof PipelineError) return error.issues.map(({ code }) => code).join();
    throw error;
  }
};

type Make = (output: string, more?: Options) => Promise<unknown>;

/** What writes a file of each purpose, by the name that the call gives it. */
const KINDS: Readonly<Record<string, Make>> = {
  annotated: (annotate, more) => check(here().context, [SAMPLE], { ...WIDE, annotate, ...more }),
  documents: (output, more) => convert(here().context, [SAMPLE], { ...WIDE, output, ...more }),
  report: (output, more) => report(here().context, [], { output, ...more }),
  worklist: (worklist, more) =>
    events(here().context, [at('facturas.csv')], { mapping: 'events/list', worklist, ...more }),
  export: (output, more) => exportJournal(here().context, [], { output, ...more }),
};

/** These are not replaced by the next of their kind either: someone fills the one and keeps the other. */
const KEPT: Readonly<Record<string, Make>> = {
  template: (output, more) => template(here().context, ['payroll'], { output, ...more }),
  backup: (output, more) => backup(here().context, [output], { ...more }),
};

/** These are refused before anything is read or sent. */
const EARLY: Readonly<Record<string, Make>> = {
  'report of send': (name, more) =>
    send(here().context, [SAMPLE], { ...WIDE, testSet: 'set-1', yes: true, report: name, ...more }),
  reception: (output, more) =>
    reception(here().context, [ATTACHED], {
      param: [`company_idnumber=${BUYER}`],
      output,
      yes: true,
      ...more,
    }),
};

const FOREIGN = 'Somebody wrote this.\n';

describe('a file that cargue did not write', () => {
  test.each(Object.entries({ ...KINDS, ...KEPT, ...EARLY }))('%s: is left as it is', async (kind, make) => {
    const output = at(`foreign-${kind}.xlsx`);
    writeFileSync(output, FOREIGN);
    expect(await codeOf(make(output))).toBe('run/output-exists');
    expect(readFileSync(output, 'utf8')).toBe(FOREIGN);
  });

  test.each(Object.entries({ ...KINDS, ...KEPT }))('%s: is replaced by --force', async (kind, make) => {
    const output = at(`forced-${kind}.xlsx`);
    writeFileSync(output, FOREIGN);
    await make(output, { force: true });
    expect(readFileSync(output, 'utf8')).not.toBe(FOREIGN);
    expect(readdirSync(folder).filter((name) => name.startsWith(`forced-${kind} (`))).toEqual([]);
  });

  test('a national file is left as it is, and the others of the folder', async () => {
    const output = at('packages');
    mkdirSync(output);
    const file = join(output, 'RS-2026-10-0001.json');
    writeFileSync(file, FOREIGN);
    const call = {
      mapping: 'rips/excel-por-nodo',
      params: join(GROUPS, 'params.json'),
      as: 'rips-json',
      output,
    };
    expect(await codeOf(convert(here().context, [GROUPS], call))).toBe('run/output-exists');
    expect(readFileSync(file, 'utf8')).toBe(FOREIGN);
    await convert(here().context, [GROUPS], { ...call, force: true });
    expect(readdirSync(output)).toHaveLength(26);
    await convert(here().context, [GROUPS], call);
    expect(readdirSync(output)).toHaveLength(26);
  });

  test('what comes in between while it is written is kept: the new one takes a second name', async () => {
    const file = at('taken.xlsx');
    const put = { rename: async () => {}, mayReplace: async (name: string) => name !== file };
    const { putInPlace } = await import('../../src/report/put-in-place.js');
    writeFileSync(file, FOREIGN);
    const name = await putInPlace(file, async () => {}, put);
    expect(name).toBe(at('taken (2).xlsx'));
    expect(readFileSync(file, 'utf8')).toBe(FOREIGN);
  });
});

describe('a file of its own', () => {
  test.each(Object.entries(KINDS))('%s: is replaced, until someone changes it', async (kind, make) => {
    const output = at(`own-${kind}.xlsx`);
    await make(output);
    await make(output);
    expect(readdirSync(folder).filter((name) => name.startsWith(`own-${kind}`))).toEqual([
      `own-${kind}.xlsx`,
    ]);
    appendFileSync(output, 'a person went on\n');
    expect(await codeOf(make(output))).toBe('run/output-exists');
    expect(readFileSync(output, 'utf8')).toMatch(/a person went on\n$/);
  });

  test.each(Object.entries(KEPT))('%s: is not replaced', async (kind, make) => {
    const output = at(`kept-${kind}.xlsx`);
    await make(output);
    const before = readFileSync(output);
    expect(await codeOf(make(output))).toBe('run/output-exists');
    expect(readFileSync(output).equals(before)).toBe(true);
  });

  test('is not replaced by one for another purpose', async () => {
    const output = at('documents.xlsx');
    await KINDS['documents']!(output);
    for (const [kind, make] of Object.entries(KINDS))
      if (kind !== 'documents')
        expect([kind, await codeOf(make(output))]).toEqual([kind, 'run/output-exists']);
    expect(readFileSync(output, 'utf8').split('\n')).toHaveLength(26);
  });
});

/** What a wrong name is refused for. */
const NAMED: Readonly<Record<string, readonly [Make, string, string]>> = {
  annotated: [KINDS['annotated']!, 'revisado.csv', 'run/output-ending'],
  'failed rows': [
    (failed, more) => check(here().context, [SAMPLE], { ...WIDE, failed, ...more }),
    'filas.csv',
    'run/output-ending',
  ],
  'report of send': [EARLY['report of send']!, 'r.pdf', 'run/output-ending'],
  'report without an ending': [KINDS['report']!, 'reporte', 'run/output-ending'],
  worklist: [KINDS['worklist']!, 'pendientes.ics', 'run/output-ending'],
  'printed report': [
    (pdf, more) => report(here().context, [], { pdf, ...more }),
    'p.xlsx',
    'run/output-ending',
  ],
  'no folder, of check': [KINDS['annotated']!, 'nowhere/r.xlsx', 'run/output-folder'],
  'no folder, of send': [EARLY['report of send']!, 'nowhere/r.xlsx', 'run/output-folder'],
};

test.each(Object.entries(NAMED))(
  'a name that will not do is refused before any work: %s',
  async (_, [make, name, code]) => {
    box.controls.clearRequests();
    expect(await codeOf(make(at(name), { force: true }))).toBe(code);
    expect(box.controls.requests().count).toBe(0);
  },
);

describe('an input is never an output, forced or not', () => {
  const input = at('nomina.xlsx');
  const mapping = at('mapeo.yaml');
  const base = at('base.yaml');
  const decisions = at('decisiones.yaml');
  const params = at('params.json');
  const spelt: Readonly<Record<string, () => string | Promise<string>>> = {
    itself: () => input,
    'by a detour': () => join(folder, 'ws', '..', 'nomina.xlsx'),
    'a symbolic link': () => {
      symlinkSync(input, at('link.xlsx'));
      return at('link.xlsx');
    },
    'a hard link': () => {
      linkSync(input, at('hard.xlsx'));
      return at('hard.xlsx');
    },
    'the mapping': () => mapping,
    'what the mapping extends': () => base,
    'the decisions of the mapping': () => decisions,
    'the parameters': () => params,
    'the journal': journal,
  };

  beforeAll(() => {
    copyFileSync(SAMPLE, input);
    copyFileSync(PARAMS, params);
    copyFileSync(packageFile('mappings', 'payroll', 'wide.yaml'), base);
    writeFileSync(decisions, '{}\n');
    writeFileSync(mapping, 'extends: base.yaml\ndecisions: decisiones.yaml\n');
  });

  test.each(Object.entries(spelt))('%s', async (_, name) => {
    const output = await name();
    const before = readFileSync(output);
    const call = { mapping, params, force: true };
    for (const more of [{}, { force: true }]) {
      const { context } = here();
      expect(await codeOf(convert(context, [input], { ...call, ...more, output }))).toBe(
        'run/output-is-input',
      );
      expect(await codeOf(check(context, [input], { ...call, ...more, annotate: output }))).toBe(
        'run/output-is-input',
      );
    }
    expect(readFileSync(output).equals(before)).toBe(true);
  });

  test.each(['itself', 'by a detour', 'the journal'])('inspect --write: %s', async (name) => {
    const output = await spelt[name]!();
    const before = readFileSync(output);
    const call = { write: output, force: true };
    expect(await codeOf(inspect(here().context, [input], call))).toBe('run/output-is-input');
    expect(readFileSync(output).equals(before)).toBe(true);
  });

  test('the documents of a preview', async () => {
    const { refuseOutput } = await import('../../src/app/outputs.js');
    const documents = at('documentos.jsonl');
    writeFileSync(documents, '{}\n');
    const call = async () =>
      refuseOutput(here().context, { documents, force: true }, { purpose: 'export', output: documents });
    expect(await codeOf(call())).toBe('run/output-is-input');
  });
});
