import { type EventFindings, eventRun } from './event-run.js';
import { fromSeed, type Seeds, secondsOf, sum } from './seeds.js';

const verdictOf = ({
  doubles,
  disorder,
  lost,
}: Pick<EventFindings, 'doubles' | 'disorder' | 'lost'>): string =>
  `${doubles.length} doubled, ${disorder.length} out of order, ${lost.length} lost`;

/** Plays the seeds, three events on each invoice, and prints them; how many violations there were. */
export async function playEvents({
  first,
  runs,
  invoices,
}: Seeds & { readonly invoices: number }): Promise<number> {
  const oneRun = async (seed: number): Promise<EventFindings> => {
    const found = await eventRun({ seed, invoices });
    const { events, requests, failed, kills, resumes, ms, doubles, disorder, lost } = found;
    const head = `events, seed ${seed}: ${events} events, ${requests} requests, ${failed} failed`;
    console.log(`${head}, ${kills} kills, ${resumes} resumes, ${secondsOf(ms)}; ${verdictOf(found)}`);
    for (const line of [...doubles, ...disorder, ...lost].slice(0, 10)) console.log(`    ${line}`);
    return found;
  };
  const results = await fromSeed(first, 1, oneRun, (begun) => begun >= runs);
  const all = {
    doubles: results.flatMap(({ doubles }) => doubles),
    disorder: results.flatMap(({ disorder }) => disorder),
    lost: results.flatMap(({ lost }) => lost),
  };
  console.log(
    `\nevents: ${results.length} runs, ${sum(results, (run) => run.events)} events,` +
      ` ${sum(results, (run) => run.kills)} kills: ${verdictOf(all)}`,
  );
  return all.doubles.length + all.disorder.length + all.lost.length;
}
