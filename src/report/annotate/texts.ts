/** Whose notes are ours. LibreOffice forgets the author, so the note also begins with this line, as Excel's own notes begin with a name. */
export const AUTHOR = 'cargue';
export const FIRST_LINE = 'cargue:';
/** From here on a person's own note was extended. */
export const EXTENSION_LINE = '--- cargue ---';

const NOTE_CHARACTERS = 90;
const NOTES_A_CELL = 4;
const CELL_CHARACTERS = 32_767;

/** Cut between words where that costs little. */
function shortened(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  if (flat.length <= NOTE_CHARACTERS) return flat;
  const cut = flat.slice(0, NOTE_CHARACTERS - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > NOTE_CHARACTERS / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** The note of a cell: each text once and short, and how many more there are. */
export function noteText(texts: readonly string[]): string {
  const lines = [...new Set(texts.map(shortened))];
  const rest = lines.length - NOTES_A_CELL;
  return rest <= 0 ? lines.join('\n') : [...lines.slice(0, NOTES_A_CELL), `(+${rest})`].join('\n');
}

/** Characters that XML cannot carry. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are just what must go
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g;
/** `_x000D_` in a text would be read as the character that it names (ECMA-376 part 1, 22.9.2.19). */
const LOOKS_ESCAPED = /_(?=x[0-9a-f]{4}_)/gi;
const LONE_SURROGATE = /\p{Surrogate}/gu;
const SPECIAL = /[&<>"]/g;
const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Most texts have nothing special, up to the end of the Latin letters; asked for every cell of a table. */
const PLAIN = /^[ !#-%'-;=?-^`-~\u00A0-\u024F]*$/;
const NOT_ASCII = /\P{ASCII}/gu;

/** A text as XML content or attribute, as a cell keeps it. */
export const xmlText = (text: string): string =>
  text.length <= CELL_CHARACTERS && PLAIN.test(text)
    ? text
    : text
        .slice(0, CELL_CHARACTERS)
        .replaceAll(LONE_SURROGATE, '\uFFFD')
        .replaceAll(UNWRITABLE, ' ')
        .replaceAll(LOOKS_ESCAPED, '_x005F_')
        .replaceAll('\r', '_x000D_')
        .replaceAll(SPECIAL, (char) => NAMED[char]!);

/** The same, all in ASCII: whatever the encoding of the part, it fits. */
export const asciiXml = (text: string): string =>
  xmlText(text).replaceAll(NOT_ASCII, (char) => `&#${char.codePointAt(0)};`);
