import { runCommandLine, terminalOf } from './command-line.js';
import { EXIT, tellFailure } from './failure.js';

/** Runs the command line of this process, and ends it with the exit code. */
export async function runProcess(): Promise<void> {
  const argv = process.argv.slice(2);
  const terminal = terminalOf(argv, process);
  process.on('uncaughtException', (error) => {
    void tellFailure(error, terminal, argv).then((code) => process.exit(code));
  });
  // `cargue … | head` closes stdout early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? EXIT.fine : EXIT.usage);
  });
  const code = await runCommandLine(argv, process, terminal);
  await Promise.all([written(process.stdout), written(process.stderr)]);
  // Exit explicitly: after thousands of broken connections Node was seen to wait forever for one of them.
  process.exit(code);
}

const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve());
  });
