/**
 * `npm run fuzz [-- --runs N --from SEED --seed N]`: changes small sound files at random and calls the program with each. Prints every
 * seed that ended in an unexpected error, a hang, more than 300 MB, a file left behind or a copy that cannot be read; and a total.
 * Exit code 1 when there is any. `--seed N` repeats one.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MOST_SECONDS, play, type Trial } from './play.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    /** Of the script itself: plays what its parent sends. */
    child: { type: 'boolean', default: false },
  },
});

const MOST_KB = 300 * 1024;
/** Waiting is cheaper than working: other programs may have the machine. */
const MOST_WAIT = MOST_SECONDS * 15 * 1000;

interface Answer extends Trial {
  /** The most memory that the process has had so far, in KB. */
  readonly memory: number;
}

function playForParent(): void {
  let seed = 0;
  const answer = (trial: Trial): void => {
    process.send!({ ...trial, memory: process.resourceUsage().maxRSS } satisfies Answer);
  };
  const stray = (error: unknown): void =>
    answer({ seed, act: 'check', changed: '?', seconds: 0, fault: `stray: ${(error as Error)?.stack}` });
  process.on('uncaughtException', stray);
  process.on('unhandledRejection', stray);
  process.on('message', (asked: number) => {
    seed = asked;
    void play(asked).then(answer, stray);
  });
}

class Player {
  #child: ChildProcess | undefined;

  /** One seed; a child that hangs or dies is given up. */
  play(seed: number): Promise<Answer> {
    this.#child ??= fork(fileURLToPath(import.meta.url), ['--child'], { execArgv: ['--import', 'tsx'] });
    const child = this.#child;
    return new Promise((resolve) => {
      const end = (answer: Answer, fresh: boolean): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (fresh) this.stop();
        resolve(answer);
      };
      const failed = (fault: string): void =>
        end({ seed, act: 'check', changed: '?', seconds: 0, memory: 0, fault }, true);
      const timer = setTimeout(() => failed('hangs'), MOST_WAIT);
      child.once('exit', (code, signal) => failed(`the process ended: ${code ?? signal}`));
      child.on('message', (answer: Answer) => end(answer, answer.fault?.startsWith('stray') === true));
      child.send(seed);
    });
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}

async function main(): Promise<void> {
  const first = Number(values.seed ?? values.from);
  const runs = values.seed === undefined ? Number(values.runs) : 1;
  const player = new Player();
  let faults = 0;
  let most = 0;
  for (let seed = first; seed < first + runs; seed++) {
    let answer = await player.play(seed);
    // What earlier seeds left in memory does not count: alone, the file must keep below the limit.
    if (answer.memory > MOST_KB) {
      player.stop();
      answer = await player.play(seed);
      if (answer.memory > MOST_KB && answer.fault === undefined)
        answer = { ...answer, fault: `${Math.round(answer.memory / 1024)} MB` };
      if (answer.fault !== undefined) player.stop();
    }
    most = Math.max(most, answer.seconds);
    if (answer.fault === undefined) continue;
    faults += 1;
    console.log(`seed ${seed}: ${answer.act} of ${answer.changed}: ${answer.fault}`);
  }
  player.stop();
  console.log(`${runs} files, ${faults} faults; the slowest took ${most.toFixed(1)} s`);
  process.exit(faults === 0 ? 0 : 1);
}

if (values.child) playForParent();
else await main();
