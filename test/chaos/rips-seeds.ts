import { type RipsResult, ripsRun } from './rips-run.js';
import {
  fromSeed,
  requestsOf,
  type Seeds,
  secondsOf,
  sum,
  sumValues,
  tally,
  tell,
  totalOf,
  verdictOf,
  violations,
} from './seeds.js';

/** Runs at a time: much of a run is waiting for answers that do not come. */
const AT_ONCE = 3;

/** How many are left to a person, by the request whose answer was lost. */
function leftIn(hanging: RipsResult['hanging']): string {
  const count = (stage: string): number => hanging.filter((one) => one === stage).length;
  const made = `${count('appointment')} appointments, ${count('document')} documents, ${count('generate')} at the ministry`;
  return `${hanging.length} left to a person (${made})`;
}

async function oneRun(seed: number): Promise<RipsResult> {
  const result = await ripsRun({ seed });
  const { packages, people, requests, faults, kills, resumes, accepted, hanging, ms } = result;
  const head = `RIPS, seed ${seed}: ${packages} packages of ${people} people, ${requests} requests, ${sumValues(faults)} failed`;
  const end = `${kills} kills, ${resumes} resumes, ${accepted} accepted, ${leftIn(hanging)}, ${secondsOf(ms)}`;
  tell(`${head}, ${end}`, result);
  return result;
}

/** Plays the seeds and prints them; how many violations there were. */
export async function playRips({ first, runs }: Seeds): Promise<number> {
  const start = performance.now();
  const results = await fromSeed(first, AT_ONCE, oneRun, (begun) => begun >= runs);
  const all = totalOf(results);
  console.log(
    [
      '',
      `RIPS: ${results.length} runs, ${sum(results, (run) => run.packages)} packages, ${requestsOf(results)},` +
        ` ${sum(results, (run) => run.kills)} kills, ${sum(results, (run) => run.resumes)} resumes,` +
        ` ${leftIn(results.flatMap((run) => run.hanging))}: ${verdictOf(all)}`,
      `failed: ${tally(results.map(({ faults }) => faults))}`,
      `failed at: ${tally(results.map(({ failedAt }) => failedAt))}`,
      secondsOf(performance.now() - start),
    ].join('\n'),
  );
  return violations(all);
}
