import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.js';
import {
  BUYER,
  CONSULTATIONS,
  correctPayroll,
  EVENTS,
  rightRecords,
  writeCups,
  writeMails,
} from './samples.js';
import { copySamples, openPlace, type Place, ROOT, recordOf, type } from './terminal.js';

const PAYROLL = { 'nomina.xlsx': 'payroll/nomina-octubre-2026.xlsx', 'octubre.json': 'payroll/params.json' };

/** What lies in the folder of a page. */
const PAGES: Readonly<Record<string, (place: Place) => void | Promise<void>>> = {
  'README.md': (place) => cpSync(join(ROOT, 'samples'), join(place.folder, 'samples'), { recursive: true }),
  'LEAME.md': async (place) => {
    copySamples(place, {
      ...PAYROLL,
      'nomina-octubre.xlsx': 'payroll/nomina-octubre-2026.xlsx',
      'nomina-noviembre.xlsx': 'payroll/nomina-octubre-2026.xlsx',
    });
    await correctPayroll(place, 'nomina-corregida.xlsx');
  },
  'docs/payroll.md': async (place) => {
    copySamples(place, PAYROLL);
    await correctPayroll(place, 'corregida.xlsx');
  },
  'docs/rips.md': async (place) => {
    copySamples(place, { 'octubre.json': 'rips/consultas/params.json' });
    const text = rightRecords(CONSULTATIONS).join('\n');
    const write = (name: string, content: string) =>
      writeFileSync(join(place.folder, name), content, 'latin1');
    write('consultas.csv', text);
    write('corregidas.csv', text.replace('120.000,00', '121.000,00'));
    mkdirSync(join(place.folder, 'ResultadosMSPS'));
    await writeCups(place, 'CUPSRips.xlsx');
    const access = { type_document_identification_id: 3, number_identification: '1020304050' };
    const secret = JSON.stringify({ ...access, url: 'https://sispro.example', password: 'clave-inventada' });
    writeFileSync(join(place.folder, 'acceso.yaml'), secret, { mode: 0o600 });
  },
  'docs/events.md': (place) => {
    writeFileSync(join(place.folder, 'eventos.csv'), rightRecords(EVENTS).join('\n'), 'latin1');
    writeMails(place, 'adjuntos.zip');
  },
  'docs/sending-and-recovery.md': (place) => copySamples(place, PAYROLL),
  'docs/operations.md': (place) => copySamples(place, PAYROLL),
  'docs/library.md': () => undefined,
  'docs/mappings.md': () => undefined,
  'samples/integration/README.md': (place) =>
    cpSync(join(ROOT, 'samples/integration'), place.folder, { recursive: true }),
};

/** Lines that are about files of another kind than the others of their page. */
const OTHER_FILES: readonly (readonly [RegExp, Readonly<Record<string, string>>])[] = [
  [
    /RIPS000123/,
    {
      'RIPS000123.zip': 'rips/3374/RIPS000123.zip',
      'complemento.csv': 'rips/3374/complemento.csv',
      'octubre.json': 'rips/3374/params.json',
    },
  ],
  [
    /rips\/|RS-2026-10\.json/,
    {
      'RS-2026-10.json': 'rips/json/RS-2026-10.json',
      'pacientes.csv': 'rips/json/pacientes.csv',
      'octubre.json': 'rips/json/params.json',
    },
  ],
];

/** Lines of a page's shell blocks, without what is said of them. */
const linesOf = (page: string): readonly string[] =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].flatMap(
    ([, block = '']) => block.split('\n').flatMap((line) => /^ *(\S.*?)(?: +#.*)?$/.exec(line)?.[1] ?? []),
  );

/** Lines before which somebody begins anew. */
const BEGINS = /^cargue check nomina-octubre|adjuntos\.zip/;

/** Lines of journals in a database. */
const NEEDS_DATABASE = /^cargue (?:journal migrate|worker|status --all)|--queue/;

/** Lines that are typed elsewhere, or nowhere. */
const NOT_HERE: readonly (readonly [line: RegExp, reason: string])[] = [
  [/^npm (?:run|test)/, 'of the repository, see repository.txt'],
  [/^npm install -g pg/, 'by the test of the package, which needs what it installs'],
  [/^pip install/, 'the tests install nothing for other languages'],
];

/** Lines that do not end with 0. */
const OTHERWISE: readonly (readonly [line: RegExp, code: number, reason: string])[] = [
  [/RIPS000123/, 1, 'the sample of flat files has planted errors'],
  [/--settle/, 2, 'no document of a whole sending is in doubt'],
  [/^cargue worker|--watch|cargue sandbox/, 130, 'it goes on until Ctrl-C'],
];

/** Lines of a page, typed one after the other in a folder; returns their records. */
async function typed(page: string, lines: readonly string[], database?: string): Promise<string> {
  const records: string[] = [];
  let place: Place | undefined;
  for (const line of lines) {
    const elsewhere = NOT_HERE.find(([other]) => other.test(line))?.[1];
    if (elsewhere !== undefined) {
      records.push(`$ ${line}\nnot here: ${elsewhere}\n`);
      continue;
    }
    if (place === undefined || BEGINS.test(line)) {
      place = await openPlace({ database, nit: page === 'docs/events.md' ? BUYER : undefined });
      await PAGES[page]?.(place);
    }
    copySamples(place, OTHER_FILES.find(([about]) => about.test(line))?.[1] ?? {});
    const finished = await type(line, place);
    const expected = OTHERWISE.find(([about]) => about.test(line))?.[1] ?? 0;
    expect.soft(finished.code, [line, ...finished.said].join('\n')).toBe(expected);
    records.push(recordOf(line, finished, place));
  }
  return records.join('\n');
}

const golden = (page: string, part = ''): string =>
  join(ROOT, 'test/golden/executed', `${page.replaceAll('/', '-')}${part}.txt`);

describe.runIf(process.platform === 'linux')('lines of', () => {
  test.each(Object.keys(PAGES))('%s end as they should', { timeout: 600_000 }, async (page) => {
    const lines = linesOf(page).filter((line) => !NEEDS_DATABASE.test(line));
    await expect(await typed(page, lines)).toMatchFileSnapshot(golden(page));
  });

  // The packages of the registry have no server for some platforms.
  describe.runIf(hasPostgres())('with journals in PostgreSQL,', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());

    const pages = Object.keys(PAGES).filter((page) =>
      linesOf(page).some((line) => NEEDS_DATABASE.test(line)),
    );
    test.each(pages)('%s end as they should', { timeout: 600_000 }, async (page) => {
      const lines = linesOf(page).filter((line) => NEEDS_DATABASE.test(line));
      const records = await typed(page, lines, await server.database());
      await expect(records).toMatchFileSnapshot(golden(page, '-database'));
    });
  });
});
