import { KINDS, sceneOf } from './kinds.js';
import { judge, type Outcome } from './person.js';

/**
 * Makes deliveries from seeds, answers all that is asked about them, and prints how each kind comes out:
 * `npm run variants -- [COUNT] [PART OF A KIND] [FIRST SEED]`. With ASKED=1 also what was asked, with FILES=1 where the files are.
 */
const [count = '200', part = '', first = '0'] = process.argv.slice(2);
const MIN_WHOLE = 0.95;

const kinds = KINDS.filter((kind) => kind.includes(part));
const outcomes = new Map<string, Outcome[]>(kinds.map((kind) => [kind, []]));
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const kind = kinds[seed % kinds.length]!;
  const scene = await sceneOf(kind, seed);
  const outcome = await judge(scene);
  outcomes.get(kind)!.push(outcome);
  if (outcome.state === 'whole') continue;
  console.log(`\n${seed} ${kind}: ${outcome.state} ${process.env['FILES'] ? scene.files.join(' ') : ''}`);
  for (const line of outcome.about.slice(0, 8)) console.log(`   ${line}`);
  if (process.env['ASKED']) for (const line of outcome.questions) console.log(`     ? ${line}`);
}

const countOf = (own: readonly Outcome[], state: Outcome['state']): number =>
  own.filter((one) => one.state === state).length;

console.log();
for (const [kind, own] of [...outcomes, ['all', [...outcomes.values()].flat()] as const]) {
  if (own.length === 0) continue;
  const asked = own.reduce((sum, { questions }) => sum + questions.length, 0) / own.length;
  const most = Math.max(...own.map(({ questions }) => questions.length));
  const states = (['wrong', 'part', 'stuck', 'refused'] as const).map(
    (state) => `${countOf(own, state)} ${state}`,
  );
  console.log(
    `${kind.padEnd(32)} ${countOf(own, 'whole')}/${own.length} whole, ${states.join(', ')}, ${asked.toFixed(1)} questions, at most ${most}`,
  );
}
const all = [...outcomes.values()].flat();
if (countOf(all, 'wrong') > 0 || countOf(all, 'whole') < all.length * MIN_WHOLE) process.exitCode = 1;
