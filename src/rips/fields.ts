import type { SchemaName } from '../generated/schema-types.js';
import { childKeys, resolveNode, type SchemaNode } from '../schema/registry.js';
import type { RipsGroup } from './groups.js';

/** A data profile of the national form: Resolución 2275 of 2023, or version 3 of the form under Resolución 948 of 2026. */
export type RipsProfile = '2275' | '948-v003';
export const CURRENT_PROFILE: RipsProfile = '948-v003';

/** A field of a service group in the national form. */
export interface NationalField {
  readonly name: string;
  readonly kind: 'number' | 'date-time' | 'text';
}

export const nationalSchema = (
  profile: RipsProfile,
  part: 'transaccion' | 'servicios' | 'usuario',
): SchemaName => `rips/national/${profile}/${part}`;

function kindOf({ type, format }: SchemaNode): NationalField['kind'] {
  if (format === 'national-date-time') return 'date-time';
  const types = [type].flat();
  return types.includes('integer') || types.includes('number') ? 'number' : 'text';
}

const known = new Map<string, readonly NationalField[]>();

/** The fields of a group in the order of the norm (rips.md 2.3 to 2.9). */
export function nationalFields(profile: RipsProfile, group: RipsGroup): readonly NationalField[] {
  const key = `${profile} ${group}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const schema = nationalSchema(profile, 'servicios');
  const names = childKeys(resolveNode(schema, [group, '*']) ?? {});
  const fields = names.map((name) => ({ name, kind: kindOf(resolveNode(schema, [group, '*', name]) ?? {}) }));
  known.set(key, fields);
  return fields;
}

const users = new Map<RipsProfile, readonly string[]>();

/** The fields of a user, in the order of the norm (rips.md 2.2). */
export function userFields(profile: RipsProfile): readonly string[] {
  let fields = users.get(profile);
  if (fields === undefined) {
    const schema = resolveNode(nationalSchema(profile, 'usuario'), []) ?? {};
    fields = childKeys(schema).filter((name) => name !== 'servicios');
    users.set(profile, fields);
  }
  return fields;
}
