import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** Returns host, process and a random part, for names of files that live only while a process works. */
export const processMark = (): string => `${HOST}-${process.pid}-${randomBytes(4).toString('hex')}`;

/** Matches a process mark within a name. */
export const MARK = '([0-9a-f]{8})-(\\d+)-[0-9a-f]{8}';

/** True if the mark is from a process of this host that no longer runs. */
export function isLeftBehind(mark: string): boolean {
  const [, host, id] = new RegExp(`^${MARK}$`).exec(mark) ?? [];
  return host === HOST && Number(id) !== process.pid && !isAlive(Number(id));
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'; // else somebody else's
  }
}
