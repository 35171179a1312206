import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.js';
import { EXAMPLES } from '../../src/generated/texts-help.js';
import { migrateDatabase, postgresAddress } from '../../src/send/postgres.js';
import type { Language } from '../../src/toolkit/core/issue.js';
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.js';
import { BUYER, correctPayroll, writeCups, writeInvoices, writeMails, writeText } from './samples.js';
import { copySamples, openPlace, type Place, ROOT, recordOf, type } from './terminal.js';

const PAYROLL = 'payroll/nomina-octubre-2026.xlsx';

const copyOf = (sample: string) => (place: Place, name: string) => copySamples(place, { [name]: sample });
const textOf = (text: string) => (place: Place, name: string) => writeText(place, name, text);

/** A mapping with its tests. */
const MAPPING = `cargue: 1
name: nomina
description: { es: Bonos de un mes, en: Bonuses of a month }
target: payroll/bonus
tables:
  workers:
    header: { must_have: [document, bonus] }
    columns:
      document: { titles: [Cédula], read: identifier }
      bonus: { titles: [Bonificación], read: money }
one_per: { record: workers }
key: document
document:
  salary_bonus: { from: bonus }
tests:
  - name: a bonus
    tables: { workers: [{ document: "52100200", bonus: "1.500,00" }] }
    documents: [{ salary_bonus: "1500.00" }]
`;

/** Writes the sample payroll with a heading of other words. */
async function writeAbbreviated({ folder }: Place, name: string): Promise<void> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(join(ROOT, 'samples', PAYROLL));
  book.worksheets[0]?.getRow(1).eachCell((cell) => {
    if (cell.value === 'Salud') cell.value = 'DCTO. SALUD';
  });
  await book.xlsx.writeFile(join(folder, name));
}

/** Files that examples name, in either language. */
const FILES: readonly (readonly [
  file: RegExp,
  write: (place: Place, name: string) => void | Promise<void>,
])[] = [
  [/(?:nomina-(?:octubre|noviembre)|payroll-(?:october|november))\.xlsx/, copyOf(PAYROLL)],
  [/(?:octubre|october)\.json/, copyOf('payroll/params.json')],
  [/(?:nomina-corregida|payroll-corrected)\.xlsx/, correctPayroll],
  [/(?:facturas|invoices)\.xlsx/, writeInvoices],
  [/(?:correos|mails)\.zip/, writeMails],
  [/(?:factura|invoice)\.xml/, copyOf('events/adjuntos/ad08600990010002600000001.xml')],
  [/(?:buzon|inbox)(?= |$)/, (place, name) => copySamples(place, { [`${name}/nomina.xlsx`]: PAYROLL })],
  [/rips\/(?= )/, (place) => copySamples(place, { 'rips/RS-2026-10.json': 'rips/json/RS-2026-10.json' })],
  [/TablaReferencia_CUPSRips\.xlsx/, writeCups],
  [/cie10\.csv/, textOf('Codigo,Nombre\nA000,Cólera\nI10X,Hipertensión\n')],
  [/(?:cifras|figures)-2027\.csv/, textOf('year,uvt\n2027,54000\n')],
  [/(?:archivo|file)\.xlsx/, writeAbbreviated],
  [/(?:mapeo|mapping|nomina|payroll)\.yaml/, textOf(MAPPING)],
];

const sent = (options: string): readonly string[] => [
  `cargue send nomina-octubre.xlsx --params octubre.json${options}`,
];

/** Lines that must have been typed before an example; each stands alone. */
const BEFORE: readonly (readonly [example: RegExp, lines: (options: string) => readonly string[]])[] = [
  [/--profile andina|profile (?:show|change|remove) andina\b(?!-)/, () => ['cargue profile add andina']],
  [/profile remove andina-pruebas/, () => ['cargue profile add andina-pruebas']],
  [/profile remove andina-tests/, () => ['cargue profile add andina-tests']],
  [/cargue (?:adjust|preview|email|report|status|resume)\b/, sent],
  [/cargue journal (?:export|purge|backup|adopt|verify)/, sent],
  [/cargue (?:approve|journal abandon)/, (options) => sent(`${options} --hold`)],
  [
    /journal copy diarios/,
    (options) => sent(options).map((line) => `CARGUE_JOURNAL= CARGUE_WORKSPACE=diarios ${line}`),
  ],
  [
    /journal copy journals/,
    (options) => sent(options).map((line) => `CARGUE_JOURNAL= CARGUE_WORKSPACE=journals ${line}`),
  ],
  [/journal verify auditoria/, () => ['cargue journal export RUN -o auditoria.jsonl']],
  [/journal verify audit\./, () => ['cargue journal export RUN -o audit.jsonl']],
  [/contadores\.pem/, () => ['cargue journal key contadores.pem']],
  [/accountants\.pem/, () => ['cargue journal key accountants.pem']],
  [/contadores\.pub/, () => ['cargue journal key contadores']],
  [/accountants\.pub/, () => ['cargue journal key accountants']],
  [/law remove cifras|law remove --yes/, () => ['cargue law import cifras-2027.csv']],
  [/law remove figures/, () => ['cargue law import figures-2027.csv']],
  [/law import ley/, () => ['cargue law export ley-2027.json --key contadores']],
  [/law import law/, () => ['cargue law export law-2027.json --key accountants']],
  [/mapping (?:show|forget) nomina(?! --c)/, () => ['cargue mapping add nomina.yaml']],
  [/mapping (?:show|forget) payroll(?![ /])/, () => ['cargue mapping add payroll.yaml']],
  [/mapping (?:show|forget) nomina --c/, () => ['cargue mapping add nomina.yaml --company 900123456']],
  [/mapping (?:show|forget) payroll --c/, () => ['cargue mapping add payroll.yaml --company 900123456']],
  [/cargue worker/, () => ['cargue send nomina-octubre.xlsx --params octubre.json --queue']],
];

/** Examples of journals in a database. */
const NEEDS_DATABASE = /^cargue (?:journal (?:copy|migrate)|worker)/;

/** Examples that do not end with 0. */
const OTHERWISE: readonly (readonly [example: RegExp, code: number, reason: string])[] = [
  [/^cargue (?:worker|web|sandbox|watch \w+$)/, 130, 'it goes on until Ctrl-C'],
];

interface Example {
  readonly line: string;
  readonly language: Language;
}

/** Returns the examples of a command's help; those that read the same in both languages once. */
function examplesOf(name: keyof typeof EXAMPLES): readonly Example[] {
  const { es, en } = EXAMPLES[name];
  const spanish = es.split('\n');
  const english = en.split('\n').filter((line) => !spanish.includes(line));
  return [
    ...spanish.map((line) => ({ line, language: 'es' as const })),
    ...english.map((line) => ({ line, language: 'en' as const })),
  ];
}

async function writeFiles(place: Place, line: string): Promise<void> {
  for (const [file, write] of FILES) {
    const name = file.exec(line.replace(/--write \S+/, ''))?.[0];
    if (name !== undefined) await write(place, name);
  }
}

/** Puts the document NOM12 of a sending in doubt: it arrives and its answer does not, or it is lost with what is asked about it. */
const putInDoubt = ({ sandbox }: Place, kind: 'reset-after' | 'reset-before'): readonly string[] =>
  (['sendPayroll', 'getDocumentStatus'] as const).map(
    (operation) => sandbox.controls.addFault({ kind, match: { operation, number: 'NOM12' }, times: 1000 }).id,
  );

let server: PostgresServer | undefined;
beforeAll(async () => {
  server = hasPostgres() ? await startPostgres() : undefined;
});
afterAll(() => server?.stop());

async function openFor({ line, language }: Example): Promise<Place> {
  const database = NEEDS_DATABASE.test(line) ? await server?.database() : undefined;
  const nit = /^cargue (?:events|reception)/.test(line) ? BUYER : undefined;
  const place = await openPlace({ language, database, nit });
  const faults = line.startsWith('cargue resume')
    ? putInDoubt(place, line.includes('--settle') ? 'reset-before' : 'reset-after')
    : [];
  if (database !== undefined && !line.includes('migrate')) await migrateDatabase(postgresAddress(database));
  const owner = / --(?:profile andina|company \d+)/.exec(line)?.[0] ?? '';
  for (const before of BEFORE.flatMap(([example, lines]) => (example.test(line) ? lines(owner) : []))) {
    await writeFiles(place, before);
    const { code, said } = await type(before, place);
    expect.soft(code, [line, before, ...said].join('\n')).toBe(faults.length === 0 ? 0 : 4);
  }
  for (const fault of faults) place.sandbox.controls.remove('faults', fault);
  await writeFiles(place, line);
  return place;
}

/** Types an example in a folder of its own; returns it with what the program said. */
async function recordFor(example: Example): Promise<string> {
  const { line } = example;
  if (NEEDS_DATABASE.test(line) && server === undefined)
    return `$ ${line}\nnot here: no PostgreSQL server for this platform\n`;
  const place = await openFor(example);
  const finished = await type(line, place);
  const expected = OTHERWISE.find(([about]) => about.test(line))?.[1] ?? 0;
  expect.soft(finished.code, [line, ...finished.said].join('\n')).toBe(expected);
  return recordOf(line, finished, place);
}

const firstWord = (name: string): string => name.split(' ')[0] ?? name;

const NAMES = COMMANDS.map(({ name }) => name);

describe.runIf(process.platform === 'linux')('examples of the help', () => {
  test.each([...new Set(NAMES.map(firstWord))])(
    'of %s end as they should',
    { timeout: 600_000 },
    async (group) => {
      const examples = NAMES.filter((name) => firstWord(name) === group).flatMap(examplesOf);
      const together = pLimit(availableParallelism() + 1);
      const records = await Promise.all(examples.map((example) => together(() => recordFor(example))));
      const golden = join(ROOT, 'test/golden/executed/help', `${group}.txt`);
      await expect(records.join('\n')).toMatchFileSnapshot(golden);
    },
  );
});
