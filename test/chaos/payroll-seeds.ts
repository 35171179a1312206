import { type ChaosResult, chaosRun } from './chaos-run.js';
import { type KillResult, killRun } from './kill-run.js';
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

/** Runs at a time: most of a run is waiting for answers that do not come. */
const RUNS_AT_ONCE = 6;
const KILLS_AT_ONCE = 2;
const KILLS_A_RUN = 4;

async function oneRun(seed: number): Promise<ChaosResult> {
  const result = await chaosRun({ seed });
  const { documents, testSet, notes, requests, resumes, ms } = result;
  const kind = `${testSet ? 'test set' : 'production'}${notes ? ', notes' : ''}`;
  const failed = sumValues(result.faults);
  const head = `payroll, seed ${seed} (${kind}): ${documents} documents, ${requests} requests, ${failed} failed`;
  tell(`${head}, ${resumes} resumes, ${secondsOf(ms)}`, result);
  return result;
}

async function oneKillRun(seed: number): Promise<KillResult> {
  const result = await killRun({ seed, kills: KILLS_A_RUN });
  const { documents, kills, at, resumes, ms } = result;
  const head = `payroll kills, seed ${seed}: ${documents} documents, ${kills} kills (${at.join(', ')})`;
  tell(`${head}, ${resumes} resumes, ${secondsOf(ms)}`, result);
  return result;
}

/** Plays the seeds, and kills so many senders more; prints them, and returns how many violations there were. */
export async function playPayroll({
  first,
  runs: count,
  kills,
}: Seeds & { readonly kills: number }): Promise<number> {
  const start = performance.now();
  const runs = await fromSeed(first, RUNS_AT_ONCE, oneRun, (begun) => begun >= count);
  const killed = await fromSeed(
    first,
    KILLS_AT_ONCE,
    oneKillRun,
    (_, done) => sum(done, (run) => run.kills) >= kills,
  );
  console.log(
    [
      '',
      `payroll: ${runs.length} runs, ${sum(runs, (run) => run.documents)} documents, ${requestsOf(runs)}: ${verdictOf(totalOf(runs))}`,
      `failed: ${tally(runs.map(({ faults }) => faults))}`,
      `${sum(killed, (run) => run.kills)} kills in ${killed.length} runs, ${sum(killed, (run) => run.documents)} documents: ${verdictOf(totalOf(killed))}`,
      secondsOf(performance.now() - start),
    ].join('\n'),
  );
  return violations(totalOf([...runs, ...killed]));
}
