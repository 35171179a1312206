import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openPromise } from 'yauzl';

/** A secret by pieces of it: half of one is one too. */
export interface Secret {
  readonly name: string;
  readonly value: string;
  readonly pieces: readonly RegExp[];
}

const literally = (piece: string): RegExp => new RegExp(piece.replace(/[^\w]/g, '\\$&'), 'i');

/** A word long enough to be found by either half. */
export const secretWord = (name: string, value: string): Secret => {
  const middle = Math.floor(value.length / 2);
  return { name, value, pieces: [literally(value.slice(0, middle)), literally(value.slice(middle))] };
};

/** Digits: not as a part of a longer number or of a hash. */
export const secretDigits = (name: string, value: string): Secret => ({
  name,
  value,
  pieces: [new RegExp(`(?<![0-9a-f.])${value}(?![0-9a-f])`, 'i')],
});

/** The names of the secrets that a text holds. */
export const heldIn = (content: string, secrets: readonly Secret[]): readonly string[] =>
  secrets.filter(({ pieces }) => pieces.some((piece) => piece.test(content))).map(({ name }) => name);

async function* contentsOf(file: string): AsyncIterable<readonly [part: string, content: string]> {
  yield ['', readFileSync(file, 'latin1')];
  if (!file.endsWith('.xlsx')) return;
  const zip = await openPromise(file, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    const stream = await zip.openReadStreamPromise(entry);
    yield [entry.fileName, await text(stream)];
  }
}

/** Every file below a folder, and what lies packed in it, with the secrets that it holds. */
export async function spilledIn(folder: string, secrets: readonly Secret[]) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  const spilled: string[] = [];
  for (const file of files)
    for await (const [part, content] of contentsOf(join(folder, file)))
      for (const name of heldIn(content, secrets)) spilled.push(`${file} ${part}: ${name}`);
  return { files, spilled };
}
