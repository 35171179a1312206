/** The form of a CUFE, CUDE or CUNE: 96 lower-case hex characters of a SHA-384. */
export const isDocumentCode = (text: string): boolean => /^[0-9a-f]{96}$/.test(text);
