import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/tables/table.js';
import { openZip } from '../../src/tables/xlsx/zip.js';
import { placed, prepareFiles } from '../support/prepare-file.js';
import { zipOf } from '../support/zip-writer.js';

/** A flat file goes by its own name: two letters and a control number, whatever the zip or folder is called. */

const SAMPLE = 'samples/rips/3374';
const SIDE = `${SAMPLE}/complemento.csv`;
const mapping = 'mappings/rips/3374-zip.yaml';
const params = JSON.parse(readFileSync(`${SAMPLE}/params.json`, 'utf8')) as Record<string, unknown>;

interface Part {
  readonly name: string;
  readonly data: Buffer;
}

async function sampleParts(): Promise<readonly Part[]> {
  const zip = await openZip(`${SAMPLE}/RIPS000123.zip`, 'RIPS000123.zip', DEFAULT_LIMITS);
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
  String(place).replace(/^.*\//, '').toUpperCase(),
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
