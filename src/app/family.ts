import { stop } from '../core/issue.js';
import type { Family } from '../families/family.js';
import { deriveWith, FAMILIES, familyOf } from '../families/registry.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { Sql } from '../send/database.js';
import { schemaOfRun } from '../send/runs.js';
import type { Context } from './context.js';
import type { Masked } from './events.js';

/** Those that a call knows. */
export const familiesOf = ({ families = FAMILIES }: Pick<Context, 'families'>): readonly Family[] => families;

/** Fills in what the documents of each family derive. */
export const deriveFor = (context: Pick<Context, 'families'>) => deriveWith(familiesOf(context));

/** What of a mapping's documents is personal. */
export const maskedIn = (context: Context, mapping: Targets): Masked =>
  familyFor(context, mapping) ?? { schemas: mapping.targets.map(({ schema }) => schema) };

type Targets = Pick<LoadedMapping, 'targets'>;

/** The family that all targets of a mapping are of; undefined where there is none. */
export function familyFor(context: Context, { targets }: Targets): Family | undefined {
  const families = new Set(targets.map(({ schema }) => familyOf(familiesOf(context), schema)));
  return families.size === 1 ? [...families][0] : undefined;
}

/**
 * The family of a mapping's documents, by which they are sent.
 * @throws PipelineError('usage', run/not-sendable)
 */
export function sendableFamily(context: Context, { targets }: Targets): Family {
  const [first, ...others] = targets.map(({ schema }) => sendable(context, schema));
  const other = others.findIndex((one) => one !== first);
  return other < 0 ? first! : stop('usage', { code: 'run/not-sendable', value: targets[other + 1]!.schema });
}

const sendable = (context: Context, schema: string): Family =>
  familyOf(familiesOf(context), schema) ?? stop('usage', { code: 'run/not-sendable', value: schema });

/** The family of a run's documents; undefined where none was made. */
export async function familyOfRun(context: Context, journal: Sql, run: string): Promise<Family | undefined> {
  const schema = await schemaOfRun(journal, run);
  return schema === undefined ? undefined : familyOf(familiesOf(context), schema);
}

/**
 * The family by which the documents of a run are sent; any for a run without documents.
 * @throws PipelineError('usage', run/not-sendable)
 */
export async function senderOfRun(context: Context, journal: Sql, run: string): Promise<Family> {
  const schema = await schemaOfRun(journal, run);
  return schema === undefined ? familiesOf(context)[0]! : sendable(context, schema);
}
