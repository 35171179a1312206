import { SaxesParser } from 'saxes';
import type { PartText } from './part-text.js';
import { localName } from './xml-tags.js';

/** The shared strings of some numbers; the part is read no further than the last of them. */
export async function findStrings(
  { pieces }: PartText,
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  const last = Math.max(...wanted);
  let index = -1;
  let text = '';
  let inText = false;
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('opentag', ({ name }) => {
    const local = localName(name);
    if (local === 'si') {
      index++;
      text = '';
    } else if (local === 't') inText = wanted.has(index);
  });
  parser.on('text', (piece) => {
    if (inText) text += piece;
  });
  parser.on('closetag', ({ name }) => {
    const local = localName(name);
    if (local === 't') inText = false;
    else if (local === 'si' && wanted.has(index)) found.set(index, text);
  });
  for await (const piece of pieces) {
    parser.write(piece);
    if (index > last) break;
  }
  return found;
}
