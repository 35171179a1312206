import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fake } from './fake-context.js';
import { callCli, freshFolder } from './run-cli.js';
import { PARAMS, SAMPLE } from './sample.js';
import { check, inspect, mappingShow } from './use-cases.js';

/** What the terminal said. */
async function saying(run: (context: ReturnType<typeof fake>['context']) => Promise<unknown>) {
  const { context, shown } = fake();
  await run(context);
  return shown.said().join('\n');
}

test('inspect names sheets and columns as people do', async () => {
  const said = await saying((context) => inspect(context, [SAMPLE], { params: PARAMS }));
  expect(said).toMatch(/ {2}se lee /);
  expect(said).not.toMatch(/tabla |document_type|base_salary/);
});

describe('what a mapping may be told', () => {
  test('a code list is named, and a default by what it is called', async () => {
    const said = await saying((context) => mappingShow(context, ['payroll/wide'], {}));
    expect(said).toContain('[de la lista de tipos de trabajador, su id: cargue catalogue show type_workers]');
    expect(said).toContain('si falta, 5 (Mensual)');
    expect(said).toContain('[uno de estos valores: sp (toda a solidaridad)');
    expect(await saying((context) => mappingShow(context, ['rips/consultas'], {}))).toContain(
      'si falta, 170 (Colombia)',
    );
  });

  test('a country that was assumed has its name', async () => {
    const said = await saying((context) =>
      check(context, ['samples/rips/consultas/Consultas octubre.csv'], {
        params: 'samples/rips/consultas/params.json',
      }),
    );
    expect(said).not.toMatch(/: 170/);
  });
});

describe('what an option takes is said in the language of the help', () => {
  test.each([
    [['check', SAMPLE, '-p', 'mes'], 'NOMBRE=VALOR', 'NAME=VALUE'],
    [['inspect', SAMPLE, '--answer', 'mes'], 'ID=VALOR', 'ID=VALUE'],
    [['journal', 'purge', '--before', 'ayer'], 'AAAA-MM-DD', 'YYYY-MM-DD'],
  ])('%j', async (args, es, en) => {
    expect((await callCli(args)).stderr).toContain(`Escriba ${es}.`);
    expect((await callCli([...args, '--lang', 'en'])).stderr).toContain(`Write ${en}.`);
  });
});

test('an invoice without its XML is told so, once', async () => {
  const file = join(freshFolder(), 'lista.csv');
  writeFileSync(file, 'Factura;Evento\nFE1;Acuse de recibo\n');
  const said = await saying((context) => check(context, [file], { mapping: 'events/list' }));
  expect(said).toContain(
    'lista.csv!A2 Factura: La factura viene sin su CUFE, y entre los archivos no hay un XML (AttachedDocument)',
  );
  expect(said).not.toContain('Falta CUFE');
});

test('a word that may be two events is offered both', async () => {
  const file = join(freshFolder(), 'lista.csv');
  writeFileSync(file, `CUFE;Evento\n${'a'.repeat(96)};Recibo\n`);
  const said = await saying((context) => check(context, [file], { mapping: 'events/list' }));
  expect(said).toContain('¿Quiso decir «032», «030»?');
});

test('a record without its person names where people stand', async () => {
  const folder = freshFolder();
  const of = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const files = readdirSync('samples/rips/grupos')
    .filter((name) => name.endsWith('.csv'))
    .map((name) => [name, readFileSync(join('samples/rips/grupos', name), 'utf8')] as const);
  const [name, text] = files.find(([one]) => one.startsWith('procedimientos'))!;
  const [header, ...lines] = text.trimEnd().split(/\r?\n/);
  const stranger = lines[0]!.replace(/\d{7,}/, '9800999999');
  const paths = files.map(([one, whole]) =>
    of(one, one === name ? [header, ...lines, stranger].join('\n') : whole),
  );
  const said = await saying((context) =>
    check(context, paths, { params: 'samples/rips/grupos/params.json', showValues: true }),
  );
  expect(said).toMatch(/No hay nadie con «[^»]*9800999999[^»]*» en usuarios\.csv/);
});
