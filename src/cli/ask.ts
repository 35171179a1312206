import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { say } from './say.js';
import type { Terminal } from './terminal.js';

const YES = new Set(['s', 'si', 'sí', 'y', 'yes']);

/** Asks a question whose answer is no unless it is a clear yes. */
export async function askYes(terminal: Terminal, question: string): Promise<boolean> {
  terminal.status('');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await reader.question(`${question} ${say(terminal.language, 'yesNo')} `);
    return YES.has(answer.trim().toLowerCase());
  } catch {
    return false; // Ctrl-C or Ctrl-D at the question
  } finally {
    reader.close();
  }
}

/** Asks for a secret without showing it. */
export async function askSecret(terminal: Terminal, question: string): Promise<string> {
  terminal.status('');
  const mute = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: mute, terminal: true });
  process.stderr.write(question);
  try {
    return (await reader.question('')).trim();
  } catch {
    return '';
  } finally {
    reader.close();
    process.stderr.write('\n');
  }
}

/** Asks for a line; blank when nothing was typed. */
export async function askText(terminal: Terminal, question: string): Promise<string> {
  terminal.status('');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await reader.question(question)).trim();
  } catch {
    return ''; // Ctrl-C or Ctrl-D at the question
  } finally {
    reader.close();
  }
}
