import { detached } from '../core/text.js';

const LINE_FEED = 10;
const RETURN = 13;
const QUOTE = 34;

/** Record without unusual quoting. */
export interface SimpleRecord {
  readonly fields: string[];
  /** True if a field spans several lines. */
  readonly hasBreaks: boolean;
}

/** Kinds of bytes outside quotes. */
const PLAIN = 0;
const END = 1;
const MARKED = 2;
const BEYOND_ASCII = 3;
const HIGH = /[\x80-\xff]/;

function kindsOf(delimiter: number): Uint8Array {
  const kinds = new Uint8Array(256).fill(BEYOND_ASCII, 128);
  for (const end of [delimiter, LINE_FEED, RETURN]) kinds[end] = END;
  kinds[QUOTE] = MARKED;
  return kinds;
}

/** Decodes a single field, so that one non-Latin character does not double the size of all of them. */
const decoded = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

/** UTF-8 text as bytes, for searching, and as a string of one character a byte, for slicing. */
interface ByteText {
  readonly bytes: Buffer;
  readonly latin1: string;
}

export const byteText = (bytes: Buffer): ByteText => ({
  bytes,
  latin1: bytes.toString('latin1'),
});

/** Finds the end of the quoted field at `from`; -1 if it is not in the text. */
function closingQuote(text: string, from: number): number {
  let close = text.indexOf('"', from + 1);
  while (close >= 0 && text.charCodeAt(close + 1) === QUOTE) close = text.indexOf('"', close + 2);
  return close;
}

/**
 * Creates a fast reader of records: fields fully quoted or without quotes, lines that end in LF, CRLF or CR. `read`
 * takes all complete records up to the first unusual one and returns where it stopped.
 */
export function simpleCsvReader(
  delimiter: string,
  take: (record: SimpleRecord) => void,
): {
  read(text: ByteText, last: boolean): { readonly end: number; readonly unusual: boolean };
} {
  const mark = delimiter.charCodeAt(0);
  const kinds = kindsOf(mark);
  let width = 0;
  /** Previous record: columns often repeat a value, and then share its string. */
  let before: readonly string[] = [];

  return {
    read({ bytes, latin1 }, last) {
      const { length } = bytes;
      let from = 0;
      for (;;) {
        let at = from;
        let hasBreaks = false;
        const fields: string[] = new Array(width);
        let field = 0;
        for (;;) {
          if (bytes[at] === QUOTE) {
            const close = closingQuote(latin1, at);
            if (close < 0) return { end: from, unusual: false };
            const value = latin1.slice(at + 1, close).replaceAll('""', '"');
            hasBreaks ||= /[\r\n]/.test(value);
            fields[field] = HIGH.test(value) ? decoded(value) : detached(value);
            field += 1;
            at = close + 1;
            const next = bytes[at];
            if (next !== undefined && kinds[next] !== END) return { end: from, unusual: true };
          } else {
            const start = at;
            let isHigh = false;
            for (let byte = bytes[at]; byte !== undefined; byte = bytes[++at]) {
              const kind = kinds[byte];
              if (kind === PLAIN) continue;
              if (kind === END) break;
              if (kind === MARKED) return { end: from, unusual: true };
              isHigh = true;
            }
            if (isHigh) fields[field] = decoded(latin1.slice(start, at));
            else {
              const above = before[field];
              fields[field] =
                above?.length === at - start && latin1.startsWith(above, start)
                  ? above
                  : detached(latin1.slice(start, at));
            }
            field += 1;
          }
          if (at >= length || bytes[at] !== mark) break;
          at += 1;
        }
        // A record at the end of the text may continue; a CR may be half of a line end.
        const isCut = at >= length || (at + 1 === length && bytes[at] === RETURN);
        if (isCut && (!last || (at >= length && from >= length))) return { end: from, unusual: false };
        fields.length = field;
        width = field;
        before = fields;
        take({ fields, hasBreaks });
        at += bytes[at] === RETURN && bytes[at + 1] === LINE_FEED ? 2 : 1;
        from = Math.min(at, length);
        if (from >= length) return { end: from, unusual: false };
      }
    },
  };
}
