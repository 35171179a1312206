import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Issue, PipelineError } from '../../src/toolkit/core/issue.js';
import { compileMapping } from '../../src/toolkit/mapping/load.js';

const WIDE = readFileSync('test/mapping/core/wide.yaml', 'utf8');

function issuesIn(text: string): readonly Issue[] {
  try {
    compileMapping('m.yaml', text);
    return [];
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    return error.issues;
  }
}

/** `[line, column, code]` of every finding. */
const findings = (text: string): [unknown, unknown, string][] =>
  issuesIn(text).map(({ code, place }) => [place.line, place.character, code]);

/** The ready-made mapping with a piece changed; `«` marks where the finding is expected. */
function changed(find: string, replace: string): { text: string; line: number; column: number } {
  if (!WIDE.includes(find)) throw new Error(`no ${find}`);
  const marked = WIDE.replace(find, () => replace);
  const before = marked.slice(0, marked.indexOf('«')).split('\n');
  return { text: marked.replace('«', ''), line: before.length, column: before.at(-1)!.length + 1 };
}

test.each(readdirSync('mappings/payroll'))('%s is clean', (file) => {
  expect(findings(readFileSync(`mappings/payroll/${file}`, 'utf8'))).toEqual([]);
});

test('what is still to be decided is told once, by its question', () => {
  const open = 'default: { undecided: { id: param.x, question: "¿Cuál?", candidates: [] } }';
  const text = WIDE.replace(
    'type_worker_id: { type: integer, optional: true,',
    `type_worker_id: { type: integer, ${open},`,
  );
  expect(findings(text).map(([, , code]) => code)).toEqual(['mapping/undecided']);
});

test('what makes one document may be to be decided, and what stands beside it is no unknown key', () => {
  const open =
    'one_per: { key: { undecided: { id: one_per, question: "¿Se reúnen?", candidates: [] } }, of: [workers] }';
  const text = WIDE.replace(/^one_per: .*$/m, open);
  expect(text).not.toBe(WIDE);
  expect(findings(text).map(([, , code]) => code)).toEqual(['mapping/undecided']);
});

describe('each mistake at its line and column', () => {
  test.each<[string, string, string, string]>([
    [
      'parts side by side of one name',
      'hidden_rows: warn',
      'side_by_side: [Q1, «[Q2, q-1]]',
      'mapping/part-twice',
    ],
    [
      'columns in several sheets, a document a record',
      'hidden_rows: warn',
      '«spread: true',
      'mapping/no-effect',
    ],
    ['one part beside none', 'hidden_rows: warn', 'side_by_side: «[Q1]', 'mapping/shape'],
    [
      'parts of a table that has no header',
      'header: { within: 30, must_have: [document, surname, worked_days] }',
      'header: { none: true }\n    «side_by_side: [Q1, Q2]',
      'mapping/no-effect',
    ],
    ['misspelt top key', 'display: [', '«dysplay: [', 'mapping/unknown-key'],
    [
      'misspelt column key',
      'document: { read: identifier }',
      'document: { «reed: identifier, read: identifier }',
      'mapping/unknown-key',
    ],
    [
      'a list of blanks that the synonyms do not have',
      'document: { read: identifier }',
      'document: { read: identifier, blanks: «nada }',
      'mapping/unknown-blanks',
    ],
    [
      'misspelt leaf key',
      '    identification_number: { from: document }',
      '    identification_number: { from: document, «defalt: x }',
      'mapping/unknown-key',
    ],
    [
      'misspelt target',
      '    identification_number: { from: document }',
      '    «identification_numbr: { from: document }',
      'mapping/unknown-target',
    ],
    [
      'field of a check that the document does not have',
      '\nchecks:',
      '\nchecks:\n  - { that: document = "1", field: «/worker/nickname, message: { es: a, en: a } }',
      'mapping/unknown-target',
    ],
    [
      'unknown column',
      '    identification_number: { from: document }',
      '    identification_number: { from: «documents }',
      'mapping/unknown-column',
    ],
    ['unknown param', 'prefix: { param: prefix }', 'prefix: { param: «prefijo }', 'mapping/unknown-param'],
    [
      'two sources',
      '    identification_number: { from: document }',
      '    identification_number: { from: document, «const: 5 }',
      'mapping/two-sources',
    ],
    [
      'no source',
      '    identification_number: { from: document }',
      '    identification_number: «{}',
      'mapping/no-source',
    ],
    [
      'unquoted zeros',
      '  prefix: { param: prefix }',
      '  notes: { const: «05001 }\n  prefix: { param: prefix }',
      'mapping/const-type',
    ],
    [
      'formula over text',
      'formula: if(param.worked_time = "days", worked_days',
      'formula: «if(param.worked_time = "days", surname',
      'formula/type',
    ],
    ['unknown function', 'days_360(', '«days_36O(', 'formula/unknown-function'],
    [
      'unknown name in a formula',
      '$when: order_value is not blank',
      '$when: «order_valu is not blank',
      'formula/unknown-name',
    ],
    [
      'formula that divides unrounded',
      '  worker_code: { from: worker_code }',
      '  worker_code: { from: worker_code, when: "worked_days «/ 2 = 1" }',
      'formula/division',
    ],
    [
      'type that does not fit',
      '    salary: { from: base_salary }',
      '    salary: «{ from: surname }',
      'mapping/type',
    ],
    [
      'a total mapped',
      '    worked_days: { from: worked_days }',
      '    «accrued_total: { from: stated_accrued }\n    worked_days: { from: worked_days }',
      'mapping/total-mapped',
    ],
    [
      'a number series mapped',
      '  prefix: { param: prefix }',
      '  «consecutive: { param: first_consecutive }\n  prefix: { param: prefix }',
      'mapping/series-mapped',
    ],
    [
      'a secret mapped',
      '  prefix: { param: prefix }',
      "  prefix: { param: prefix }\n  smtp_parameters: { «password: { const: 'x' } }",
      'mapping/secret-mapped',
    ],
    [
      'an object where a list goes',
      '      - $each: workers\n        commission:',
      '      «commission:',
      'mapping/not-a-list',
    ],
    ['unknown catalogue', 'catalogue: type_contracts', 'catalogue: «contracts', 'mapping/unknown-catalogue'],
    ['unknown read', 'document: { read: identifier }', 'document: { read: «identifer }', 'mapping/shape'],
    ['unknown schema', 'target: payroll/payroll', 'target: «payroll/payrol', 'mapping/unknown-schema'],
    [
      'unknown schema of several',
      'target: payroll/payroll',
      'target: [{ when: "true", schema: «payroll/payrol }]',
      'mapping/unknown-schema',
    ],
    [
      'unknown total',
      '  net: { from: stated_net }',
      '  «neto: { from: stated_net }',
      'mapping/unknown-total',
    ],
    [
      'wrong default',
      'type_document_id: { type: integer, default: 9',
      'type_document_id: { type: integer, default: «nine',
      'mapping/param-type',
    ],
    [
      'a cycle of params',
      'formula: month_start(param.month)',
      'formula: "add_days(«param.settlement_end_date, 0)"',
      'formula/unknown-name',
    ],
    ['unknown synonyms', 'synonyms: [payroll,', 'synonyms: [«payrol,', 'mapping/unknown-synonyms'],
  ])('%s', (_, find, replace, code) => {
    const { text, line, column } = changed(find, replace);
    expect(findings(text)).toContainEqual([line, column, code]);
  });

  test('a required field that nothing fills', () => {
    expect(
      findings(WIDE.replace('    salary: { from: base_salary }\n', '')).map(([, , code]) => code),
    ).toEqual(['mapping/required-unmapped']);
  });

  test('YAML that does not parse', () => {
    expect(findings('cargue: 1\nname: "x\n')[0]?.[2]).toBe('mapping/yaml');
  });

  test('a key given twice', () => {
    expect(
      findings(WIDE.replace('key: document\n', 'key: document\nkey: surname\n')).map(([, , code]) => code),
    ).toEqual(['mapping/yaml']);
  });
});

test.each([
  ['extends: payrol/wide', 'payroll/wide'],
  ['extends: payroll/nomina', undefined],
  ['extends: payroll/wide\nsynonyms: [payrol]', 'payroll'],
  [
    'extends: payroll/wide\ntables:\n  workers:\n    columns:\n      basic: { read: monye, titles: [Básico] }',
    'money',
  ],
  [
    'extends: payroll/wide\ntables:\n  workers:\n    columns:\n      city: { lookup: { catalogue: municipios, match: [{ from: municipality, by: [code] }] } }',
    'municipalities',
  ],
])('one line says what is misspelt in %s', (text, meant) => {
  expect(issuesIn(`cargue: 1\n${text}`).map(({ suggestions }) => suggestions?.[0]?.value)).toEqual([meant]);
});
