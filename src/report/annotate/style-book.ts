import { unreachable } from '../../toolkit/core/required.js';
import { TONES, type Tone } from '../palette.js';
import {
  attributeIn,
  childNamed,
  childrenOf,
  type Element,
  prefixOf,
  rawOf,
  rootOf,
  withAttribute,
} from './xml-tags.js';

/** Rare colours, by which a later copy recognises cells that an earlier one coloured. */
const MARK_COLOURS = { error: 'FFFAC8C4', warning: 'FFFFE4A1' } as const;

/** Elements that may follow the lists in the part (ECMA-376 part 1, 18.8.39). */
const AFTER_FILLS = [
  'borders',
  'cellStyleXfs',
  'cellXfs',
  'cellStyles',
  'dxfs',
  'tableStyles',
  'colors',
  'extLst',
];
const AFTER_XFS = AFTER_FILLS.slice(3);
/** Number format "text". */
const AS_TEXT = 49;

const SYSTEM_COLOUR = /\bindexed\s*=\s*["']6[45]["']|\bauto\s*=/;

/** Styles part for a workbook without one. */
export const NO_STYLES =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs></styleSheet>';

/**
 * Styles of a workbook, and those that the copy adds; a style is the index in a cell's `s`.
 *
 * A marked cell gets a clone of its style with another fill. The new fill keeps the old colour as its
 * background, which a solid fill does not show, so a later copy can restore it. Patterns and gradients are
 * lost: they come back as no fill.
 */
export class StyleBook {
  readonly #text: string;
  readonly #prefix: string;
  readonly #fills: string[];
  readonly #xfs: string[];
  readonly #bases = new Map<number, number>();
  readonly #marked = new Map<string, number>();
  readonly #tones = new Map<Tone, number>();

  /**
   * `keepsBackgrounds` is false if the program that saved the book sets its own background in solid fills,
   * as LibreOffice does.
   */
  constructor(text: string, keepsBackgrounds = true) {
    this.#text = text;
    const root = rootOf(text);
    this.#prefix = prefixOf(root.name);
    const list = (name: string): string[] => {
      const element = childNamed(text, root, name);
      return element === undefined ? [] : [...childrenOf(text, element)].map((child) => rawOf(text, child));
    };
    this.#fills = list('fills');
    if (this.#fills.length === 0) this.#fills.push(this.#pattern('none'), this.#pattern('gray125'));
    this.#xfs = list('cellXfs');
    if (this.#xfs.length === 0)
      this.#xfs.push(this.#named('xf', ' numFmtId="0" fontId="0" fillId="0" borderId="0"', ''));
    for (const [style, xf] of this.#xfs.entries()) {
      const fill = this.#fillBefore(this.#fills[fillOf(xf)] ?? '', keepsBackgrounds);
      if (fill !== undefined) this.#bases.set(style, this.#withFill(xf, fill));
    }
  }

  /** True if an earlier copy coloured cells of this workbook. */
  get hasMarks(): boolean {
    return this.#bases.size > 0;
  }

  /** Returns the style that a cell had before an earlier copy coloured it. */
  base(style: number): number {
    return this.#bases.get(style) ?? style;
  }

  marked(style: number, level: 'error' | 'warning'): number {
    const key = `${level} ${style}`;
    const known = this.#marked.get(key);
    if (known !== undefined) return known;
    const xf = this.#xfs[this.base(style)] ?? this.#xfs[0] ?? unreachable('cell formats');
    const colour = solidColour(this.#fills[fillOf(xf)] ?? '');
    const marked = this.#withFill(
      xf,
      this.#solid(
        `rgb="${MARK_COLOURS[level]}"`,
        colour === undefined ? 'indexed="64"' : withAlpha(colour, '00'),
      ),
    );
    this.#marked.set(key, marked);
    return marked;
  }

  tone(tone: Tone): number {
    const known = this.#tones.get(tone);
    if (known !== undefined) return known;
    const fill = indexIn(this.#fills, this.#solid(`rgb="${TONES[tone].fill}"`, 'indexed="64"'));
    const attributes = ` numFmtId="${AS_TEXT}" fontId="0" fillId="${fill}" borderId="0" xfId="0" applyNumberFormat="1" applyFill="1" applyAlignment="1"`;
    const alignment = this.#named('alignment', ' horizontal="left" indent="1"', '');
    const style = indexIn(this.#xfs, this.#named('xf', attributes, alignment));
    this.#tones.set(tone, style);
    return style;
  }

  /** Returns the part with the added styles. */
  text(): string {
    const cells = this.#withList(this.#text, 'cellXfs', this.#xfs, AFTER_XFS);
    return this.#withList(cells, 'fills', this.#fills, AFTER_FILLS);
  }

  #withFill(xf: string, fill: string): number {
    const tagEnd = rootOf(xf).tagEnd;
    const tag = withAttribute(xf.slice(0, tagEnd), 'fillId', `${indexIn(this.#fills, fill)}`);
    return indexIn(this.#xfs, withAttribute(tag, 'applyFill', '1') + xf.slice(tagEnd));
  }

  /** Returns the fill that one of ours replaced; undefined if the fill is not ours. */
  #fillBefore(fill: string, trusted: boolean): string | undefined {
    if (!isMarkColour(solidColour(fill) ?? '')) return undefined;
    const before = coloursOf(fill).bgColor ?? '';
    const lost = !trusted && /\brgb\s*=\s*["']FF/i.test(before);
    return before === '' || lost || isMarkColour(before) || SYSTEM_COLOUR.test(before)
      ? this.#fills[0]
      : this.#solid(withAlpha(before, 'FF'), 'indexed="64"');
  }

  #solid(colour: string, background: string): string {
    const colours = this.#named('fgColor', ` ${colour}`, '') + this.#named('bgColor', ` ${background}`, '');
    return this.#named('fill', '', this.#named('patternFill', ' patternType="solid"', colours));
  }

  #pattern(type: string): string {
    return this.#named('fill', '', this.#named('patternFill', ` patternType="${type}"`, ''));
  }

  #named(name: string, attributes: string, content: string): string {
    const full = this.#prefix + name;
    return content === '' ? `<${full}${attributes}/>` : `<${full}${attributes}>${content}</${full}>`;
  }

  #withList(text: string, name: string, items: readonly string[], after: readonly string[]): string {
    const root = rootOf(text);
    const list = childNamed(text, root, name);
    const full = this.#named(name, ` count="${items.length}"`, items.join(''));
    if (list !== undefined) return text.slice(0, list.start) + full + text.slice(list.end);
    const next: Element | undefined = [...childrenOf(text, root)].find(({ local }) => after.includes(local));
    const at = next?.start ?? root.contentEnd;
    return text.slice(0, at) + full + text.slice(at);
  }
}

const isMarkColour = (colour: string): boolean =>
  Object.values(MARK_COLOURS).some((ours) =>
    new RegExp(`\\brgb\\s*=\\s*["'][0-9A-F]{2}${ours.slice(2)}`, 'i').test(colour),
  );

/** Sets the alpha of a colour, which no program shows; zero tells our background from a user's. */
const withAlpha = (colour: string, alpha: '00' | 'FF'): string =>
  colour.replace(/\b(rgb\s*=\s*["'])[0-9a-f]{2}(?=[0-9a-f]{6})/i, `$1${alpha}`);

const fillOf = (xf: string): number => Number(attributeIn(xf, 0, rootOf(xf).tagEnd, 'fillId') ?? 0);

function indexIn(list: string[], item: string): number {
  const at = list.indexOf(item);
  return at < 0 ? list.push(item) - 1 : at;
}

/** Returns the attributes of both colours of a pattern fill, as written. */
function coloursOf(fill: string): { fgColor?: string; bgColor?: string } {
  const colours: { fgColor?: string; bgColor?: string } = {};
  if (fill === '') return colours;
  const root = rootOf(fill);
  const pattern = childNamed(fill, root, 'patternFill');
  for (const colour of pattern === undefined ? [] : childrenOf(fill, pattern))
    if (colour.local === 'fgColor' || colour.local === 'bgColor')
      colours[colour.local] = fill
        .slice(colour.start + 1 + colour.name.length, colour.tagEnd)
        .replace(/(?<!\s)\s*\/?>$/, '')
        .trim();
  return colours;
}

/** Returns the colour of a solid fill as written; undefined for other fills. */
function solidColour(fill: string): string | undefined {
  if (!/patternType\s*=\s*["']solid["']/.test(fill)) return undefined;
  const colour = coloursOf(fill).fgColor;
  // The system colour and "automatic" mean something else in the background.
  return colour === undefined || SYSTEM_COLOUR.test(colour) ? 'rgb="FF000000"' : colour;
}
