import { chanceOf } from '../chaos/chance.js';
import { PAYROLL_KINDS, payrollScene } from './payroll.js';
import type { Scene } from './scene.js';

export const KINDS: readonly string[] = PAYROLL_KINDS;

export const sceneOf = (kind: string, seed: number): Promise<Scene> =>
  payrollScene(kind, chanceOf('variant', kind, seed));
