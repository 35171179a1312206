import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = pathToFileURL(join(ROOT, 'src/')).href;
const BUILT = pathToFileURL(join(ROOT, 'dist/')).href;

/** What is ours is taken as it is built, what is a package's as it is installed. */
const overTheBuilt: Plugin = {
  name: 'over-the-built',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ path, importer }) => {
      if (importer === '') return undefined;
      const { href } = new URL(path, pathToFileURL(importer));
      return href.startsWith(SOURCES)
        ? { path: href.replace(SOURCES, BUILT), external: true, sideEffects: false }
        : { path: fileURLToPath(href).replace(/\.js$/, '.ts') };
    });
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('node:')
        ? undefined
        : { path: import.meta.resolve(path), external: true, sideEffects: false },
    );
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
    }));
  },
};

const programs = new Map<string, Promise<string>>();

async function bundled(source: string): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), 'cargue-child-')), 'child.mjs');
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [overTheBuilt],
    logLevel: 'error',
  });
  return outfile;
}

/** A program of the tests that Node runs as it is: through a loader, each of its processes would take twice the time to start. */
export function childProgram(source: URL): Promise<string> {
  const file = fileURLToPath(source);
  const known = programs.get(file);
  if (known !== undefined) return known;
  const made = bundled(file);
  programs.set(file, made);
  return made;
}
