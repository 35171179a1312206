/**
 * `npx tsx test/chaos/rips.ts [--runs N --from SEED --seed N]`: the packages of the samples over a line on which a fifth
 * of all requests fails, senders killed and resumed, and what is left looked up by a person. Exit code 1 when a patient,
 * an appointment, a document or a CUV was doubled, lost or told wrongly; `--seed N` repeats one run.
 */
import { parseArgs } from 'node:util';
import { playRips } from './rips-seeds.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
});
const first = Number(values.seed ?? values.from);
const runs = values.seed === undefined ? Number(values.runs) : 1;
process.exitCode = (await playRips({ first, runs })) === 0 ? 0 : 1;
