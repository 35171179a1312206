import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBrowser, openPage, type Served, serve, violations } from './browser.js';

let browser: Browser;
let served: Served;
let page: Awaited<ReturnType<typeof openPage>>;

beforeAll(async () => {
  [browser, served] = await Promise.all([openBrowser(), serve()]);
});

afterAll(async () => {
  await browser?.close();
  await served?.kill();
});

/** The demonstration on the screen where its cells are edited. */
beforeEach(async () => {
  page = await openPage(browser, await served.invite());
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Probar con datos de ejemplo' }).click();
  await page.getByRole('cell', { name: 'Tipo documento' }).waitFor();
  await page.getByRole('link', { name: 'Revisar' }).click();
  await page.getByText(/^25 previstos/).waitFor();
  await page.locator('#cell-1-0').waitFor();
  return async () => {
    expect(page.faults).toEqual([]);
    await page.context().close();
  };
});

const [PAY, TRANSPORT, ACCRUED, NET] = [21, 22, 43, 53];
const cell = (row: number, column: number) => page.locator(`#cell-${row - 1}-${column}`);
const texts = async (column: number, ...rows: readonly number[]): Promise<readonly string[]> =>
  Promise.all(rows.map((row) => cell(row, column).innerText()));

/** Amount as it is stored, of one that is shown with marks. */
const stored = (shown: string | undefined): string => shown!.replaceAll('.', '').replace(',', '.');

/** Goes to a cell by the keys alone, wherever the table is scrolled. */
async function goTo(row: number, column: number): Promise<void> {
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+Home');
  for (let at = 1; at < row; at++) await page.keyboard.press('ArrowDown');
  for (let at = 0; at < column; at++) await page.keyboard.press('ArrowRight');
  await cell(row, column).and(page.locator(':focus')).waitFor();
}

test('a range is copied and pasted in one step, which is undone and done again', async () => {
  const { keyboard } = page;
  const before = await (async () => {
    await goTo(2, PAY);
    return texts(PAY, 2, 3, 4, 5, 6);
  })();
  await keyboard.press('Shift+ArrowDown');
  await keyboard.press('Shift+ArrowRight');
  await page.getByText('Seleccionado: 4 celdas').waitFor();
  await keyboard.press('Control+c');
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied.split('\n').map((line) => line.split('\t'))).toEqual([
    [stored(before[0]), stored(await cell(2, TRANSPORT).innerText())],
    [stored(before[1]), stored(await cell(3, TRANSPORT).innerText())],
  ]);
  await goTo(5, PAY);
  await keyboard.press('Control+v');
  await page.getByText('4 celdas pegadas.').waitFor();
  await cell(6, PAY).and(page.locator('.edited')).waitFor();
  expect(await texts(PAY, 5, 6)).toEqual([before[0], before[1]]);
  await keyboard.press('Control+z');
  await cell(6, PAY).and(page.locator('.edited')).waitFor({ state: 'detached' });
  expect(await texts(PAY, 5, 6)).toEqual([before[3], before[4]]);
  await keyboard.press('Control+y');
  await cell(6, PAY).and(page.locator('.edited')).waitFor();
  expect(await texts(PAY, 5, 6)).toEqual([before[0], before[1]]);

  // A range that Excel made, which goes beyond the last row.
  await goTo(26, PAY);
  await page.evaluate(String.raw`navigator.clipboard.writeText('"1750905"\r\n2\r\n')`);
  await keyboard.press('Control+v');
  await page.getByText('1 celda pegada. No cupo 1 celda: la tabla termina antes.').waitFor();
  await page.getByText('1.750.905', { exact: true }).last().waitFor();
});

test('the message is at its cell, and computed totals take the place of wrong ones', async () => {
  const { keyboard } = page;
  await goTo(2, PAY);
  await keyboard.type('1850905');
  await keyboard.press('Enter');
  await cell(2, PAY).and(page.locator('.edited')).waitFor();
  await page.getByText('25 previstos = 24 listos + 1 con errores').waitFor();
  await keyboard.press('F8');
  await cell(2, ACCRUED).and(page.locator(':focus')).waitFor();
  const popover = page.locator('.cell-popover');
  await popover
    .getByText(/^AR2|El total devengado/)
    .first()
    .waitFor();
  const [at, of] = await Promise.all([popover.boundingBox(), cell(2, ACCRUED).boundingBox()]);
  expect(Math.abs(at!.y - (of!.y + of!.height))).toBeLessThan(10);
  expect(await violations(page)).toEqual([]);
  await keyboard.press('Escape');
  await popover.waitFor({ state: 'detached' });
  await keyboard.press('ArrowLeft');
  await keyboard.press('ArrowRight');
  await popover.getByRole('button', { name: 'Usar el total calculado' }).click();
  await page.getByText('25 previstos = 25 listos + 0 con errores').waitFor();
  await cell(2, ACCRUED).and(page.locator('.edited')).waitFor();
  expect(await texts(ACCRUED, 2)).toEqual(['2.404.714,08']);
  await goTo(2, NET);
  expect(await texts(NET, 2)).toEqual(['1.981.304,08']);
  await popover.waitFor({ state: 'detached' });
});

test('a column is sorted, and the name stays in sight', async () => {
  await goTo(2, PAY);
  await page.getByRole('button', { name: 'Ordenar por V, de mayor a menor' }).click();
  await page
    .getByRole('columnheader', { name: /Salario devengado/ })
    .and(page.locator('[aria-sort=descending]'))
    .waitFor();
  const amounts = (await texts(PAY, 2, 3, 4, 5, 6, 7)).map((shown) => Number(stored(shown)));
  expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
  expect(await cell(1, PAY).innerText()).toBe('Salario devengado');
  await page.getByRole('grid').evaluate((grid) => {
    grid.scrollLeft = 5000;
  });
  const name = page.locator('#cell-1--1 .row-name');
  expect((await name.innerText()).split(' ').length).toBeGreaterThan(1);
  const [left, right] = await Promise.all([name.boundingBox(), page.getByRole('grid').boundingBox()]);
  expect(left!.x).toBeGreaterThanOrEqual(right!.x);
  await page.getByRole('button', { name: 'Orden del archivo' }).click();
  await page.getByRole('columnheader').and(page.locator('[aria-sort]')).waitFor({ state: 'detached' });
  await goTo(2, PAY);
  expect(await texts(PAY, 2)).toEqual(['1.750.905']);
});

test('what is found in a column is replaced in one step', async () => {
  const BANK = 17;
  await goTo(2, BANK);
  const bank = await cell(2, BANK).innerText();
  await page.keyboard.press('Control+f');
  await page.getByRole('searchbox', { name: 'Buscar' }).fill(bank.toUpperCase());
  const found = page.getByText(/^[1-9]\d* celdas? coinciden?$/);
  await found.waitFor();
  const many = Number.parseInt(await found.innerText(), 10);
  expect(many).toBeGreaterThan(1);
  await page.locator('.cell.found').first().waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Reemplazar por' }).fill('Banco Nuevo');
  await page.getByRole('button', { name: `Reemplazar las ${many} celdas` }).click();
  await page.getByText('Cambios: 1').waitFor();
  await cell(2, BANK).and(page.locator('.edited')).waitFor();
  expect(await texts(BANK, 2)).toEqual(['Banco Nuevo']);
  await page.getByRole('button', { name: 'Deshacer (Ctrl+Z)' }).click();
  await page.getByRole('button', { name: 'Rehacer (Ctrl+Y)', disabled: false }).waitFor();
  await page.getByRole('button', { name: 'Cerrar' }).click();
  expect(await texts(BANK, 2)).toEqual([bank]);
});

test('amounts are shown with marks between thousands, edited as they are stored, and found by either', async () => {
  const { keyboard } = page;
  const search = page.getByRole('searchbox', { name: 'Buscar' });
  await goTo(2, PAY);
  expect(await texts(PAY, 1, 2)).toEqual(['Salario devengado', '1.750.905']);
  // An identification is none.
  expect(await texts(1, 2)).toEqual(['9000100000']);
  await keyboard.press('F2');
  expect(await cell(2, PAY).locator('input').inputValue()).toBe('1750905');
  await keyboard.press('Escape');
  // Typed as it is shown, it is the same amount.
  await keyboard.type('1.750.905');
  await keyboard.press('Enter');
  await cell(3, PAY).and(page.locator(':focus')).waitFor();
  await keyboard.press('ArrowUp');
  expect(await cell(2, PAY).and(page.locator('.edited')).count()).toBe(0);
  await keyboard.press('Control+f');
  for (const text of ['1.750.905', '1750905']) {
    await search.fill(text);
    await page.getByText(/^[1-9]\d* celdas? coinciden?$/).waitFor();
  }
  await page.getByRole('textbox', { name: 'Reemplazar por' }).fill('1.800.000');
  await page.getByRole('button', { name: /^Reemplazar la/ }).click();
  await cell(2, PAY).and(page.locator('.edited')).waitFor();
  expect(await texts(PAY, 2)).toEqual(['1.800.000']);
  await page.getByRole('button', { name: 'Cerrar' }).click();
  await goTo(2, PAY);
  await keyboard.press('F2');
  expect(await cell(2, PAY).locator('input').inputValue()).toBe('1800000');
  await keyboard.press('Escape');
});

test('a cell with a list offers its words', async () => {
  const CONTRACT = 11;
  await goTo(2, CONTRACT);
  await page.keyboard.press('F2');
  const words = page.locator('#cell-words option');
  await words.first().waitFor({ state: 'attached' });
  expect(
    await words.evaluateAll((options) => options.map((option) => option.getAttribute('value'))),
  ).toContain('Término indefinido');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await texts(CONTRACT, 2)).toEqual(['Término indefinido']);
});
