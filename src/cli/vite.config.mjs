import { join, posix } from 'node:path';
import { defineConfig, normalizePath } from 'vite';
import { bundledLicences } from '../bundled-licences.mjs';

/** Modules that few calls load, or that come in several files. */
const APART = [
  '@photostructure/sqlite',
  'undici',
  'fastify',
  'light-my-request',
  'pdfkit',
  'open',
  'pg',
  'pg-boss',
  'pino',
  'prom-client',
  'openid-client',
  'ajv',
  'ajv-formats',
  'yaml',
];

/** Separate bundle, which programs load too. */
const writer = {
  name: 'writer-of-workbooks',
  enforce: 'pre',
  resolveId: (id) =>
    id.endsWith('/exceljs.js') ? { id: '../report/exceljs.js', external: true } : undefined,
};

/** Omits what commander starts programs with, for subcommands that are files of their own. */
const noPrograms = {
  name: 'no-programs',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === 'node:child_process' && importer?.includes('/commander/') ? '\0no-programs' : undefined,
  load: (id) => (id === '\0no-programs' ? 'export default {};' : undefined),
};

/** Modules that begin a program or are a door of the package, by the module of dist that stands for them. */
const ENTRIES = {
  'cli/main': 'cli/main.ts',
  'program/journal-writer': 'send/journal-writer.ts',
  'program/reader-thread': 'page/server/reader-thread.ts',
  index: 'index.ts',
  types: 'types.ts',
  validate: 'validate.ts',
  client: 'client.ts',
  sandbox: 'sandbox.ts',
};

/** Writes the ES module that stands for each entry: Node 20 keeps compiled code of scripts, not of ES modules. */
const doors = {
  name: 'doors',
  generateBundle(_, bundle) {
    for (const { isEntry, name, fileName, exports } of Object.values(bundle)) {
      if (!isEntry) continue;
      const file = posix.relative(posix.dirname(name), fileName);
      const path = JSON.stringify(file.startsWith('.') ? file : `./${file}`);
      const source =
        exports.length === 0
          ? `import ${path};\n`
          : `import program from ${path};\nexport const { ${exports.join(', ')} } = program;\n`;
      this.emitFile({
        type: 'asset',
        fileName: `${name}.js`,
        source: name === 'cli/main' ? `#!/usr/bin/env node\n${source}` : source,
      });
    }
  },
};

/** As Vite names files, on Windows too. */
const source = (file) => normalizePath(join(import.meta.dirname, '..', file));

/** The files with all that they load at once. */
function loadedBy(files, modules) {
  const found = new Set(files.map(source));
  for (const id of found)
    for (const loaded of modules.getModuleInfo(id)?.importedIds ?? []) found.add(loaded);
  return found;
}

let loaded;

/**
 * Puts what a command loads together into one file, since finding and reading a file costs as much as much code. Modules of
 * the small entry points stay separate.
 */
function partOf(id, modules) {
  loaded ??= {
    first: loadedBy(['cli/main.ts'], modules),
    start: loadedBy(['cli/process.ts'], modules),
    check: loadedBy(['cli/run.ts', 'app/check.ts'], modules),
    library: loadedBy(['index.ts'], modules),
    light: loadedBy(
      ['types.ts', 'validate.ts', 'client.ts', 'sandbox.ts', 'send/journal-writer.ts'],
      modules,
    ),
  };
  const { first, start, check, library, light } = loaded;
  if (light.has(id) || modules.getModuleInfo(id).isEntry) return null;
  if (first.has(id)) return 'first';
  if (start.has(id)) return 'start';
  if (!check.has(id)) return null;
  return library.has(id) ? 'library' : 'work';
}

/**
 * The program and the doors of the package in few files, in the place of their entries in dist: to find and read hundreds of modules
 * takes longer than to check a month.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [writer, noPrograms, doors, bundledLicences('program/LICENCES.txt')],
  ssr: { noExternal: true, external: APART, target: 'node' },
  build: {
    ssr: true,
    outDir: '../../dist',
    emptyOutDir: false,
    minify: true,
    target: 'node20',
    reportCompressedSize: false,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, source(file)])),
      output: {
        format: 'cjs',
        strict: true,
        entryFileNames: ({ name }) => `program/${posix.basename(name)}.cjs`,
        chunkFileNames: 'program/[name]-[hash].cjs',
        codeSplitting: {
          groups: [{ name: partOf, debugName: 'parts', includeDependenciesRecursively: false }],
        },
      },
    },
  },
});
