import { chmodSync, existsSync, readdirSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Issue } from '../issues/issue.js';

/** Folders of programs that copy files away while they are being written, by the name of a folder on the path. */
const SYNCED: readonly { readonly name: string; readonly folder: RegExp }[] = [
  { name: 'OneDrive', folder: /^OneDrive(\b|$)/i },
  { name: 'Dropbox', folder: /^Dropbox(\b|$)/i },
  { name: 'Google Drive', folder: /^(Google ?Drive|GoogleDrive-.+|My Drive|Mi unidad|DriveFS)$/i },
  { name: 'iCloud', folder: /^(iCloud ?Drive|iCloud~.+|Mobile Documents|com~apple~CloudDocs)$/i },
  { name: 'CloudStorage (macOS)', folder: /^CloudStorage$/ },
  { name: 'Box', folder: /^Box( Sync)?$/ },
  { name: 'Nextcloud', folder: /^Nextcloud(\b|$)/i },
  { name: 'ownCloud', folder: /^ownCloud(\b|$)/i },
  { name: 'MEGA', folder: /^MEGA(sync)?$/ },
  { name: 'pCloud', folder: /^pCloud ?Drive$/i },
  { name: 'Syncthing', folder: /^(Syncthing|Sync)$/ },
];

/** File systems whose locks and order of writing are another machine's business: `f_type` of Linux (statfs(2)). */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x564c, 'NCP'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x786f4256, 'vboxsf'],
  [0x65735546, 'FUSE'],
]);

/** How the machine is asked; a test hands over its own. */
export interface FolderProbe {
  readonly platform: NodeJS.Platform;
  /** The path without links. */
  real(path: string): string;
  /** `f_type` of the file system; undefined where the platform does not tell. */
  fileSystem(path: string): number | undefined;
}

const MACHINE: FolderProbe = {
  platform: process.platform,
  real: (path) => realpathSync(path),
  // Only there are the numbers those of the table.
  fileSystem: (path) => (process.platform === 'linux' ? statfsSync(path).type >>> 0 : undefined),
};

const warning = (code: string, params: Issue['params']): Issue => ({
  code,
  level: 'warning',
  params,
  place: {},
});

/** The folder, or the nearest above it that is there. */
function realFolder(folder: string, probe: FolderProbe): string {
  try {
    return probe.real(folder);
  } catch {
    const above = dirname(folder);
    return above === folder ? folder : join(realFolder(above, probe), folder.slice(above.length));
  }
}

/** What speaks against keeping a journal in a folder: it is copied away by a program, or lies on another machine. */
export function folderRisks(folder: string, probe: FolderProbe = MACHINE): readonly Issue[] {
  const real = realFolder(folder, probe);
  const parts = real.split(/[\\/]/);
  const synced = SYNCED.find(({ folder: form }) => parts.some((part) => form.test(part)));
  if (synced !== undefined) return [warning('journal/synced-folder', { path: real, by: synced.name })];
  const system = networkSystem(real, probe);
  return system === undefined ? [] : [warning('journal/network-folder', { path: real, system })];
}

function networkSystem(path: string, { platform, fileSystem }: FolderProbe): string | undefined {
  if (platform === 'win32') return /^[\\/]{2}(?![?.])/.test(path) ? 'SMB' : undefined;
  for (let at = path; ; at = dirname(at)) {
    try {
      return NETWORK.get(fileSystem(at) ?? 0);
    } catch {
      if (at === dirname(at)) return undefined;
    }
  }
}

const OTHERS = 0o077;

const isOpen = (path: string): boolean =>
  ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;

/**
 * Closes the folder of a journal, which is the program's own, and all files in it to others (0700, 0600). Says so
 * where that cannot be had, as on a FAT disk. Windows keeps rights elsewhere.
 */
export function closeToOthers(folder: string): readonly Issue[] {
  if (process.platform === 'win32' || !existsSync(folder)) return [];
  const paths = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
  const stillOpen = paths.filter(isOpen).filter((path) => {
    try {
      chmodSync(path, path === folder || statSync(path).isDirectory() ? 0o700 : 0o600);
    } catch {
      // Seen below.
    }
    return isOpen(path);
  });
  return stillOpen.length === 0 ? [] : [warning('journal/open-to-others', { path: stillOpen[0]! })];
}
