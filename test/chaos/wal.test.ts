import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chanceOf } from './chance.js';
import { type WalLengths, walLengths } from './wal-frames.js';
import { dump, goOnFromCut, playWalScene, unmarked, type WalScene } from './wal-scene.js';

const NOTHING = { doubles: [], lost: [], wrong: [] };

describe.each([false, true])('every prefix of the write-ahead log, test set %s', (testSet) => {
  let scene: WalScene;
  let lengths: WalLengths;
  beforeAll(async () => {
    scene = await playWalScene(mkdtempSync(join(tmpdir(), 'cargue-wal-')), testSet);
    lengths = walLengths(readFileSync(`${scene.journal}-wal`));
    // The log holds the whole run: nothing was moved into the database on the way.
    expect(lengths.commits.length).toBeGreaterThan(scene.roles.length);
  });
  afterAll(() => rmSync(scene.folder, { recursive: true, force: true }));

  test('opens to the state of its last whole transaction', async () => {
    const { below } = chanceOf('torn');
    const { frames, commits } = lengths;
    const size = frames[0]! - 32;
    const cuts = [0, 16, 32, ...frames.flatMap((end) => [end, end - 1 - below(size - 1)])].sort(
      (a, b) => a - b,
    );
    let at = 0;
    let whole = await dump(scene, 0);
    for (const cut of cuts) {
      while (at < commits.length && commits[at]! <= cut) {
        whole = await dump(scene, commits[at]!);
        at += 1;
      }
      expect(await dump(scene, cut), `cut at ${cut}`).toBe(whole);
    }
    expect(at).toBe(commits.length);
  });

  test('holds the mark of every send before it comes', async () => {
    expect(await unmarked(scene)).toEqual([]);
  });

  test('is gone on from as if nothing had happened, whether the last send landed or not', async () => {
    let lostOnes = 0;
    for (const cut of [0, ...lengths.commits]) {
      expect(await goOnFromCut(scene, cut, true), `cut at ${cut}, landed`).toEqual(NOTHING);
      const without = await goOnFromCut(scene, cut, false);
      if (without === undefined) continue;
      lostOnes += 1;
      expect(without, `cut at ${cut}, not landed`).toEqual(NOTHING);
    }
    expect(lostOnes).toBeGreaterThan(0);
  });
});
