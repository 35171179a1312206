import { readFileSync } from 'node:fs';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openInput } from '../../src/toolkit/tables/open.js';
import { workbookOf } from '../support/edit-workbook.js';
import { SAMPLE } from '../support/prepare-file.js';
import { openBrowser, openPage, type Served, serve } from './browser.js';

let browser: Browser;
let served: Served;

beforeAll(async () => {
  [browser, served] = await Promise.all([openBrowser(), serve()]);
});

afterAll(async () => {
  await browser?.close();
  await served?.kill();
});

const ROWS = 10_000;
/** Of a check of one row, in milliseconds, on a busy machine with room to spare; 100 is wanted. */
const MOST_MS = 1_000;

test('10,000 rows of 60 columns scroll without gaps, and one is checked at once', async () => {
  const month = await longMonth();
  const page = await openPage(browser, served.link);
  await page.getByRole('button', { name: 'Probar con datos de ejemplo' }).click();
  await page.getByRole('cell', { name: 'Tipo documento' }).waitFor();
  const replaced = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.locator('input[type=file]').setInputFiles({
    name: 'nomina-octubre-2026.xlsx',
    mimeType: 'application/octet-stream',
    buffer: readFileSync(month),
  });
  await replaced;
  await page.getByRole('link', { name: 'Revisar' }).click();

  await page.getByText(/^10.000 previstos/).waitFor({ timeout: 60_000 });
  const grid = page.getByRole('grid');
  await page.getByRole('gridcell', { name: 'Núñez' }).first().waitFor();
  const gaps = await grid.evaluate(async (element) => {
    let found = 0;
    const { requestAnimationFrame: nextFrame } = globalThis as unknown as {
      requestAnimationFrame(call: unknown): void;
    };
    for (let step = 0; step < 120; step++) {
      element.scrollTop += 700;
      await new Promise((drawn) => nextFrame(drawn));
      // A row that is on its way has its place.
      const { top, bottom } = element.getBoundingClientRect();
      const rows = [...element.querySelectorAll('.grid-row')].map((row) => row.getBoundingClientRect());
      for (let at = top + 40; at < bottom - 20; at += 28)
        if (!rows.some((row) => row.top <= at && row.bottom >= at)) found += 1;
    }
    return found;
  });
  expect(gaps).toBe(0);
  await page.locator('.grid .waiting').first().waitFor({ state: 'detached' });
  const filled = await page.locator('.grid-row .cell.frozen').allTextContents();
  expect(filled.length).toBeGreaterThan(15);
  expect(filled.filter((text) => text === '')).toEqual([]);
  // The worker's name stays in sight beside the row number, and takes the place of the last of them at this width.
  expect(await page.locator('.grid-head .cell.frozen').count()).toBe(FROZEN - 1);
  expect(await page.locator('.row-name').first().innerText()).toBe('Nombre');
  expect(await page.locator('.grid .cell').count()).toBeLessThan(MAX_CELLS);

  await page.keyboard.press('Tab');
  await grid.focus();
  await page.keyboard.press('Control+End');
  const last = page.locator(`#cell-${ROWS}-59`);
  await last.and(page.locator(':focus')).waitFor();
  expect(await shown(last)).toBe(true);
  expect([await grid.getAttribute('aria-rowcount'), await grid.getAttribute('aria-colcount')]).toEqual([
    String(ROWS + 2),
    '61',
  ]);
  expect(await last.getAttribute('aria-colindex')).toBe('61');
  expect(await last.locator('..').getAttribute('aria-rowindex')).toBe(String(ROWS + 2));
  for (const [key, times, id] of [
    ['ArrowLeft', 30, `cell-${ROWS}-29`],
    ['PageUp', 2, `cell-${ROWS - 30}-29`],
    ['Home', 1, `cell-${ROWS - 30}-0`],
    ['End', 1, `cell-${ROWS - 30}-59`],
    ['Control+ArrowLeft', 1, `cell-${ROWS - 30}-0`],
    ['PageDown', 3, `cell-${ROWS}-0`],
    ['ArrowRight', 21, `cell-${ROWS}-21`],
  ] as const) {
    for (let time = 0; time < times; time++) await page.keyboard.press(key);
    const cell = page.locator(`#${id}:focus`);
    await cell.waitFor();
    expect(await shown(cell), key).toBe(true);
  }
  // Where nothing scrolls, two rows at the most are drawn again.
  const touched = await grid.evaluate(async (element) => {
    const rows = new Set<unknown>();
    const { MutationObserver: Watcher } = globalThis as unknown as {
      MutationObserver: new (
        told: (records: readonly { target: Node }[]) => void,
      ) => { observe(target: unknown, options: object): void };
    };
    type Node = { closest(selector: string): unknown };
    new Watcher((records) => {
      for (const { target } of records) rows.add(target.closest('.grid-row'));
    }).observe(element, { attributes: true, subtree: true });
    (globalThis as unknown as { touched: unknown }).touched = rows;
    return rows.size;
  });
  expect(touched).toBe(0);
  await page.keyboard.press('ArrowUp');
  await page.locator(`#cell-${ROWS - 1}-21:focus`).waitFor();
  expect(
    await page.evaluate(() => (globalThis as unknown as { touched: ReadonlySet<unknown> }).touched.size),
  ).toBe(2);
  await page.keyboard.press('ArrowDown');
  const pay = page.locator(`#cell-${ROWS}-21:focus`);
  await pay.waitFor();
  // The keyboard stays where it is, however far the table is scrolled.
  await grid.evaluate((element) => {
    element.scrollTop = 0;
    element.scrollLeft = 4000;
  });
  await page.locator('#cell-5-33').waitFor();
  expect(await pay.count()).toBe(1);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await pay.dblclick();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('x');
  const begun = performance.now();
  await Promise.all([
    page.waitForResponse(
      (response) => response.url().endsWith('/edits') && response.request().method() === 'PUT',
    ),
    page.keyboard.press('Enter'),
  ]);
  const taken = performance.now() - begun;
  await page.locator(`#cell-${ROWS}-21.bad`).waitFor();
  expect(taken).toBeLessThan(MOST_MS);
  expect(page.faults).toEqual([]);
  await page.close();
}, 120_000);

/** Cells that are drawn of 600,000: those that are seen at this size of the window, and some around them. */
const MAX_CELLS = 700;

/** Whether a cell is inside of the table, and not under its header or its frozen columns. */
const shown = (cell: Locator): Promise<boolean> =>
  cell.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const at = [
      [left + 2, top + 2],
      [right - 2, bottom - 2],
    ] as const;
    return at.every(([x, y]) => element.contains(element.ownerDocument.elementFromPoint(x, y)));
  });

const FROZEN = 3;

/** Columns that no document needs. */
const ASIDE = ['Observaciones', 'Cargo', 'Centro de costo', 'Área', 'Firma', 'Ítem'];

/** The sample's workers again and again, each with a document of its own, in 60 columns. */
async function longMonth(): Promise<string> {
  const input = await openInput(SAMPLE);
  const rows: (readonly (string | number | undefined)[])[] = [];
  for await (const batch of input.tables[0]!.batches())
    for (const { texts, kinds } of batch)
      rows.push(texts.map((text, at) => (kinds?.[at] === 'number' ? Number(text) : text)));
  await input.close();
  const [header, ...workers] = rows;
  const month = Array.from({ length: ROWS }, (_, at) => {
    const values = [...workers[at % workers.length]!];
    values[1] = 1_000_000_000 + at;
    return [...values, ...ASIDE.map((title) => `${title} ${at}`)];
  });
  return workbookOf([[...header!, ...ASIDE], ...month], 'Nomina', FROZEN);
}
