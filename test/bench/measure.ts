import { createReadStream, createWriteStream, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse';
import ExcelJS from 'exceljs';
import { SaxesParser } from 'saxes';
import { parseDocument } from 'yaml';
import { openPromise } from 'yauzl';
import { Annotation } from '../../dist/app/annotation.js';
import { REPORT } from '../../dist/families/payroll/report.js';
import { deriveWith, FAMILIES } from '../../dist/families/registry.js';
import type { ReportedDocument } from '../../dist/report/run-report.js';
import { writeReport } from '../../dist/report/workbook.js';
import { expectShortLives } from '../../dist/toolkit/core/engine.js';
import type { JsonObject } from '../../dist/toolkit/core/json.js';
import { prepare } from '../../dist/toolkit/documents/prepare.js';
import { loadMapping } from '../../dist/toolkit/mapping/load.js';
import { resolveParams } from '../../dist/toolkit/mapping/params.js';
import { issueEvent } from '../../dist/toolkit/messages/wording.js';
import { ruleEntry } from '../../dist/toolkit/schema/rule-data.js';
import { checkRules } from '../../dist/toolkit/schema/rules.js';
import { type CareLayout, CLINIC, INTERFACE } from './care-inputs.js';
import { PARAMS, WIDE } from './payroll.js';
import { journaledSend, type SendScene, undiciLoop } from './sending.js';

/**
 * One measurement in a process of its own: `measure.ts NAME FILE [URL [SCENE]]` prints `{ seconds, peakMb, count }`.
 * Floors do the least that any program must; ours do the whole job.
 */

/** Gives how many it did, or its own times when only a part counts. */
type Measurement = (
  file: string,
  url: string,
) => Promise<number | { readonly count: number; readonly seconds: number }>;

/** Unzips the sheet and parses its XML, and does nothing with it. */
const floorXlsx: Measurement = async (path) => {
  const zip = await openPromise(path, { lazyEntries: true });
  let tags = 0;
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.startsWith('xl/worksheets/sheet')) continue;
    const parser = new SaxesParser();
    parser.on('opentag', () => {
      tags += 1;
    });
    parser.on('closetag', () => undefined);
    parser.on('text', () => undefined);
    const stream = await zip.openReadStreamPromise(entry);
    stream.setEncoding('utf8');
    for await (const chunk of stream) parser.write(chunk as string);
    parser.close();
  }
  return tags;
};

/** csv-parse to arrays, and nothing done with them. */
const floorCsv: Measurement = (path) => parsed(path, ',');

async function parsed(path: string, delimiter: string): Promise<number> {
  let records = 0;
  const parser = createReadStream(path).pipe(parse({ delimiter }));
  parser.on('readable', () => {
    while (parser.read() !== null) records += 1;
  });
  await new Promise((resolve, reject) => parser.on('end', resolve).on('error', reject));
  return records;
}

const TODAY = '2026-11-03';

/** Everything on the way from a file to documents. */
async function* events(path: string) {
  const mapping = await loadMapping(WIDE);
  const params = resolveParams(mapping.params, PARAMS).value!;
  const files = [path];
  const derive = deriveWith(FAMILIES);
  for await (const batch of prepare({ files, mapping, params, derive, today: TODAY })) yield* batch;
}

/** The whole check: read, map, derive, validate, rules. */
const check: Measurement = async (path) => {
  for await (const event of events(path)) {
    if (event.kind === 'issue' && event.issue.level === 'error') throw new Error(JSON.stringify(event.issue));
    if (event.kind === 'end') return event.documents.made;
  }
  throw new Error('no end');
};

/** A file by itself, or those of a folder. */
const filesAt = (path: string): readonly string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .map((name) => join(path, name))
    : [path];

/** The whole check of care, the rules that compare it with the day among them. */
const checkCare =
  ({ mapping, params }: CareLayout): Measurement =>
  async (path) => {
    const loaded = await loadMapping(mapping);
    const { value } = resolveParams(loaded.params, JSON.parse(await readFile(params, 'utf8')));
    const files = filesAt(path);
    const run = prepare({
      files,
      mapping: loaded,
      params: value!,
      derive: deriveWith(FAMILIES),
      today: TODAY,
    });
    for await (const batch of run)
      for (const event of batch) {
        if (event.kind === 'issue' && event.issue.level === 'error')
          throw new Error(JSON.stringify(event.issue));
        if (event.kind === 'end') return event.records.used;
      }
    throw new Error('no end');
  };

/** The check of a file with wrong cells, each issue as the JSON that `--json` writes. */
const checkJson: Measurement = async (path) => {
  const out = createWriteStream(devNull);
  let errors = 0;
  for await (const event of events(path)) {
    if (event.kind !== 'issue') continue;
    out.write(`${JSON.stringify(issueEvent(event.issue, 'es', ruleEntry))}\n`);
    if (event.issue.level === 'error') errors += 1;
  }
  out.end();
  if (errors !== 5_000) throw new Error(`${errors} errors`);
  return errors;
};

/** The annotated copy of that file. */
const annotate: Measurement = async (path) => {
  const annotation = new Annotation(path, 'es');
  for await (const event of events(path)) annotation.take(event);
  await annotation.write(`${path}.copy.xlsx`);
  return 1;
};

/** All rules, over documents that are ready. */
const rules: Measurement = async (path) => {
  const documents: JsonObject[] = [];
  for await (const event of events(path)) if (event.kind === 'document') documents.push(event.document.body);
  checkRules('payroll/payroll', documents[0]!, { derived: true });
  const start = performance.now();
  for (const document of documents) checkRules('payroll/payroll', document, { derived: true });
  return { count: documents.length, seconds: (performance.now() - start) / 1000 };
};

const floorLint: Measurement = async (path) => {
  parseDocument(await readFile(path, 'utf8'), { version: '1.2' }).toJS();
  return 1;
};

/** The median of loads in a running program; `count` is the first load, in milliseconds, with all that starts. */
const lint: Measurement = async (path) => {
  const times: number[] = [];
  for (let round = 0; round < 12; round++) {
    const start = performance.now();
    await loadMapping(path);
    times.push(performance.now() - start);
  }
  const [first = 0, ...later] = times;
  return { count: Math.round(first), seconds: later.sort((a, b) => a - b)[5]! / 1000 };
};

const REPORTED = 100_000;
const CUNE = 'c'.repeat(96);

/** A run of so many payrolls, all accepted. */
async function* reported(): AsyncGenerator<ReportedDocument> {
  for (let at = 1; at <= REPORTED; at++)
    yield {
      key: String(9_000_100_000 + at),
      name: 'Núñez Sánchez Fabián',
      state: 'accepted',
      number: `NE${at}`,
      documentCode: CUNE,
      attempts: 1,
      issues: [],
      place: { file: 'nomina.xlsx', sheet: 'Nomina', row: at + 1 },
      about: {
        name: 'Núñez Sánchez Fabián',
        accrued: '2000000.00',
        deductions: '160000.00',
        net: '1840000.00',
      },
    };
}

async function* nothing(): AsyncGenerator<never> {}

const report: Measurement = async (file) => {
  const documents = { planned: REPORTED, made: REPORTED, heldBack: 0 };
  const records = { read: REPORTED, used: REPORTED, skipped: 0, heldBack: 0 };
  const outcomes = { accepted: REPORTED, rejected: 0, pending: 0, unknown: 0, unsent: 0 };
  await writeReport(
    {
      columns: REPORT.columns([]),
      totals: {},
      facts: {
        run: '2026-11-24-1',
        company: 'bench',
        environment: 'test',
        url: 'http://127.0.0.1',
        started: '2026-11-24T15:00:00.000Z',
        versions: {},
        params: {},
        defaults: {},
        inputs: [],
      },
      counts: { records, documents, outcomes, errors: 0, warnings: 0 },
      documents: reported,
      issues: nothing,
      skipped: nothing,
    },
    { file, language: 'es', now: new Date('2026-11-24T15:00:00Z') },
  );
  return REPORTED;
};

/** The same cells, without a style, a link or a thought. */
const floorReport: Measurement = async (file) => {
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: `${file}.floor.xlsx` });
  const sheet = book.addWorksheet('Documentos');
  for await (const { key, name, number, state, attempts, about = {} } of reported())
    sheet
      .addRow([
        key,
        name,
        number,
        Number(about['accrued']),
        Number(about['deductions']),
        Number(about['net']),
        state,
        undefined,
        CUNE,
        'Consultar',
        undefined,
        attempts,
        'Nomina!A2',
      ])
      .commit();
  await book.commit();
  return REPORTED;
};

const MEASUREMENTS: Readonly<Record<string, Measurement>> = {
  'floor-xlsx': floorXlsx,
  'floor-csv': floorCsv,
  'floor-csv-clinic': (path) => parsed(path, CLINIC.delimiter),
  check,
  'check-interface': checkCare(INTERFACE),
  'check-clinic': checkCare(CLINIC),
  'check-json': checkJson,
  annotate,
  'floor-report': floorReport,
  report,
  rules,
  'floor-lint': floorLint,
  lint,
  'floor-send': (path, service) => undiciLoop(path, service, 20_000),
  'floor-send-large': (path, service) => undiciLoop(path, service, 200_000),
  send: (path, service) => journaledSend(path, service),
  'send-scene': (path, service) => journaledSend(path, service, JSON.parse(scene) as SendScene),
};

const [name = '', file = '', url = '', scene = ''] = process.argv.slice(2);
if (!name.startsWith('floor')) expectShortLives(); // as the command does
const start = performance.now();
const result = await MEASUREMENTS[name]!(file, url);
const seconds = (performance.now() - start) / 1000;
const timed = typeof result === 'number' ? { count: result, seconds } : result;
process.stdout.write(JSON.stringify({ ...timed, peakMb: process.resourceUsage().maxRSS / 1024 }));
