import type { Draft } from '../document/draft.js';
import type { SchemaName } from '../generated/schema-types.js';
import { childKeys, resolveNode } from '../schema/registry.js';
import type { JsonObject } from '../values/json.js';

/** Top-level leaves that a schema marks as a number series: `consecutive`. */
export const seriesKeys = (schema: SchemaName): readonly string[] => {
  const root = resolveNode(schema, []);
  return root === undefined
    ? []
    : childKeys(root).filter((key) => resolveNode(schema, [key])?.['x-series'] === true);
};

/**
 * Fills number series in order of the documents, each prefix counting by itself from the parameter `first_<leaf>`,
 * or from 1. For `convert` only: what is sent gets its numbers from the journal.
 */
export function createNumbering(params: Readonly<Record<string, unknown>>): (draft: Draft) => JsonObject {
  const next = new Map<string, number>();
  return ({ schema, document }) => {
    const numbers = seriesKeys(schema).map((key): [string, number] => {
      const series = `${key} ${String(document['prefix'] ?? '')}`;
      const number = next.get(series) ?? Number(params[`first_${key}`] ?? 1);
      next.set(series, number + 1);
      return [key, number];
    });
    return { ...document, ...Object.fromEntries(numbers) };
  };
}
