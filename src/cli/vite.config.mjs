import { join } from 'node:path';
import { defineConfig } from 'vite';
import { bundledLicences } from '../bundled-licences.mjs';

/** Has parts of its own beside it, or is loaded by few calls. */
const APART = [
  'libsql',
  'undici',
  'fastify',
  'light-my-request',
  'pdfkit',
  'open',
  'pg',
  'pg-boss',
  'pino',
  'prom-client',
  'ajv',
  'ajv-formats',
  'yaml',
];

/** Bundled by itself, for programs too. */
const writer = {
  name: 'writer-of-workbooks',
  enforce: 'pre',
  resolveId: (id) =>
    id.endsWith('/exceljs.js') ? { id: '../report/exceljs.js', external: true } : undefined,
};

const ENTRIES = {
  'cli/main': 'cli/main.ts',
  'program/screening-process': 'app/screening-process.ts',
  index: 'index.ts',
  types: 'types.ts',
  validate: 'validate.ts',
  client: 'client.ts',
  sandbox: 'sandbox.ts',
};

/** What is loaded together stands together: to find and read a file takes as long as much code. First what each command takes. */
const PARTS = [
  ['start', ['cli/main.ts']],
  ['library', ['index.ts']],
  ['work', ['cli/run.ts', 'app/check.ts']],
];

/** Of what these doors load nothing else becomes a part. */
const LIGHT = ['types.ts', 'validate.ts', 'client.ts', 'sandbox.ts'];

const source = (file) => join(import.meta.dirname, '..', file);

/** The files with all that they load at once. */
function loadedBy(files, modules) {
  const found = new Set(files.map(source));
  for (const id of found) for (const loaded of modules.getModuleInfo(id)?.importedIds ?? []) found.add(loaded);
  return found;
}

let parts;

function partOf(id, modules) {
  parts ??= {
    light: loadedBy(LIGHT, modules),
    checked: loadedBy(PARTS.flatMap(([, files]) => (files.includes('index.ts') ? [] : files)), modules),
    named: PARTS.map(([name, files]) => [name, loadedBy(files, modules)]),
  };
  if (parts.light.has(id) || !parts.checked.has(id) || modules.getModuleInfo(id).isEntry) return null;
  return parts.named.find(([, files]) => files.has(id))[0];
}

/**
 * The program and the doors of the package in few files, in the place of their entries in dist: to find and read hundreds of modules
 * takes longer than to check a month.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [writer, bundledLicences('program/LICENCES.txt')],
  ssr: { noExternal: true, external: APART, target: 'node' },
  build: {
    ssr: true,
    outDir: '../../dist',
    emptyOutDir: false,
    minify: true,
    target: 'node20',
    reportCompressedSize: false,
    rolldownOptions: {
      input: Object.fromEntries(
        Object.entries(ENTRIES).map(([name, file]) => [name, join(import.meta.dirname, '..', file)]),
      ),
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'program/[name]-[hash].js',
        codeSplitting: { groups: [{ name: partOf, debugName: 'parts', includeDependenciesRecursively: false }] },
      },
    },
  },
});
