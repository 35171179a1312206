import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { columnLetter } from '../../src/toolkit/core/text.js';
import type { Inspection } from '../../src/toolkit/inspect/inspect.js';
import type { LabelFit } from '../../src/toolkit/inspect/labels.js';
import { defaultAnswer } from '../../src/toolkit/inspect/question.js';
import { chanceOf } from '../chaos/chance.js';
import { CLERKS, type Clerk } from '../golden/clerks.js';
import { caseOf, converse } from '../golden/conversation.js';
import type { Change } from './book.js';
import { KINDS, type Kind } from './kinds.js';
import { judge, makeOf, openScene } from './scene.js';

/** As in `values.test.ts`. */
const SEEDS = Number(process.env['CARGUE_TEST_SEEDS'] ?? 3);

/** What a column means that this value alone does not say. */
const OF_COLUMNS = KINDS.filter(({ isOfColumn, name }) => isOfColumn && name !== 'lost zeros');

const clerks = Object.values(CLERKS);

const isAt = ({ sheet: { source }, column }: LabelFit, cell: Change['cell']): boolean =>
  basename(source.file) === basename(cell.file) && source.sheet === cell.sheet && column === cell.column;

/** True if an inspection of changed files asks about one of the changed columns. */
const asksAbout = ({ labels, open }: Inspection, cells: readonly Change['cell'][]): boolean =>
  questionsAbout({ labels, open }, cells).length > 0;

const questionsAbout = (
  { labels, open }: Pick<Inspection, 'labels' | 'open'>,
  cells: readonly Change['cell'][],
) =>
  open.filter((question) => {
    const fit = labels.find(({ id }) => id === question.id);
    const shown = question.samples.map(({ cell }) => cell.replace(/^.*!/, ''));
    return cells.some((one) =>
      fit === undefined ? shown.includes(`${columnLetter(one.column)}${one.row}`) : isAt(fit, one),
    );
  });

/** A clerk, the files as they are, what is found in them, and what is asked about them. */
async function openDesk(clerk: Clerk) {
  const own = caseOf(clerk);
  const scene = await openScene(own);
  const { found, rounds } = await converse(clerk, own.files, own.inRun);
  const asked = new Set(rounds.flatMap((round) => round.found.open.map(({ id }) => id)));
  return { clerk, inRun: own.inRun, scene, found, asked };
}

const desks = new Map<Clerk, ReturnType<typeof openDesk>>();

function deskOf(clerk: Clerk): ReturnType<typeof openDesk> {
  const desk = desks.get(clerk) ?? openDesk(clerk);
  desks.set(clerk, desk);
  return desk;
}

/**
 * What goes out wrong without a word, when a clerk who knows the file as it was answers for the changed one. What is asked only about
 * the changed file is a word, unless Enter gives a negated title what it meant without its "no".
 */
async function silentIn(kind: Kind, seed: number): Promise<readonly string[] | undefined> {
  const chance = chanceOf(`${kind.name} proposed`, seed);
  const first = chance.below(clerks.length);
  for (let step = 0; step < clerks.length; step++) {
    const { clerk, inRun, scene, asked, ...before } = await deskOf(clerks[(first + step) % clerks.length]!);
    const trial = kind.trial(scene, chance);
    if (trial === undefined) continue;
    const { changes, about = [] } = trial;
    const touched = changes.map(({ cell }) => cell);
    const all = [...touched, ...about];
    const isSaid = (round: Inspection): boolean =>
      asksAbout(round, all) || round.open.some(({ id }) => !asked.has(id));
    const files = scene.book.write(changes);
    const { found, mappingText } = await converse(clerk, files, inRun, isSaid);
    const silent: string[] = [];
    if (kind.name === 'a negated title') {
      const meant = before.found.labels.find((fit) => isAt(fit, touched[0]!))?.means;
      const now = found.labels.find((fit) => isAt(fit, touched[0]!));
      const byEnter = questionsAbout(found, touched).map(defaultAnswer);
      if (now?.state === 'decided' && now.means === meant) silent.push(`decided: ${meant}`);
      if (meant !== undefined && byEnter.includes(meant)) silent.push(`by Enter: ${meant}`);
    } else if (mappingText !== undefined) {
      const made = await makeOf({ files, mappingText, params: inRun });
      const mustBeSaid = kind.mustBeSaid ? all : [];
      const expected = { reference: scene.made, touched, isOfColumn: true, byErrors: false, mustBeSaid };
      silent.push(...judge(made, expected).silent);
    }
    const changed = `${clerk.folder} ${changes.slice(0, 3).map(({ text }) => text)}`;
    return silent.map((text) => `${changed}: ${text}`);
  }
  return undefined;
}

describe.each(OF_COLUMNS)('$name', (kind) => {
  test(
    'nothing that this value alone cannot say is decided',
    async () => {
      const found = [];
      for (let seed = 1; seed <= SEEDS; seed++) found.push(await silentIn(kind, seed));
      expect(found).toEqual(found.map(() => []));
    },
    SEEDS * 60_000,
  );
});
