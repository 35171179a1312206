import type { Overview, RunView } from '../app/events.js';
import { formatCount, translate } from '../toolkit/messages/texts.js';
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
  const state = translate(language, `state-${run.state}`);
  const rest = { sender: sender ?? '–', rate: count(perMinute), age: ageText(run.age) };
  out(translate(language, 'overviewLine', { company, address, run: run.run, state, ...of, ...rest }));
  if (run.stopped !== null)
    out(translate(language, 'overviewStopped', { issue: word(run.stopped, language).message }));
}

/** Prints the runs of many companies, one line each. */
export function printOverview(terminal: Terminal, { runs, total }: Overview): void {
  const { language } = terminal;
  for (const run of runs) printRun(terminal, run);
  const counts = Object.entries(total).map(([name, number]) => [name, formatCount(number, language)]);
  terminal.print(translate(language, 'overviewTotal', Object.fromEntries(counts)));
}
