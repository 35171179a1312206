#!/usr/bin/env node
import { runCommandLine, terminalOf } from './command-line.js';
import { EXIT, tellFailure } from './failure.js';

const argv = process.argv.slice(2);
const terminal = terminalOf(argv, process);

process.on('uncaughtException', (error) => {
  void tellFailure(error, terminal, argv).then((code) => process.exit(code));
});

// `cargue … | head`: the reader has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.fine : EXIT.usage);
});

const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve());
  });

const code = await runCommandLine(argv, process, terminal);
await Promise.all([written(process.stdout), written(process.stderr)]);
// Said outright: after thousands of connections that broke, Node was seen to wait at its end for one of them for ever.
process.exit(code);
