import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fold } from '../../src/toolkit/core/text.js';
import { compileMapping } from '../../src/toolkit/mapping/load.js';
import { csv, type Grid, gridsOf, mapColumn, page, pick, rename, workbook } from '../inspect/grid.js';
import { fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { SAMPLE } from './sample.js';
import { inspect } from './use-cases.js';

/** What an answer says of a label or a word holds for files of another shape of the same company. */

const [payroll] = (await gridsOf(SAMPLE)) as [Grid];
const concepts = await gridsOf('samples/payroll/conceptos/acumulado_conceptos_oct2026.xlsx');
const [services] = (await gridsOf('samples/rips/lista/servicios octubre.csv')) as [Grid];
const nodes = await gridsOf('samples/rips/nodos/RIPS_octubre.xlsx');

const OWN = 'PREMIO CUMBRE';
/** A record for each worker, with a column of the office's own. */
const wide = (): Promise<string> => workbook([page(rename(payroll, { Comisiones: OWN }))]);
/** The same concept as a word of a list. */
const long = (): Promise<string> =>
  workbook(
    concepts.map((grid) =>
      page(
        grid.labels.includes('CONCEPTO')
          ? mapColumn(grid, 'CONCEPTO', (word) => (word === 'COMISIONES EN VENTAS' ? OWN : word))
          : grid,
      ),
    ),
  );
const IMPRESSION = 'IMPRESION PATO';
const list = async (): Promise<string> => csv(rename(services, { 'DX PRINCIPAL': IMPRESSION }), 'lista.csv');
const book = (): Promise<string> =>
  workbook(nodes.map((grid) => page(rename(grid, { codDiagnosticoPrincipal: IMPRESSION }))));

/** The record of each worker with other columns than the first file had. */
const inHalves = (): Promise<string> => {
  const kept = [
    'Número documento',
    'Primer apellido',
    'Primer nombre',
    'Días trabajados',
    'Salario devengado',
  ];
  return workbook([
    page(rename(pick(payroll, [...kept, 'Comisiones', 'Salud', 'Pensión']), { Comisiones: OWN })),
  ]);
};

interface Inspected {
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly asked: readonly unknown[];
  readonly mapping: string;
  /** Lines for people. */
  readonly said: readonly string[];
}

async function inspected(
  workspace: string,
  file: string,
  { answer = [], company }: { readonly answer?: readonly string[]; readonly company?: string } = {},
): Promise<Inspected> {
  const { context, events, shown } = fake({ workspace });
  const write = join(freshFolder(), 'mapeo.yaml');
  await inspect(context, [file], { write, answer: [...answer], json: true, ...(company && { company }) });
  const told = events();
  return {
    events: told,
    asked: told.filter(({ event }) => event === 'question').map(({ id }) => id),
    mapping: readFileSync(write, 'utf8'),
    said: shown.said(),
  };
}

const labelOf = ({ events }: Inspected, text: string) =>
  events
    .filter(({ event, label }) => event === 'label' && label === text)
    .map(({ means, why }) => [means, why]);
const notices = ({ said }: Inspected) =>
  said.flatMap((line) => {
    const [, ...parts] = /«(.+)» era «(.+)» en .*«(.+)»/.exec(line) ?? [];
    return parts.length === 0 ? [] : [parts];
  });
const classOf = ({ mapping }: Inspected, word: string): string | undefined => {
  const { tables, synonyms } = compileMapping('mapeo.yaml', mapping);
  const { sorts } = tables.get('lines')!.columns.get('class')!;
  return synonyms.decidedClasses.get(fold(word)) ?? sorts!.classOf(word);
};

const REST = [
  'param.type_worker_id=01',
  'param.sub_type_worker_id=00',
  'class.DCTO. ALMACEN EL VECINO=other_deduction',
  'class.APROVECHAMIENTO FDO ROTATORIO=ignore',
];

describe('in a payroll', () => {
  test('a column of one file is a word of another one', async () => {
    const workspace = freshFolder();
    expect((await inspected(freshFolder(), await long())).asked).toContain(`class.${OWN}`);
    await inspected(workspace, await wide(), { answer: [`${OWN}=commission`] });
    const second = await inspected(workspace, await long(), { answer: REST });
    expect(second.asked).toEqual([]);
    expect(classOf(second, OWN)).toBe('commission');
    expect(notices(second)).toEqual([]);
  });

  test('a word of one file is a column of another one', async () => {
    const workspace = freshFolder();
    await inspected(workspace, await long(), { answer: [...REST, `${OWN}=commission`] });
    const second = await inspected(workspace, await wide());
    expect(second.asked).toEqual([]);
    expect(labelOf(second, OWN)).toEqual([['commission', 'learnt']]);
  });

  test('nothing of it holds for another company', async () => {
    const workspace = freshFolder();
    await inspected(workspace, await wide(), { answer: [`${OWN}=commission`], company: 'otra' });
    expect((await inspected(workspace, await long())).asked).toContain(`class.${OWN}`);
  });

  test('another answer wins, is told, and is what holds from then on', async () => {
    const workspace = freshFolder();
    await inspected(workspace, await wide(), { answer: [`${OWN}=commission`] });
    const answer = [...REST, `class.${OWN}=salary_bonus`];
    const second = await inspected(workspace, await long(), { answer });
    expect(classOf(second, OWN)).toBe('salary_bonus');
    expect(notices(second)).toEqual([[OWN, 'Comisiones', 'Bonificación salarial']]);
    const third = await inspected(workspace, await inHalves());
    expect(labelOf(third, OWN)).toEqual([['salary_bonus', 'learnt']]);
  });

  test('another answer for a column wins and is told', async () => {
    const workspace = freshFolder();
    await inspected(workspace, await long(), { answer: [...REST, `${OWN}=commission`] });
    const second = await inspected(workspace, await wide(), { answer: [`${OWN}=ignore`] });
    expect(labelOf(second, OWN)).toEqual([['ignore', 'answered']]);
    expect(notices(second)).toEqual([[OWN, 'Comisiones', 'no se usa']]);
  });
});

test('in RIPS a column of a list is one of every sheet of a book', async () => {
  const answer = ['lista.AF=codDiagnosticoPrincipal', 'class.PAQUETE=ignore'];
  const workspace = freshFolder();
  const first = await inspected(workspace, await list(), { answer });
  expect(first.asked).toEqual([]);
  const second = await inspected(workspace, await book());
  expect(second.asked).toEqual(['param.user_id']);
  expect(labelOf(second, IMPRESSION)).toEqual(Array(6).fill(['codDiagnosticoPrincipal', 'learnt']));
  expect((await inspected(workspace, await book(), { company: 'otra' })).asked).toHaveLength(6);
});
