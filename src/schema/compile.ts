import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { FORMATS } from './formats.js';
import { refName, rootNode, type SchemaNode, schemaId } from './registry.js';
import { type View, viewOf } from './views.js';

/** Annotations that check nothing (schemas/README.md); any other unknown keyword is a mistake in a schema. */
const ANNOTATIONS: readonly string[] = [
  'x-layer',
  'x-catalogue',
  'x-catalogue-column',
  'x-series',
  'x-assigned',
  'x-derived',
  'x-outside-hash',
  'x-personal',
  'x-discriminator',
  'x-tolerates',
  'x-tolerates-absence',
];

function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strictTypes: false,
    strictRequired: false,
    formats: { ...FORMATS },
  });
  ajv.addVocabulary([...ANNOTATIONS]);
  addFormats.default(ajv, ['email', 'uri']);
  return ajv;
}

function refsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  );
}

/** A schema and all that it refers to. */
function closure(name: string, found = new Map<string, SchemaNode>()): ReadonlyMap<string, SchemaNode> {
  if (found.has(name)) return found;
  const root = rootNode(name);
  found.set(name, root);
  for (const ref of refsIn(root)) closure(refName(ref), found);
  return found;
}

interface Compiler {
  readonly ajv: Ajv2020;
  readonly added: Set<string>;
}

/** One for each view, so that views do not see each other's schemas. */
const compilers = new Map<View, Compiler>();
const validators = new Map<View, Map<string, ValidateFunction>>();

function compile(name: string, view: View): ValidateFunction {
  const compiler = compilers.get(view) ?? { ajv: newAjv(), added: new Set() };
  compilers.set(view, compiler);
  for (const [part, root] of closure(name)) {
    if (!compiler.added.has(part)) compiler.ajv.addSchema(viewOf(root, view), schemaId(part));
    compiler.added.add(part);
  }
  return compiler.ajv.getSchema(schemaId(name))!;
}

/** The validator of a schema in a view; compiled when first asked for. Throws on an unknown name. */
export function validatorOf(name: string, view: View): ValidateFunction {
  let byName = validators.get(view);
  if (byName === undefined) {
    byName = new Map();
    validators.set(view, byName);
  }
  let validator = byName.get(name);
  if (validator === undefined) {
    validator = compile(name, view);
    byName.set(name, validator);
  }
  return validator;
}
