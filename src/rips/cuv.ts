/** The ministry's validation code: 96 hexadecimal characters; a refused package has `-` (rips.md 5). */
export const isCuv = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{96}$/i.test(text);
