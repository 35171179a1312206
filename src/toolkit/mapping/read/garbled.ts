import { isOverlong } from '../../core/text.js';

/** Bytes 80 to 9F of Windows-1252, in order; a blank for those without a character. */
const HIGH = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
/** Letters of the old DOS code page, by what they look like in Windows-1252. */
const DOS: Readonly<Record<string, string>> = { '¤': 'ñ', '¥': 'Ñ', '¢': 'ó', '£': 'ú', '¡': 'í', '‚': 'é' };

const PLAIN = /^[\x20-\x3e\x40-\x7e]*$/;
/** Matches lead bytes of two and three bytes in UTF-8, read as letters, before what can follow them. */
const UTF8_AS_LATIN1 = /[ÂÃâ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;
/** Matches lead bytes whose next byte was lost, as a soft hyphen often is. */
const CUT_SHORT = /\p{Ll}Ã|Ã\p{Ll}/u;
const DOS_LETTER = /(?<=\p{L})[¤¥¢£¡‚]|[¤¥¢£](?=\p{L})/u;
/** Letters of the code page of old Macs, by what they look like in Windows-1252. */
const MAC: Readonly<Record<string, string>> = {
  '‡': 'á',
  Ž: 'é',
  '’': 'í',
  '—': 'ó',
  œ: 'ú',
  '–': 'ñ',
  '„': 'Ñ',
  ç: 'Á',
  ƒ: 'É',
  ê: 'Í',
  î: 'Ó',
  ò: 'Ú',
};
const MAC_LETTER = /(?<=\p{L})[‡Žœ—](?=\p{Ll}|\s|$)|(?<=\p{Ll})[’–](?=\p{Ll})|(?<=\p{Lu})[„ƒçêîò](?=\p{Lu})/u;
const LOST = /\ufffd/;
/**
 * Matches a short text that is no sentence and no web address, in which a question mark at a letter is a lost letter.
 */
const ASKED = /^[^¿!.,;:=/]{1,60}$/;
const MARK_IN_WORD = /\p{L}\?|\?\p{L}/u;

const strict = new TextDecoder('utf-8', { fatal: true });

/** Decodes a text whose UTF-8 was read as Windows-1252, once or more. */
function undone(text: string): string | undefined {
  const bytes = Uint8Array.from(text, (char) => {
    const at = char === ' ' ? -1 : HIGH.indexOf(char);
    return at >= 0 ? 0x80 + at : char.length === 1 && char <= '\u00ff' ? char.charCodeAt(0) : 0xff;
  });
  try {
    const found = strict.decode(bytes);
    return UTF8_AS_LATIN1.test(found) ? (undone(found) ?? found) : found;
  } catch {
    return undefined;
  }
}

/** Returns an object if a text was damaged by a wrong encoding, with the likely text if it is known. */
export function garbled(text: string): { readonly likely?: string } | undefined {
  if (isOverlong(text) || PLAIN.test(text)) return undefined;
  if (UTF8_AS_LATIN1.test(text)) {
    const likely = undone(text);
    if (likely !== undefined) return { likely };
  }
  if (LOST.test(text) || CUT_SHORT.test(text)) return {};
  if (DOS_LETTER.test(text)) return { likely: text.replace(/[¤¥¢£¡‚]/g, (char) => DOS[char] ?? char) };
  if (MAC_LETTER.test(text)) return { likely: text.replace(/[‡Ž’—œ–„çƒêîò]/g, (char) => MAC[char] ?? char) };
  return ASKED.test(text) && MARK_IN_WORD.test(text) ? {} : undefined;
}
