import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { REPORT } from '../../src/families/payroll/report.js';
import type { RunReport } from '../../src/report/rows.js';
import { printReport } from '../../src/report/workbook.js';
import { document, issue, report } from './sample-report.js';

const now = new Date('2026-11-21T12:00:00Z');
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cargue-pdf-'));
});

interface Printed {
  /** The texts of each page, in the order in which they were put there. */
  readonly pages: readonly (readonly string[])[];
  readonly links: readonly string[];
}

/** Streams hold what is drawn; a text is a list of pieces in hexadecimal. */
async function printed(more: Partial<RunReport>): Promise<Printed> {
  const file = join(folder, 'report.pdf');
  await printReport(report({ columns: REPORT.columns([]), ...more }), { file, language: 'es', now });
  const text = (await readFile(file)).toString('latin1');
  const streams = [...text.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, body = '']) =>
    inflateSync(Buffer.from(body, 'latin1')).toString('latin1'),
  );
  const textsIn = (stream: string): readonly string[] =>
    [...stream.matchAll(/\[([^\]]*)\] TJ/g)].map(([, pieces = '']) =>
      [...pieces.matchAll(/<([0-9a-f]+)>/g)]
        .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
        .join(''),
    );
  const links = [...text.matchAll(/\/URI \(([^)]*)\)/g)].map(([, link = '']) => link);
  return { pages: streams.map(textsIn).filter((texts) => texts.length > 0), links };
}

const workers = (count: number) =>
  Array.from({ length: count }, (_, at) => document({ key: `90${at}`, number: `NOM${at}` }));

test.each([
  [1, 2],
  [40, 2],
  [41, 3],
  [80, 3],
])('%i workers: a cover, and a page for each 40', async (count, expected) => {
  const { pages } = await printed({ documents: () => workers(count) });
  expect(pages).toHaveLength(expected);
  for (let at = 0; at < count; at += 40) expect(pages[1 + at / 40]).toContain(`90${at}`);
});

test('it says what the workbook says: names, amounts, codes in full and linked', async () => {
  const about = { kind: 'new', accrued: '2000000.50', deductions: '160000.00', net: '1840000.50' };
  const { pages, links } = await printed({ documents: () => [document({ about })] });
  const [, list] = pages;
  for (const text of ['Documentos', 'Fabián Núñez', 'NOM1', '2.000.000,50', '1.840.000,50', 'Aceptado'])
    expect(list).toContain(text);
  const code = 'ab'.repeat(48);
  expect(list!.join('')).toContain(code);
  expect(links.some((link) => link.endsWith(code))).toBe(true);
});

test('where there is no code it says why; letters that the font lacks lose their accents', async () => {
  const documents = () =>
    [document({ name: 'Łukasz Őri 李', state: 'held-back', issues: [issue({ value: '1.5OO' })] })].map(
      ({ documentCode: _, ...rest }) => rest,
    );
  const [, list] = (await printed({ documents })).pages;
  expect(list).toContain('?ukasz Ori ?');
  expect(list!.join(' ')).toContain('1.5OO');
});

test('what is long is printed to its end, over as many lines as it takes; a page that is full goes on with the next', async () => {
  const value = `${'palabra '.repeat(40)}${'x'.repeat(200)} fin`;
  const documents = () =>
    workers(40).map(({ documentCode: _, ...rest }) => ({
      ...rest,
      state: 'held-back' as const,
      issues: [issue({ value })],
    }));
  const { pages } = await printed({ documents });
  const lists = pages.slice(1);
  expect(lists.length).toBeGreaterThan(2);
  const said = lists.flat().join('');
  expect(said.match(/fin»/g)).toHaveLength(40);
  expect(said).not.toContain('…');
  expect(lists.flat().filter((text) => /^90\d+$/.test(text))).toHaveLength(40);
});

test('sheets for work on the screen are not printed, nor those without rows', async () => {
  const sheet = { name: 'Propia', columns: [{ heading: 'x', width: 10, kind: 'code' as const }] };
  const sheets = () => [
    { ...sheet, rows: [['pantalla']] },
    { ...sheet, rows: [['papel']], paper: true as const },
    { ...sheet, rows: [], paper: true as const, optional: true as const },
  ];
  const { pages } = await printed({ sheets, documents: () => workers(1) });
  expect(pages).toHaveLength(3);
  expect(pages[2]).toContain('papel');
});
