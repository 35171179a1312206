import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Measured {
  readonly seconds: number;
  readonly count: number;
  readonly peakMb: number;
}

export const TSX = ['--import', 'tsx'];
export const here = (file: string): string => join(import.meta.dirname, file);

/** One measurement in a process of its own. */
export async function measure(
  name: string,
  file: string,
  url: string,
  heapMb?: number,
  scene?: object,
): Promise<Measured> {
  const heap = heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`];
  const more = scene === undefined ? [] : [JSON.stringify(scene)];
  const args = [...heap, ...TSX, here('measure.ts'), name, file, url, ...more];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) throw new Error(`${name} ended with ${status}`);
  return JSON.parse(out) as Measured;
}

/** A service that does nothing, and takes so many milliseconds for it. */
export async function startServer(delay: number): Promise<{ url: string; server: ChildProcess }> {
  const server = spawn(process.execPath, [...TSX, here('answering-server.ts'), String(delay)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(server.stdout!, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}`, server };
}

export const median = <T>(all: readonly T[], of: (one: T) => number): T =>
  all.toSorted((a, b) => of(a) - of(b))[Math.floor(all.length / 2)]!;
