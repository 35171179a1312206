import type { Leaf } from '../generated/mapping-types.js';
import { absolute, negate } from '../values/decimal.js';

type Transform = NonNullable<Leaf['transform']>[number];
type Change = (value: string | boolean) => string | boolean;

const onText =
  (change: (text: string) => string): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : value;

const CHANGES: Readonly<Record<Transform, Change>> = {
  upper: onText((text) => text.toUpperCase()),
  lower: onText((text) => text.toLowerCase()),
  digits: onText((text) => text.replace(/\D/g, '')),
  absolute: onText(absolute),
  negate: onText(negate),
};

/** Named changes of a value, in order. */
export function compileTransforms(names: readonly Transform[]): Change {
  const [first, ...rest] = names.map((name) => CHANGES[name]);
  if (first === undefined) return (value) => value;
  return (value) => rest.reduce((changed, change) => change(changed), first(value));
}
