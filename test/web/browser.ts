import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver, type Page } from 'playwright-core';

/** A program that serves the page, and the link that lets one visitor in. */
export interface Served {
  readonly link: string;
  readonly workspace: string;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

const LINK = /http:\/\/127\.0\.0\.1:\d+\/enter\/[\w-]+/;

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

/** A real browser: one that is installed where CHROME_PATH says, else the one that npm brings for Linux. */
export const openBrowser = async (): Promise<Browser> =>
  driver.launch({
    executablePath: process.env['CHROME_PATH'] ?? (await chromium.executablePath()),
    args: ['--no-sandbox', '--headless=shell', '--disable-gpu'],
  });

/** A page that lets nothing pass unseen: errors of its scripts, what its policy refused, requests to other hosts. */
export async function openPage(
  browser: Browser,
  link: string,
): Promise<Page & { readonly faults: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const faults: string[] = [];
  const { host } = new URL(link);
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.protocol !== 'blob:' && url.host !== host) faults.push(request.url());
  });
  await page.goto(link);
  return Object.assign(page, { faults });
}
