import { fold } from '../toolkit/core/text.js';

export type Environment = 'test' | 'production';

const ENVIRONMENTS: readonly (readonly [Environment, ReadonlySet<string>])[] = [
  ['test', new Set(['test', 'tests', 'prueba', 'pruebas', 'habilitacion'])],
  ['production', new Set(['production', 'produccion'])],
];

/** Returns the environment a word means, in either language. */
export const environmentWord = (word: string): Environment | undefined =>
  ENVIRONMENTS.find(([, words]) => words.has(fold(word)))?.[0];
