import { columnLetter } from '../../values/a1.js';
import type { PartContent } from './package.js';
import { rangeOf } from './ranges.js';
import type { Note } from './sheet-edit.js';
import { AUTHOR, asciiXml, EXTENSION_LINE, FIRST_LINE } from './texts.js';
import { attributeIn, unescapeXml } from './xml-attributes.js';
import { childNamed, childrenOf, contentOf, type Element, prefixOf, rawOf, rootOf } from './xml-tags.js';

/** The notes part of a sheet: what it had, without what an earlier copy wrote, and the new notes. */
export interface NotesPart {
  /** Nothing was there to take away, and nothing is new. */
  readonly unchanged: boolean;
  /** Cells, as `row:column`, whose note an earlier copy made; their shapes go as well. */
  readonly dropped: ReadonlySet<string>;
  /** Notes on cells that had none of another author: they need shapes. */
  readonly added: readonly Note[];
  pieces(): Generator<string>;
}

const empty = (namespace: string): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<comments xmlns="${namespace}"><authors></authors><commentList></commentList></comments>`;

export const cellKey = ({ row, column }: { readonly row: number; readonly column: number }): string =>
  `${row}:${column}`;

/** `namespace` is that of the workbook's own elements. */
export function notesPart(
  existing: PartContent | undefined,
  notes: readonly Note[],
  namespace: string,
): NotesPart {
  const text = existing?.text ?? empty(namespace);
  const root = rootOf(text);
  const prefix = prefixOf(root.name);
  const authorList = childNamed(text, root, 'authors');
  const list = childNamed(text, root, 'commentList');
  const authors =
    authorList === undefined ? [] : [...childrenOf(text, authorList)].map((child) => rawOf(text, child));
  let own = authors.findIndex((author) => unescapeXml(contentOf(author, rootOf(author))) === AUTHOR);

  const kept = new Map<string, string>();
  const dropped = new Set<string>();
  for (const comment of list === undefined ? [] : childrenOf(text, list)) {
    const key = keyOf(text, comment);
    const author = Number(attributeIn(text, comment.start, comment.tagEnd, 'authorId') ?? -1);
    if ((own >= 0 && author === own) || isOurs(rawOf(text, comment))) dropped.add(key);
    else kept.set(key, withoutExtension(rawOf(text, comment)));
  }
  const added: Note[] = [];
  for (const note of notes) {
    const key = cellKey(note);
    const before = kept.get(key);
    if (before === undefined) added.push(note);
    else kept.set(key, extended(before, note.text, prefix));
  }
  if (own < 0 && added.length > 0) own = authors.push(`<${prefix}author>${AUTHOR}</${prefix}author>`) - 1;

  return {
    unchanged: dropped.size === 0 && notes.length === 0 && !text.includes(EXTENSION_LINE),
    dropped,
    added,
    *pieces() {
      yield text.slice(0, root.tagEnd);
      yield `<${prefix}authors>${authors.join('')}</${prefix}authors><${prefix}commentList>`;
      yield* kept.values();
      for (const note of added)
        yield `<${prefix}comment ref="${columnLetter(note.column)}${note.row}" authorId="${own}" shapeId="0"><${prefix}text>${run(FIRST_LINE, prefix, true)}${run(`\n${note.text}`, prefix)}</${prefix}text></${prefix}comment>`;
      yield `</${prefix}commentList>`;
      // What follows the list: extensions of later programs.
      yield text.slice(list?.end ?? authorList?.end ?? root.contentEnd);
    },
  };
}

function keyOf(text: string, comment: Element): string {
  const range = rangeOf(attributeIn(text, comment.start, comment.tagEnd, 'ref') ?? '');
  return range === undefined ? `at ${comment.start}` : cellKey({ row: range.top, column: range.left });
}

const run = (text: string, prefix: string, bold = false): string =>
  `<${prefix}r><${prefix}rPr>${bold ? `<${prefix}b/>` : ''}<${prefix}sz val="9"/><${prefix}color indexed="81"/><${prefix}rFont val="Tahoma"/><${prefix}family val="2"/></${prefix}rPr>` +
  `<${prefix}t xml:space="preserve">${asciiXml(text)}</${prefix}t></${prefix}r>`;

const OUR_START = new RegExp(`^\\s*${FIRST_LINE}\\s*\\n`);
const isOurs = (comment: string): boolean => OUR_START.test(unescapeXml(comment.replaceAll(/<[^>]*>/g, '')));

/** A person's note with ours below it. */
function extended(comment: string, text: string, prefix: string): string {
  const body = childNamed(comment, rootOf(comment), 'text');
  if (body === undefined || body.contentEnd === body.end) return comment;
  const more = run(`\n${EXTENSION_LINE}\n${text}`, prefix);
  const content = contentOf(comment, body);
  // A text without runs cannot be followed by one.
  const first = childrenOf(comment, body).next().value;
  const runs = first?.local === 't' ? `<${prefix}r>${content}</${prefix}r>` : content;
  return comment.slice(0, body.tagEnd) + runs + more + comment.slice(body.contentEnd);
}

const LINE_ENDS = /(?:\s|&#(?:10|13|x0?[ad]);)+$/i;

/** A note as it was before an earlier copy extended it: all from our line on goes. */
function withoutExtension(comment: string): string {
  const line = comment.indexOf(EXTENSION_LINE);
  const body = line < 0 ? undefined : childNamed(comment, rootOf(comment), 'text');
  if (body === undefined) return comment;
  let runs = '';
  for (const child of childrenOf(comment, body)) {
    if (child.end <= line) {
      runs += rawOf(comment, child);
      continue;
    }
    // A program that joins runs leaves ours at the end of the person's own.
    const own = comment.slice(child.start, line).replace(LINE_ENDS, '');
    if (!own.endsWith('>')) runs += own + comment.slice(comment.indexOf('<', line), child.end);
    break;
  }
  return comment.slice(0, body.tagEnd) + runs + comment.slice(body.contentEnd);
}
