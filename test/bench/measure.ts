/**
 * One measurement in a process of its own: `measure.ts NAME FILE [URL]` prints `{ seconds, peakMb, count }`.
 * Floors do the least that any program must; ours do the whole job.
 */
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { SaxesParser } from 'saxes';
import { openPromise } from 'yauzl';
import { loadMapping } from '../../dist/mapping/load.js';
import { resolveParams } from '../../dist/mapping/params.js';
import { prepare } from '../../dist/pipeline/prepare.js';
import { PARAMS, WIDE } from './payroll.js';
import { journaledSend, undiciLoop } from './sending.js';

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
const floorCsv: Measurement = async (path) => {
  let records = 0;
  const parser = createReadStream(path).pipe(parse());
  parser.on('readable', () => {
    while (parser.read() !== null) records += 1;
  });
  await new Promise((resolve, reject) => parser.on('end', resolve).on('error', reject));
  return records;
};

/** The whole check: read, map, derive, validate, rules. */
const check: Measurement = async (path) => {
  const mapping = await loadMapping(WIDE);
  const params = resolveParams(mapping.params, PARAMS).value!;
  for await (const events of prepare({ files: [path], mapping, params })) {
    for (const event of events) {
      if (event.kind === 'issue') throw new Error(JSON.stringify(event.issue));
      if (event.kind === 'end') return event.documents.made;
    }
  }
  throw new Error('no end');
};

const MEASUREMENTS: Readonly<Record<string, Measurement>> = {
  'floor-xlsx': floorXlsx,
  'floor-csv': floorCsv,
  check,
  'floor-send': undiciLoop,
  send: journaledSend,
};

const [name = '', file = '', url = ''] = process.argv.slice(2);
const start = performance.now();
const result = await MEASUREMENTS[name]!(file, url);
const seconds = (performance.now() - start) / 1000;
const timed = typeof result === 'number' ? { count: result, seconds } : result;
process.stdout.write(JSON.stringify({ ...timed, peakMb: process.resourceUsage().maxRSS / 1024 }));
