import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { paramOf } from '../../src/toolkit/core/issue.js';
import { prepareFiles } from '../support/prepare-file.js';

const FOLDER = 'test/golden/rips/otro-programa';
const FILES = ['RIPS_OCT2026.json', 'pacientes.csv'].map((name) => `${FOLDER}/${name}`);
const EXPECTED = JSON.parse(readFileSync(`${FOLDER}/esperado.json`, 'utf8')) as {
  params: Record<string, unknown>;
  errors: readonly string[];
  documents: readonly unknown[];
};

/** Without what is empty, and the number that is given when it is planned. */
const withoutNull = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, member) => (member === null || key === 'note_number' ? undefined : member)),
  );

/** The national JSON as another program writes it, with slips of form on nearly every line. */
describe('national JSON of another program', () => {
  test('to be sent: slips without doubt are read and said once a kind; the rest is refused at its pointer', async () => {
    const { drafts, issues } = await prepareFiles({
      mapping: 'mappings/rips/json-envio.yaml',
      params: EXPECTED.params,
      files: FILES,
    });
    expect(drafts.map(({ body }) => withoutNull(body))).toEqual(EXPECTED.documents.map(withoutNull));
    const errors = issues.filter(({ level }) => level === 'error');
    expect(errors.map(({ place }) => place.json).sort()).toEqual(EXPECTED.errors);
    const slips = issues.filter(({ code }) => code.startsWith('json/slip-'));
    expect(slips.map((issue) => [issue.code, issue.level, paramOf(issue, 'cells')]).sort()).toEqual([
      ['json/slip-empty-text', 'warning', 22],
      ['json/slip-midnight', 'warning', 6],
      ['json/slip-missing-key', 'warning', 4],
      ['json/slip-number-as-text', 'warning', 18],
      ['json/slip-seconds', 'warning', 21],
      ['json/slip-small-letters', 'warning', 12],
    ]);
  });

  test('to be handed to the ministry as it is: each slip is an error there', async () => {
    const { drafts, issues } = await prepareFiles({
      mapping: 'mappings/rips/json.yaml',
      params: {},
      files: FILES.slice(0, 1),
    });
    expect(drafts).toEqual([]);
    expect(issues.some(({ code }) => code.startsWith('json/slip-'))).toBe(false);
  });

  const TEXT = readFileSync(FILES[0]!, 'utf8');
  const KIND = '"tipoDocumentoIdentificacion": "CC"';
  /** The number of a professional who attended, and of one who prescribed and may be absent. */
  const [ATTENDED, PRESCRIBED] = ['"9900000012"', '"9900000011"'];

  test.each([
    ['a blank key of a patient', KIND, '"tipoDocumentoIdentificacion": ""', 'row/key-blank'],
    ['a null word for who attended', ATTENDED, '"None"', 'json/null-word'],
    ['a null word for a patient', '"9800740000"', '"N/A"', 'row/key-blank'],
    ['a null word where null may be', PRESCRIBED, '"undefined"', 'json/slip-empty-text'],
  ])('%s', async (_, before, after, code) => {
    const file = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'RIPS.json');
    const at =
      before === PRESCRIBED ? TEXT.indexOf(before, TEXT.indexOf('"medicamentos"')) : TEXT.indexOf(before);
    writeFileSync(file, TEXT.slice(0, at) + after + TEXT.slice(at + before.length));
    const { drafts, issues } = await prepareFiles({
      mapping: 'mappings/rips/json-envio.yaml',
      params: EXPECTED.params,
      files: [file, FILES[1]!],
    });
    expect(issues.map((issue) => issue.code)).toContain(code);
    expect(JSON.stringify(drafts.map(({ body }) => body))).not.toContain(after);
  });
});
