import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Options } from '../../src/cli/options.js';
import { startSandbox } from '../../src/sandbox/server.js';
import type { JsonObject, JsonValue } from '../../src/toolkit/core/json.js';
import { service, transaction } from '../schema/rips-package.js';
import { zipOf } from '../support/zip-writer.js';
import { fake, NOW } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { check, convert, send } from './use-cases.js';

const SAMPLE = resolve('samples/rips/json');

let folder: string;
const inFolder = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = freshFolder();
});

/** A day on which packages of October may still be sent. */
const IN_TERM = new Date('2026-11-05T15:00:00Z');

type Found = readonly string[];

/** What is found out, without the tables that are not loaded: where, and which code. */
async function found(
  useCase: typeof check,
  files: readonly string[],
  options: Options = {},
): Promise<{ code: number; issues: Found; events: ReturnType<ReturnType<typeof fake>['events']> }> {
  const made = fake({ workspace: inFolder('ws'), now: () => IN_TERM });
  const code = await useCase(made.context, files, { json: true, ...options });
  const events = made.events();
  const issues = events
    .filter(({ event, code }) => event === 'issue' && code !== 'catalogue/not-loaded')
    .map(({ code, rule, file, line, json }) =>
      [`${file}:${line}`, json, code, rule].filter(Boolean).join(' '),
    );
  return { code, issues, events };
}

const write = (name: string, value: JsonValue): string => {
  writeFileSync(inFolder(name), typeof value === 'string' ? value : JSON.stringify(value, null, 1));
  return inFolder(name);
};

type Pack = JsonObject & { usuarios: JsonObject[] };
const pack = (
  change: (made: Pack) => void = () => undefined,
  profile: '948-v003' | '2275' = '948-v003',
): Pack => {
  const made = structuredClone(transaction(profile)) as Pack;
  change(made);
  return made;
};
const items = (made: Pack, group: string): JsonObject[] =>
  (made.usuarios[0]!['servicios'] as JsonObject)[group] as JsonObject[];

/** Another patient, in a package of another number: nothing is repeated. */
const other =
  (number: string) =>
  (made: Pack): void => {
    made['numNota'] = number;
    made.usuarios[0]!['numDocumentoIdentificacion'] = '9800000044';
  };

test('the file of parameters with which it is sent serves its check as well; what nobody takes is a mistake', async () => {
  const given = JSON.parse(readFileSync(join(SAMPLE, 'params.json'), 'utf8')) as JsonObject;
  const made = fake({ workspace: inFolder('ws') });
  const json = [join(SAMPLE, 'RS-2026-10.json')];
  expect(await check(made.context, json, { params: write('params.json', given) })).toBe(0);
  expect(made.shown.raw()).toMatch(/no se usan aquí.*first_note_number/s);
  const wrong = write('wrong.json', { ...given, nit_del_obligado: '900555321' });
  await expect(check(made.context, json, { params: wrong })).rejects.toThrow('param/unknown');
  await expect(check(made.context, json, { param: ['first_note_number=1'] })).rejects.toThrow(
    'param/unknown',
  );
});

describe('what is read', () => {
  const invoiced = (made: Pack): void => {
    Object.assign(made, { numFactura: 'FEV1', tipoNota: null, numNota: null });
  };
  const second = other('RS-2');

  test.each<[string, () => readonly string[], number]>([
    ['one object', () => [write('uno.json', pack())], 1],
    ['with an invoice', () => [write('uno.json', pack(invoiced))], 1],
    ['what is sent to the ministry', () => [write('uno.json', { rips: pack(), xmlFevFile: null })], 1],
    ['several in a list, whatever the name', () => [write('varios.txt', [pack(), pack(second)])], 2],
    ['keys in another order', () => [write('uno.json', reversed(pack()))], 1],
    [
      'a folder, with the answer of the ministry and the invoice beside it',
      () => {
        mkdirSync(inFolder('mes'));
        write('mes/a.json', pack());
        write('mes/b.json', pack(second));
        write('mes/CUV_RS-1.json', { ResultState: true, CodigoUnicoValidacion: 'a'.repeat(96) });
        write('mes/fe.xml', '<?xml version="1.0"?><Invoice/>');
        return [inFolder('mes')];
      },
      2,
    ],
    [
      'a zip of them',
      () => {
        const entry = (name: string, value: object) => ({ name, data: JSON.stringify(value) });
        writeFileSync(
          inFolder('mes.zip'),
          zipOf([
            entry('a.json', pack()),
            entry('sub/b.json', pack(second)),
            { name: 'nota.pdf', data: '%PDF' },
          ]),
        );
        return [inFolder('mes.zip')];
      },
      2,
    ],
  ])('%s', async (_, files, made) => {
    const { code, issues, events } = await found(check, files());
    expect(issues).toEqual([]);
    expect(code).toBe(0);
    const counts = events.find(({ event }) => event === 'summary')?.['documents'];
    expect(counts).toMatchObject({ planned: made, made });
  });

  const reversed = (made: JsonObject): JsonObject => Object.fromEntries(Object.entries(made).reverse());
});

describe('what the ministry would say, at pointer and line', () => {
  const at = (pointer: string): RegExp => new RegExp(` ${pointer.replaceAll('/', '\\/')} `);
  test.each<[string, (made: Pack) => void, Found]>([
    [
      'a code that is no text',
      (made) => Object.assign(items(made, 'consultas')[0]!, { codConsulta: 890201 }),
      ['/usuarios/0/servicios/consultas/0/codConsulta document/format-cups RVG01'],
    ],
    [
      'a number that is text',
      (made) => Object.assign(items(made, 'consultas')[0]!, { vrServicio: '60000' }),
      ['/usuarios/0/servicios/consultas/0/vrServicio document/type RVG01'],
    ],
    [
      'a key that is missing',
      (made) => delete items(made, 'procedimientos')[0]!['numAutorizacion'],
      ['/usuarios/0/servicios/procedimientos/0/numAutorizacion document/required RVG01'],
    ],
    [
      'a key that nobody knows',
      (made) => Object.assign(made.usuarios[0]!, { nombre: 'Ana' }),
      ['/usuarios/0/nombre document/not-allowed RVG01'],
    ],
    [
      'a list that nobody knows',
      (made) => Object.assign(made.usuarios[0]!['servicios'] as JsonObject, { Consultas: [] }),
      ['/usuarios/0/servicios/Consultas document/not-allowed RVG01'],
    ],
    [
      'a rule of the ministry',
      (made) =>
        Object.assign(items(made, 'consultas')[0]!, { conceptoRecaudo: '05', valorPagoModerador: 10 }),
      ['/usuarios/0/servicios/consultas/0/valorPagoModerador rips/value-without-payment RVC061'],
    ],
    [
      'a consecutive that skips',
      (made) =>
        items(made, 'consultas').push({
          ...service('948-v003', 'consultas'),
          codConsulta: '890301',
          consecutivo: 3,
        }),
      ['/usuarios/0/servicios/consultas/1/consecutivo rips/consecutive'],
    ],
    [
      'a truth where a number counts',
      (made) => Object.assign(items(made, 'consultas')[0]!, { consecutivo: true }),
      ['/usuarios/0/servicios/consultas/0/consecutivo document/type RVG01'],
    ],
    [
      'an object where a date stands',
      (made) => Object.assign(made.usuarios[0]!, { fechaNacimiento: { dia: 1 } }),
      ['/usuarios/0/fechaNacimiento document/format-date RVG01'],
    ],
    [
      'a package without number',
      (made) => Object.assign(made, { numNota: null }),
      ['/numNota rips/note RVG01'],
    ],
  ])('%s', async (_, change, expected) => {
    const file = write('uno.json', pack(change));
    const { issues } = await found(check, [file]);
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(issues.map((issue) => issue.slice(issue.indexOf(' ') + 1))).toEqual(expected);
    for (const [index, issue] of issues.entries()) {
      const line = Number(/:(\d+) /.exec(issue)![1]);
      const key = expected[index]!.split(' ')[0]!.split('/').at(-1)!;
      // What is missing is told at the object that misses it.
      expect(at(expected[index]!.split(' ')[0]!).test(issue)).toBe(true);
      if (!issue.includes('document/required')) expect(lines[line - 1]).toContain(`"${key}"`);
    }
  });

  test('a key that nobody knows may be left aside by a mapping, and is counted', async () => {
    const mapping = write(
      'propio.yaml',
      [
        '{ cargue: 1, name: propio, extends: rips/json, tables: { usuarios: { ignore: [',
        '{ titles: [nombre, color, incapacidad], reason: Es del programa de la clínica. } ] } } }',
      ].join(''),
    );
    const extra = (made: Pack): void => {
      Object.assign(made.usuarios[0]!, { nombre: 'Ana' });
      Object.assign(items(made, 'consultas')[0]!, { nombre: 'Ana', color: 'azul', sabor: 'dulce' });
    };
    const { issues, events } = await found(check, [write('uno.json', pack(extra))], { mapping });
    expect(issues).toEqual([
      expect.stringMatching(/\/usuarios\/0\/servicios\/consultas\/0\/sabor document\/not-allowed RVG01$/),
    ]);
    const counts = events.find(({ event }) => event === 'summary')?.['columns'] as Record<string, number>;
    expect([counts['declined'], counts['unread']]).toEqual([3, 1]);
  });

  test('the second patient of a list counts from two, and once in a package', async () => {
    const twice = pack((made) =>
      made.usuarios.push({ ...structuredClone(made.usuarios[0]!), consecutivo: 2 }),
    );
    const wrong = pack((made) => {
      made['numNota'] = 'RS-3';
      made.usuarios.push({ ...structuredClone(made.usuarios[0]!), numDocumentoIdentificacion: '9800000077' });
    });
    const { issues } = await found(check, [write('a.json', twice), write('b.json', wrong)]);
    const codes = issues.filter((issue) => !issue.includes('rips/repeated-') || issue.includes('user'));
    expect(codes.map((issue) => issue.replace(/:\d+/, ''))).toEqual([
      expect.stringMatching(/^a\.json \/usuarios\/1\/.* rips\/repeated-user RVG12$/),
      'b.json /usuarios/1/consecutivo rips/consecutive',
    ]);
  });
});

describe('what is no JSON that can be trusted', () => {
  const text = (): string => JSON.stringify(pack(), null, 1);
  test.each<[string, () => string | Buffer, string]>([
    [
      'a comma too many',
      () => text().replace('"incapacidad": "NO"', '"incapacidad": "NO",,'),
      ':16 json/malformed',
    ],
    ['a comma at the end', () => text().replace(/\n\}$/, ',\n}'), 'json/trailing-comma'],
    ['no number', () => text().replace('"vrServicio": 60000', '"vrServicio": NaN'), 'json/no-number'],
    ['zeros before', () => text().replace('"vrServicio": 60000', '"vrServicio": 060000'), 'json/malformed'],
    [
      'a key twice',
      () => text().replace('"incapacidad": "NO"', '"incapacidad": "NO", "incapacidad": "SI"'),
      'json/repeated-key',
    ],
    [
      'a key of the language',
      () => text().replace('"incapacidad": "NO"', '"__proto__": {}'),
      'json/key-refused',
    ],
    ['a break in a text', () => text().replace('"RS-1"', '"RS-\n1"'), 'json/control-character'],
    ['the end missing', () => text().slice(0, -30), 'json/cut'],
    [
      'too deep',
      () => text().replace('"incapacidad": "NO"', `"incapacidad": ${'['.repeat(60)}${']'.repeat(60)}`),
      'json/too-deep',
    ],
    [
      'more values than a patient has',
      () => text().replace('"incapacidad": "NO"', `"incapacidad": [${'0,'.repeat(1_000_000)}0]`),
      'json/too-many',
    ],
    [
      'a key that every line would repeat',
      () => {
        const many = `{"${'k'.repeat(100_000)}":[${'0,'.repeat(1_000)}0]}`;
        return text().replace('"incapacidad": "NO"', `"incapacidad": ${many}`);
      },
      'json/too-many',
    ],
    ['latin-1', () => Buffer.from(text().replace('"RS-1"', '"Peña"'), 'latin1'), ':5 json/not-utf8'],
    ['UTF-16', () => Buffer.from(`\ufeff${text()}`, 'utf16le'), 'json/not-utf8'],
    ['another JSON', () => '{ "nombre": "Ana" }', 'json/no-list'],
    ['patients that are no objects', () => '{ "usuarios": [1] }', 'json/no-list'],
    ['no patients', () => JSON.stringify({ ...pack(), usuarios: [] }), 'json/empty-list'],
    ['two roots', () => `${text()}\n{}`, 'json/malformed'],
    ['a wrong quote', () => text().replace('"incapacidad"', "'incapacidad'"), 'json/malformed'],
  ])('%s', async (_, content, expected) => {
    writeFileSync(inFolder('malo.json'), content());
    const { code, issues } = await found(check, [inFolder('malo.json'), write('bueno.json', pack())]);
    expect(code).toBe(1);
    expect(issues).toEqual([expect.stringContaining(expected)]);
    expect(issues[0]).toMatch(/^malo\.json:\d+ /);
  });

  test('a byte order mark, and a number that is written as a double cannot hold it', async () => {
    const inexact = text().replace('"vrServicio": 60000', '"vrServicio": 60000.00000000000000001');
    writeFileSync(inFolder('bom.json'), `\ufeff${inexact}`);
    const { issues } = await found(check, [inFolder('bom.json')]);
    expect(issues).toEqual([
      expect.stringMatching(
        /^bom\.json:\d+ \/usuarios\/0\/servicios\/consultas\/0\/vrServicio json\/number-inexact$/,
      ),
    ]);
  });
});

describe('one profile into the other', () => {
  const as = (profile: string, output = 'out'): Options => ({
    as: 'rips-json',
    output: inFolder(output),
    param: [`profile=${profile}`],
  });
  const made = (name = 'out/RS-1.json'): JsonObject => JSON.parse(readFileSync(inFolder(name), 'utf8'));

  test('there and back is the same, and both are clean', async () => {
    const two = (one: Pack): void => {
      one.usuarios.push({
        ...structuredClone(one.usuarios[0]!),
        numDocumentoIdentificacion: '9800000055',
        consecutivo: 2,
      });
    };
    const file = write('uno.json', pack(two));
    expect((await found(convert, [file], as('2275'))).code).toBe(0);
    expect(made()).toEqual(pack(two, '2275'));
    const { issues } = await found(check, [inFolder('out')]);
    expect(issues.filter((issue) => !issue.includes('rips/repeated-'))).toEqual([
      'RS-1.json:1 attention/profile-old',
    ]);
    expect((await found(convert, [inFolder('out')], as('948-v003', 'back'))).code).toBe(0);
    expect(made('back/RS-1.json')).toEqual(pack(two));
  });

  test.each<[string, '948-v003' | '2275', string, (made: Pack) => void, Found]>([
    [
      'what only the current one holds',
      '948-v003',
      '2275',
      (one) => Object.assign(items(one, 'consultas')[0]!, { codigoVIDA: 'V-1' }),
      ['/usuarios/0/servicios/consultas/0/codigoVIDA attention/profile-lacks'],
    ],
    [
      'what only the old one holds',
      '2275',
      '948-v003',
      (one) => Object.assign(items(one, 'medicamentos')[0]!, { numAutorizacion: 'A-1' }),
      ['/usuarios/0/servicios/medicamentos/0/numAutorizacion attention/profile-lacks'],
    ],
    [
      'what the current one demands',
      '2275',
      '948-v003',
      (one) => Object.assign(one.usuarios[0]!, { tipoUsuario: '10' }),
      ['/usuarios/0/registroSIRAS rips/siras RVC095'],
    ],
    [
      'what the old one demands',
      '948-v003',
      '2275',
      (one) =>
        Object.assign(items(one, 'medicamentos')[0]!, {
          tipoDocumentoIdentificacion: null,
          numDocumentoIdentificacion: null,
        }),
      [
        '/usuarios/0/servicios/medicamentos/0/tipoDocumentoIdentificacion document/type RVG01',
        '/usuarios/0/servicios/medicamentos/0/numDocumentoIdentificacion document/type RVG01',
      ],
    ],
  ])('refuses %s', async (_, from, to, change, expected) => {
    const bad = pack(change, from);
    other('RS-9')(bad);
    const { code, issues } = await found(
      convert,
      [write('a.json', bad), write('b.json', pack(undefined, from))],
      as(to),
    );
    expect(code).toBe(1);
    expect(issues.map((issue) => issue.replace(/^a\.json:\d+ /, ''))).toEqual(expected);
    expect(readdirSync(inFolder('out'))).toEqual(['RS-1.json']);
  });

  test('a package with a patient to mend is not written in part', async () => {
    const two = pack((one) =>
      one.usuarios.push({ ...structuredClone(one.usuarios[0]!), codSexo: 'X', consecutivo: 2 }),
    );
    expect((await found(convert, [write('uno.json', two)], as('948-v003'))).code).toBe(1);
    expect(readdirSync(inFolder('out'))).toEqual([]);
  });
});

describe('the sample', () => {
  test('is clean but for its old form, and every filled key is accounted for', async () => {
    const { code, issues, events } = await found(check, [
      SAMPLE.concat('/RS-2026-10.json'),
      SAMPLE.concat('/FEV1001.json'),
    ]);
    expect([code, issues]).toEqual([0, ['FEV1001.json:1 attention/profile-old']]);
    const counts = events.find(({ event }) => event === 'summary')?.['columns'] as Record<string, number>;
    expect(counts['filled']).toBeGreaterThan(50);
    expect(counts['used']).toBe(counts['filled']);
  });

  async function sent(files: readonly string[], rejects?: string) {
    const box = await startSandbox({ now: () => NOW });
    if (rejects !== undefined)
      box.controls.addOutcome({ match: {}, verdict: 'reject-200', rules: [rejects], times: 1 });
    onTestFinished(() => box.close());
    const made = fake({ url: box.url, token: box.token, workspace: inFolder('ws') });
    cpSync(SAMPLE, inFolder('sample'), { recursive: true });
    const access = { type_document_identification_id: 3, number_identification: '1020304050' };
    writeFileSync(
      inFolder('sispro.yaml'),
      JSON.stringify({ ...access, url: 'https://sispro.example', password: 'una-clave-larga' }),
      { mode: 0o600 },
    );
    const options = {
      params: inFolder('sample/params.json'),
      sispro: inFolder('sispro.yaml'),
      report: inFolder('report.xlsx'),
      results: inFolder('results'),
      yes: true,
      json: true,
    };
    const code = await send(
      made.context,
      files.map((name) => inFolder(`sample/${name}`)),
      options,
    );
    return { code, box, events: made.events() };
  }

  test('a date without an hour is one error, not also an hour that is missing', async () => {
    cpSync(SAMPLE, inFolder('sample'), { recursive: true });
    const given = JSON.parse(readFileSync(join(SAMPLE, 'RS-2026-10.json'), 'utf8')) as Pack;
    const [at, item] = given.usuarios.flatMap((user, index): [string, JsonObject][] => {
      const consultations = (user['servicios'] as JsonObject)['consultas'] as JsonObject[] | undefined;
      return consultations?.[0] ? [[`/usuarios/${index}/servicios/consultas/0`, consultations[0]]] : [];
    })[0]!;
    item['fechaInicioAtencion'] = String(item['fechaInicioAtencion']).slice(0, 10);
    const files = [write('sin-hora.json', given), join(SAMPLE, 'pacientes.csv')];
    const { issues } = await found(check, files, { params: join(SAMPLE, 'params.json') });
    expect(issues.filter((issue) => issue.includes(at)).map((issue) => issue.split(' ')[2])).toEqual([
      'document/format-local-date-time',
    ]);
  });

  test('is sent by the steps of the service, a visit for each patient', async () => {
    const { code, box, events } = await sent(['RS-2026-10.json', 'pacientes.csv']);
    const outcomes = events.filter(({ event }) => event === 'outcome').map(({ state }) => state);
    expect([code, outcomes]).toEqual([0, ['accepted', 'accepted', 'accepted']]);
    const given = JSON.parse(readFileSync(inFolder('sample/RS-2026-10.json'), 'utf8')) as Pack;
    const arrived = box.controls.packages().flatMap(({ rips }) => (rips as Pack).usuarios);
    const byPerson = new Map(arrived.map((user) => [user['numDocumentoIdentificacion'], user]));
    for (const user of given.usuarios)
      expect(byPerson.get(user['numDocumentoIdentificacion']!)).toEqual({ ...user, consecutivo: 1 });
    expect(arrived.length).toBe(given.usuarios.length);
  });

  test('what the ministry rejects is told at the pointer of the file, also later from the journal', async () => {
    const { events } = await sent(['RS-2026-10.json', 'pacientes.csv'], 'RVC061');
    const told = events.filter(({ code }) => code === 'remote/rips-rejected');
    expect(told.map(({ file, line, json }) => [file, typeof line, json])).toEqual([
      [
        'RS-2026-10.json',
        'number',
        expect.stringMatching(/^\/usuarios\/\d\/servicios\/\w+\/0\/valorPagoModerador$/),
      ],
    ]);
  });

  test.each<[string, readonly string[], string]>([
    ['without names and e-mails', ['RS-2026-10.json'], 'header/complement-missing'],
    ['of an invoice', ['FEV1001.json', 'pacientes.csv'], 'attention/invoiced'],
  ])('is not sent %s', async (_, files, expected) => {
    const { code, box, events } = await sent(files);
    expect(code).toBe(1);
    expect(events.filter(({ event }) => event === 'issue').map(({ code }) => code)).toContain(expected);
    expect(box.controls.packages().length).toBe(0);
  });
});

describe('slips of another program', () => {
  /** Seconds in a date, an empty text for null, midnight behind a birth date. */
  const slips = (made: Pack): void => {
    const [user] = made.usuarios;
    user!['fechaNacimiento'] = `${String(user!['fechaNacimiento'])}T00:00:00`;
    for (const item of items(made, 'consultas')) {
      item['fechaInicioAtencion'] = `${String(item['fechaInicioAtencion'])}:00`;
      item['numAutorizacion'] = '';
    }
  };

  test('are errors where the file is checked as it is', async () => {
    const { code } = await found(check, [write('RIPS.json', pack(slips))]);
    expect(code).toBe(1);
  });

  test('are read and said once a kind where a new file is made, which has none of them', async () => {
    const options = { as: 'rips-json', output: inFolder('nuevo') };
    const { code, events } = await found(convert, [write('RIPS.json', pack(slips))], options);
    expect(code).toBe(0);
    expect(
      events.flatMap(({ code }) => (String(code).startsWith('json/slip-') ? [code] : [])).sort(),
    ).toEqual(['json/slip-empty-text', 'json/slip-midnight', 'json/slip-seconds']);
    const [name] = readdirSync(inFolder('nuevo'));
    const again = await found(check, [join(inFolder('nuevo'), name!)]);
    expect(again).toMatchObject({ code: 0, issues: [] });
  });

  test('but what can be meant in several ways is refused at its pointer', async () => {
    const open = (made: Pack): void => {
      made.usuarios[0]!['fechaNacimiento'] = '05/10/1980';
    };
    const { code, issues } = await found(convert, [write('RIPS.json', pack(open))], {
      as: 'rips-json',
      output: inFolder('nuevo'),
    });
    expect(code).toBe(1);
    expect(issues.join('\n')).toContain('/usuarios/0/fechaNacimiento');
  });
});
