import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package that a module belongs to; undefined for modules of our own. */
function packageOf(id) {
  const [path = ''] = id.replace(/^\0+/, '').split('?');
  if (!path.includes('node_modules')) return undefined;
  let folder = dirname(path);
  while (!existsSync(join(folder, 'package.json')) || !namesPackage(folder)) folder = dirname(folder);
  return folder;
}

const manifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Folders within packages have a package.json too, which only says what kind of modules they hold. */
const namesPackage = (folder) => manifest(folder).version !== undefined;

function licenceOf(folder) {
  const { name, version, license } = manifest(folder);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
  return `${name} ${version} (${license})${text}`;
}

/** Writes beside a bundle what the packages in it want said of them. */
export const bundledLicences = (fileName) => ({
  name: 'bundled-licences',
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
    const folders = [...new Set(modules.map(packageOf))].filter((folder) => folder !== undefined);
    const texts = [...new Set(folders.map(licenceOf))].sort();
    this.emitFile({ type: 'asset', fileName, source: `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n` });
  },
});
