#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { expectShortLives } from '../toolkit/core/engine.js';
import { runCommandLine, terminalOf, workspaceFolder } from './command-line.js';
import { EXIT, tellFailure } from './failure.js';

expectShortLives();

const argv = process.argv.slice(2);
const terminal = terminalOf(argv, process);

process.on('uncaughtException', (error) => {
  void tellFailure(error, terminal, argv).then((code) => process.exit(code));
});

// `cargue … | head` closes stdout early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.fine : EXIT.usage);
});

/** Enables Node's compile cache (22.1 and later), in an existing workspace. */
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
const workspace = workspaceFolder(process.env);
if (existsSync(workspace)) enableCompileCache?.(join(workspace, 'compiled'));

const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve());
  });

const code = await runCommandLine(argv, process, terminal);
await Promise.all([written(process.stdout), written(process.stderr)]);
// Exit explicitly: after thousands of broken connections Node was seen to wait forever for one of them.
process.exit(code);
