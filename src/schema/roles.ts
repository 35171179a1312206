import { childPointer, type JsonValue, type Pointer, parsePointer, valueAt } from '../core/json.js';
import { hasRightDigit, readNit } from '../core/nit.js';
import { childKeys, jsonFileForms, resolveNode, type SchemaNode } from './registry.js';

/** A text that is not what its role demands. */
export interface RoleFault {
  readonly code: 'document/role-nit' | 'document/role-invoice-number';
  /** Rule of the authority. */
  readonly rule: string;
  /** The right form, where the text leaves no doubt. */
  readonly right?: string;
}

function nitFault(text: string): RoleFault | undefined {
  const found = readNit(text);
  if (found?.digit === undefined && found?.nit === text) return undefined;
  const isSure = found !== undefined && hasRightDigit(found);
  return { code: 'document/role-nit', rule: 'RVC001', ...(isSure && { right: found.nit }) };
}

/** One word with a digit: `FE-123`; neither `FE 123` nor `null`. */
const INVOICE_NUMBER = /^(?=\D*\d)\S+$/;

const CHECKS: Readonly<
  Partial<Record<NonNullable<SchemaNode['x-role']>, (text: string) => RoleFault | undefined>>
> = {
  nit: nitFault,
  'invoice-number': (text) =>
    INVOICE_NUMBER.test(text) ? undefined : { code: 'document/role-invoice-number', rule: 'RVC004' },
};

const faultIn = (node: SchemaNode | undefined, value: JsonValue | undefined): RoleFault | undefined => {
  const role = node?.['x-role'];
  return role === undefined || typeof value !== 'string' ? undefined : CHECKS[role]?.(value);
};

const known = new Map<string, readonly Pointer[]>();

/** Leaves outside of lists whose role is checked. */
function leavesOf(name: string): readonly Pointer[] {
  const found = known.get(name) ?? leavesBelow(name, '');
  known.set(name, found);
  return found;
}

function leavesBelow(name: string, pointer: Pointer): Pointer[] {
  const node = resolveNode(name, parsePointer(pointer));
  if (node === undefined) return [];
  const role = node['x-role'];
  if (role !== undefined) return CHECKS[role] === undefined ? [] : [pointer];
  return childKeys(node).flatMap((key) => leavesBelow(name, childPointer(pointer, key)));
}

/** Returns the leaves of a document that are not what their role demands. */
export const roleFaults = (
  name: string,
  document: unknown,
): readonly (RoleFault & { readonly pointer: Pointer })[] =>
  leavesOf(name).flatMap((pointer) => {
    const node = resolveNode(name, parsePointer(pointer));
    const fault = faultIn(node, valueAt(document, pointer) as JsonValue | undefined);
    return fault === undefined ? [] : [{ ...fault, pointer }];
  });

/** Returns what is wrong with a parameter that is named after a field of the files of records. */
export const paramFault = (name: string, value: JsonValue | undefined): RoleFault | undefined => {
  const nodes = jsonFileForms().flatMap(({ shapes }) => shapes.map((shape) => resolveNode(shape, [name])));
  return faultIn(
    nodes.find((node) => node?.['x-role'] !== undefined),
    value,
  );
};
