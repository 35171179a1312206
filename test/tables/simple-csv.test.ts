import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteText, simpleCsvReader } from '../../src/toolkit/tables/simple-csv.js';

const parsed = (text: string): string[][] | undefined => {
  try {
    return parse(text, {
      delimiter: ';',
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
    }) as unknown as string[][];
  } catch {
    return undefined;
  }
};

interface Read {
  readonly records: string[][];
  readonly breaks: readonly boolean[];
  /** What is left to the parser. */
  readonly rest: string;
}

function readPlain(text: string, cuts: readonly number[]): Read {
  const records: string[][] = [];
  const breaks: boolean[] = [];
  const reader = simpleCsvReader(';', ({ fields, hasBreaks }) => {
    records.push(fields);
    breaks.push(hasBreaks);
  });
  const bytes = Buffer.from(text);
  const places = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  let from = 0;
  let came = 0;
  for (const place of places) {
    const { end, unusual } = reader.read(byteText(bytes.subarray(from, place)), place === bytes.length);
    came = from + end;
    from = came;
    if (unusual) break;
  }
  return { records, breaks, rest: bytes.toString('utf8', came) };
}

const FIELDS = [
  '',
  'a',
  '12',
  'ñandú 😀',
  '"b"',
  '"c;d"',
  '"e\nf"',
  '"g\r\nh"',
  '""',
  '"i""j"',
  '"""k"""',
  ' ',
  'más de trece letras',
];
const WRONG = ['l"m', '"n"o', '"', '"p', '""q', ' "r"'];
const field = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(...FIELDS) },
  { weight: 1, arbitrary: fc.constantFrom(...WRONG) },
);
const text = fc
  .array(fc.tuple(fc.array(field, { minLength: 1, maxLength: 5 }), fc.constantFrom('\n', '\r\n', '\r')), {
    maxLength: 8,
  })
  .chain((lines) =>
    fc.boolean().map((ended) => {
      const whole = lines.map(([fields, end]) => fields.join(';') + end).join('');
      return ended ? whole : whole.replace(/[\r\n]+$/, '');
    }),
  );

test('plain records are those of the parser, wherever the text is cut, and it reads the rest as if it had read all', () => {
  let whole = 0;
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 8 }), (content, cuts) => {
      const { records, breaks, rest } = readPlain(content, cuts);
      const behind = parsed(rest);
      expect(behind && [...records, ...behind], JSON.stringify(content)).toEqual(parsed(content));
      expect(breaks).toEqual(records.map((fields) => fields.some((one) => /[\r\n]/.test(one))));
      if (rest === '') whole += 1;
    }),
    { numRuns: 3_000 },
  );
  expect(whole).toBeGreaterThan(1_000);
});
