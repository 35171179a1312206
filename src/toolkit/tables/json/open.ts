import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Coded } from '../../core/issue.js';
import {
  childPointer,
  isObject,
  type JsonObject,
  type JsonValue,
  type Pointer,
  parentOf,
  parsePointer,
} from '../../core/json.js';
import { type JsonFileForm, jsonFileForm, resolveNode } from '../../schema/registry.js';
import type { InputFile, JsonRecord, Row, RowSource } from '../table.js';
import { headOf, ignoredParts, refuseNested, refusePaths, SYSTEM_ENTRY } from '../text-zip.js';
import type { ZipArchive, ZipPart } from '../xlsx/zip.js';
import { cellText, JsonFault, type LinedValue, linesIn, readJson } from './read.js';

/** Column index for a change in a text of the record without a column. */
const OF_RECORD = -1;
const PACKAGE = 'paquete';
const POSITION = 'posicion';
/** A number of a package has a digit; the word null has none. */
const HAS_DIGIT = /\d/;

/** Columns that identify and join records; everything else is in the record's JSON. */
const headerOf = ({ head, item }: JsonFileForm): Row => ({
  number: 1,
  hidden: false,
  texts: [PACKAGE, POSITION, ...head, ...item],
  kinds: undefined,
});

/** True for the list of one object, of one in its envelope, or of several in a list. */
const isListOf =
  ({ list, within }: JsonFileForm) =>
  (pointer: Pointer): boolean => {
    const [last, ...above] = parsePointer(pointer).toReversed();
    if (last !== list) return false;
    const [index = '0', ...more] = above[0] === within ? above.slice(1) : above;
    return more.length === 0 && /^\d+$/.test(index);
  };

/** An object of the file, apart from its list. */
interface Listing {
  /** Members except the list. */
  readonly head: JsonObject;
  readonly pointer: Pointer;
  readonly line: number;
  readonly lines: ReadonlyMap<string, number>;
  count: number;
  /** Filled members of the wrapper, which are not read. */
  readonly beside: readonly { readonly pointer: Pointer; readonly line: number }[];
}

type Outline = ReadonlyMap<Pointer, Listing>;

/** Reads a file to its end, to check it and to collect the members of its objects. */
async function outlineOf(chunks: AsyncIterable<Buffer>, form: JsonFileForm): Promise<Outline> {
  const counts = new Map<Pointer, number>();
  const reading = readJson(chunks, {
    isListed: isListOf(form),
    item: (list, index, { line, value }) => {
      if (!isObject(value)) throw new JsonFault({ code: 'json/no-list', params: {} }, line);
      counts.set(parentOf(list), index + 1);
    },
  });
  let step = await reading.next();
  while (!step.done) step = await reading.next();
  const { value, lines } = step.value;
  const found = new Map<Pointer, Listing>();
  const members = new Map<Pointer, Map<string, number>>();
  for (const [of, line] of lines) {
    const linesOf = members.get(parentOf(of)) ?? new Map<string, number>();
    members.set(parentOf(of), linesOf.set(of.slice(parentOf(of).length + 1), line));
  }
  const refused = (pointer: Pointer): JsonFault =>
    new JsonFault({ code: 'json/no-list', params: {} }, lines.get(pointer) ?? 1);
  const take = (object: JsonValue, at: Pointer): void => {
    if (!isObject(object)) throw refused(at);
    const isWrapped = isObject(object[form.within]);
    const pointer = isWrapped ? childPointer(at, form.within) : at;
    const { [form.list]: list, ...head } = isWrapped ? (object[form.within] as JsonObject) : object;
    if (!Array.isArray(list)) throw refused(at);
    const beside = isWrapped
      ? Object.entries(object)
          .filter(([name, member]) => name !== form.within && member !== null)
          .map(([name]) => ({
            pointer: childPointer(at, name),
            line: lines.get(childPointer(at, name)) ?? 1,
          }))
      : [];
    found.set(pointer, {
      head,
      pointer,
      line: lines.get(pointer) ?? 1,
      lines: members.get(pointer) ?? new Map(),
      count: counts.get(pointer) ?? 0,
      beside,
    });
  };
  if (Array.isArray(value))
    for (const [index, object] of value.entries()) take(object, childPointer('', index));
  else take(value, '');
  if (found.size === 0) throw refused('');
  return found;
}

/** Reads the bytes of a file or zip part from the beginning. */
type Chunks = () => AsyncIterable<Buffer>;

function* objectsIn(path: string, value: JsonValue): Generator<readonly [string, JsonObject]> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(`${path}/*`, item);
  if (!isObject(value)) return;
  yield [path, value];
  for (const key in value) {
    const member = value[key];
    if (typeof member === 'object' && member !== null) yield* objectsIn(`${path}/${key}`, member);
  }
}

class Item implements JsonRecord {
  private lines: ReadonlyMap<Pointer, number> | undefined;

  constructor(
    private readonly form: JsonFileForm,
    private readonly item: LinedValue,
    readonly pointer: Pointer,
    private readonly listing: Listing,
    readonly position: number,
  ) {}

  get value(): JsonObject {
    return this.item.value as JsonObject;
  }

  get head(): JsonObject {
    return this.listing.head;
  }

  get headPointer(): Pointer {
    return this.listing.pointer;
  }

  get count(): number {
    return this.listing.count;
  }

  get line(): number {
    return this.item.line;
  }

  get inexact(): ReadonlyMap<Pointer, string> {
    return this.item.inexact;
  }

  get beside(): JsonRecord['beside'] {
    return this.position === 1 ? this.listing.beside : [];
  }

  *objects(): Iterable<readonly [path: string, object: JsonObject]> {
    const { list } = this.form;
    if (this.position === 1) yield ['', this.head];
    yield* objectsIn(`${list}/*`, this.value);
  }

  roleOf(path: string, key: string): 'used' | undefined {
    const keys = [...path.split('/').filter(Boolean), key];
    return this.form.shapes.some((shape) => resolveNode(shape, keys) !== undefined) ? 'used' : undefined;
  }

  lineIn(pointer: Pointer): number {
    this.lines ??= linesIn(this.item);
    for (let at = pointer; at !== ''; at = parentOf(at)) {
      const line = this.lines.get(at);
      if (line !== undefined) return line;
    }
    return this.item.line;
  }

  headLine(member: string): number {
    return this.listing.lines.get(member) ?? this.listing.line;
  }
}

/** Yields the records of each chunk of the file. */
async function* rowsOf(file: string, chunks: Chunks, outline: Outline): AsyncGenerator<readonly Row[]> {
  const form = jsonFileForm();
  const header = headerOf(form);
  yield [header];
  let { number } = header;
  let rows: Row[] = [];
  const reading = readJson(chunks(), {
    isListed: isListOf(form),
    item(list, index, item) {
      const listing = outline.get(parentOf(list));
      if (listing === undefined) return;
      number += 1;
      const json = new Item(form, item, childPointer(list, index), listing, index + 1);
      const { head } = listing;
      const numbers = form.numbers.flatMap((field) => cellText(head[field]) ?? []);
      const name = numbers.find((text) => HAS_DIGIT.test(text)) ?? `${file}${listing.pointer}`;
      rows.push({
        number,
        line: json.line,
        hidden: false,
        texts: [
          name,
          String(index + 1),
          ...form.head.map((field) => cellText(head[field])),
          ...form.item.map((field) => cellText(json.value[field])),
        ],
        kinds: undefined,
        json,
        ...(item.changes.length > 0 && {
          changes: item.changes.map((change) => ({ column: OF_RECORD, change })),
        }),
      });
    },
  });
  while (!(await reading.next()).done) {
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
  // An object with an empty list is an error, not an absent object.
  for (const { count, line } of outline.values()) {
    if (count > 0) continue;
    number += 1;
    const fault = { code: 'json/empty-list', params: {} } as Coded;
    yield [{ number, line, hidden: false, texts: [], kinds: undefined, fault }];
  }
}

function sourceOf(file: string, chunks: Chunks): RowSource {
  let outline: Promise<Outline> | undefined;
  return {
    file,
    json: true,
    async *batches() {
      const form = jsonFileForm();
      outline ??= outlineOf(chunks(), form);
      let found: Outline;
      try {
        found = await outline;
      } catch (error) {
        if (!(error instanceof JsonFault)) throw error;
        yield [
          headerOf(form),
          { number: 2, line: error.line, hidden: false, texts: [], kinds: undefined, fault: error.coded },
        ];
        return;
      }
      yield* rowsOf(file, chunks, found);
    },
  };
}

/** Beginning of a JSON text: an object, or a list of objects. */
const JSON_START = /^\s*(\{|\[\s*(\{|\]))/;
const hasMember = (text: string, members: readonly string[]): boolean =>
  members.some((name) => new RegExp(`"${name}"\\s*:`, 'i').test(text));

type JsonKind = 'records' | 'answer' | 'utf-16';

/** Detects JSON by the first bytes of a file, also in UTF-16. */
export function jsonKindOf(head: Buffer): JsonKind | undefined {
  const utf16 = head[0] === 0xff || head[1] === 0 ? head.toString('utf16le') : swapped(head);
  if (utf16 !== undefined && JSON_START.test(utf16.replace(/^\ufeff/, ''))) return 'utf-16';
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  if (!JSON_START.test(text)) return undefined;
  const { list, answers } = jsonFileForm();
  return hasMember(text, answers) && !hasMember(text, [list]) ? 'answer' : 'records';
}

const swapped = (head: Buffer): string | undefined =>
  head[0] === 0xfe || head[0] === 0
    ? Buffer.from(head.subarray(0, head.length & ~1))
        .swap16()
        .toString('utf16le')
    : undefined;

const UTF16 = (): JsonFault => new JsonFault({ code: 'json/not-utf8', params: {} }, 1);

const refusing = (file: string): RowSource =>
  sourceOf(file, async function* () {
    yield* [];
    throw UTF16();
  });

/** Opens a JSON file as a table of its records. */
export const openJson = (path: string, head: Buffer): InputFile => ({
  path,
  file: basename(path),
  kind: 'json',
  tables: tableOf(basename(path), () => createReadStream(path) as AsyncIterable<Buffer>, jsonKindOf(head)),
  ...(jsonKindOf(head) === 'answer' && { ignoredParts: [basename(path)] }),
  close: async () => undefined,
});

const tableOf = (file: string, chunks: Chunks, kind: JsonKind | undefined): readonly RowSource[] =>
  kind === undefined || kind === 'answer'
    ? []
    : [kind === 'utf-16' ? refusing(file) : sourceOf(file, chunks)];

/** Opens the JSON files of a zip; undefined if it has none. The zip stays open until the input is closed. */
export async function openJsonZip(path: string, zip: ZipArchive): Promise<InputFile | undefined> {
  const kinds = new Map<ZipPart, JsonKind>();
  for (const part of zip.parts) {
    if (SYSTEM_ENTRY.test(part.name) || /[\\/]$/.test(part.name)) continue;
    const kind = jsonKindOf(await headOf(part));
    if (kind !== undefined) kinds.set(part, kind);
  }
  if (![...kinds.values()].some((kind) => kind !== 'answer')) return undefined;
  refusePaths(zip);
  for (const part of zip.parts) if (!kinds.has(part)) refuseNested(zip, part, await headOf(part));
  return {
    path,
    file: zip.file,
    kind: 'json',
    tables: [...kinds].flatMap(([part, kind]) =>
      tableOf(`${zip.file}/${part.name.replaceAll('\\', '/')}`, () => part.chunks(), kind),
    ),
    ignoredParts: ignoredParts(zip, (part) => (kinds.get(part) ?? 'answer') !== 'answer'),
    close: () => zip.close(),
  };
}
