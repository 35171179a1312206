/** Only spaces, of whatever kind: a blank cell to people. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 32 && first < 128) && text.trim() === '';
}
