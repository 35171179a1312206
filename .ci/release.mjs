// Prepares a release: all but the tag and `npm publish`. `--dry-run` leaves nothing behind.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { npm, pack, root, run } from '../test/packed.mjs';

const dryRun = process.argv.includes('--dry-run');
const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim();
const read = (file) => readFileSync(join(root, file), 'utf8');

const { version, repository, publishConfig, private: isPrivate } = JSON.parse(read('package.json'));

/** What the changelog says of this version, without its heading. */
function notes() {
  const [, ...parts] = read('CHANGELOG.md').split(/^## /m);
  const part = parts.find((text) => text.startsWith(`[${version}] - `));
  return part?.slice(part.indexOf('\n')).trim() ?? '';
}

/** What must hold, by what is amiss when it does not; those of a place are looked at where the release is made. */
const MUST = {
  'package.json is private': isPrivate !== true,
  'package-lock.json is of another version': JSON.parse(read('package-lock.json')).version === version,
  'CHANGELOG.md has no dated entry of this version': notes() !== '',
  'provenance is not asked for': publishConfig?.provenance === true,
};
const MUST_HERE = {
  'package.json names no repository, which provenance must match': repository !== undefined,
  'there are changes that are not committed': git('status', '--porcelain') === '',
  'the tag exists already': git('tag', '--list', `v${version}`) === '',
};

const sumOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

const amiss = (rules) =>
  Object.entries(rules)
    .filter(([, holds]) => !holds)
    .map(([text]) => text);

const wrong = [...amiss(MUST), ...(dryRun ? [] : amiss(MUST_HERE))];
if (wrong.length > 0) {
  console.error(wrong.map((text) => `release: ${text}`).join('\n'));
  process.exit(1);
}
if (dryRun) for (const text of amiss(MUST_HERE)) console.log(`before the real one: ${text}`);

const folder = dryRun ? mkdtempSync(join(tmpdir(), 'cargue-release-')) : join(root, 'release');
try {
  if (!dryRun) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run(root, join(root, 'src', 'setup.mjs'), []);
  const tarball = pack(folder);
  if (!dryRun) run(root, join(root, '.ci', 'zip.mjs'), [folder]);
  const packed = readdirSync(folder).filter((file) => /\.(?:tgz|zip)$/.test(file));
  writeFileSync(join(folder, 'SHA256SUMS'), packed.map((file) => `${sumOf(join(folder, file))}  ${file}\n`).join(''));
  writeFileSync(join(folder, 'NOTES.md'), `${notes()}\n`);
  const sbom = run(root, npm, ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only']).said;
  writeFileSync(join(folder, 'sbom.cdx.json'), sbom);
  console.log(`ok: ${basename(tarball)} ${sumOf(tarball).slice(0, 12)}…, notes, ${JSON.parse(sbom).components.length} components`);
  console.log(`left to do: git tag -s v${version} && git push --tags && npm publish ${basename(tarball)}, by a CI that can attest where it was built`);
} finally {
  if (dryRun) rmSync(folder, { recursive: true, force: true });
}
