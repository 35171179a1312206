/**
 * `npm run fuzz [-- --runs N --from SEED --seed N]`: changes small sound files at random and calls the program with each. Prints every
 * seed that ended in an unexpected error, a hang, more than 300 MB, a file left behind or a copy that cannot be read; and a total.
 * Exit code 1 when there is any. `--seed N` repeats one.
 */
import { parseArgs } from 'node:util';
import { Player, play } from './play.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
});

const first = Number(values.seed ?? values.from);
const runs = values.seed === undefined ? Number(values.runs) : 1;
const player = new Player();
let faults = 0;
let slowest = 0;
let largest = 0;
for (let seed = first; seed < first + runs; seed++) {
  const { act, changed, fault, seconds, memory } = await play(seed, player);
  slowest = Math.max(slowest, seconds);
  largest = Math.max(largest, memory);
  if (fault === undefined) continue;
  faults += 1;
  console.log(`seed ${seed}: ${act} of ${changed}: ${fault}`);
}
player.stop();
console.log(
  `${runs} files, ${faults} faults; the slowest took ${slowest.toFixed(1)} s, the largest ${Math.round(largest / 1024)} MB`,
);
process.exit(faults === 0 ? 0 : 1);
