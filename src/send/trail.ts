import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { foreignObject } from '../toolkit/core/foreign-json.js';
import type { JsonObject } from '../toolkit/core/json.js';
import { sha256 } from '../toolkit/core/sha256.js';
import type { DocumentState } from '../toolkit/schema/document.js';
import type { Database, Sql } from './database.js';
import { fateOf, findRun, HELD_BACK, PAGE, pages, type Run } from './runs.js';

/**
 * Version of the audit trail's format. A trail has a line for the run, for each document with its outcome, for each
 * request and its answer, and for each stored answer. It has hashes of contents and answers, and nothing about
 * people. Each line ends with the SHA-256 of itself without that end, and names that of the line before; the last
 * ones count the lines and sign.
 */
const VERSION = 1;
const FIRST = '0'.repeat(64);
const HASH = /,"hash":"([0-9a-f]{64})"\}$/;

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Links entries, in order. */
function chain() {
  let previous = FIRST;
  let lines = 0;
  return {
    link(entry: JsonObject): string {
      const text = JSON.stringify({ line: lines + 1, ...entry, previous });
      previous = sha256(text);
      lines += 1;
      return `${text.slice(0, -1)},"hash":"${previous}"}`;
    },
    get head() {
      return { lines, previous };
    },
  };
}

/** Returns the fingerprint by which users identify a public key. */
export const fingerprintOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');

/** Reads a private or public key of Ed25519; undefined if the text is neither. */
export function signingKey(pem: string): KeyObject | undefined {
  try {
    const key = pem.includes('PRIVATE KEY') ? createPrivateKey(pem) : createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

export const publicKeyOf = (key: KeyObject): KeyObject =>
  key.type === 'private' ? createPublicKey(key) : key;

/** Signs a hash in hexadecimal. */
export const signatureOf = (hash: string, key: KeyObject): JsonObject => ({
  algorithm: 'Ed25519',
  publicKey: publicKeyOf(key).export({ type: 'spki', format: 'der' }).toString('base64'),
  signature: sign(null, Buffer.from(hash), key).toString('base64'),
});

const DOCUMENTS = `
  SELECT d.sequence, d.schema, d.state, ${HELD_BACK} AS "heldBack", d.hash, d.attempts, d.updated, d.settled,
    coalesce(d.number, d.prefix || d.consecutive) AS number, d.document_code AS code, d.zip_key AS "zipKey",
    e.run AS "earlierRun", e.sequence AS "earlierSequence", c.body
  FROM document d LEFT JOIN document e ON e.id = d.earlier LEFT JOIN content c ON c.document = d.id
  WHERE d.run = ? AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`;

interface DocumentRow {
  readonly sequence: number;
  readonly schema: string;
  readonly state: DocumentState;
  readonly heldBack: unknown;
  readonly hash: string;
  readonly attempts: number;
  readonly updated: number;
  readonly settled: string | null;
  readonly number: string | null;
  readonly code: string | null;
  readonly zipKey: string | null;
  readonly earlierRun: string | null;
  readonly earlierSequence: number | null;
  readonly body: string | null;
}

function documentEntry(
  { state, heldBack, updated, settled, body, ...row }: DocumentRow,
  run: Run,
): JsonObject {
  const { earlierRun, earlierSequence, hash: contentHash, ...fields } = row;
  return {
    record: 'document',
    ...fields,
    state: fateOf(state, heldBack),
    updated: instant(updated),
    settled: settled === null ? null : (JSON.parse(settled) as JsonObject),
    earlier: earlierRun === null ? null : { run: earlierRun, sequence: earlierSequence },
    contentHash,
    // The body is gone once personal data were removed.
    bodyHash: body === null || run.purged !== undefined ? null : sha256(body),
  };
}

interface AttemptRow {
  readonly at: number;
  readonly asked: string;
  readonly answered: string;
  readonly excerpt: string | null;
}

const OF_DOCUMENT = '(SELECT id FROM document WHERE run = ? AND sequence = ?)';
const ATTEMPTS = `SELECT at, asked, answered, excerpt FROM attempt WHERE document = ${OF_DOCUMENT} ORDER BY id`;
const ANSWER = `SELECT body FROM answer WHERE document = ${OF_DOCUMENT}`;

const sourceEntry = ({
  source,
  sha256: hash,
  tables,
}: NonNullable<Run['meta']['law']>['sources'][number]): JsonObject => ({
  source,
  sha256: hash,
  tables: [...tables],
});

/** A note may name people, so the trail has its hash. */
const actEntry = ({ note, ...act }: NonNullable<Run['meta']['acts']>[number]): JsonObject => ({
  ...act,
  ...(note !== undefined && { noteHash: sha256(note) }),
});

async function* entriesOf(journal: Sql, id: string): AsyncIterable<JsonObject> {
  const run = await findRun(journal, id);
  const { meta, created, ended, testSet, digest, approval, abandonment, purged, state } = run;
  yield {
    record: 'trail',
    version: VERSION,
    run: id,
    state,
    company: meta.company,
    employer: meta.employer ?? null,
    service: meta.url,
    testSet: testSet ?? null,
    created,
    ended: ended ?? null,
    by: meta.by ?? null,
    ...(meta.preparers && { preparers: [...meta.preparers] }),
    ...(meta.note !== undefined && { noteHash: sha256(meta.note) }),
    ...(meta.acts && { acts: meta.acts.map(actEntry) }),
    digest: digest ?? null,
    approval: approval === undefined ? null : { ...approval },
    abandonment: abandonment === undefined ? null : { ...abandonment },
    purged: purged ?? null,
    versions: { ...meta.versions },
    law:
      meta.law === undefined ? null : { sha256: meta.law.sha256, sources: meta.law.sources.map(sourceEntry) },
    mapping: meta.mapping === undefined ? null : { ...meta.mapping },
    inputs: meta.inputs.map(({ file, sha256: hash }) => ({ file, sha256: hash })),
  };
  for await (const row of pages<DocumentRow>(journal, DOCUMENTS, id)) {
    const { sequence } = row;
    yield documentEntry(row, run);
    for (const { at, asked, answered, excerpt } of await journal.all<AttemptRow>(ATTEMPTS, id, sequence))
      yield {
        record: 'attempt',
        sequence,
        at: instant(at),
        asked,
        answered,
        excerptHash: excerpt === null ? null : sha256(excerpt),
      };
    const answer = await journal.first<{ body: string }>(ANSWER, id, sequence);
    if (answer !== undefined) yield { record: 'answer', sequence, answerHash: sha256(answer.body) };
  }
}

/**
 * Emits the lines of a run's trail from one snapshot, signed if there is a key. Memory does not grow with the run.
 */
export const emitTrail = (
  database: Database,
  run: string,
  key: KeyObject | undefined,
  take: (line: string) => void | Promise<void>,
): Promise<void> =>
  database.moment(async (journal) => {
    const links = chain();
    for await (const entry of entriesOf(journal, run)) await take(links.link(entry));
    await take(links.link({ record: 'end', lines: links.head.lines }));
    if (key === undefined) return;
    await take(links.link({ record: 'signature', ...signatureOf(links.head.previous, key) }));
  });

/** First fault of a trail, with its line. */
interface TrailFault {
  readonly code:
    | 'journal/not-a-trail'
    | 'journal/trail-changed'
    | 'journal/trail-gap'
    | 'journal/trail-short'
    | 'journal/trail-signature';
  readonly line: number;
}

interface TrailCheck {
  readonly lines: number;
  readonly run: string | undefined;
  /** Hash of the last line. */
  readonly head: string;
  /** Fingerprint of the key that signed. */
  readonly signedBy?: string;
  readonly fault?: TrailFault;
}

/** Checks a trail to its end, or to its first fault. `key`: the key that must have signed it. */
export async function checkTrail(
  lines: AsyncIterable<string> | Iterable<string>,
  key: KeyObject | undefined,
): Promise<TrailCheck> {
  let head = FIRST;
  let count = 0;
  let run: string | undefined;
  let signedBy: string | undefined;
  let hasEnd = false;
  const fails = (code: TrailFault['code'], line = count): TrailCheck => ({
    lines: count,
    run,
    head,
    fault: { code, line },
  });
  for await (const line of lines) {
    if (line === '') continue;
    count += 1;
    const [end = '', hash] = HASH.exec(line) ?? [];
    if (hash === undefined) return fails('journal/not-a-trail');
    const text = `${line.slice(0, -end.length)}}`;
    if (sha256(text) !== hash) return fails('journal/trail-changed');
    const entry = foreignObject(text);
    if (entry === undefined) return fails('journal/not-a-trail');
    if (entry['previous'] !== head || entry['line'] !== count) return fails('journal/trail-gap');
    const { record } = entry;
    if (
      (count === 1) !== (record === 'trail') ||
      (hasEnd && record !== 'signature') ||
      signedBy !== undefined
    )
      return fails('journal/trail-gap');
    if (record === 'trail') run = String(entry['run']);
    if (record === 'end') hasEnd = true;
    if (record === 'signature') {
      signedBy = signerOf(entry, head, key);
      if (signedBy === undefined) return fails('journal/trail-signature');
    }
    head = hash;
  }
  if (!hasEnd) return fails(count === 0 ? 'journal/not-a-trail' : 'journal/trail-short');
  if (key !== undefined && signedBy === undefined) return fails('journal/trail-signature');
  return { lines: count, run, head, ...(signedBy !== undefined && { signedBy }) };
}

/** Returns the fingerprint of the key that signed a hash; undefined if none did, or it is not the wanted one. */
export function signerOf(
  { publicKey, signature }: JsonObject,
  hash: string,
  wanted: KeyObject | undefined,
): string | undefined {
  try {
    const der = Buffer.from(String(publicKey), 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const isGood =
      key.asymmetricKeyType === 'ed25519' &&
      verify(null, Buffer.from(hash), key, Buffer.from(String(signature), 'base64'));
    const found = fingerprintOf(key);
    return isGood && (wanted === undefined || fingerprintOf(publicKeyOf(wanted)) === found)
      ? found
      : undefined;
  } catch {
    return undefined;
  }
}
