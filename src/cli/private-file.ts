import { open } from 'node:fs/promises';

/** Windows keeps rights elsewhere, and shows 666 for every file. */
const OTHERS = 0o077;

export interface PrivateText {
  readonly text: string;
  /** Whether others than its owner may read or change the file. */
  readonly open: boolean;
}

/** A text file and who may read it, of one and the same file. Errors of the file system come through. */
export async function readWithRights(file: string): Promise<PrivateText> {
  const handle = await open(file, 'r');
  try {
    const { mode } = await handle.stat();
    const text = (await handle.readFile('utf8')).replace(/^\uFEFF/, '');
    return { text, open: process.platform !== 'win32' && (mode & OTHERS) !== 0 };
  } finally {
    await handle.close();
  }
}
