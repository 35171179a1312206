import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Prepared, prepareFiles } from '../support/prepare-file.js';
import { CLERKS } from './clerks.js';
import { caseOf, converse } from './conversation.js';

const errors = ({ issues }: Prepared): string[] =>
  issues.flatMap(({ level, code, place }) =>
    level === 'error' ? [[code, place.file, place.sheet, place.column, place.row, place.pointer, place.param].join(' ')] : [],
  ).sort();

describe.each(Object.entries(CLERKS))('%s', (_, clerk) => {
  test('gives the right documents by answers alone', async () => {
    const { files, mapping, params, inRun } = caseOf(clerk);
    const { found, rounds, mappingText } = await converse(clerk, files, inRun);
    expect(found.questions).toEqual([]);
    const made = await prepareFiles({ files, mappingText: mappingText!, params: inRun });
    const wanted = await prepareFiles({ files, mapping, params });
    expect(errors(made)).toEqual(errors(wanted));
    expect(made.drafts.map(({ body }) => body)).toEqual(wanted.drafts.map(({ body }) => body));
    expect(made.issues.filter(({ code }) => code === 'header/label-new')).toEqual([]);
    const ids = rounds.flatMap(({ asked }) => asked.map(({ id }) => id));
    expect(ids.length, ids.join(' ')).toBeLessThanOrEqual(clerk.questions);
  });
});

test.each(['numero-de-personal', 'libro-de-novedades'])('the right mapping of %s gives the truth', async (name) => {
  const folder = `test/golden/deliveries/${name}`;
  const { files, mapping, params } = caseOf({ folder, right: `${folder}/mapeo.yaml`, questions: 0 });
  const { drafts } = await prepareFiles({ files, mapping, params });
  const first = Number(params['first_consecutive']);
  const documents = JSON.parse(readFileSync(`${folder}/documents.json`, 'utf8')) as unknown;
  expect(drafts.map(({ body }, index) => ({ ...body, consecutive: first + index }))).toEqual(documents);
});
