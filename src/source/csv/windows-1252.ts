/**
 * Windows-1252 is Latin-1 but for the bytes 0x80 to 0x9F, written here in order (WHATWG Encoding, index windows-1252); five stand for nothing.
 * Not left to TextDecoder: from Node 20.18.3 on, and in several later lines, it reads these bytes as control characters.
 */
const UPPER_CONTROLS = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';

export const fromWindows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replaceAll(/[\x80-\x9f]/g, (char) => UPPER_CONTROLS[char.charCodeAt(0) - 0x80]!);

/** Some byte stands for no character, so the text is in another encoding. */
export const hasUndefinedByte = (bytes: Buffer): boolean =>
  /[\x81\x8d\x8f\x90\x9d]/.test(bytes.toString('latin1'));
