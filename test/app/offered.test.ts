import { expect, test } from 'vitest';
import { storeValues } from '../../src/app/last-params.js';
import { fake } from '../cli/fake-context.js';
import { freshFolder } from '../cli/run-cli.js';
import { SAMPLE } from '../cli/sample.js';
import { inspect } from '../cli/use-cases.js';
import { LIST, listWithout } from '../support/rips-list.js';

interface ParamEvent {
  readonly event: string;
  readonly name: string;
  readonly offered?: unknown;
  readonly isAbsent?: boolean;
  readonly choices?: readonly { readonly value: string; readonly title: { readonly es: string } }[];
}

async function paramsOf(
  file: string,
  { workspace = freshFolder(), answer = [] }: { workspace?: string; answer?: readonly string[] } = {},
): Promise<ReadonlyMap<string, ParamEvent>> {
  const { context, events } = fake({ workspace, now: () => new Date('2026-12-02T15:00:00Z') });
  await inspect(context, [file], { json: true, answer });
  const told = events() as readonly unknown[] as readonly ParamEvent[];
  return new Map(
    told.flatMap((event) => (['param', 'setting'].includes(event.event) ? [[event.name, event]] : [])),
  );
}

test('what was given last month is offered for this one, and the day of issue is today', async () => {
  const workspace = freshFolder();
  const params = { month: '2026-10', prefix: 'NI', issue_date: '2026-11-03', payment_date: '2026-10-31' };
  await storeValues({ workspace }, {}, { params, on: '2026-11-03' });
  const offered = await paramsOf(SAMPLE, { workspace });
  const value = (name: string) => offered.get(name)?.offered;
  expect(['month', 'prefix', 'issue_date', 'payment_date'].map(value)).toEqual([
    '2026-11',
    'NI',
    '2026-12-02',
    '2026-11-30',
  ]);
  // By the month that is offered.
  expect(value('overtime_end_time')).toBe('2026-11-30T23:59:59');
});

test('without a month before, the one to send is offered', async () => {
  const offered = await paramsOf(SAMPLE);
  expect(offered.get('month')?.offered).toBe('2026-11');
  expect(offered.get('prefix')?.offered).toBeNull();
});

test('optional values that the documents may need and no column gives are told apart, with words for codes', async () => {
  const whole = await paramsOf(LIST);
  const cut = await paramsOf(listWithout('MODALIDAD', 'FINALIDAD', 'CAUSA EXTERNA'));
  const names = ['modalidadGrupoServicioTecSal', 'finalidadTecnologiaSalud', 'causaMotivoAtencion'];
  expect(names.map((name) => whole.get(name)?.isAbsent)).toEqual([false, false, false]);
  expect(names.map((name) => cut.get(name)?.isAbsent)).toEqual([true, true, true]);
  const [first] = cut.get(names[0]!)!.choices!;
  expect(first).toEqual({ value: '01', title: { es: 'Intramural', en: 'Intramural' } });
});

test('once the kind of the services is known, values of other kinds are not among them', async () => {
  const file = 'test/golden/deliveries/entregas-de-farmacia/Dispensación octubre 2026.xlsx';
  const answers = {
    'lista.A': 'ignore',
    'lista.C': 'fechaDispensAdmon',
    'lista.Z': 'ignore',
    'lista.AB': 'ignore',
    'unused.lista': 'ignore',
    'sure.lista': 'yes',
    'param.cod_prestador': 'each_run',
    'param.tipoMedicamento': 'each_run',
  };
  const absentOf = async (kind: string): Promise<readonly string[]> => {
    const given = Object.entries({ ...answers, 'param.tipo_servicio': kind });
    const params = await paramsOf(file, { answer: given.map((pair) => pair.join('=')) });
    return [...params.values()].filter(({ isAbsent }) => isAbsent).map(({ name }) => name);
  };
  expect(await absentOf('medicamentos')).toEqual(['tipoMedicamento']);
  // Asked in each run, the kind may still be any.
  expect(await absentOf('each_run')).toContain('viaIngresoServicioSalud');
});
