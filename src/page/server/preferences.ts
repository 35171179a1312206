import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { putInPlace } from '../../report/put-in-place.js';
import type { Language } from '../../toolkit/core/issue.js';
import { isObject } from '../../toolkit/core/json.js';
import { sha256 } from '../../toolkit/core/sha256.js';

/** Settings for the next start; a browser would lose them if the port changes. */
interface StoredPreferences {
  readonly language?: Language;
  /** Name of the company chosen last. */
  readonly profile?: string;
  /** Port of the latest start, at which pages that are still open go on. */
  readonly port?: number;
}

/** Reads and writes preferences in the workspace, in a file of mode 0600. */
export class Preferences {
  private readonly file: string;
  /** Settles after the last write: writes run one after the other. */
  private last: Promise<unknown> = Promise.resolve();

  /** @param person default: the user of this computer */
  constructor(workspace: string, person?: string) {
    const name = person === undefined ? 'preferences' : `preferences-${sha256(person)}`;
    this.file = join(workspace, 'web', `${name}.json`);
  }

  async read(): Promise<StoredPreferences> {
    try {
      const stored: unknown = JSON.parse(await readFile(this.file, 'utf8'));
      return isObject(stored) ? (stored as StoredPreferences) : {};
    } catch {
      return {}; // no file yet, or an unreadable one: defaults apply
    }
  }

  save(change: StoredPreferences): Promise<unknown> {
    const before = this.last.catch(() => undefined);
    this.last = before.then(async () => {
      const stored = await this.read();
      const text = JSON.stringify({ ...stored, ...change });
      await putInPlace(this.file, (temporary) => writeFile(temporary, text, { mode: 0o600 }));
    });
    return this.last;
  }
}
