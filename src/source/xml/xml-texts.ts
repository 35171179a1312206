import { SaxesParser } from 'saxes';

/** Local names from the root down, joined by `/`: `Invoice/PaymentMeans/ID`. */
export type XmlPath = string;

/** The wanted texts of a document, by path and in document order. */
export interface XmlTexts {
  /** Local name of the root element. */
  readonly root: string;
  first(path: XmlPath): string | undefined;
  all(path: XmlPath): readonly string[];
}

export type XmlRefusal = 'xml-too-deep' | 'xml-doctype' | 'xml-malformed';

const MAX_DEPTH = 100;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Reads the texts at some paths, whatever the namespace prefixes, from plain text and CDATA alike.
 * A DOCTYPE is refused, so that no entity is ever defined; depth is limited. Never throws.
 */
export function readXmlTexts(xml: string, wanted: ReadonlySet<XmlPath>): XmlTexts | XmlRefusal {
  const texts = new Map<XmlPath, string[]>();
  /** Paths of the open elements, and the text that each has so far. */
  const open: { path: XmlPath; text: string }[] = [];
  let root = '';
  let refusal: XmlRefusal = 'xml-malformed';
  const refuse = (reason: XmlRefusal): never => {
    refusal = reason;
    throw new Error(reason);
  };
  const take = (text: string): void => {
    const element = open.at(-1);
    if (element !== undefined && wanted.has(element.path)) element.text += text;
  };

  // Without an error handler the parser throws.
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('doctype', () => refuse('xml-doctype'));
  parser.on('opentag', ({ name }) => {
    if (open.length >= MAX_DEPTH) refuse('xml-too-deep');
    const parent = open.at(-1);
    const local = localName(name);
    if (parent === undefined) root = local;
    open.push({ path: parent === undefined ? local : `${parent.path}/${local}`, text: '' });
  });
  parser.on('closetag', () => {
    const { path, text } = open.pop()!;
    if (!wanted.has(path)) return;
    const found = texts.get(path);
    if (found === undefined) texts.set(path, [text.trim()]);
    else found.push(text.trim());
  });
  parser.on('text', take);
  parser.on('cdata', take);
  try {
    parser.write(xml).close();
  } catch {
    return refusal;
  }
  return { root, first: (path) => texts.get(path)?.[0], all: (path) => texts.get(path) ?? [] };
}
