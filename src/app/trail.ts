import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { putInPlace } from '../report/put-in-place.js';
import type { Journal } from '../send/journal.js';
import { findRun } from '../send/runs.js';
import { checkTrail, emitTrail, fingerprintOf, signingKey } from '../send/trail.js';
import { stop } from '../toolkit/core/issue.js';
import { stopUnreadable } from '../toolkit/tables/open.js';
import type { Context, Outcome, UseCase } from './context.js';
import { emitMessage } from './events.js';
import { readWithRights, writeLines } from './files.js';
import type { OutputOptions } from './options.js';

export interface KeyOptions {
  /** File of a key to sign with, or to verify by. */
  readonly key?: string;
}

import { outputOf, refuseOutput, runName } from './outputs.js';

/** Reads a key to sign or verify with. @throws PipelineError('usage', journal/key-file) */
export async function keyIn(file: string, mustBePrivate: boolean): Promise<KeyObject> {
  const refuse = (reason: string): never =>
    stop('usage', { code: 'journal/key-file', value: file, params: { reason } });
  const { text, isOpenToOthers: open } = await readWithRights(file).catch((error: NodeJS.ErrnoException) =>
    refuse(error.code ?? ''),
  );
  const key = signingKey(text) ?? refuse('Ed25519, PEM');
  if (mustBePrivate && key.type !== 'private') refuse('Ed25519, PRIVATE KEY');
  if (key.type === 'private' && open) refuse('chmod 600');
  return key;
}

/** `cargue journal export RUN`: writes the hash-chained audit trail of a run, signed if a key is given. */
export async function exportTrail(
  context: Context,
  journal: Journal,
  id: string,
  options: KeyOptions & OutputOptions,
): Promise<Outcome> {
  const run = await findRun(journal, id);
  const output = options.output ?? `auditoria-${runName(context, run)}.jsonl`;
  refuseOutput(context, options, { purpose: 'trail', output });
  const key = options.key === undefined ? undefined : await keyIn(options.key, true);
  let lines = 0;
  let last = '';
  const file = await putInPlace(
    output,
    (temporary) =>
      writeLines(temporary, (write) =>
        emitTrail(journal, id, key, (line) => {
          lines += 1;
          last = line.slice(-66, -2);
          return write(line);
        }),
      ),
    outputOf(context, options, 'trail'),
  );
  context.tell({ event: 'trail', run: id, file, lines, head: last, signed: key !== undefined });
  emitMessage(context, key === undefined ? 'trailWritten' : 'trailSigned', {
    file,
    count: lines,
    head: last,
  });
  return 'fine';
}

/** `cargue journal verify FILE`: checks that a trail is unchanged, and who signed it. */
export const journalVerify: UseCase<KeyOptions> = async (context, [file = ''], options) => {
  const key = options.key === undefined ? undefined : await keyIn(options.key, false);
  const input = createReadStream(file);
  const failed = new Promise<never>((_, reject) => input.once('error', reject));
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const found = await Promise.race([checkTrail(lines, key), failed]).catch((error: unknown) =>
    stopUnreadable(error, file),
  );
  input.destroy();
  const { fault, signedBy, head, run, lines: count } = found;
  context.tell({
    event: 'verified',
    file,
    run: run ?? null,
    lines: count,
    head,
    signedBy: signedBy ?? null,
    fault: fault ?? null,
  });
  if (fault !== undefined) {
    const { code, line } = fault;
    context.tell({ event: 'remark', issue: { code, level: 'error', params: { line }, place: { file } } });
    return 'data-errors';
  }
  emitMessage(context, 'trailIntact', { run: run ?? '', count, head });
  if (signedBy === undefined) emitMessage(context, 'trailUnsigned');
  else emitMessage(context, 'trailSignedBy', { key: signedBy });
  return 'fine';
};

/** `cargue journal key FILE`: creates a signing key with mode 0600 and its public key next to it. */
export const journalKey: UseCase<OutputOptions> = async (context, [file = ''], options) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const parts = [
    [file, privateKey.export({ type: 'pkcs8', format: 'pem' })],
    [`${file}.pub`, publicKey.export({ type: 'spki', format: 'pem' })],
  ] as const;
  for (const [output] of parts) refuseOutput(context, options, { purpose: 'key', output });
  const placing = outputOf(context, options, 'key');
  for (const [output, pem] of parts)
    await putInPlace(output, (temporary) => writeFile(temporary, pem), placing);
  emitMessage(context, 'keyMade', { file, key: fingerprintOf(publicKey) });
  return 'fine';
};
