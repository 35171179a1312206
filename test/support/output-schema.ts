import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';

interface Definition {
  readonly properties: Readonly<Record<string, unknown>>;
}

const SCHEMA = JSON.parse(readFileSync(packageFile('schemas', 'output.schema.json'), 'utf8')) as {
  readonly $defs: Readonly<Record<string, Definition>>;
};

/** Events whose members are those of a file, a list or a parameter. */
const OPEN = ['entry', 'law-table', 'profile', 'sheet', 'missing', 'param', 'setting'];

/** Names of the events that the schema has. */
export const EVENTS: readonly string[] = Object.keys(SCHEMA.$defs).filter(
  (name) => 'event' in SCHEMA.$defs[name]!.properties,
);

const ajv = new Ajv2020({ allowUnionTypes: true });
// Closed, unlike what is published: a member that the schema does not name is a fault here.
const checks = new Map(
  EVENTS.map((name) => {
    const closed = OPEN.includes(name) ? {} : { additionalProperties: false };
    return [name, ajv.compile({ ...SCHEMA.$defs[name], ...closed, $defs: SCHEMA.$defs })];
  }),
);

/** Returns what is wrong with a line of `--json`, or undefined. */
export function outputFault(line: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return `no JSON: ${line.slice(0, 200)}`;
  }
  const check = checks.get((value as { event?: string } | null)?.event ?? '');
  if (check === undefined) return `no event: ${line.slice(0, 200)}`;
  return check(value) ? undefined : `${line.slice(0, 200)}: ${ajv.errorsText(check.errors)}`;
}

/** Parses lines of `--json`. @throws Error if one is not as the published schema says */
export function readOutput<T>(lines: readonly string[]): readonly T[] {
  for (const line of lines) {
    const fault = outputFault(line);
    if (fault !== undefined) throw new Error(fault);
  }
  return lines.map((line) => JSON.parse(line) as T);
}
