import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalText } from '../../src/toolkit/core/canonical.js';
import { openInput } from '../../src/toolkit/tables/open.js';
import { type Folder, issueOf, makeFolder, readAll, rowsOf } from './input-files.js';

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

type Expected = readonly [record: number, line: number, texts: readonly (string | undefined)[]];

const RECORDS: readonly (readonly [what: string, content: string, expected: readonly Expected[]])[] = [
  [
    'line feeds',
    'a;b\n1;2\n',
    [
      [1, 1, ['a', 'b']],
      [2, 2, ['1', '2']],
    ],
  ],
  [
    'carriage returns and line feeds',
    'a;b\r\n1;2\r\n',
    [
      [1, 1, ['a', 'b']],
      [2, 2, ['1', '2']],
    ],
  ],
  [
    'carriage returns',
    'a;b\r1;2\r',
    [
      [1, 1, ['a', 'b']],
      [2, 2, ['1', '2']],
    ],
  ],
  [
    'a mixture of line ends',
    'a;b\r\n1;2\n3;4\r5;6',
    [
      [1, 1, ['a', 'b']],
      [2, 2, ['1', '2']],
      [3, 3, ['3', '4']],
      [4, 4, ['5', '6']],
    ],
  ],
  [
    'the mark with which DOS ends a file',
    'a;b\r\n1;2\r\n\u001a',
    [
      [1, 1, ['a', 'b']],
      [2, 2, ['1', '2']],
    ],
  ],
  [
    'no line end at the end',
    'a;b\n1;2',
    [
      [1, 1, ['a', 'b']],
      [2, 2, ['1', '2']],
    ],
  ],
  [
    'quotes',
    'a;b\n"x;y";"di ""hola"""\n',
    [
      [1, 1, ['a', 'b']],
      [2, 2, ['x;y', 'di "hola"']],
    ],
  ],
  [
    'line breaks inside quotes',
    'a;b\r\n"uno\r\ndos\ntres";2\r\n3;"x\ry"\r\n4;4\r\n',
    [
      [1, 1, ['a', 'b']],
      [2, 2, ['uno\r\ndos\ntres', '2']],
      [3, 5, ['3', 'x\ry']],
      [4, 7, ['4', '4']],
    ],
  ],
  [
    'quotes within a field',
    'a;b\nAguja 1/2" x 5;"LA CASA, S.A."\n',
    [
      [1, 1, ['a', 'b']],
      [2, 2, ['Aguja 1/2" x 5', 'LA CASA, S.A.']],
    ],
  ],
  [
    'a quoted name that begins a quoted field',
    'a;b\n"""LA CASA; S.A."" LTDA";2\n',
    [
      [1, 1, ['a', 'b']],
      [2, 2, ['"LA CASA; S.A." LTDA', '2']],
    ],
  ],
  [
    'text behind a closing quote',
    'a;b\n"uno" dos;2\n',
    [
      [1, 1, ['a', 'b']],
      [2, 2, ['"uno" dos', '2']],
    ],
  ],
  [
    'blank records count and are left out',
    '\na;b\n\n;;\n" ";\u00a0\n1;2\n\n',
    [
      [2, 2, ['a', 'b']],
      [6, 6, ['1', '2']],
    ],
  ],
  [
    'blank fields',
    'a;b;c\n1; ;3\n 1 ;;\n',
    [
      [1, 1, ['a', 'b', 'c']],
      [2, 2, ['1', undefined, '3']],
      [3, 3, ['1', undefined, undefined]],
    ],
  ],
  [
    'records of any length',
    'a;b\n1\n1;2;3\n',
    [
      [1, 1, ['a', 'b']],
      [2, 2, ['1']],
      [3, 3, ['1', '2', '3']],
    ],
  ],
  [
    'texts that Excel is made to keep',
    'a;b;c\n="001";"=""002""";=""\n="di ""sí""";=1+1;"="\n="";"=""""";\n',
    [
      [1, 1, ['a', 'b', 'c']],
      [2, 2, ['001', '002', undefined]],
      [3, 3, ['di "sí"', '=1+1', '=']],
    ],
  ],
  [
    'Excel’s separator line',
    'sep=|\r\na|b;c\r\n1|2\r\n',
    [
      [1, 2, ['a', 'b;c']],
      [2, 3, ['1', '2']],
    ],
  ],
  ['a separator line behind a mark', '\ufeffsep=;\na;b\n', [[1, 2, ['a', 'b']]]],
  [
    'a mark',
    '\ufeff"Número";b\n1;2\n',
    [
      [1, 1, ['Número', 'b']],
      [2, 2, ['1', '2']],
    ],
  ],
  [
    'one column',
    'documento\n900\n',
    [
      [1, 1, ['documento']],
      [2, 2, ['900']],
    ],
  ],
];

test.each(RECORDS)('records: %s', async (what, content, expected) => {
  const { input, rows } = await readAll(await folder.file(`${what.replaceAll(/\W/g, '-')}.csv`, content));
  expect(input.kind).toBe('csv');
  expect(rows[0]!.map(({ number, line, texts }) => [number, line, [...texts]])).toEqual(expected);
  expect(rows[0]!.every(({ kinds, hidden }) => kinds === undefined && !hidden)).toBe(true);
});

const DELIMITERS: readonly (readonly [what: string, delimiter: string, content: string])[] = [
  ['semicolons beside decimal commas', ';', 'doc;valor\n1;1.300,50\n2;1,5\n3;7,25\n'],
  ['semicolons beside many commas', ';', 'doc;valor\n1;1,300,000.50\n2;1,200,000.00\n3;2,000,000.00\n'],
  ['commas', ',', 'doc,nombre,valor\n1,Ana;María,5\n'],
  ['tabs', '\t', 'doc\tnombre\tvalor\n1\tAna, María\t5,5\n'],
  ['bars', '|', 'doc|nombre\n1|Ana\n'],
  ['delimiters inside quotes', ',', 'doc,nombre\n1,"a;b;c;d"\n2,"e;f;g;h"\n'],
  ['a quoted line break', ',', 'doc,nota\n1,"a;b\nc;d"\n'],
  ['a title above', ';', 'NOMINA, OCTUBRE, 2026\n\ndoc;nombre;valor\n1;Ana;5\n2;Eva;6\n3;Luz;7\n'],
  ['a flat file without header', ',', 'CC,900,01,ABC;D\nCC,901,01,ABD\nCC,902,02,ABE\n'],
  ['records of uneven length', ';', 'a;b;c\n1;2;3;\n4;5;6\n7;8;9\n'],
  [
    'a decimal comma in every record, the last blanks left out',
    ';',
    'F1;CC;10;;1,50\nF2;CC;11;;;1,5;\nF3;CC;12;;7,25\nF4;CC;13;2;8,00\n',
  ],
  ['a decimal comma in every field', ';', '1,50;2,50;3,00\n4,25;1,00;9,10\n'],
  ['tabs beside a decimal comma in every field', '\t', '1,50\t2,50\n4,25\t1,00\n'],
  ['a comma in every name', ';', 'PEREZ, ANA;CC;1\nRUIZ, EVA;CC;2;;\nROJAS, LUZ;CC;3\n'],
  ['amounts between commas', ',', '1,50,3\n4,25,1\n'],
  ['inches', ';', 'a;b\n1;5" x 3"\n2;"x;y"\n'],
];

test.each(DELIMITERS)('delimiter: %s', async (what, delimiter, content) => {
  const found = await readAll(await folder.file(`${what}.csv`, content));
  const given = await readAll(await folder.file(`${what}.csv`, content), { delimiter });
  expect(found.rows).toEqual(given.rows);
  expect(Math.max(...found.rows[0]!.map(({ texts }) => texts.length))).toBeGreaterThan(1);
});

const NAMES = 'Número;Año\nÑúñez;€uro – “ok”\n';
/** Windows-1252 bytes of NAMES. */
const WINDOWS = Buffer.from('N\xfamero;A\xf1o\n\xd1\xfa\xf1ez;\x80uro \x96 \x93ok\x94\n', 'latin1');
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
/** Longer than a chunk, with a character of two, three or four bytes on every border. */
const long = (letter: string): string => `a;b\n${`x;${letter.repeat(500)}\n`.repeat(300)}`;

describe('encoding', () => {
  test.each([
    ['UTF-8', Buffer.from(NAMES)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${NAMES}`)],
    ['UTF-16 little endian', Buffer.from(`\ufeff${NAMES}`, 'utf16le')],
    ['UTF-16 big endian', bigEndian(`\ufeff${NAMES}`)],
    ['UTF-16 behind a separator line', Buffer.from(`\ufeffsep=;\n${NAMES}`, 'utf16le')],
    ['Windows-1252', WINDOWS],
  ])('%s', async (name, bytes) => {
    const { rows } = await readAll(await folder.file(`${name}.csv`, bytes));
    expect(rows[0]!.map(({ texts }) => texts)).toEqual([
      ['Número', 'Año'],
      ['Ñúñez', '€uro – “ok”'],
    ]);
  });

  test.each(['ñ', '€', '😀', 'añ', 'a😀'])('characters on the borders of chunks: %s', async (letter) => {
    for (const [encoding, bytes] of [
      ['utf8', Buffer.from(long(letter))],
      ['utf16', Buffer.from(`\ufeff${long(letter)}`, 'utf16le')],
    ] as const) {
      const { rows } = await readAll(await folder.file(`${encoding}.csv`, bytes));
      expect(rows[0]).toHaveLength(301);
      expect(new Set(rows[0]!.slice(1).map(({ texts }) => texts[1]))).toEqual(new Set([letter.repeat(500)]));
    }
  });

  test('one byte that is not UTF-8, at the very end, makes it Windows-1252', async () => {
    const path = await folder.file(
      'late.csv',
      Buffer.concat([Buffer.from(`a;b\n${'1;2\n'.repeat(50_000)}x;`), Buffer.from([0xd1])]),
    );
    expect((await readAll(path)).rows[0]!.at(-1)!.texts).toEqual(['x', 'Ñ']);
  });

  test('a given encoding wins, and must fit', async () => {
    const utf8 = await folder.file('given.csv', 'a;ñ\n');
    expect((await readAll(utf8, { encoding: 'windows-1252' })).rows[0]![0]!.texts).toEqual(['a', 'Ã±']);
    const unmarked = await folder.file('unmarked.csv', Buffer.from(NAMES, 'utf16le'));
    expect((await readAll(unmarked, { encoding: 'utf-16le' })).rows[0]![1]!.texts[0]).toBe('Ñúñez');
    expect((await issueOf(await folder.file('windows.csv', WINDOWS), { encoding: 'utf-8' }))?.code).toBe(
      'file/encoding',
    );
  });
});

const mixed = Buffer.concat([Buffer.from(NAMES), WINDOWS]);

test.each<[what: string, content: string | Buffer, code: string, row?: number, line?: number]>([
  ['two encodings in one file', mixed, 'file/encoding'],
  ['a byte that Windows-1252 does not have', Buffer.from('a;b\nx;\x81\xf1\n', 'latin1'), 'file/encoding'],
  ['half a UTF-16 character', Buffer.from('\ufeffa;b', 'utf16le').subarray(0, -1), 'file/encoding'],
  ['a NUL', 'a;b\n1;\0\n', 'file/binary'],
  ['a NUL in UTF-16', Buffer.from('\ufeffa;b\n1;\0\n', 'utf16le'), 'file/binary'],
  ['UTF-16 without a mark', Buffer.from('a;b\n1;2\n', 'utf16le'), 'file/binary'],
  ['a quote open to the end', 'a;b\n"1\n2";2\n"x;1\ny;2\n', 'file/csv-quote', 3, 4],
  ['a quote that swallows the next record', 'a;b\n1;2\n"Juan;1\n"Ana";2\n3;3\n', 'file/csv-quote', 3, 3],
  ['a quote that swallows the next field', 'a;b;c;d\n"Juan;1;"Ana";2\n', 'file/csv-quote', 2, 2],
])('refuses a text with %s', async (what, content, code, row, line) => {
  const issue = await issueOf(await folder.file(`${what}.csv`, content));
  expect([issue?.code, issue?.place.row, issue?.place.line]).toEqual([code, row, line]);
});

/** Fields of the signs that matter; blank ones are read as none. */
const FIELD = fc
  .array(fc.constantFrom('"', '""', ';', ',', '\n', '\r\n', 'a', 'ñ', ' '), { maxLength: 8 })
  .map((signs) => signs.join(''))
  .filter((text) => text.trim() !== '');
const quotedField = (text: string): string => `"${text.replaceAll('"', '""')}"`;

test('whatever quotes, delimiters and line breaks values hold, they are read as they were written', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(FIELD, FIELD, FIELD), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(';', ',', '\t', '|'),
      async (records, delimiter) => {
        const text = records.map((fields) => fields.map(quotedField).join(delimiter)).join('\r\n');
        const path = await folder.file('round-trip.csv', text);
        const [rows] = (await readAll(path, { delimiter })).rows;
        const canonical = records
          .map((fields) => fields.map((field) => canonicalText(field) || undefined))
          .filter((fields) => fields.some((field) => field !== undefined));
        expect(rows!.map(({ texts }) => texts)).toEqual(canonical);
      },
    ),
    { numRuns: 200 },
  );
});

test('values in quotes are told from a quote that was never closed, over many chunks', async () => {
  const good = '"""Compras"";""Pagos""";x\n'.repeat(20_000);
  const [rows] = (await readAll(await folder.file('good.csv', good))).rows;
  expect(new Set(rows!.map(({ texts }) => texts[0]))).toEqual(new Set(['"Compras";"Pagos"']));
  const issue = await issueOf(await folder.file('bad.csv', `${good}"Juan;1\n"Ana";2\n`));
  expect(issue).toMatchObject({ code: 'file/csv-quote', place: { row: 20_001, column: 'A' } });
});

test('comillas-validas.csv: a title and a name in quotes that belong to it', async () => {
  const [rows] = (await readAll('test/tables/workbooks/awkward/comillas-validas.csv')).rows;
  const [plain] = (await readAll('samples/events/eventos-facturas-recibidas.csv')).rows;
  const expected = plain![1]!.texts.map((text, column) => (column === 7 ? '"Compras","Pagos"' : text));
  expect(rows![1]!.texts).toEqual(expected);
  expect([rows![0], ...rows!.slice(2)]).toEqual([plain![0], ...plain!.slice(2)]);
});

test('refuses records beyond the limit, quoted or not', async () => {
  const limits = { recordBytes: 100_000 };
  const quoted = await folder.file('quoted.csv', `a;b\n1;2\n3;"${'x\n'.repeat(100_000)}`);
  expect(await issueOf(quoted, { limits })).toMatchObject({
    code: 'file/record-too-long',
    place: { row: 3, line: 3 },
  });
  const endless = await folder.file('endless.csv', ';'.repeat(1_000_000));
  expect((await issueOf(endless, { limits }))?.code).toBe('file/record-too-long');
});

const MANY = 20_000;
test.each([';', ',', '\t'])('columns beyond a budget are refused at their record: %j', async (delimiter) => {
  const wide = (count: number): string => `a${delimiter.repeat(count - 1)}\n1\n`;
  const issue = await issueOf(await folder.file('wide.csv', `x${delimiter}y\n${wide(40_000)}`));
  expect([issue?.code, issue?.place.row]).toEqual(['file/too-many-columns', 2]);
  // A first record that is longer than what is read to find the delimiter.
  const all = await issueOf(await folder.file('wide.csv', wide(200_000)));
  expect([all?.code, all?.place.row]).toEqual(['file/too-many-columns', 1]);
  const { rows } = await readAll(await folder.file('fits.csv', wide(20_000)));
  expect(rows[0]!.map(({ texts }) => texts.length)).toEqual([20_000, 1]);
});

const many = `a;b\r\n${Array.from({ length: MANY }, (_, i) => `${i};"x\r\n${i}"\r\n`).join('')}`;

test('a long file keeps its count of records and lines, comes in batches, and is read again', async () => {
  const input = await openInput(await folder.file('many.csv', many));
  const [table] = input.tables;
  let batches = 0;
  for await (const _ of table!.batches()) batches++;
  const rows = await rowsOf(table!);
  await input.close();
  expect(batches).toBeGreaterThan(3);
  expect(rows.map(({ number, line }) => [number, line])).toEqual([
    [1, 1],
    ...Array.from({ length: MANY }, (_, i) => [i + 2, 2 * i + 2]),
  ]);
});

test('leaving early is fine', async () => {
  const input = await openInput(await folder.file('early.csv', many));
  for (let pass = 0; pass < 3; pass++) for await (const _ of input.tables[0]!.batches()) break;
  const [first] = await rowsOf(input.tables[0]!);
  await input.close();
  expect(first!.texts).toEqual(['a', 'b']);
});
