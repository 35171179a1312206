import { defineConfig } from 'vite';
import { bundledLicences } from '../../bundled-licences.mjs';

/** Builds the page for `cargue web`; nothing is inlined, since its content security policy forbids that. */
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
