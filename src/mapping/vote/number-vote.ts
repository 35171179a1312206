import { type DecimalStyle, readNumberText } from '../read/number-text.js';

const [ZERO, NINE, DOT, COMMA] = [48, 57, 46, 44];
/** Two marks at least, in their order: how nearly every grouped amount looks. */
const COMMA_STYLE = /^\$? ?[1-9]\d{0,2}(?:\.\d{3})+(?:\.\d{3}|,\d+)$/;
const DOT_STYLE = /^\$? ?[1-9]\d{0,2}(?:,\d{3})+(?:,\d{3}|\.\d+)$/;

/**
 * What a text tells about the decimal mark of its column: the one style in which it is a number,
 * `ambiguous` when it is another number in each, undefined when it tells nothing.
 */
export function numberVote(text: string): DecimalStyle | 'ambiguous' | undefined {
  const { length } = text;
  let mark = -1;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) continue;
    if (mark >= 0 || (code !== DOT && code !== COMMA)) return slowly(text);
    mark = at;
  }
  if (mark < 0 || length === 1) return undefined;
  // Three digits after the only mark may be thousands, when one to three come before and the first is no zero.
  if (length - mark === 4 && mark >= 1 && mark <= 3 && text.charCodeAt(0) !== ZERO) return 'ambiguous';
  return text.charCodeAt(mark) === DOT ? 'dot' : 'comma';
}

function slowly(text: string): DecimalStyle | 'ambiguous' | undefined {
  if (COMMA_STYLE.test(text)) return 'comma';
  if (DOT_STYLE.test(text)) return 'dot';
  const { kind } = readNumberText(text);
  if (kind !== 'number') return kind === 'ambiguous' ? kind : undefined;
  if (readNumberText(text, 'comma').kind !== 'number') return 'dot';
  return readNumberText(text, 'dot').kind === 'number' ? undefined : 'comma';
}
