import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** Machine, process and chance: part of the name of what lies on the disk only while a process works. */
export const processMark = (): string => `${HOST}-${process.pid}-${randomBytes(4).toString('hex')}`;

/** What matches a mark within a name. */
export const MARK = '([0-9a-f]{8})-(\\d+)-[0-9a-f]{8}';

/** Whether a process of this machine that is no longer there made what bears the mark. */
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
