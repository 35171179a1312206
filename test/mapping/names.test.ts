import { describe, expect, test } from 'vitest';
import { squash } from '../../src/toolkit/core/text.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { CellFault } from '../../src/toolkit/mapping/read/cell.js';
import type { Context } from '../../src/toolkit/mapping/record.js';
import { loadSynonyms } from '../../src/toolkit/mapping/synonyms.js';

const { columns } = loadSynonyms('payroll')!;

const { tables } = await loadMapping('mappings/payroll/long.yaml');
const lines = tables.get('lines')!;

/** What a word of a list is taken for. */
function wordIs(concept: string): unknown {
  const values: string[] = [];
  values[lines.columns.get('concept')!.position] = concept;
  const at: unknown[] = [];
  at[lines.tableIndex] = { values };
  const found = lines.columns.get('class')!.computed!({ at } as unknown as Context);
  return found instanceof CellFault ? found.code : found;
}

/** Columns whose title it is. */
const columnIs = (label: string): readonly string[] =>
  Object.keys(columns).filter((id) => columns[id]!.some((title) => squash(title) === squash(label)));

/** No, non, ns and sin make the opposite of a concept; it is never taken for that. */
describe('a negation', () => {
  const NOT = [
    'no salarial',
    'No Salarial',
    'NS',
    'sin carácter salarial',
    'sin incidencia salarial',
    'no constitutiva de salario',
    'no prestacional',
    'SIN FACTOR SALARIAL',
    'no const.',
    'non salarial',
  ];
  const OF = [
    'Bonificación',
    'Bonif.',
    'BONIFICACION POR METAS',
    'Bono',
    'Auxilio',
    'Auxilio educativo',
    'Auxilio de alimentación',
    'Auxilio movilización',
    'Aux. rodamiento',
    'Viáticos',
    'Prima',
    'Prima extralegal',
    'Comisión',
    'Retroactivo',
  ];
  const SALARY = [
    'salary',
    'salary_bonus',
    'salary_aid',
    'salary_viatics',
    'other_salary_concept',
    'commission',
    'service_bonus',
  ];

  test.each(OF.flatMap((name) => NOT.map((not) => `${name} ${not}`)))('%s', (label) => {
    expect(SALARY).not.toContain(wordIs(label));
    for (const id of columnIs(label)) expect(SALARY).not.toContain(id);
  });

  test.each([
    'Bonificación sin carácter salarial',
    'Bonificación sin incidencia salarial',
    'BONIF. NO PREST.',
    'Bono NS',
  ])('%s is a bonus', (label) => {
    expect([wordIs(label), ...columnIs(label)]).toEqual(['non_salary_bonus', 'non_salary_bonus']);
  });
  test.each([
    'Auxilio educativo sin carácter salarial',
    'Auxilio de alimentación sin incidencia salarial',
    'Auxilio sin carácter salarial',
  ])('%s is aid', (label) => {
    expect(wordIs(label)).toBe('non_salary_aid');
  });
});

/** Leaves that a layout does not fill, each with its reason. */
const UNREACHED: Readonly<Record<string, readonly string[]>> = {
  '/accrued/refund': ['wide', 'split', 'adjust', 'long', 'multi-sheet'], // the service drops it
  '/accrued/service_bonus/*/paymentNS': ['wide', 'split', 'adjust', 'long'], // a column of the sheet of bonuses alone
};

describe('every leaf of earnings and deductions has a concept', async () => {
  const { markedLeaves } = await import('../../src/toolkit/schema/registry.js');
  const leaves = ['accrued', 'deductions']
    .flatMap((part) => markedLeaves('payroll/payroll', 'x-total', [part]))
    .map((keys) => `/${keys.join('/')}`);

  test.each(['wide', 'long', 'multi-sheet', 'split', 'adjust'])('in payroll/%s', async (name) => {
    const { fields } = await loadMapping(`mappings/payroll/${name}.yaml`);
    const filled = new Set(fields.map(({ keys }) => `/${keys.join('/')}`));
    const missing = leaves.filter((leaf) => !filled.has(leaf));
    expect(filled.has('/accrued/legal_strike/*/quantity')).toBe(true);
    expect(missing.filter((leaf) => !UNREACHED[leaf]?.includes(name))).toEqual([]);
  });
});
