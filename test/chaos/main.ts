/**
 * `npm run chaos [-- --only payroll|events|rips|answer|kinds --runs N --kills N --invoices N --from SEED --seed N]`: sends payrolls,
 * events and packages through a line that fails, kills senders, resumes, and compares the journal with the service's own
 * books; then again with answers that are not the service's own, and journals restored and damaged; then with each kind of
 * such answers alone. Exit code 1 when anything was doubled, lost or told wrongly; `--seed N` repeats one run of each family.
 */
import { parseArgs } from 'node:util';
import { playAnswer, playKinds } from './answer-run.js';
import { usePostgres } from './engine.js';
import { playEvents } from './event-seeds.js';
import { playPayroll } from './payroll-seeds.js';
import { playRips } from './rips-seeds.js';
import { playWorkers } from './workers.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    /** Of each family. */
    runs: { type: 'string' },
    /** Of payroll, beside its runs; the others kill in every run. */
    kills: { type: 'string', default: '200' },
    /** In each run of the events. */
    invoices: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    /** `postgres`: in a database in place of files; without the kills, which have a child open a file. */
    journal: { type: 'string' },
    /** One kind of answer, of `--only kinds`. */
    kind: { type: 'string' },
    /** Of the fleet. */
    workers: { type: 'string', default: '8' },
    companies: { type: 'string', default: '1000' },
    documents: { type: 'string', default: '10000' },
  },
});

const isOne = values.seed !== undefined;
const seeds = (usual: number) => ({
  first: Number(values.seed ?? values.from),
  runs: isOne ? 1 : Number(values.runs ?? usual),
});
const FAMILIES: Readonly<Record<string, () => Promise<number>>> = {
  payroll: () => playPayroll({ ...seeds(300), kills: isOne ? 0 : kills }),
  events: () => playEvents({ ...seeds(1), invoices: Number(values.invoices) }),
  rips: () => playRips(seeds(100)),
  answer: () => playAnswer(seeds(300)),
  kinds: () => playKinds({ ...seeds(4), ...(values.kind !== undefined && { only: values.kind }) }),
  workers: () =>
    playWorkers({
      seed: seeds(1).first,
      workers: Number(values.workers),
      companies: Number(values.companies),
      documents: Number(values.documents),
      kills: Number(values.kills),
      falls: 3,
    }),
};

if (values.journal === 'postgres') await usePostgres();
const kills = values.journal === 'postgres' ? 0 : Number(values.kills);
const chosen = values.only === undefined ? Object.keys(FAMILIES) : [values.only];
let found = 0;
for (const name of chosen) {
  const play = FAMILIES[name];
  if (play === undefined) throw new Error(`--only takes ${Object.keys(FAMILIES).join(', ')}`);
  found += await play();
}
process.exit(found === 0 ? 0 : 1); // see the end of src/cli/main.ts
