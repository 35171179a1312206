import { readdirSync } from 'node:fs';
import { clearFit, type Fit } from '../../src/toolkit/inspect/fit.js';
import { answeredLabels } from '../../src/toolkit/inspect/label-questions.js';
import { isRepeated, type LabelFit } from '../../src/toolkit/inspect/labels.js';
import { Answering, asked as asTold, NO_ANSWERS } from '../../src/toolkit/inspect/question.js';
import { survey } from '../../src/toolkit/inspect/survey.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { IGNORE } from '../../src/toolkit/tables/header.js';
import { withInputs } from '../support/opened-files.js';
import type { Case } from './cases.js';

/** Every ready-made mapping. */
export const EVERY = await Promise.all(
  readdirSync('mappings', { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /^(?!synonyms|vocabularies).*\/.*\.yaml$/.test(file))
    .map(async (file) => ({
      name: file.replace('.yaml', ''),
      mapping: await loadMapping(`mappings/${file}`),
    })),
);

/** What was asked about a file, and how good the first answers were. */
export interface Measured {
  readonly layout: 'clear' | 'asked' | 'wrong';
  readonly score: number;
  readonly columns: number;
  readonly decided: number;
  /** Left aside: those with text are asked about together. */
  readonly aside: number;
  readonly asked: number;
  /** What a person is asked: columns that are confirmed, or left out, in one go are one question. */
  readonly questions: number;
  /** Asked about with others, of which the likeliest is wrong. */
  readonly misled: number;
  readonly first: number;
  readonly three: number;
  /** Asked, and the right answer is not among those that are shown. */
  readonly lower: number;
  /** Decided otherwise than is right, without a question. */
  readonly wrong: number;
  /** Left aside although it matters. */
  readonly lost: number;
  readonly notes: readonly string[];
}

/** The right answer's place among those that are shown; declining comes last, or first when nothing is likely. */
function rankOf({ candidates }: LabelFit, right: string): number {
  const shown = [...candidates.map(({ value }) => value), IGNORE];
  return shown.indexOf(right);
}

/** How good what is proposed for a file is. */
export function judged(fit: Fit, rightOf: Awaited<ReturnType<Case['truth']>>): Omit<Measured, 'layout'> {
  const notes: string[] = [];
  let [decided, aside, asked, first, three, lower, wrong, lost] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (const label of fit.labels) {
    const right = rightOf(label);
    const { state, means = IGNORE, candidates, content } = label;
    if (right === undefined || isRepeated(label)) continue;
    const shown = candidates.map(({ value, score }) => `${value} ${score}`).join(', ');
    const note = (what: string): unknown =>
      notes.push(
        `${what}: ${label.id} ${label.group ? `${label.group} / ` : ''}${label.label} → ${right}; ${state} ${label.reason} ${means} [${shown}]`,
      );
    if (state === 'open') {
      asked += 1;
      const rank = rankOf(label, right);
      if (rank === 0) first += 1;
      if (rank >= 0 && rank < 3) three += 1;
      else lower += 1;
      note(rank === 0 ? 'asked' : rank < 0 ? 'not offered' : 'offered lower');
    } else if (state === 'decided') {
      decided += 1;
      if (means !== right && content.filled.length > 0) {
        wrong += 1;
        note('wrong');
      }
    } else {
      aside += 1;
      if (right !== IGNORE && content.filled.length > 0) {
        lost += 1;
        note('lost');
      }
    }
  }
  const { open } = answeredLabels(fit.labels, fit, 'es', new Answering(NO_ANSWERS));
  const sure = open.filter(({ batch }) => batch?.startsWith('sure.'));
  const misled = sure.filter(({ id, answers }) => {
    const label = fit.labels.find((one) => one.id === id)!;
    return (rightOf(label) ?? answers[0]!.value) !== answers[0]!.value;
  });
  notes.push(...misled.map(({ title, answers }) => `misled: ${title} ${answers[0]!.value}`));
  return {
    questions: asTold(open, 'es').length,
    misled: misled.length,
    score: fit.score,
    columns: fit.labels.length,
    decided,
    aside,
    asked,
    first,
    three,
    lower,
    wrong,
    lost,
    notes,
  };
}

export async function measure({ files, layout, truth }: Case): Promise<Measured> {
  const paths = await files();
  const { ranked } = await withInputs(paths, (inputs) => survey(inputs, EVERY));
  const fit = ranked.find(({ name }) => name === layout)!;
  const clear = clearFit(ranked)?.name;
  return {
    layout: clear === undefined ? 'asked' : clear === layout ? 'clear' : 'wrong',
    ...judged(fit, await truth()),
  };
}
