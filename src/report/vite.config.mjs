import { defineConfig } from 'vite';
import { bundledLicences } from '../bundled-licences.mjs';

/** What exceljs loads for reading, for CSV and for folders, which are not its business here. */
const UNUSED = ['fast-csv', 'unzipper', 'tmp', 'glob', 'readdir-glob'];

const unused = {
  name: 'unused',
  enforce: 'pre',
  resolveId: (id) => (UNUSED.includes(id) ? `\0unused:${id}` : undefined),
  load: (id) => (id.startsWith('\0unused:') ? 'module.exports = {};' : undefined),
};

/** Node warns of this constructor anywhere but below node_modules. */
const noOldBuffer = {
  name: 'no-old-buffer',
  transform: (code, id) =>
    /\/archiver-utils\/index\.js$/.test(id.replaceAll('\\', '/'))
      ? code.replace(/new Buffer\((0|size)\)/g, 'Buffer.alloc($1)').replaceAll('new Buffer(', 'Buffer.from(')
      : undefined,
};

/** The writing half of exceljs as one file, in the place of `exceljs.js` in dist. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [unused, noOldBuffer, bundledLicences('exceljs.LICENCES.txt')],
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: 'exceljs.ts',
    outDir: '../../dist/report',
    emptyOutDir: false,
    minify: true,
    target: 'node20',
    reportCompressedSize: false,
    rolldownOptions: { output: { entryFileNames: 'exceljs.js', codeSplitting: false } },
  },
});
