import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { putInPlace } from '../../report/put-in-place.js';
import type { Language } from '../../toolkit/core/issue.js';
import { isObject } from '../../toolkit/core/json.js';

/** What the page takes up again at the next start; a browser would forget it with the port. */
interface Kept {
  readonly language?: Language;
  /** The company chosen last. */
  readonly profile?: string;
}

/** Kept in the workspace, for its owner alone. */
export class Preferences {
  private readonly file: string;
  /** One change after another. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(workspace: string) {
    this.file = join(workspace, 'web', 'preferences.json');
  }

  async read(): Promise<Kept> {
    try {
      const kept: unknown = JSON.parse(await readFile(this.file, 'utf8'));
      return isObject(kept) ? (kept as Kept) : {};
    } catch {
      return {}; // none yet, or none that can be read: nothing hangs on it
    }
  }

  keep(change: Kept): Promise<unknown> {
    const before = this.last.catch(() => undefined);
    this.last = before.then(async () => {
      const kept = await this.read();
      const text = JSON.stringify({ ...kept, ...change });
      await putInPlace(this.file, (temporary) => writeFile(temporary, text, { mode: 0o600 }));
    });
    return this.last;
  }
}
