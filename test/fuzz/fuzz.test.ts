import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Call, Player, play } from './play.js';

/** Ten of each sample; `npm run fuzz` makes thousands. */
const TRIALS = 100;

test('files that were changed at random are read, or refused in words', { timeout: 600_000 }, async () => {
  const player = new Player();
  onTestFinished(() => player.stop());
  const faults: unknown[] = [];
  for (let seed = 1; seed <= TRIALS; seed++) {
    const trial = await play(seed, player);
    if (trial.fault !== undefined) faults.push(trial);
  }
  expect(faults).toEqual([]);
});

/** Into the third record, behind its first field. */
function withLongCell(file: string, text: string): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  lines[2] = lines[2]!.replace(/[;,]/, (delimiter) => `${text}${delimiter}`);
  writeFileSync(file, lines.join('\n'));
}

// As many copies as a call makes of a cell, so many times its megabytes it takes.
test.each<[Call['act'], string]>([
  ['annotate', 'ñ'],
  ['check', '*a'],
  ['convert', 'ñ '],
  ['inspect', 'ñ'],
])('%s of a file with a cell of four megabytes of «%s» stays below 300 MB', async (act, text) => {
  const player = new Player();
  onTestFinished(() => player.stop());
  const folder = mkdtempSync(join(tmpdir(), 'cargue-fuzz-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'eventos.csv');
  copyFileSync('samples/events/eventos-facturas-recibidas.csv', file);
  withLongCell(file, text.repeat(4_000_000 / Buffer.byteLength(text)));
  const options = { json: true, ...(act !== 'inspect' && { mapping: 'mappings/events/list.yaml' }) } as const;
  const { fault, memory } = await player.play({ act, files: [file], options, folder });
  expect([fault, memory > 50 * 1024]).toEqual([undefined, true]);
});
