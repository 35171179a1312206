import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createNumbering } from '../../src/app/numbering.js';
import { createEventSequence } from '../../src/families/events/sequence.js';
import { type Prepared, prepareFiles } from '../support/prepare-file.js';
import { withoutNull } from './agrees.js';
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

const DELIVERIES = 'test/golden/deliveries/';

test.each(Object.values(CLERKS).filter(({ folder }) => folder.startsWith(DELIVERIES)))(
  'the right mapping of $folder gives the truth',
  async (clerk) => {
    const { files, mapping, params } = caseOf(clerk);
    const { drafts } = await prepareFiles({ files, mapping, params, follow: createEventSequence() });
    const documents: unknown = JSON.parse(readFileSync(`${clerk.folder}/documents.json`, 'utf8'));
    expect(drafts.map(createNumbering(params)).map(withoutNull)).toEqual(withoutNull(documents));
  },
);
