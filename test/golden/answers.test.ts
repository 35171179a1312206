import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { describe, expect, test } from 'vitest';
import { loadReadyMappings } from '../../src/app/job.js';
import { defaultAnswer, NO_ANSWERS, type Question, readAnswer } from '../../src/toolkit/inspect/question.js';
import { type Prepared, prepareFiles } from '../support/prepare-file.js';
import { type Clerk, CLERKS } from './clerks.js';
import { proposeFor } from '../support/opened-files.js';

/** What the person types at a question. */
function said(
  clerk: Clerk,
  { id, aliases = [], samples, ...question }: Question,
  open: readonly Question[],
): string {
  const { columns = {}, words = {}, others = {} } = clerk;
  const isRight = (one: Question): boolean => {
    const known = one.aliases?.map((name) => columns[name]).find(Boolean);
    const reading = known === undefined ? undefined : readAnswer(one, known);
    return reading !== undefined && 'value' in reading && reading.value === one.answers[0]!.value;
  };
  if (id.startsWith('sure.')) {
    const wrong = open.filter((one) => one.batch === id && !isRight(one));
    return wrong.map((one) => one.id).join(', ') || 'sí';
  }
  const isUsed = (label: string): boolean => columns[label] !== undefined;
  if (id.startsWith('unused.'))
    return samples.flatMap(({ cell, text }) => (isUsed(text.split(': ')[0]!) ? [cell] : [])).join(', ') || 'sí';
  const other = Object.entries(others).find(([start]) => id.startsWith(start))?.[1];
  if (other !== undefined) return other;
  if (id.startsWith('param.')) return 'se da en cada envío';
  const word = /^(value|class|choice)\./.test(id) ? words[aliases[0]!] : undefined;
  if (word !== undefined) return word;
  if (question.path[2] === 'labels') return aliases.map((name) => columns[name]).find(Boolean) ?? 'no se usa';
  return defaultAnswer({ id, aliases, samples, ...question }) ?? 'ignorar';
}

const READY = await loadReadyMappings();
const errors = ({ issues }: Prepared): string[] =>
  issues.flatMap(({ level, code, place }) =>
    level === 'error' ? [[code, place.file, place.sheet, place.column, place.row, place.pointer, place.param].join(' ')] : [],
  ).sort();

describe.each(Object.entries(CLERKS))('%s', (_, clerk) => {
  const folder = join('samples', clerk.folder);
  const files = readdirSync(folder)
    .filter((name) => (clerk.file === undefined ? /\.(xlsx|csv|txt|zip)$/i.test(name) : name === clerk.file))
    .map((name) => join(folder, name));
  const params =
    clerk.params ??
    (JSON.parse(readFileSync(join(folder, 'params.json'), 'utf8')) as Record<string, unknown>);
  const inRun = Object.fromEntries(Object.entries(params).filter(([name]) => !clerk.settled?.includes(name)));

  test('gives the right documents by answers alone', async () => {
    const given = new Map<string, string>();
    for (;;) {
      const found = await proposeFor(files, {
        ready: READY,
        answers: { ...NO_ANSWERS, given },
        language: 'es',
        name: 'respondido',
        params: inRun,
      });
      const asked = found.questions.filter(({ id }) => !given.has(id));
      for (const question of asked) given.set(question.id, said(clerk, question, found.open));
      if (asked.length > 0) continue;
      expect(found.questions).toEqual([]);
      const mappingText = stringify(found.tree, { lineWidth: 0 });
      const made = await prepareFiles({ files, mappingText, params: inRun });
      const mapping = clerk.right.endsWith('.yaml') ? clerk.right : `mappings/${clerk.right}.yaml`;
      const wanted = await prepareFiles({ files, mapping, params });
      expect(errors(made)).toEqual(errors(wanted));
      expect(made.drafts.map(({ body }) => body)).toEqual(wanted.drafts.map(({ body }) => body));
      expect(made.issues.filter(({ code }) => code === 'header/label-new')).toEqual([]);
      break;
    }
    expect([...given.keys()].length, [...given.keys()].join(' ')).toBeLessThanOrEqual(clerk.questions);
  });
});
