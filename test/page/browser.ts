import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium as driver, type Page } from 'playwright-core';
import { request } from 'undici';

/** A program that serves the page, and the link that lets one visitor in. */
export interface Served {
  readonly link: string;
  readonly workspace: string;
  /** One more link, as who is in already can give it. */
  invite(): Promise<string>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

const LINK = /http:\/\/127\.0\.0\.1:\d+\/enter\/[\w-]+/;

const inviter = (link: string): (() => Promise<string>) => {
  const { origin } = new URL(link);
  let cookie: Promise<string> | undefined;
  return async () => {
    cookie ??= request(link).then(({ headers }) => String(headers['set-cookie']).split(';')[0]!);
    const { body } = await request(`${origin}/api/invitations`, {
      method: 'POST',
      headers: { origin, cookie: await cookie },
    });
    return origin + ((await body.json()) as { path: string }).path;
  };
};

/** `cargue web` as a process of its own, as people start it. */
export function serve({
  workspace = mkdtempSync(join(tmpdir(), 'cargue-web-')),
  env = {},
}: {
  readonly workspace?: string;
  readonly env?: Readonly<Record<string, string>>;
} = {}): Promise<Served> {
  const child = spawn(process.execPath, ['dist/cli/main.js', 'web', '--no-open'], {
    env: { ...process.env, CARGUE_WORKSPACE: workspace, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  return new Promise((resolve, reject) => {
    let said = '';
    const read = (chunk: Buffer): void => {
      said += chunk.toString();
      const link = LINK.exec(said)?.[0];
      if (link === undefined) return;
      resolve({
        link,
        workspace,
        invite: inviter(link),
        kill: async (signal = 'SIGTERM') => {
          child.kill(signal);
          await ended;
        },
      });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(said)));
  });
}

/** A real browser: the one that CHROME_PATH names, else the one that npm brings for Linux (test/support/browser.ts). */
export const openBrowser = async (): Promise<Browser> =>
  driver.launch({
    executablePath: process.env['CHROME_PATH']!,
    args: ['--no-sandbox', '--headless=shell', '--disable-gpu'],
  });

/** A page that lets nothing pass unseen: errors of its scripts, what its policy refused, requests to other hosts. */
export async function openPage(
  browser: Browser,
  link: string,
  locale?: string,
): Promise<Page & { readonly faults: string[] }> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 720 },
    ...(locale !== undefined && { locale }),
  });
  // A busy machine answers late.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const faults: string[] = [];
  const { host } = new URL(link);
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      faults.push(`${message.text()} ${message.location().url}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.protocol !== 'blob:' && url.host !== host) faults.push(request.url());
  });
  await page.goto(link);
  return Object.assign(page, { faults });
}

/** What axe finds wrong on the page as it is, in light and dark. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await violationsIn(page)).map((one) => `${colorScheme}: ${one}`));
  }
  return found;
}

/** The same in the other language too; the page is loaded again for each, and ends in the language that it had. */
export async function violationsInBoth(page: Page): Promise<readonly string[]> {
  const found = [...(await violations(page))];
  for (const isThere of [false, true]) {
    const title = page.getByRole('heading', { level: 1 });
    const lang = await page.locator('html').getAttribute('lang');
    await page.locator('button.language').click();
    await page.locator(`html[lang=${lang === 'es' ? 'en' : 'es'}]`).waitFor();
    await title.waitFor();
    await page.waitForLoadState('networkidle');
    if (!isThere) found.push(...(await violations(page)).map((one) => `other language: ${one}`));
  }
  return found;
}

async function violationsIn(page: Page): Promise<readonly string[]> {
  const { violations: found } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html }) => html)
        .join(' | ')}`,
  );
}

/** Chooses the company in the head of the page. */
export async function chooseCompany(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Empresa: / }).click();
  await page.getByRole('combobox', { name: 'Cambiar de empresa' }).fill(name);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Empresa: ${name}` }).waitFor();
}
