import { childPointer, type JsonValue, type Pointer, parsePointer } from '../core/json.js';
import { hasRightDigit, readNit } from '../core/nit.js';
import { getOrAdd } from '../core/remember.js';
import { childKeys, jsonFileForm, resolveNode, type SchemaNode } from './registry.js';
import { follow } from './rule-scope.js';

export interface RoleFault {
  readonly code:
    | 'document/role-nit'
    | 'document/role-invoice-number'
    | 'document/role-account'
    | 'document/role-address';
  readonly rule: string;
  /** Correct form, if the text allows only one. */
  readonly right?: string;
}

function nitFault(text: string): RoleFault | undefined {
  const found = readNit(text);
  if (found?.digit === undefined && found?.nit === text) return undefined;
  const isSure = found !== undefined && hasRightDigit(found);
  return { code: 'document/role-nit', rule: 'RVC001', ...(isSure && { right: found.nit }) };
}

/** One word with a digit: `FE-123`, but neither `FE 123` nor `null`. */
const INVOICE_NUMBER = /^(?=\D*\d)\S+$/;

/** Date as read from a date cell, or as people write it. Hyphens may separate parts of an account. */
const DATE = /^(?:\d{4}-\d\d-\d\d(?:T.*)?|\d{4}[/.]\d{1,2}[/.]\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{4})$/;

/** Integer with a fraction added by a program: `1926665174.0`. */
const WITH_DECIMALS = /^(\d+)[.,]0+$/;
/** Number or list punctuation, as in `1.926.665.174` and `#1926665174`: no bank prints it in an account. */
const ACCOUNT_SIGNS = /[^\p{L}\d\s/-]/gu;
const EXPONENT = /^\d(?:[.,]\d+)?e\+?\d+$/i;

/** Returns the error of an account number, or undefined if it may be one. */
export function accountFault(text: string): RoleFault | undefined {
  const bare = text.replaceAll(ACCOUNT_SIGNS, '');
  const isAccount = bare === text && /[1-9]/.test(text) && !DATE.test(text) && !EXPONENT.test(text);
  if (isAccount) return undefined;
  const isNumber = /^\d+$/.test(bare) && !DATE.test(text);
  const right = WITH_DECIMALS.exec(text)?.[1] ?? (isNumber ? bare : undefined);
  return {
    code: 'document/role-account',
    rule: 'NIE068',
    ...(right !== undefined && /[1-9]/.test(right) && { right }),
  };
}

/** Texts that are no address: only digits or punctuation, one repeated character, an e-mail. */
const NO_ADDRESS = /^(?:\d+|[^\p{L}\d]+|(.)\1*|\S+@\S+\.\S+)$/u;

const addressFault = (text: string): RoleFault | undefined =>
  NO_ADDRESS.test(text) || DATE.test(text) ? { code: 'document/role-address', rule: 'NIE053' } : undefined;

type Check = (text: string) => RoleFault | undefined;

const CHECKS: Readonly<Partial<Record<NonNullable<SchemaNode['x-role']>, Check>>> = {
  nit: nitFault,
  'invoice-number': (text) =>
    INVOICE_NUMBER.test(text) ? undefined : { code: 'document/role-invoice-number', rule: 'RVC004' },
  account: accountFault,
  address: addressFault,
};

function checkOf(node: SchemaNode | undefined): Check | undefined {
  const role = node?.['x-role'];
  return role && CHECKS[role];
}

/** Leaf whose role is checked. */
interface CheckedLeaf {
  readonly pointer: Pointer;
  readonly keys: readonly string[];
  readonly check: Check;
}

const known = new Map<string, readonly CheckedLeaf[]>();

/** Returns the leaves outside of lists whose role is checked. */
const leavesOf = (name: string): readonly CheckedLeaf[] => getOrAdd(known, name, () => leavesBelow(name, ''));

function leavesBelow(name: string, pointer: Pointer): CheckedLeaf[] {
  const keys = parsePointer(pointer);
  const node = resolveNode(name, keys);
  if (node === undefined) return [];
  const check = checkOf(node);
  if (check !== undefined) return [{ pointer, keys, check }];
  return childKeys(node).flatMap((key) => leavesBelow(name, childPointer(pointer, key)));
}

const NO_FAULTS: readonly (RoleFault & { readonly pointer: Pointer })[] = [];

/** Returns the leaves of a document that violate their role. */
export function roleFaults(
  name: string,
  document: unknown,
): readonly (RoleFault & { readonly pointer: Pointer })[] {
  let found: (RoleFault & { readonly pointer: Pointer })[] | undefined;
  for (const { pointer, keys, check } of leavesOf(name)) {
    const value = follow(document as JsonValue, keys);
    const fault = typeof value === 'string' ? check(value) : undefined;
    if (fault === undefined) continue;
    found ??= [];
    found.push({ ...fault, pointer });
  }
  return found ?? NO_FAULTS;
}

/** Returns the check of a member name in files of records. */
function checkOfKey(name: string): Check | undefined {
  const nodes = jsonFileForm().shapes.map((shape) => resolveNode(shape, [name]));
  return checkOf(nodes.find((node) => checkOf(node) !== undefined));
}

/** True if a member of files of records is an identifier, around which blanks are an error. */
export const isIdentifierKey = (name: string): boolean => checkOfKey(name) !== undefined;

/** Checks a parameter that is named after a field of files of records. */
export const paramFault = (name: string, value: JsonValue | undefined): RoleFault | undefined =>
  typeof value === 'string' ? checkOfKey(name)?.(value) : undefined;
