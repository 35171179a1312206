import { defineConfig } from 'vite';
import { bundledLicences } from '../../bundled-licences.mjs';

/** The page as `cargue web` serves it: files of its own alone, nothing inline (its content security policy forbids it). */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [bundledLicences('LICENCES.txt')],
  build: {
    outDir: '../../../dist/page/client',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
