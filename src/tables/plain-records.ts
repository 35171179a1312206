import { detached } from '../core/text.js';

const LINE_FEED = 10;
const RETURN = 13;
const QUOTE = 34;

/** A record as programs write it. */
export interface PlainRecord {
  readonly fields: string[];
  /** Whether a field goes over several lines. */
  readonly hasBreaks: boolean;
}

const LAST_ASCII = 127;
const BEYOND_ASCII = /[\x80-\xff]/;

/** Fields are decoded one by one, so that a single dash of another alphabet does not make all of them twice as large. */
const decoded = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

/**
 * Records as programs write them: fields between delimiters, each in quotes as a whole or without any, and lines that end in
 * LF, CRLF or CR. `read` takes as much of a text as is plain and whole, and tells how far it came. The text is UTF-8, a
 * character for each byte. Of fields that are not `wanted` nothing is kept. `first`: where a record begins.
 */
export function plainRecords(
  delimiter: string,
  take: (record: PlainRecord) => void,
  wanted?: readonly boolean[],
): {
  read(
    text: string,
    last: boolean,
    first?: number,
    most?: number,
  ): { readonly end: number; readonly unusual: boolean };
} {
  const mark = delimiter.charCodeAt(0);
  let width = 0;
  /** The record before: columns say often what they said above, and then it is the same string. */
  let before: readonly string[] = [];

  const isWanted = (field: number): boolean => wanted === undefined || wanted[field] === true;

  let value = '';
  /** Reads the quoted field that begins at `from`; the place behind it, 0 where it is not plain, -1 where it is not whole. */
  function quoted(text: string, from: number): number {
    let close = text.indexOf('"', from + 1);
    let doubled = false;
    while (close >= 0 && text.charCodeAt(close + 1) === QUOTE) {
      doubled = true;
      close = text.indexOf('"', close + 2);
    }
    if (close < 0) return -1;
    value = text.slice(from + 1, close);
    if (doubled) value = value.replaceAll('""', '"');
    const next = text.charCodeAt(close + 1);
    const isPlain = close + 1 === text.length || next === mark || next === LINE_FEED || next === RETURN;
    return isPlain ? close + 1 : 0;
  }

  return {
    read(text, last, first = 0, most = Number.POSITIVE_INFINITY) {
      const { length } = text;
      let from = first;
      for (let count = 0; ; count++) {
        if (count === most) return { end: from, unusual: false };
        let at = from;
        let hasBreaks = false;
        const fields: string[] = new Array(width);
        let field = 0;
        for (;;) {
          if (text.charCodeAt(at) === QUOTE) {
            const end = quoted(text, at);
            if (end <= 0) return { end: from, unusual: end === 0 };
            hasBreaks ||= /[\r\n]/.test(value);
            fields[field] = !isWanted(field)
              ? ''
              : BEYOND_ASCII.test(value)
                ? decoded(value)
                : detached(value);
            field += 1;
            at = end;
          } else {
            const start = at;
            let code = text.charCodeAt(at);
            let highest = 0;
            while (at < length && code !== mark && code !== LINE_FEED && code !== RETURN) {
              if (code === QUOTE) return { end: from, unusual: true };
              if (code > highest) highest = code;
              code = text.charCodeAt(++at);
            }
            if (!isWanted(field)) fields[field] = '';
            else if (highest > LAST_ASCII) fields[field] = decoded(text.slice(start, at));
            else {
              const above = before[field];
              fields[field] =
                above?.length === at - start && text.startsWith(above, start)
                  ? above
                  : detached(text.slice(start, at));
            }
            field += 1;
          }
          if (text.charCodeAt(at) !== mark || at >= length) break;
          at += 1;
        }
        // What ends with the text may go on in the next one; a CR may be half of a line end.
        const isCut = at >= length || (at + 1 === length && text.charCodeAt(at) === RETURN);
        if (isCut && (!last || (at >= length && from >= length))) return { end: from, unusual: false };
        fields.length = field;
        width = field;
        before = fields;
        take({ fields, hasBreaks });
        at += text.charCodeAt(at) === RETURN && text.charCodeAt(at + 1) === LINE_FEED ? 2 : 1;
        from = Math.min(at, length);
        if (from >= length) return { end: from, unusual: false };
      }
    },
  };
}
