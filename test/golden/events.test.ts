import { type Issue, formatPlace, paramOf } from '../../src/toolkit/core/issue.js';
import { createEventSequence } from '../../src/families/events/sequence.js';
import { type Prepared, prepareFiles } from '../support/prepare-file.js';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

type Body = Record<string, unknown>;

interface Golden {
  readonly params: Record<string, unknown>;
  readonly rows: { read: number; documents: number; skipped: number; rejected: number };
  /** Documents by event_id. */
  readonly control: Record<string, number>;
  readonly issues: readonly [place: string, level: string, code: string, rule: string][];
  readonly documents: readonly Body[];
  readonly documents_by_cufe: readonly Body[];
  readonly reception: readonly { file: string; company_idnumber: string; xml_sha256: string }[];
}

const SAMPLES = 'samples/events';
const golden = (name: string): Golden => JSON.parse(readFileSync(`test/golden/events/${name}.json`, 'utf8'));

const prepared = (mapping: string, files: readonly string[], params: Record<string, unknown>) =>
  prepareFiles({
    files,
    mapping: mapping.endsWith('.yaml') ? mapping : `mappings/events/${mapping}.yaml`,
    params,
    ...(mapping !== 'reception' && { follow: createEventSequence() }),
  });

const bodies = ({ drafts }: Prepared): Body[] => drafts.map(({ body: document }) => document as unknown as Body);

/** A file that is a record has no cell. */
const placeText = ({ place: { pointer, ...place } }: Issue): string =>
  place.row === undefined ? (place.file ?? '') : formatPlace(place);
const lines = (issues: readonly Issue[]): string[] =>
  issues.map((issue) => [placeText(issue), issue.level, issue.code, paramOf(issue, 'rule') ?? ''].join(' '));

function looksLike(found: Prepared, { rows, control, issues }: Golden): void {
  expect(lines(found.issues).sort()).toEqual(issues.map((issue) => issue.join(' ')).sort());
  const { read, used, skipped, heldBack } = found.records;
  expect([read, skipped, heldBack]).toEqual([rows.read, rows.skipped, rows.rejected]);
  expect(used + skipped + heldBack).toBe(read);
  expect(found.documents).toEqual({
    planned: rows.documents + rows.rejected,
    made: rows.documents,
    heldBack: rows.rejected,
  });
  const byEvent: Record<string, number> = {};
  for (const { event_id: id } of bodies(found)) byEvent[String(id)] = (byEvent[String(id)] ?? 0) + 1;
  if (bodies(found).some((body) => 'event_id' in body)) expect(byEvent).toEqual(control);
}

test('a list of events: its documents, and every mistake at its record', async () => {
  const list = golden('list');
  const found = await prepared('list', [join(SAMPLES, 'eventos-facturas-recibidas.csv')], list.params);
  expect(bodies(found)).toEqual(list.documents);
  looksLike(found, list);
});

describe('a list beside a zip, joined by the name of the file', () => {
  const listed = golden('lista-y-zip');
  const folder = join(SAMPLES, 'lista-y-zip');
  const files = ['lista.xlsx', 'recibidas.zip'].map((file) => join(folder, file));
  test.each([
    ['with the file', files, {}, listed.documents],
    ['by CUFE, the zip given first', files.toReversed(), { by_cufe: true }, listed.documents_by_cufe],
  ])('%s', async (_name, given, more, documents) => {
    const found = await prepared(join(folder, 'mapeo.yaml'), given, { ...listed.params, ...more });
    expect(bodies(found)).toEqual(documents);
    looksLike(found, listed);
    expect(found.skipped).toEqual(['recibidas.zip/LEAME.txt']);
  });
});

const FOLDER = readdirSync(join(SAMPLES, 'adjuntos')).map((file) => join(SAMPLES, 'adjuntos', file));

describe.each([
  ['a folder', FOLDER],
  ['the files in another order', FOLDER.toReversed()],
  ['a zip', [join(SAMPLES, 'adjuntos.zip')]],
])('AttachedDocuments: %s', (_name, files) => {
  const attached = golden('attached');
  test('with the file', async () => {
    const found = await prepared('attached', files, attached.params);
    expect(bodies(found)).toEqual(attached.documents);
    looksLike(found, attached);
  });
  test('by CUFE', async () => {
    const found = await prepared('attached', files, { ...attached.params, by_cufe: true });
    expect(bodies(found)).toEqual(attached.documents_by_cufe);
    looksLike(found, attached);
  });
  test('reception', async () => {
    const { company_idnumber } = attached.params;
    const found = await prepared('reception', files, { company_idnumber });
    const received = bodies(found).map((body, at) => ({
      file: attached.reception[at]!.file,
      company_idnumber: body['company_idnumber'],
      xml_sha256: createHash('sha256')
        .update(Buffer.from(String(body['xml_document']), 'base64'))
        .digest('hex'),
    }));
    expect(received).toEqual(attached.reception);
    looksLike(found, attached);
  });
});
