import { inflateRawSync } from 'node:zlib';
import type { Chance } from '../chaos/chance.js';
import { type ZipEntry, zipOf } from '../support/zip-writer.js';

/** What a file is written in; each has changes of its own. */
export type Language = 'csv' | 'xml' | 'yaml' | 'zip';

type Change<T> = (from: T, chance: Chance) => T;

const NUMBERS = [
  ...['', '0', '-1', '1.5', '00', '1e5', '1E999999999', '34E87654321', '-1e-400', 'NaN', 'Infinity', '0x10'],
  ...['255', '16384', '16385', '65536', '1048576', '1048577', '2147483648', '4294967295', '9007199254740993'],
  ...[
    '99999999999999999999999999',
    '1.000.000,00',
    '1,000,000.00',
    '$ 1',
    '12/13/2026',
    '2026-02-30',
    '45000.99',
  ],
];
const TOKENS: Readonly<Record<Exclude<Language, 'zip'>, readonly string[]>> = {
  csv: [
    '"',
    '""',
    ';',
    ',',
    '\t',
    '\n',
    '\r',
    '\r\n',
    '\0',
    '=1+1',
    '#N/A',
    '\ufeff',
    '\u2028',
    'Ã±',
    '"a""b',
    'sep=,\n',
  ],
  xml: [
    ...[
      '<',
      '>',
      '&',
      '&#0;',
      '&#x110000;',
      '&nosuch;',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<?xml version="1.1"?>',
      '/>',
    ],
    ...[
      '<!DOCTYPE a [<!ENTITY b "c">]>',
      '\0',
      '\ufeff',
      '_x0000_',
      '_xD800_',
      ' xmlns="urn:x"',
      ' r="XFE1"',
      ' r="A0"',
    ],
    ...[
      ' t="s"',
      ' t="d"',
      ' t="e"',
      ' s="99999"',
      '<v>1E400</v>',
      '<is><t>x</t></is>',
      ' encoding="UTF-16"',
      '</row>',
    ],
  ],
  yaml: [
    ...[
      ': ',
      '- ',
      '? ',
      '| ',
      '> ',
      '&a ',
      '*a',
      '!!binary ',
      '!!int ',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '#',
      '%YAML 9.9\n',
    ],
    ...[
      'null',
      '~',
      '{}',
      '[]',
      'true',
      '<<: *a',
      '\t',
      '---\n',
      '...\n',
      '\ufeff',
      'undecided: {}',
      '(((((',
      'round(1, 999999999)',
    ],
    ...[
      '"*a*a*a*a*a*a*a*a*b"',
      '__proto__: 1',
      'constructor: {}',
      'toString',
      'from: nosuch',
      'extends: .',
      'decisions: ../x',
    ],
  ],
};

/** A place between two pieces that belong together in this language: elements, fields, lines. */
const SEAMS: Readonly<Record<Exclude<Language, 'zip'>, RegExp>> = {
  csv: /[;,\n]/g,
  xml: /</g,
  yaml: /\n/g,
};

const at = (chance: Chance, length: number): number => chance.below(length + 1);
const spliced = (text: string, from: number, to: number, middle: string): string =>
  text.slice(0, from) + middle + text.slice(to);

/** Two places in order, not far from each other as a rule. */
function span(length: number, chance: Chance): [number, number] {
  const from = at(chance, length);
  const most = chance.below(4) === 0 ? length : Math.min(length, 400);
  return [from, Math.min(length, from + at(chance, most))];
}

/** The same at the seams of the language, so that what comes out is often still well-formed. */
function pieces(text: string, seam: RegExp, chance: Chance): [number, number] {
  const seams = [...text.matchAll(seam)].map(({ index }) => index);
  if (seams.length < 2) return span(text.length, chance);
  const first = chance.below(seams.length - 1);
  const last = Math.min(seams.length - 1, first + 1 + chance.below(12));
  return [seams[first]!, seams[last]!];
}

const withNumber: Change<string> = (text, chance) => {
  const numbers = [...text.matchAll(/-?\d[\d.,]*/g)];
  if (numbers.length === 0) return text;
  const { index, 0: old } = chance.pick(numbers);
  return spliced(text, index, index + old.length, chance.pick(NUMBERS));
};

const NESTING: Readonly<Record<Exclude<Language, 'zip'>, readonly [open: string, close: string]>> = {
  csv: ['"', '"'],
  xml: ['<a>', '</a>'],
  yaml: ['[', ']'],
};

const changesOf = (language: Exclude<Language, 'zip'>): readonly Change<string>[] => {
  const seam = SEAMS[language];
  return [
    withNumber,
    withNumber,
    (text, chance) => spliced(text, ...pieces(text, seam, chance), ''),
    (text, chance) => {
      const [from, to] = pieces(text, seam, chance);
      return spliced(text, from, from, text.slice(from, to).repeat(1 + chance.below(3)));
    },
    (text, chance) => {
      const [from, to] = pieces(text, seam, chance);
      const where = pieces(text, seam, chance)[0];
      return spliced(text, where, where, text.slice(from, to));
    },
    (text, chance) => {
      const where = at(chance, text.length);
      return spliced(text, where, where, chance.pick(TOKENS[language]));
    },
    (text, chance) => {
      const where = pieces(text, seam, chance)[0];
      return spliced(text, where, where, chance.pick(TOKENS[language]));
    },
    (text, chance) => text.slice(0, at(chance, text.length)),
    (text, chance) => {
      const [open, close] = NESTING[language];
      const where = pieces(text, seam, chance)[0];
      const depth = chance.pick([50, 500, 20_000]);
      return spliced(
        text,
        where,
        where,
        open.repeat(depth) + (chance.below(2) === 0 ? close.repeat(depth) : ''),
      );
    },
    (text, chance) => {
      const where = at(chance, text.length);
      return spliced(
        text,
        where,
        where,
        chance.pick(['a', ' ', 'ñ', '9', '*a', ';']).repeat(chance.pick([300, 40_000, 2_000_000])),
      );
    },
    (text, chance) => {
      const [from, to] = pieces(text, seam, chance);
      const piece = text.slice(from, to);
      const most = Math.floor(3_000_000 / Math.max(1, piece.length));
      return spliced(text, from, from, piece.repeat(Math.min(most, chance.pick([20, 1000, 20_000]))));
    },
    (text, chance) => {
      // One quoted value in the place of another.
      const values = [...text.matchAll(/"[^"<>\n]*"/g)];
      if (values.length === 0) return withNumber(text, chance);
      const { index, 0: old } = chance.pick(values);
      return spliced(text, index, index + old.length, chance.pick(values)[0]);
    },
  ];
};

const BYTES: readonly Change<Buffer>[] = [
  (bytes, chance) => {
    const changed = Buffer.from(bytes);
    for (let n = chance.below(8); n >= 0 && changed.length > 0; n--) {
      const where = chance.below(changed.length);
      changed[where] = changed[where]! ^ (1 << chance.below(8));
    }
    return changed;
  },
  (bytes, chance) => bytes.subarray(0, at(chance, bytes.length)),
  (bytes, chance) => {
    const [from, to] = span(bytes.length, chance);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  (bytes, chance) => {
    const [from, to] = span(bytes.length, chance);
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from, to), bytes.subarray(to)]);
  },
  (bytes, chance) => {
    const [first, second] = [span(bytes.length, chance), span(bytes.length, chance)];
    return Buffer.concat([bytes.subarray(...second), bytes.subarray(...first), bytes]);
  },
];

const CENTRAL = Buffer.from([0x50, 0x4b, 1, 2]);
const END = Buffer.from([0x50, 0x4b, 5, 6]);

/** A field of a zip's directory, or of its end, given another number. */
const directory: Change<Buffer> = (bytes, chance) => {
  const changed = Buffer.from(bytes);
  const [signature, length] = chance.pick([
    [CENTRAL, 46] as const,
    [CENTRAL, 46] as const,
    [END, 22] as const,
  ]);
  const starts: number[] = [];
  for (let start = changed.indexOf(signature); start >= 0; start = changed.indexOf(signature, start + 4))
    if (start + length <= changed.length) starts.push(start);
  if (starts.length === 0) return changed;
  const field = chance.pick(starts) + 4 + 2 * chance.below((length - 6) / 2);
  const value = chance.pick([
    0,
    1,
    8,
    0xff,
    0x7fff,
    0xffff,
    0x7fffffff,
    0xffffffff,
    changed.length,
    0x0001_0000,
  ]);
  if (value > 0xffff && field + 4 <= changed.length) changed.writeUInt32LE(value, field);
  else changed.writeUInt16LE(value & 0xffff, field);
  return changed;
};

interface Part {
  readonly name: string;
  readonly data: Buffer;
}

/** The parts of a zip that is sound. */
export function partsOf(zip: Buffer): readonly Part[] {
  const parts: Part[] = [];
  for (let at = zip.indexOf(CENTRAL); at >= 0; at = zip.indexOf(CENTRAL, at + 46)) {
    const nameLength = zip.readUInt16LE(at + 28);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    parts.push({ name, data: zip.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed) });
  }
  return parts;
}

const languageOf = (name: string): Language =>
  /\.(xml|rels|vml)$/i.test(name) ? 'xml' : /\.ya?ml|json$/i.test(name) ? 'yaml' : 'csv';

const PARTS: readonly Change<ZipEntry[]>[] = [
  (parts, chance) => [...parts, chance.pick(parts)],
  (parts, chance) => {
    const other = chance.pick(parts);
    const chosen = chance.pick(parts);
    return parts.map((part) => (part === chosen ? { ...part, data: other.data } : part));
  },
  (parts, chance) => {
    const chosen = chance.pick(parts);
    return parts.filter((part) => part !== chosen);
  },
  (parts, chance) => {
    const chosen = chance.pick(parts);
    const name = chance.pick([
      chosen.name.toUpperCase(),
      `/${chosen.name}`,
      `../${chosen.name}`,
      '',
      'x'.repeat(60_000),
      'a\0b',
    ]);
    return parts.map((part) => (part === chosen ? { ...part, name } : part));
  },
  (parts, chance) => {
    const chosen = chance.pick(parts);
    const claims = chance.pick([
      { size: 0 },
      { size: 0xfffffffe },
      { checksum: 1 },
      { flags: 1 },
      { flags: 8 },
      { method: 12 },
      { method: 0 },
    ]);
    return parts.map((part) => (part === chosen ? { ...part, claims } : part));
  },
  (parts, chance) => {
    const turn = chance.below(parts.length);
    return [...parts.slice(turn), ...parts.slice(0, turn)];
  },
];

/** Most changes go into a part, where they reach further than the first look at the zip. */
function zipChanged(bytes: Buffer, chance: Chance): Buffer {
  const which = chance.below(10);
  if (which === 0) return chance.pick(BYTES)(bytes, chance);
  if (which === 1) return directory(bytes, chance);
  let parts: ZipEntry[] = partsOf(bytes).map((part) => ({ ...part }));
  if (which < 4) parts = chance.pick(PARTS)(parts, chance);
  else {
    const chosen = chance.below(parts.length);
    parts = parts.map((part, index) =>
      index === chosen
        ? { ...part, data: mutated(languageOf(part.name), part.data as Buffer, chance) }
        : part,
    );
  }
  return zipOf(parts);
}

/** The bytes of a file with one to three changes. */
export function mutated(language: Language, bytes: Buffer, chance: Chance): Buffer {
  if (language === 'zip') return zipChanged(bytes, chance);
  const changes = changesOf(language);
  let changed = bytes;
  for (let n = chance.below(3); n >= 0; n--)
    changed =
      chance.below(6) === 0
        ? chance.pick(BYTES)(changed, chance)
        : Buffer.from(chance.pick(changes)(changed.toString('utf8'), chance));
  return changed;
}
