import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'vite';

export interface Measured {
  readonly seconds: number;
  readonly count: number;
  readonly peakMb: number;
}

const here = (file: string): string => join(import.meta.dirname, file);

const written = new Map<string, Promise<string>>();

/** A file of this folder as JavaScript: a loader of TypeScript would be measured with it, in memory and in time. */
export function compiled(name: string): Promise<string> {
  const folder = here('../../node_modules/.cargue-bench'); // as deep as this one: what it imports lies where it says
  const made =
    written.get(name) ??
    build({
      configFile: false,
      logLevel: 'error',
      ssr: { external: true },
      build: {
        ssr: here(`${name}.ts`),
        outDir: folder,
        emptyOutDir: false,
        target: 'node20',
        reportCompressedSize: false,
        rolldownOptions: {
          external: (id) => id.includes('/dist/'),
          output: { entryFileNames: '[name].mjs' },
        },
      },
    }).then(() => join(folder, `${name}.mjs`));
  written.set(name, made);
  return made;
}

/** As in Node 20 and 22: where the heap is small, that of Node 24 leaves no room for what lives, and the floor takes twice its time. */
const YOUNG = '--max-semi-space-size=16';

/** One measurement in a process of its own. */
export async function measure(
  name: string,
  file: string,
  url: string,
  heapMb?: number,
  scene?: object,
): Promise<Measured> {
  const heap = heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`, YOUNG];
  const more = scene === undefined ? [] : [JSON.stringify(scene)];
  const args = [...heap, await compiled('measure'), name, file, url, ...more];
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
  const server = spawn(process.execPath, [await compiled('answering-server'), String(delay)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(server.stdout!, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}`, server };
}

export const median = <T>(all: readonly T[], of: (one: T) => number): T =>
  all.toSorted((a, b) => of(a) - of(b))[Math.floor(all.length / 2)]!;
