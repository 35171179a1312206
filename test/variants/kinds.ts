import { chanceOf } from '../chaos/chance.js';
import { CLINIC_KINDS, clinicScene } from './clinic.js';
import { PAYROLL_KINDS, payrollScene } from './payroll.js';
import type { Scene } from './scene.js';

const payroll = PAYROLL_KINDS.map((kind) => `payroll: ${kind}`);
const clinics = CLINIC_KINDS.map((kind) => `rips: ${kind}`);

export const KINDS: readonly string[] = [...payroll, ...clinics];

/** Makes the delivery of a kind and a seed. */
export function sceneOf(name: string, seed: number): Promise<Scene> {
  const kind = name.replace(/^.*?: /, '');
  const chance = chanceOf('variant', kind, seed);
  return payroll.includes(name) ? payrollScene(kind, chance) : clinicScene(kind, chance);
}
