import { formatPointer, isObject, type JsonObject, type JsonValue, type Pointer } from './json.js';
import { FOREIGN_JSON, type JsonLimits } from './limits.js';

type JsonProblem = 'too-large' | 'too-deep' | 'too-many' | 'syntax';

type ForeignJson =
  | {
      readonly value: JsonValue;
      /**
       * Pointers of keys that occur twice in one object, at most 100; `value` holds the last of their values.
       */
      readonly duplicateKeys: readonly Pointer[];
      readonly problem?: undefined;
    }
  | { readonly problem: JsonProblem };

/** Parses JSON of another program. The limits are checked first, so code that walks the value may recurse. */
export function parseForeignJson(text: string, limits: JsonLimits = FOREIGN_JSON): ForeignJson {
  if (text.length > limits.maxLength) return { problem: 'too-large' };
  try {
    const found = scan(text, limits);
    return typeof found === 'string'
      ? { problem: found }
      : { value: JSON.parse(text) as JsonValue, duplicateKeys: found };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: 'syntax' };
    throw error;
  }
}

/** Returns the value of a text within the limits, or undefined if it has none. */
const foreignValue = (text: string, limits?: JsonLimits): JsonValue | undefined => {
  const read = parseForeignJson(text, limits);
  return read.problem === undefined ? read.value : undefined;
};

/** Returns the object that a text within the limits holds, or undefined if it holds none. */
export const foreignObject = (text: string, limits?: JsonLimits): JsonObject | undefined => {
  const value = foreignValue(text, limits);
  return isObject(value) ? value : undefined;
};

const MAX_DUPLICATE_KEYS = 100;

const [QUOTE, COMMA, LEFT_BRACKET, BACKSLASH, RIGHT_BRACKET, LEFT_BRACE, RIGHT_BRACE] = [
  0x22, 0x2c, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d,
];

/** An open list or object. */
interface Level {
  /** Keys of an object so far; undefined for a list. */
  readonly keys: Set<string> | undefined;
  /** Key or index of the current value. */
  step: string | number;
  expectsKey: boolean;
}

/** Checks the limits without building the value, and finds repeated keys; `JSON.parse` checks the rest. */
function scan(text: string, { maxDepth, maxValues }: JsonLimits): JsonProblem | Pointer[] {
  const levels: Level[] = [];
  const duplicates: Pointer[] = [];
  let level: Level | undefined;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const end = endOfString(text, at);
      if (end < 0) return 'syntax';
      if (level?.keys !== undefined && level.expectsKey) {
        const key = keyIn(text.slice(at, end + 1));
        level.expectsKey = false;
        level.step = key;
        if (level.keys.has(key) && duplicates.length < MAX_DUPLICATE_KEYS)
          duplicates.push(formatPointer(levels.map(({ step }) => step)));
        level.keys.add(key);
      }
      at = end;
    } else if (unit === LEFT_BRACE || unit === LEFT_BRACKET) {
      if (levels.length >= maxDepth) return 'too-deep';
      const isObject = unit === LEFT_BRACE;
      level = { keys: isObject ? new Set() : undefined, step: 0, expectsKey: isObject };
      levels.push(level);
      values += 1;
    } else if (unit === RIGHT_BRACE || unit === RIGHT_BRACKET) {
      levels.pop();
      level = levels.at(-1);
    } else if (unit === COMMA) {
      values += 1;
      if (level?.keys !== undefined) level.expectsKey = true;
      else if (level !== undefined) level.step = (level.step as number) + 1;
    }
    if (values > maxValues) return 'too-many';
  }
  return duplicates;
}

/** Returns the index of the quote that ends the string beginning at `start`, or -1 if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = end;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end;
  }
  return -1;
}

const keyIn = (quoted: string): string =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
