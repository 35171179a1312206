import { chanceOf } from '../chaos/chance.js';
import { CASES, type Case } from './cases.js';
import type { Kind } from './kinds.js';
import { judge, openScene, type Scene } from './scene.js';

const scenes = new Map<string, Promise<Scene>>();

const sceneOf = (own: Case): Promise<Scene> => {
  const known = scenes.get(own.name) ?? openScene(own);
  scenes.set(own.name, known);
  return known;
};

/** What a change of a kind, drawn by a seed, did to the documents of a case. */
export interface Finding {
  readonly seed: number;
  readonly kind: string;
  readonly sample: string;
  /** What was written where. */
  readonly changed: string;
  readonly silent: readonly string[];
  readonly blamed: readonly string[];
}

/** Changes one case, the first that has anything of the kind from where the seed begins. */
export async function findingOf(kind: Kind, seed: number): Promise<Finding | undefined> {
  const chance = chanceOf(kind.name, seed);
  const first = chance.below(CASES.length);
  for (let step = 0; step < CASES.length; step++) {
    const own = CASES[(first + step) % CASES.length]!;
    const scene = await sceneOf(own);
    const trial = kind.trial(scene, chance);
    if (trial === undefined) continue;
    const { changes, reference, params, about = [] } = trial;
    const expected = reference === undefined ? scene.made : await scene.make(reference);
    const made = await scene.make(changes, params);
    const touched = changes.map(({ cell }) => cell);
    const { silent, blamed } = judge(made, {
      reference: expected,
      touched,
      isOfColumn: kind.isOfColumn === true,
      byErrors: kind.explainedBy === 'errors',
      ...(kind.mustBeSaid && { mustBeSaid: [...touched, ...about] }),
    });
    const changed = changes
      .slice(0, 8)
      .map(
        ({ cell, text }) => `${cell.sheet ?? cell.file}!${cell.column}:${cell.row} ${JSON.stringify(text)}`,
      );
    return {
      seed,
      kind: kind.name,
      sample: own.name,
      changed: params === undefined ? changed.join(' · ') : JSON.stringify(params),
      silent,
      blamed: kind.isOfColumn ? [] : blamed,
    };
  }
  return undefined;
}
