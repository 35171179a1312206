import { expect, test } from 'vitest';
import {
  leafKind,
  openApi,
  resolved,
  rootNode,
  type SchemaNode,
  schemaNames,
} from '../../src/toolkit/schema/registry.js';

interface Leaf {
  readonly where: string;
  readonly node: SchemaNode;
}

/** Every property that holds a value, as it stands: with what its `$ref` says merged in. */
function leaves(where: string, node: SchemaNode): Leaf[] {
  const parts = [node.items, ...(node.oneOf ?? []), ...(node.anyOf ?? [])].filter(
    (part) => part !== undefined,
  );
  return [
    ...Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
      const place = `${where}/${key}`;
      const whole = resolved(child);
      return leafKind(whole) === undefined ? leaves(place, child) : [{ where: place, node: whole }];
    }),
    ...parts.flatMap((part) => leaves(where, part)),
  ];
}

const all = schemaNames().flatMap((name) => leaves(name, rootNode(name)));
const texts = ({ description = '', 'x-description-es': es = '' }: SchemaNode): readonly string[] => [
  description,
  es,
];
const without = (isSaid: (text: string, node: SchemaNode) => boolean): string[] =>
  all.filter(({ node }) => !texts(node).every((text) => isSaid(text, node))).map(({ where }) => where);

test('every leaf says in both languages what it is', () => {
  expect(all.length).toBeGreaterThan(600);
  expect(without((text) => text.endsWith('.'))).toEqual([]);
  expect(
    all.filter(({ node }) => node.description === node['x-description-es']).map(({ where }) => where),
  ).toEqual([]);
});

test('and the table that its value comes from, and that an amount is in pesos', () => {
  expect(without((text, node) => text.includes(node['x-catalogue'] ?? ''))).toEqual([]);
  expect(without((text, node) => leafKind(node) !== 'money' || /COP|pesos/.test(text))).toEqual([]);
});

const describedIn = (value: unknown): object[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'description' in value && typeof value.description === 'string' ? [value] : [];
  return [...own, ...Object.values(value).flatMap(describedIn)];
};

test('so do parameters, answers and groups of the interface', () => {
  const described = describedIn(openApi());
  expect(described.length).toBeGreaterThan(60);
  expect(described.filter((node) => !('x-description-es' in node))).toEqual([]);
});

/** Our own pages, and the numbers that they give to operations: P7 (service.md 4.1). */
const INTERNAL = /\b[a-z-]+\.md\b|\b[PRE][1-9]\d?\b/;

const textsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        ['description', 'x-description-es', 'summary'].includes(key) && typeof inner === 'string'
          ? [inner]
          : textsIn(inner),
      );

test('no text refers to what its reader does not have', () => {
  const said = [...schemaNames().map(rootNode), openApi()].flatMap(textsIn);
  expect(said.length).toBeGreaterThan(1500);
  expect(said.filter((text) => INTERNAL.test(text))).toEqual([]);
});
