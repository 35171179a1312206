import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** Function that the text of a CommonJS file becomes. */
type CommonJs = (
  exports: unknown,
  require: NodeJS.Require,
  module: NodeJS.Module,
  filename: string,
  folder: string,
) => void;

/** Reads a file, undefined if there is none. */
function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/**
 * Keeps what V8 compiles of the CommonJS files of the program in a folder, for the next process; compiling is a quarter of
 * the time of a small check. `command` is the word of the call: the first call of a command adds its functions.
 */
function keepCommonJs(folder: string, command: string): void {
  const scripts = new Map<string, Script>();
  let isWhole = true;
  const { extensions } = createRequire(import.meta.url);
  const program = dirname(import.meta.dirname);
  extensions['.cjs'] = (loaded, filename) => {
    const text = filename.startsWith(program) ? readFileSync(filename, 'utf8') : undefined;
    // Few small files import a package, which a script cannot without a warning of Node.
    if (text === undefined || /\bimport\(/.test(text)) return extensions['.js'](loaded, filename);
    const kept = join(folder, createHash('sha256').update(text).digest('hex').slice(0, 32));
    const cachedData = readIfThere(kept);
    const script = new Script(module.wrap(text), {
      filename,
      ...(cachedData && { cachedData }),
    });
    scripts.set(kept, script);
    if (script.cachedDataRejected) isWhole = false;
    const run = script.runInThisContext() as CommonJs;
    run(loaded.exports, createRequire(filename), loaded, filename, dirname(filename));
  };
  /** Marks a command whose functions are kept. */
  const ofCommand = join(folder, /^[a-z]+$/.test(command) ? command : 'other');
  process.on('exit', () => {
    if (isWhole && existsSync(ofCommand)) return;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const [file, script] of scripts) {
        const unfinished = `${file}.${process.pid}`;
        writeFileSync(unfinished, script.createCachedData(), { mode: 0o600 });
        renameSync(unfinished, file);
      }
      writeFileSync(ofCommand, '', { mode: 0o600 });
    } catch {
      // A folder that cannot be written costs time only.
    }
  });
}

/**
 * Keeps compiled code in NODE_COMPILE_CACHE, the folder that Node 22 knows, or in a workspace if it exists. Node 22.1 and
 * later have a cache for it; earlier versions get one for the files of the program.
 */
export function keepCompiled(workspace: string, command: string): void {
  const given = process.env['NODE_COMPILE_CACHE'];
  if (!given && !existsSync(workspace)) return;
  const folder = given || join(workspace, 'compiled');
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  if (enableCompileCache !== undefined) enableCompileCache(folder);
  else keepCommonJs(join(folder, process.version), command);
}
