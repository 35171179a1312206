import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { READ_LIMITS } from '../../src/toolkit/core/limits.js';

import { openZip } from '../../src/toolkit/tables/xlsx/zip.js';
import { placed, prepareFiles } from '../support/prepare-file.js';
import { zipOf } from '../support/zip-writer.js';

/** Flat files of Resolución 3374 under other names and in other forms than the norm has: read where it is sure, never guessed. */

const SAMPLE = 'samples/rips/3374';
const SIDE = `${SAMPLE}/complemento.csv`;
const mapping = 'mappings/rips/3374-zip.yaml';
const params = JSON.parse(readFileSync(`${SAMPLE}/params.json`, 'utf8')) as Record<string, unknown>;

interface Part {
  readonly name: string;
  readonly data: Buffer;
}

async function sampleParts(): Promise<readonly Part[]> {
  const zip = await openZip(`${SAMPLE}/RIPS000123.zip`, 'RIPS000123.zip', READ_LIMITS);
  const parts: Part[] = [];
  for (const part of zip.parts) {
    const chunks: Buffer[] = [];
    for await (const chunk of part.chunks()) chunks.push(Buffer.from(chunk));
    parts.push({ name: part.name, data: Buffer.concat(chunks) });
  }
  await zip.close();
  return parts;
}

const parts = await sampleParts();
const whole = await prepareFiles({ files: [`${SAMPLE}/RIPS000123.zip`, SIDE], mapping, params });
const bodiesOf = ({ drafts }: typeof whole): unknown => drafts.map(({ body }) => body);
const ownCell = ([place = '', code]: readonly unknown[]): unknown[] => [
  String(place)
    .replace(/^.*\//, '')
    .replace(/^([a-z]{2}) ?000123(?: \(1\))?(?:\.\w+)?/i, '$1.TXT')
    .toUpperCase(),
  code,
];
const saidOf = ({ issues }: typeof whole): unknown => placed(issues).map(ownCell);

const folder = (): string => mkdtempSync(join(tmpdir(), 'cargue-names-'));
function zip(name: string, of: readonly Part[]): string {
  const file = join(folder(), name);
  writeFileSync(file, zipOf([...of]));
  return file;
}
function loose(of: readonly Part[]): string[] {
  const at = folder();
  return of.map(({ name, data }) => {
    const file = join(at, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, data);
    return file;
  });
}
const renamed = (change: (name: string) => string): Part[] =>
  parts.map(({ name, data }) => ({ name: change(name), data }));
const isOf = (letters: readonly string[]) => (part: Part) => letters.includes(part.name.slice(0, 2));

describe('the same records give the same documents and the same issues', () => {
  test.each<[what: string, files: () => string[]]>([
    ...['ANEXOS', 'AMBULATORIO', 'AUDITORIA', 'ATENCIONES', 'usuarios', 'Acumulado.2026'].map(
      (name): [string, () => string[]] => [`in ${name}.zip`, () => [zip(`${name}.zip`, parts)]],
    ),
    [
      'in a folder of the zip',
      () => [
        zip(
          'ANEXOS.zip',
          renamed((name) => `AUDITORIA/AN 2026/${name}`),
        ),
      ],
    ],
    [
      'in lower case',
      () => [
        zip(
          'anexos.zip',
          renamed((name) => name.toLowerCase()),
        ),
      ],
    ],
    [
      'without control number',
      () => [
        zip(
          'AN.zip',
          renamed((name) => name.replace('000123', '')),
        ),
      ],
    ],
    ...(
      [
        ['without ending', (name) => name.replace('.TXT', '')],
        ['as CSV', (name) => name.replace('.TXT', '.csv')],
        ['with a blank', (name) => name.replace('000123', ' 000123')],
        ['as a browser numbers them', (name) => name.replace('000123.TXT', ' 000123 (1).txt')],
      ] satisfies [string, (name: string) => string][]
    ).flatMap(([what, change]): [string, () => string[]][] => [
      [`${what}, in a zip`, () => [zip('RIPS.zip', renamed(change))]],
      [`${what}, without zip`, () => loose(renamed(change))],
    ]),
    ['without zip', () => loose(parts)],
    ['without zip, in folders', () => loose(renamed((name) => `AN/${name}`))],
    [
      'in several zips',
      () => [
        zip('ATENCIONES.zip', parts.filter(isOf(['AC', 'AP', 'AM', 'AT']))),
        zip(
          'ANEXOS.zip',
          parts.filter((part) => !isOf(['AC', 'AP', 'AM', 'AT'])(part)),
        ),
      ],
    ],
  ])('%s', async (_, files) => {
    const found = await prepareFiles({ files: [...files(), SIDE], mapping, params });
    expect(bodiesOf(found)).toEqual(bodiesOf(whole));
    expect(saidOf(found)).toEqual(saidOf(whole));
  });
});

test('a letter whose name begins like that of a flat file is no flat file, and is said not to be read', async () => {
  const letter = { name: 'ANEXO.txt', data: Buffer.from('Señores EPS:\r\nremitimos lo del mes.\r\n') };
  const found = await prepareFiles({ files: [zip('RIPS.zip', [...parts, letter]), SIDE], mapping, params });
  expect(bodiesOf(found)).toEqual(bodiesOf(whole));
  const more = placed(found.issues).filter(([place]) => String(place).includes('ANEXO'));
  expect(more).toEqual([['RIPS.zip/ANEXO.txt', 'header/file-unused']]);
});

type Fields = readonly string[];
/** The sample with the records of some files written otherwise. */
const rewritten = (letters: readonly string[], change: (fields: Fields) => string): Part[] =>
  parts.map((part) => {
    if (letters.length > 0 && !isOf(letters)(part)) return part;
    const lines = part.data.toString('latin1').trimEnd().split('\r\n');
    const text = lines.map((line) => `${change(line.split(','))}\r\n`).join('');
    return { name: part.name, data: Buffer.from(text, 'latin1') };
  });
const read = (of: readonly Part[]) =>
  prepareFiles({ files: [zip('RIPS000123.zip', of), SIDE], mapping, params });
const commas = (fields: Fields): Fields =>
  fields.map((text) => (/^\d+\.\d\d$/.test(text) ? text.replace('.', ',') : text));
const with_ = (at: number, text: string) => (fields: Fields) => fields.with(at, text).join(',');

describe('another form of the same records is read the same', () => {
  test.each<[what: string, letters: readonly string[], change: (fields: Fields) => string]>([
    ['quotes', [], (fields) => fields.map((text) => `"${text}"`).join(',')],
    ['spaces', [], (fields) => fields.map((text) => ` ${text}  `).join(',')],
    ['semicolons', [], (fields) => fields.join(';')],
    ['bars', [], (fields) => fields.join('|')],
    ['tabs', [], (fields) => fields.join('\t')],
    ['semicolons and decimal commas', [], (fields) => commas(fields).join(';')],
    [
      'the same without the last blanks',
      ['CT', 'AF', 'AC', 'AM', 'AT'],
      (fields) => commas(fields).join(';').replace(/;+$/, ''),
    ],
    ['tabs and decimal commas', [], (fields) => commas(fields).join('\t')],
    [
      'quotes and decimal commas',
      [],
      (fields) =>
        commas(fields)
          .map((text) => `"${text}"`)
          .join(','),
    ],
    [
      'municipalities without their zeros',
      ['US'],
      (fields) =>
        fields
          .with(11, String(Number(fields[11])))
          .with(12, String(Number(fields[12])))
          .join(','),
    ],
    [
      'municipalities with their department',
      ['US'],
      (fields) => fields.with(12, `${fields[11]}${fields[12]}`).join(','),
    ],
    ['a comma at the end of each record', [], (fields) => `${fields.join(',')},`],
    ['blank fields at the end', ['AP'], (fields) => [...fields, '', ' '].join(',')],
    ['two-digit years', [], (fields) => fields.join(',').replace(/(\/\d\d\/)20(\d\d)/g, '$1$2')],
  ])('%s', async (_, letters, change) => {
    const found = await read(rewritten(letters, change));
    expect(bodiesOf(found)).toEqual(bodiesOf(whole));
    expect(saidOf(found)).toEqual(saidOf(whole));
  });

  test.each<[what: string, letters: string, more: readonly string[], wide: string]>([
    ['an AC with 20 columns', 'AC', ['A', '1', 'X'], '18, 19, 20'],
    ['an AP with 17 columns', 'AP', ['1', '0'], '16, 17'],
  ])('%s: those at the end are said once, and left aside', async (_, letters, more, extra) => {
    const found = await read(rewritten([letters], (fields) => [...fields, ...more].join(',')));
    expect(bodiesOf(found)).toEqual(bodiesOf(whole));
    const said = found.issues.filter(({ code }) => code === 'header/fields-added');
    const place = { file: `RIPS000123.zip/${letters}000123.TXT` };
    expect(said).toMatchObject([{ level: 'warning', params: { extra }, place }]);
    expect(found.issues.filter(({ code }) => /label-new|amounts-new/.test(code))).toEqual([]);
    expect(found.issues.filter(({ level }) => level === 'error').length).toBe(
      whole.issues.filter(({ level }) => level === 'error').length,
    );
  });

  test('localities of Bogotá are of Bogotá; a code that is none of them is refused', async () => {
    const in_ = (department: string, municipality: string) =>
      read(rewritten(['US'], (fields) => fields.with(11, department).with(12, municipality).join(',')));
    const bogota = bodiesOf(await in_('11', '001'));
    for (const locality of ['010', '10', '11010', '11001', '020'])
      expect(bodiesOf(await in_('11', locality))).toEqual(bogota);
    for (const [department, municipality] of [
      ['11', '021'],
      ['11', '11021'],
      ['05', '11001'],
    ]) {
      const unknown = await in_(department!, municipality!);
      expect(unknown.drafts).toEqual([]);
      const codes = placed(unknown.issues);
      expect(codes).toContainEqual([expect.stringMatching(/US000123\.TXT![LM]1$/), 'lookup/unknown']);
    }
  });
});

describe('what could be read two ways is refused where it stands', () => {
  const errorsOf = ({ issues }: typeof whole, code: string) =>
    placed(issues.filter((one) => one.level === 'error' && one.code === code));

  test('an amount with a point and three digits', async () => {
    const found = await read(rewritten(['AC'], with_(14, '60.000')));
    expect(found.drafts).toEqual([]);
    expect(errorsOf(found, 'cell/thousands-or-decimals')).toContainEqual([
      'RIPS000123.zip/AC000123.TXT!O1',
      'cell/thousands-or-decimals',
    ]);
  });

  test('amounts with a point and three digits, where no cell shows what the point is', async () => {
    const found = await read(
      rewritten(['AC'], (fields) => fields.with(14, '60.000').with(15, '0').with(16, '60.000').join(',')),
    );
    expect(found.drafts).toEqual([]);
    expect(errorsOf(found, 'cell/number-ambiguous')).toContainEqual([
      'RIPS000123.zip/AC000123.TXT!O1',
      'cell/number-ambiguous',
    ]);
  });

  test.each<[what: string, letters: string, change: (fields: Fields) => string]>([
    ['a column put in before the amounts', 'AC', (fields) => fields.toSpliced(14, 0, '01').join(',')],
    ['amounts behind those of the norm', 'AP', (fields) => [...fields, '12500.00'].join(',')],
    ['a column too many beside texts', 'US', (fields) => [...fields, 'U'].join(',')],
  ])('%s: the file as a whole, once', async (_, letters, change) => {
    const found = await read(rewritten([letters], change));
    expect(errorsOf(found, 'header/fields-unsure')).toEqual([
      [`RIPS000123.zip/${letters}000123.TXT`, 'header/fields-unsure'],
    ]);
  });

  test('a single record with a comma too many has shifted, in a file of one record too', async () => {
    const [first, ...others] = rewritten(['AP'], (fields) => fields.join(','))
      .find(isOf(['AP']))!
      .data.toString('latin1')
      .trimEnd()
      .split('\r\n');
    const of = (lines: readonly string[]) =>
      parts.map((part) =>
        isOf(['AP'])(part) ? { ...part, data: Buffer.from(`${lines.join('\r\n')}\r\n`) } : part,
      );
    const shifted = first!.replace('903841,', '903841,,');
    expect(errorsOf(await read(of([shifted, ...others])), 'header/field-count')).toContainEqual([
      'RIPS000123.zip/AP000123.TXT!1',
      'header/field-count',
    ]);
    expect(errorsOf(await read(of([shifted])), 'header/fields-unsure')).toEqual([
      ['RIPS000123.zip/AP000123.TXT', 'header/fields-unsure'],
    ]);
  });
});

describe('CT names the files of its delivery', () => {
  const isList = ({ code }: { readonly code: string }) => /^header\/file-(unlisted|lacking)$/.test(code);
  const said = ({ issues }: typeof whole) =>
    issues
      .filter(isList)
      .map(({ place, code, value }) => [placed([{ place, code } as never])[0]![0], code, value]);
  const of = (letters: string): Part => parts.find(isOf([letters]))!;

  test.each(['AC000122.TXT', 'AC000123 (1).TXT', 'anterior/AP000099.txt'])(
    'what it does not name is said and not read: %s',
    async (name) => {
      const stray = { ...of(name.includes('AP') ? 'AP' : 'AC'), name };
      const found = await read([...parts, stray]);
      expect(bodiesOf(found)).toEqual(bodiesOf(whole));
      expect(said(found)).toEqual([
        [`RIPS000123.zip/${name}`, 'header/file-unlisted', name.replace(/^.*\//, '')],
      ]);
    },
  );

  test('what it names and is not there is missed, unless it has no records', async () => {
    const without = parts.filter((part) => part !== of('AT'));
    expect(said(await read(without))).toEqual([
      ['RIPS000123.zip/CT000123.TXT!C6', 'header/file-lacking', 'AT000123'],
    ]);
    const none = rewritten(['CT'], (fields) =>
      (fields[2]!.startsWith('AT') ? fields.with(3, '0') : fields).join(','),
    );
    expect(said(await read(none.filter((part) => !isOf(['AT'])(part))))).toEqual([]);
  });

  test('with its extension, in small letters or without zeros too', async () => {
    for (const change of [
      (name: string) => `${name}.TXT`,
      (name: string) => name.toLowerCase(),
      (name: string) => name.replace('000', ''),
    ]) {
      const found = await read(rewritten(['CT'], (fields) => fields.with(2, change(fields[2]!)).join(',')));
      expect(bodiesOf(found)).toEqual(bodiesOf(whole));
      expect(said(found)).toEqual([]);
    }
  });
});

test.each<[what: string, change: (fields: Fields) => string, said: readonly unknown[], documents: number]>([
  [
    'an invoice of AF without services, and services without their invoice',
    (fields) => fields.with(4, fields[4]!.replace('FC1002', 'FC9002')).join(','),
    [
      ['AC.TXT!A3', 'join/missing', 'warning'],
      ['AF.TXT!E3', 'join/only-listed', 'warning'],
    ],
    28,
  ],
  [
    'a record of AF that cannot be read holds back no document',
    (fields) => fields.join(',').replace('FC1002,', 'FC1002,,'),
    [
      ['AF.TXT!3', 'header/field-count', 'error'],
      ['AC.TXT!A3', 'join/missing', 'warning'],
    ],
    28,
  ],
])('%s', async (_, change, said, made) => {
  const { issues, documents } = await read(rewritten(['AF'], change));
  const known = new Set(whole.issues.map((issue) => JSON.stringify(issue)));
  const more = issues.filter((issue) => !known.has(JSON.stringify(issue)));
  expect(more.map((issue) => [...ownCell(placed([issue])[0]!), issue.level])).toEqual(said);
  expect(documents.made).toBe(made);
});

describe('what CT declares is compared file by file', () => {
  const control = (name: string, change: (fields: Fields) => string = (fields) => fields.join(',')) =>
    rewritten(['CT'], (fields) => change(fields.with(2, fields[2]!.replace('000123', name)))).map((part) => ({
      ...part,
      name: part.name.replace('000123', name),
    }));
  const declared = (letters: string, count: string) => (fields: Fields) =>
    (fields[2]!.startsWith(letters) ? fields.with(3, count) : fields).join(',');
  const differing = async (files: readonly string[]): Promise<unknown> => {
    const { issues } = await prepareFiles({ files: [...files, SIDE], mapping, params });
    return issues
      .filter(({ code }) => code === 'batch/count-differs')
      .map(({ place: { file, row }, params }) => [file, row, params])
      .map(([file, row, said]) => [
        file,
        row,
        (said as { stated: string }).stated,
        (said as { found: string }).found,
      ]);
  };

  test('once for each file that holds another number', async () => {
    const file = zip('RIPS.zip', rewritten(['CT'], declared('AC', '31')));
    expect(await differing([file])).toEqual([
      ['RIPS.zip/CT000123.TXT', 3, '31', '30'],
      ['RIPS.zip/CT000123.TXT', 4, '11', '10'],
    ]);
  });

  test('several deliveries, each by its own CT: in zips of their own, or side by side by their control numbers', async () => {
    const [one, other] = [control('000123', declared('AP', '10')), control('000124', declared('AC', '29'))];
    const wrong = (folder: string) => [
      [`${folder}CT000124.TXT`, 3, '29', '30'],
      [`${folder}CT000124.TXT`, 4, '11', '10'],
    ];
    expect(await differing([zip('ENERO.zip', one), zip('FEBRERO.zip', other)])).toEqual(
      wrong('FEBRERO.zip/'),
    );
    expect(await differing([...loose(one), ...loose(other)])).toEqual(wrong(''));
  });
});
