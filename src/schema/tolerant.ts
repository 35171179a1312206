import type { JsonValue } from '../values/json.js';
import { type SchemaNode, soleType, typesOf } from './registry.js';

/**
 * The tolerant view: what the service takes and answers, as against what we make (service.md 4, "num" and 4.7).
 * Derived from the same node; `x-tolerates` replaces what the rules below cannot guess.
 */

type Rule = (node: SchemaNode) => Partial<SchemaNode> | undefined;

const NUMBER_FORMATS: readonly string[] = ['money', 'decimal', 'two-decimals'];

/** Codes that the service passes on without a look. */
const CODE_FORMATS: readonly string[] = ['cie10', 'cups'];

const isInteger = (node: SchemaNode): boolean => soleType(node) === 'integer';
const isNumeric = (node: SchemaNode): boolean => isInteger(node) || soleType(node) === 'number';

/** Each value and the text that means the same. */
const withTexts = (values: readonly JsonValue[]): readonly JsonValue[] =>
  values.flatMap((value) => (typeof value === 'string' ? [value] : [value, String(value)]));

const RULES: Readonly<Record<string, Rule>> = {
  'objects are open': (node) =>
    node.additionalProperties === false ? { additionalProperties: true } : undefined,
  'amounts and quantities are numbers or numeric text': (node) =>
    NUMBER_FORMATS.includes(node.format ?? '')
      ? { type: ['number', 'string'], format: 'number-text' }
      : undefined,
  'numbers may be numeric text': (node) =>
    isNumeric(node)
      ? {
          type: [...typesOf(node), 'string'],
          format: isInteger(node) ? 'integer-text' : 'number-text',
        }
      : undefined,
  'booleans may be 0, 1 or their texts': (node) =>
    node.type === 'boolean' ? { type: undefined, enum: [true, false, 0, 1, '0', '1'] } : undefined,
  'fixed values may be text': (node) => {
    const values = node.const === undefined ? node.enum : [node.const];
    if (values === undefined) return undefined;
    const accepted = values.includes(true) ? [...values, 1, '1'] : withTexts(values);
    return { type: undefined, format: undefined, const: undefined, enum: accepted };
  },
  'codes are any text': (node) =>
    CODE_FORMATS.includes(node.format ?? '') ? { format: undefined } : undefined,
  'text has no pattern': (node) => (node.pattern === undefined ? undefined : { pattern: undefined }),
  'what the service can do without may be absent': ({ required, properties }) =>
    required === undefined
      ? undefined
      : { required: required.filter((key) => properties?.[key]?.['x-tolerates-absence'] !== true) },
};

/** One node by itself; its children are the caller's business. */
export function tolerantNode(node: SchemaNode): SchemaNode {
  if (node['x-tolerates'] !== undefined) return node['x-tolerates'];
  const changes = Object.values(RULES).map((rule) => rule(node));
  const whole: SchemaNode = Object.assign({}, node, ...changes);
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
}
