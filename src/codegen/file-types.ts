import { compile } from 'json-schema-to-typescript';
import type { SchemaJson } from './schema-files.js';

/** Keywords that restrict values without naming a shape; they would only blur the types. */
const isRestriction = (keyword: string, value: unknown): boolean =>
  keyword === 'not' ||
  (keyword === 'oneOf' &&
    Array.isArray(value) &&
    value.every((choice) => Object.keys(choice as object).join() === 'required'));

function typeSource(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typeSource);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([keyword, inner]) => !isRestriction(keyword, inner));
  return Object.fromEntries(kept.map(([keyword, inner]) => [keyword, typeSource(inner)]));
}

/** TypeScript of a file format of our own (mappings, rules): one self-contained schema, its `$defs` named as they are. */
export async function fileTypes(schema: SchemaJson, name: string): Promise<string> {
  const { title: _, ...source } = typeSource(schema) as SchemaJson;
  const types = await compile(source as Parameters<typeof compile>[0], name, {
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 110 },
  });
  return `${types.trim()}\n`;
}
