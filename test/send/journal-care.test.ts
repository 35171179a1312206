import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PAYROLL } from '../../src/families/payroll/delivery.js';
import {
  backupJournal,
  checkJournal,
  closeInOrder,
  closeToOthers,
  endedUncleanly,
  type FolderProbe,
  folderRisks,
  type Journal,
  openJournal,
  readJournal,
} from '../../src/send/journal.js';
import { emitRecords, type JournalRecord } from '../../src/send/journal-records.js';
import { abandonRun, findRun, openRun, runTotals } from '../../src/send/runs.js';
import { openFile } from '../../src/send/sqlite.js';
import { PipelineError, paramOf } from '../../src/toolkit/core/issue.js';
import { spool, tempFolder, tempJournal, workers } from './support.js';

const codeOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof PipelineError) return `${error.key} ${error.issues[0]?.code}`;
    throw error;
  }
  return 'nothing';
};

const PAGE = 4096;

/** A journal of some hundred pages, most of them content, closed in order. */
async function filled(): Promise<{ path: string; pages: number }> {
  const path = join(tempFolder(), 'journal.db');
  const journal = await openJournal(path);
  const { run } = await spool(journal, workers(300));
  await openRun(journal, run);
  await closeInOrder(journal);
  return { path, pages: statSync(path).size / PAGE };
}

async function overwrite(path: string, page: number): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(PAGE, 0xff), 0, PAGE, page * PAGE);
  await file.close();
}

/** Looks it over as a journal of that size and past would be. */
const looked = (path: string, unclean: boolean, small: number): Promise<string> =>
  codeOf(() => {
    const file = openFile(path, 0, 'reading');
    onTestFinished(() => file.close());
    checkJournal(file, unclean, small);
  });

describe('damage', () => {
  test('a sound journal passes either look', async () => {
    const { path } = await filled();
    expect([
      await looked(path, true, 0),
      await looked(path, false, 0),
      await looked(path, false, 1e9),
    ]).toEqual(Array(3).fill('nothing'));
  });

  test('a page in the middle: found in a small one, and in any whose sender was killed', async () => {
    const { path, pages } = await filled();
    expect(pages).toBeGreaterThan(100);
    await overwrite(path, Math.floor(pages / 2));
    expect(await looked(path, false, 1e9)).toBe('journal journal/damaged');
    expect(await looked(path, true, 0)).toBe('journal journal/damaged');
    // The price of opening a large one quickly.
    expect(await looked(path, false, 0)).toBe('nothing');
    expect(await codeOf(() => openJournal(path))).toBe('journal journal/damaged');
  });

  test.each([0.1, 0.5, 0.9])('a torn copy that ends at %d of its length is found at once', async (part) => {
    const { path, pages } = await filled();
    truncateSync(path, Math.floor(pages * part) * PAGE);
    expect(await looked(path, false, 0)).toBe('journal journal/damaged');
  });

  test('nothing is made of an emptied file', async () => {
    const { path } = await filled();
    await overwrite(path, 0);
    expect(await codeOf(() => openJournal(path))).toBe('journal journal/damaged');
    expect(statSync(path).size).toBeGreaterThan(PAGE);
  });
});

describe('the end of a sender', () => {
  test('in order leaves all in the one file', async () => {
    const { path } = await filled();
    expect(endedUncleanly(path)).toBe(false);
    const alone = join(tempFolder(), 'copy.db');
    copyFileSync(path, alone);
    expect(await (await tempJournal(alone)).first('SELECT count(*) AS n FROM document')).toEqual({ n: 300 });
  });

  test('by force shows, and loses nothing that was committed', async () => {
    const path = join(tempFolder(), 'journal.db');
    const journal = await tempJournal(path);
    await spool(journal, workers(3));
    // What a power cut leaves behind.
    const after = join(tempFolder(), 'journal.db');
    for (const end of ['', '-wal']) copyFileSync(path + end, after + end);
    expect(endedUncleanly(after)).toBe(true);
    expect(await (await tempJournal(after)).first('SELECT count(*) AS n FROM document')).toEqual({ n: 3 });
  });
});

test('a file of a later version is refused, whatever it holds', async () => {
  const path = join(tempFolder(), 'journal.db');
  const later = openFile(path, 0);
  later.exec('CREATE TABLE something (x); PRAGMA user_version = 4000');
  later.close();
  expect(await codeOf(() => openJournal(path))).toBe('journal journal/newer');
  expect(await codeOf(() => readJournal(path))).toBe('journal journal/newer');
});

describe('the folder', () => {
  const probe = (more: Partial<FolderProbe> = {}): FolderProbe => ({
    platform: 'linux',
    real: (path) => path,
    fileSystem: () => 0xef53,
    ...more,
  });
  const risks = (path: string, more?: Partial<FolderProbe>) =>
    folderRisks(path, probe(more)).map(
      ({ code, params }) => `${code} ${paramOf({ params }, 'by') ?? paramOf({ params }, 'system')}`,
    );

  test.each([
    ['/home/ana/OneDrive/cargue', 'OneDrive'],
    ['/home/ana/OneDrive - Andina SAS/cargue', 'OneDrive'],
    ['C:\\Users\\Ana\\OneDrive - Andina SAS\\cargue', 'OneDrive'],
    ['/Users/ana/Library/CloudStorage/OneDrive-Andina/cargue', 'OneDrive'],
    ['/Users/ana/Library/CloudStorage/Other/cargue', 'CloudStorage (macOS)'],
    ['/home/ana/Dropbox (Andina)/x', 'Dropbox'],
    ['/Users/ana/Library/CloudStorage/GoogleDrive-ana@a.co/Mi unidad/x', 'Google Drive'],
    ['G:\\Mi unidad\\cargue', 'Google Drive'],
    ['/Users/ana/Library/Mobile Documents/com~apple~CloudDocs/x', 'iCloud'],
    ['C:\\Users\\Ana\\iCloudDrive\\x', 'iCloud'],
    ['/home/ana/Nextcloud/x', 'Nextcloud'],
  ])('%s is copied away by %s', (path, by) => expect(risks(path)).toEqual([`journal/synced-folder ${by}`]));

  test.each([
    '/home/ana/.local/share/cargue/api.example.com/900123456',
    'C:\\Users\\Ana\\AppData\\Local\\cargue\\x',
    '/home/dropboxes/x',
    '/srv/one drive/x',
  ])('%s is nobody else’s', (path) => expect(risks(path)).toEqual([]));

  test.each([
    [0x6969, 'NFS'],
    [0xff534d42, 'CIFS'],
    [0xfe534d42, 'SMB2'],
    [0x01021997, '9P'],
    [0x65735546, 'FUSE'],
  ])('a file system of type %d is of another machine', (type, system) =>
    expect(risks('/mnt/datos/cargue', { fileSystem: () => type })).toEqual([
      `journal/network-folder ${system}`,
    ]),
  );

  test('a share of Windows by its name, a device path not', () => {
    expect(risks('\\\\servidor\\datos', { platform: 'win32' })).toEqual(['journal/network-folder SMB']);
    expect(risks('\\\\?\\C:\\datos', { platform: 'win32' })).toEqual([]);
  });

  test('where the platform does not tell, nothing is guessed', () =>
    expect(risks('/Volumes/x', { platform: 'darwin', fileSystem: () => undefined })).toEqual([]));

  test('a link is followed, also from a folder that is still to be made', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'Dropbox'));
    symlinkSync(join(folder, 'Dropbox'), join(folder, 'plain'), 'junction');
    const issues = folderRisks(join(folder, 'plain', 'host', 'company'));
    expect(issues.map(({ code }) => code)).toEqual(['journal/synced-folder']);
  });

  test.skipIf(process.platform === 'win32')('is closed to others, with all that lies in it', () => {
    const folder = tempFolder();
    for (const name of ['journal.db', 'journal.db-wal', 'sender.lock']) {
      writeFileSync(join(folder, name), '');
      chmodSync(join(folder, name), 0o664);
    }
    chmodSync(folder, 0o755);
    expect(closeToOthers(folder)).toEqual([]);
    const mode = (path: string): number => statSync(path).mode & 0o777;
    expect(mode(folder)).toBe(0o700);
    expect(readdirSync(folder).map((name) => mode(join(folder, name)))).toEqual([0o600, 0o600, 0o600]);
    expect(closeToOthers(join(folder, 'nowhere'))).toEqual([]);
  });
});

describe('a backup', () => {
  test('is whole while a sender works, and in one file', async () => {
    const folder = tempFolder();
    const journal = await tempJournal(join(folder, 'journal.db'));
    await spool(journal, workers(5));
    const sender = await tempJournal(journal.path);
    const target = join(folder, 'backup');
    mkdirSync(target);
    const sending = sender.transaction(async (sql) => {
      await sql.run(`UPDATE document SET state = 'sending'`);
      await backupJournal(journal, join(target, 'copy.db'));
      throw new Error('not after all');
    });
    await expect(sending).rejects.toThrow('not after all');
    expect(readdirSync(target)).toEqual(['copy.db']);
    const copy = await readJournal(join(target, 'copy.db'));
    onTestFinished(() => copy.close());
    expect(await copy.all('SELECT DISTINCT state FROM document')).toEqual([{ state: 'planned' }]);
  });

  test('of a damaged journal is none', async () => {
    const { path, pages } = await filled();
    await overwrite(path, Math.floor(pages / 2));
    const journal = await readJournal(path);
    onTestFinished(() => journal.close());
    expect(await codeOf(() => backupJournal(journal, join(tempFolder(), 'copy.db')))).toBe(
      'journal journal/damaged',
    );
  });
});

describe('records', () => {
  const lines = async (journal: Journal) => {
    const damaged: string[] = [];
    const records: JournalRecord[] = [];
    await emitRecords(
      journal,
      (record) => void records.push(record),
      (part) => damaged.push(part),
    );
    const count = (name: string): number => records.filter(({ record }) => record === name).length;
    return { records, damaged, count };
  };

  test('drafts are nobody’s business', async () => {
    const journal = await tempJournal();
    const { run } = await spool(journal, workers(2));
    expect((await lines(journal)).records).toMatchObject([{ record: 'journal' }]);
    await openRun(journal, run);
    const { records } = await lines(journal);
    expect(records).toMatchObject([
      { record: 'journal' },
      { record: 'run', run, company: '900123456', testSet: null },
      {
        record: 'document',
        run,
        sequence: 1,
        state: 'unsent',
        number: 'NOM1',
        document: { consecutive: 1 },
      },
      { record: 'document', sequence: 2, number: 'NOM2' },
    ]);
  });

  test('go on behind what is damaged', async () => {
    const { path, pages } = await filled();
    await overwrite(path, Math.floor(pages / 2));
    const journal = await readJournal(path);
    onTestFinished(() => journal.close());
    const { damaged, count } = await lines(journal);
    expect(damaged).toEqual(['document']);
    expect(count('run')).toBe(1);
    expect(count('document')).toBeLessThan(300);
  });

  test('more than a page of them, each once', async () => {
    const { path } = await filled();
    const { records } = await lines(await tempJournal(path));
    const sequences = records.flatMap((line) => (line.record === 'document' ? [line['sequence']] : []));
    expect(sequences).toEqual(Array.from({ length: 300 }, (_, at) => at + 1));
  });
});

test('what is left of a run adds up', async () => {
  const journal = await tempJournal();
  const { run } = await spool(journal, workers(300));
  await openRun(journal, run);
  for (const [state, sequence] of [
    ['accepted', 1],
    ['rejected', 2],
    ['unknown', 3],
    ['pending', 4],
  ] as const)
    await journal.run('UPDATE document SET state = ? WHERE sequence = ?', state, sequence);
  expect(await runTotals(journal, run, PAYROLL, 'left')).toEqual({
    accrued: '655600000.00',
    deductions: '52448000.00',
    net: '603152000.00',
  });
  expect(await runTotals(journal, run, {}, 'left')).toEqual({});
});

test.each([
  ['closes the run', 'accepted', 'closed'],
  ['leaves it open while a document may have landed', 'unknown', 'open'],
])('giving up what was not sent %s', async (_, state, expected) => {
  const journal = await tempJournal();
  const { run } = await spool(journal, workers(3));
  await openRun(journal, run);
  await journal.run('UPDATE document SET state = ? WHERE sequence = 1', state);
  await abandonRun(journal, run, 0);
  expect((await findRun(journal, run)).state).toBe(expected);
  expect(await journal.all('SELECT state FROM document ORDER BY sequence')).toEqual(
    [state, 'rejected', 'rejected'].map((one) => ({ state: one })),
  );
});
