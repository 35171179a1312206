/** Different texts of a column that are kept. */
const KEPT = 1_000;
/** A column whose texts come again less often than this has too many of them. */
const WORTH = 2;
/** Longer ones are names and remarks. */
const LONGEST = 40;

/** A string of its own: one that was cut from a longer text keeps all of that in memory. */
const own = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

/**
 * Most columns hold few different texts. What such a text means is worked out once, and all records share the one string,
 * whose hash is known to every table that it is looked up in. A column of ever new texts is soon left alone.
 */
export function fewTexts<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  let found = 0;
  let isFew = true;
  return (text) => {
    if (!isFew || text.length > LONGEST) return read(text);
    const value = known.get(text);
    if (value !== undefined || known.has(text)) {
      found += 1;
      return value as T;
    }
    if (known.size < KEPT) {
      const kept = own(text);
      const first = read(kept);
      known.set(kept, first);
      return first;
    }
    if (found < KEPT * WORTH) {
      isFew = false;
      known.clear();
    } else found -= 1; // so that one that becomes ever new is left alone in the end
    return read(text);
  };
}
