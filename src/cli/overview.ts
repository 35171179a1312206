import type { Overview, RunView } from '../app/events.js';
import { formatCount, say } from '../toolkit/messages/texts.js';
import { word } from '../toolkit/messages/wording.js';
import type { Terminal } from './terminal.js';

/** Formats an age in its largest unit: `3 h`, `12 min`. */
function ageText(seconds: number): string {
  const [size, unit] = (
    [
      [86_400, 'd'],
      [3_600, 'h'],
      [60, 'min'],
    ] as const
  ).find(([least]) => seconds >= least) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${unit}`;
}

function printRun({ language, out }: Terminal, run: RunView): void {
  const { company, address, sender, perMinute } = run;
  const count = (number: number): string => formatCount(number, language);
  const of = { made: count(run.made), done: count(run.done), open: count(run.open) };
  const state = say(language, `state-${run.state}`);
  const rest = { sender: sender ?? '–', rate: count(perMinute), age: ageText(run.age) };
  out(say(language, 'overviewLine', { company, address, run: run.run, state, ...of, ...rest }));
  if (run.stopped !== null)
    out(say(language, 'overviewStopped', { issue: word(run.stopped, language).message }));
}

/** Prints the runs of many companies, one line each. */
export function printOverview(terminal: Terminal, { runs, total }: Overview): void {
  const { language } = terminal;
  for (const run of runs) printRun(terminal, run);
  const counts = Object.entries(total).map(([name, number]) => [name, formatCount(number, language)]);
  terminal.print(say(language, 'overviewTotal', Object.fromEntries(counts)));
}
