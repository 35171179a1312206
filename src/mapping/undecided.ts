import type { Undecided } from '../generated/mapping-types.js';
import type { JsonValue } from '../values/json.js';
import type { YamlPath } from './yaml-source.js';

/** An open choice of a mapping, and where it stands. */
export interface OpenChoice {
  readonly path: YamlPath;
  readonly undecided: Undecided['undecided'];
}

/** Every `undecided` node of a mapping, in file order. */
export function openChoices(value: JsonValue, path: YamlPath = []): OpenChoice[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => openChoices(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  const map = value as Readonly<Record<string, JsonValue>>;
  if ('undecided' in map && Object.keys(map).length === 1)
    return [{ path, undecided: map['undecided'] as unknown as Undecided['undecided'] }];
  return Object.entries(map).flatMap(([key, inner]) => openChoices(inner, [...path, key]));
}
