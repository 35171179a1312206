import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import ExcelJS from 'exceljs';
import type { Page } from 'playwright-core';
import { startSandbox } from '../../src/sandbox/server.js';
import unpackBrowser from '../support/browser.js';
import { openBrowser } from './browser.js';

/** Takes pictures of the terminal as the built program fills it, from real runs: `npm run pictures`. Needs `script` (util-linux). */
const FOLDER = resolve('samples/terminal');
const COLUMNS = 96;

const ESCAPE = String.fromCharCode(27);
/** A sequence that moves, clears or colours, or a character. */
const SEQUENCES = new RegExp(`${ESCAPE}\\[\\??([\\d;]*)([A-Za-z])|[^]`, 'gu');
const PROMPT = new RegExp(`[:\\]] (${ESCAPE}\\[[\\d;]*[A-Za-z])*$`);

interface Char {
  readonly char: string;
  readonly look: string;
}

/** What a terminal shows after all that was written to it: the few sequences that the program and its prompts use. */
function screenOf(written: string): readonly (readonly Char[])[] {
  const lines: Char[][] = [[]];
  let [row, column, look] = [0, 0, ''];
  for (const [whole, numbers, kind] of written.matchAll(SEQUENCES)) {
    const line: Char[] = lines[row] ?? [];
    lines[row] = line;
    const number = Number(numbers || 0);
    if (whole === '\n') row += 1;
    else if (whole === '\r') column = 0;
    else if (kind === 'G') column = Math.max(0, number - 1);
    else if (kind === 'K') line.splice(number === 2 ? 0 : column);
    else if (kind === 'J') {
      line.splice(column);
      lines.splice(row + 1);
    } else if (kind === 'm')
      look = ({ 31: 'bad', 33: 'warning', 32: 'good', 2: 'dim' } as Record<string, string>)[number] ?? '';
    else if (kind === undefined && whole >= ' ') {
      while (line.length < column) line.push({ char: ' ', look: '' });
      line[column] = { char: whole, look };
      column += 1;
    }
  }
  return lines.map((line) => line ?? []);
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const html = (
  command: string,
  screen: readonly (readonly Char[])[],
): string => `<!doctype html><meta charset="utf-8"><style>
  body { margin: 0; background: #fff; }
  pre { display: inline-block; margin: 0; padding: 14px 18px; font: 13px/1.45 'DejaVu Sans Mono', monospace; color: #1f2933;
    border: 1px solid #c9ced6; border-radius: 6px; background: #fbfcfd; }
  .bad { color: #b42318; } .warning { color: #93600a; } .good { color: #1a7f37; } .dim { color: #6b7280; } b { color: #1f3a5f; }
</style><pre><b>&gt; ${escaped(command)}</b>
${screen
  .map((line) =>
    line
      .map(({ char, look }) =>
        look === '' ? escaped(char) : `<span class="${look}">${escaped(char)}</span>`,
      )
      .join(''),
  )
  .join('\n')
  .trimEnd()}</pre>`;

interface Dots {
  readonly width: number;
  readonly height: number;
  readonly colours: readonly number[];
  /** Places of colours. */
  readonly dots: readonly number[];
}

/** Run in the browser, which reads its own pictures. */
const DOTS_OF = `async (base64) => {
  const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + base64)).blob());
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height).getContext('2d');
  canvas.drawImage(bitmap, 0, 0);
  const { data } = canvas.getImageData(0, 0, width, height);
  const level = (value) => Math.round(Math.round(value * 7 / 255) * 255 / 7);
  const colours = [];
  const dots = [];
  const known = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = (level(data[at]) << 16) | (level(data[at + 1]) << 8) | level(data[at + 2]);
    if (!known.has(colour)) known.set(colour, colours.push(colour) - 1);
    dots.push(known.get(colour));
  }
  return { width, height, colours, dots };
}`;

/** A picture of few colours: a byte a dot. Chromium's own are three times as large. */
async function small(page: Page, png: Buffer): Promise<Buffer> {
  const { width, height, colours, dots } = await page.evaluate<Dots>(
    `(${DOTS_OF})('${png.toString('base64')}')`,
  );
  const chunk = (name: string, body: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(name, 'latin1'), body]);
    const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(body.length);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([size, named, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const lines = Array.from({ length: height }, (_, at) => [0, ...dots.slice(at * width, (at + 1) * width)]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(colours.flatMap((one) => [one >> 16, (one >> 8) & 255, one & 255]))),
    chunk('IDAT', deflateSync(Buffer.from(lines.flat()), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Runs a command in a terminal of its own, and types an answer at each prompt, in order. */
function run(
  command: string,
  answers: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const call = command.replace(/^cargue/, `${process.execPath} ${resolve('dist/cli/main.js')}`);
  const child = spawn('script', ['-qfec', `stty cols ${COLUMNS} rows 50; ${call}`, '/dev/null'], {
    cwd,
    env,
  });
  const left = [...answers];
  const patience = setTimeout(() => child.kill(), 60_000);
  let written = '';
  /** A prompt is drawn again as it is typed to: the next one stands on another line. */
  let answered = -1;
  child.stdout.on('data', (chunk: Buffer) => {
    written += chunk.toString();
    if (left.length === 0 || written.lastIndexOf('\n') < answered || !PROMPT.test(written)) return;
    answered = written.length;
    child.stdin.write(`${left.shift()}\r`);
  });
  return new Promise((done, fail) =>
    child.on('exit', (code) => {
      clearTimeout(patience);
      if (code === null) fail(new Error(written));
      else done(written);
    }),
  );
}

/** The month of the sample as a hurried hand left it. */
async function withFaults(
  from: string,
  to: string,
  faults: Readonly<Record<string, ExcelJS.CellValue>>,
): Promise<void> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(from);
  for (const [cell, value] of Object.entries(faults)) book.worksheets[0]!.getCell(cell).value = value;
  await book.xlsx.writeFile(to);
}

const folder = mkdtempSync(join(tmpdir(), 'cargue-terminal-'));
const month = 'nomina-octubre.xlsx';
copyFileSync('samples/payroll/nomina-octubre-2026.xlsx', join(folder, month));
copyFileSync('samples/payroll/params.json', join(folder, 'octubre.json'));
const {
  month: _,
  issue_date,
  payment_date,
  ...usual
} = JSON.parse(readFileSync('samples/payroll/params.json', 'utf8'));
writeFileSync(join(folder, 'siempre.json'), JSON.stringify(usual));
await withFaults(join(folder, month), join(folder, 'nomina-con-errores.xlsx'), {
  O4: '1.5OO.000',
  P6: '31/02/2024',
  H9: '99999',
});
await withFaults(join(folder, month), join(folder, 'nomina-corregida.xlsx'), {
  T2: '1926665175',
  AQ5: 150_000,
  AR5: 24_650_000,
  BB5: 21_504_500,
});

await unpackBrowser();
const sandbox = await startSandbox({ port: 8787 });
const env = {
  ...process.env,
  CARGUE_URL: sandbox.url,
  CARGUE_TOKEN: sandbox.token,
  CARGUE_LANG: 'es',
  CARGUE_WORKSPACE: join(folder, 'ws'),
  TERM: 'xterm-256color',
};
const browser = await openBrowser();
mkdirSync(FOLDER, { recursive: true });
const TAKEN: readonly (readonly [name: string, command: string, answers: readonly string[]])[] = [
  ['1-check', 'cargue check nomina-con-errores.xlsx --params octubre.json --failed por-corregir.xlsx', []],
  [
    '2-send',
    `cargue send ${month} --params siempre.json --test-set set-de-pruebas`,
    ['octubre 2026', '31/10/2026', '30/10/2026', 's'],
  ],
  [
    '3-adjust',
    'cargue adjust nomina-corregida.xlsx --params octubre.json -p note_prefix=NA --test-set set-de-pruebas',
    ['s'],
  ],
];
for (const [name, command, answers] of TAKEN) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 600 } });
  await page.setContent(html(command, screenOf(await run(command, answers, folder, env))));
  writeFileSync(join(FOLDER, `${name}.png`), await small(page, await page.locator('pre').screenshot()));
  await page.close();
}
await browser.close();
await sandbox.close();
