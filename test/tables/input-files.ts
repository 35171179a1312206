import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Issue, PipelineError } from '../../src/toolkit/core/issue.js';
import { type OpenOptions, openInput } from '../../src/toolkit/tables/open.js';
import type { InputFile, Row, RowSource } from '../../src/toolkit/tables/table.js';

/** A folder for the files of a test. */
export interface Folder {
  readonly path: string;
  file(name: string, content: string | Buffer): Promise<string>;
  remove(): Promise<void>;
}

export async function makeFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'cargue-source-'));
  return {
    path,
    async file(name, content) {
      await writeFile(join(path, name), content);
      return join(path, name);
    },
    remove: () => rm(path, { recursive: true }),
  };
}

export async function rowsOf(table: RowSource): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of table.batches()) rows.push(...batch);
  return rows;
}

/** Opens a file, reads the rows of every table and closes it. */
export async function readAll(
  path: string,
  options?: OpenOptions,
): Promise<{ input: InputFile; rows: Row[][] }> {
  const input = await openInput(path, options);
  try {
    const rows: Row[][] = [];
    for (const table of input.tables) rows.push(await rowsOf(table));
    return { input, rows };
  } finally {
    await input.close();
  }
}

/** The issue that stops the reading of a file; undefined when nothing does. */
export async function issueOf(path: string, options?: OpenOptions): Promise<Issue | undefined> {
  try {
    await readAll(path, options);
    return undefined;
  } catch (error) {
    if (error instanceof PipelineError && (error.key === 'input' || error.key === 'usage'))
      return error.issues[0];
    throw error;
  }
}

const DESCRIPTORS = '/proc/self/fd';

/** How often a file is open in this process; 0 where the system does not tell. */
export const openDescriptors = (path: string): number =>
  !existsSync(DESCRIPTORS)
    ? 0
    : readdirSync(DESCRIPTORS).filter((fd) => {
        try {
          return readlinkSync(`${DESCRIPTORS}/${fd}`) === path;
        } catch {
          return false; // closed meanwhile
        }
      }).length;
