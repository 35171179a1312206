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

const isCopyright = (line) => /^\s*copyright\b/i.test(line);

/** Returns the name and copyright of a package, and the terms, which other packages may share word for word. */
function licenceOf(folder) {
  const { name, version, license } = manifest(folder);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const lines = file === undefined ? [] : readFileSync(join(folder, file), 'utf8').trim().split(/\r?\n/);
  const head = [`${name} ${version} (${license})`, ...lines.filter(isCopyright).map((line) => line.trim())];
  return {
    head: head.join('\n'),
    terms: lines
      .filter((line) => !isCopyright(line))
      .join('\n')
      .trim(),
  };
}

/** Returns the licences of packages, terms that several have only once. */
function licencesOf(folders) {
  const byTerms = new Map();
  for (const { head, terms } of folders.map(licenceOf)) {
    const key = terms.replaceAll(/\s+/g, ' ');
    if (!byTerms.has(key)) byTerms.set(key, { heads: new Set(), terms });
    byTerms.get(key).heads.add(head);
  }
  const texts = [...byTerms.values()].map(({ heads, terms }) =>
    [...[...heads].sort(), terms].join('\n\n').trim(),
  );
  return `${texts.sort().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** Writes beside a bundle what the packages in it want said of them. */
export const bundledLicences = (fileName) => ({
  name: 'bundled-licences',
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
    const folders = [...new Set(modules.map(packageOf))].filter((folder) => folder !== undefined);
    this.emitFile({ type: 'asset', fileName, source: licencesOf(folders) });
  },
});
