import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { openInput } from '../../src/toolkit/tables/open.js';
import { fake } from '../cli/fake-context.js';
import { check } from '../cli/use-cases.js';
import { placed, prepareFiles } from '../support/prepare-file.js';
import { gridsOf, mapColumn, page, workbook } from './grid.js';
import { type Found, findIn } from './known.js';

/** The records of each service group under the names that clinics and their programs give the columns: told without a question, and read alike. */

const paramsOf = (folder: string) =>
  JSON.parse(readFileSync(`${folder}/params.json`, 'utf8')) as Record<string, unknown>;
const recordsOf = (file: string): string[][] => parse(readFileSync(file), { relax_column_count: true });

const folder = (): string => mkdtempSync(join(tmpdir(), 'cargue-layouts-'));
const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
function write(at: string, name: string, rows: readonly (readonly string[])[]): string {
  const file = join(at, name);
  writeFileSync(file, `${rows.map((row) => row.map(quoted).join(',')).join('\r\n')}\r\n`);
  return file;
}

const bodiesOf = ({ drafts }: { readonly drafts: readonly { readonly body: unknown }[] }): unknown =>
  drafts.map(({ body }) => body);

const textOf = ({ tree }: Found): string => stringify(tree, { lineWidth: 0 });

/** What each filled column of a file was found to be. */
const meantIn = ({ labels }: Found, file: string): unknown =>
  labels
    .filter(({ sheet, content }) => sheet.source.file === file && content.filled.length > 0)
    .map(({ label, means, reason }) => [label, means ?? reason]);

describe('the national form', () => {
  const SAMPLE = 'samples/rips/grupos';
  const params = paramsOf(SAMPLE);
  const mapping = 'mappings/rips/excel-por-nodo.yaml';
  const files = readdirSync(SAMPLE).filter((file) => file.endsWith('.csv'));
  const GROUPS = files.map((file) => file.replace('.csv', ''));

  /** Letter and order of the fields as the norm numbers them; those of 948 come behind. */
  const ORDER: Readonly<Record<string, string>> = {
    usuarios:
      'U tipoDocumentoIdentificacion numDocumentoIdentificacion tipoUsuario fechaNacimiento codSexo codPaisResidencia codMunicipioResidencia codZonaTerritorialResidencia incapacidad consecutivo codPaisOrigen registroSIRAS',
    consultas:
      'C codPrestador fechaInicioAtencion numAutorizacion codConsulta modalidadGrupoServicioTecSal grupoServicios codServicio finalidadTecnologiaSalud causaMotivoAtencion codDiagnosticoPrincipal codDiagnosticoRelacionado1 codDiagnosticoRelacionado2 codDiagnosticoRelacionado3 tipoDiagnosticoPrincipal tipoDocumentoIdentificacion numDocumentoIdentificacion vrServicio conceptoRecaudo valorPagoModerador numFEVPagoModerador consecutivo',
    procedimientos:
      'P codPrestador fechaInicioAtencion idMIPRES numAutorizacion codProcedimiento viaIngresoServicioSalud modalidadGrupoServicioTecSal grupoServicios codServicio finalidadTecnologiaSalud tipoDocumentoIdentificacion numDocumentoIdentificacion codDiagnosticoPrincipal codDiagnosticoRelacionado codComplicacion vrServicio conceptoRecaudo valorPagoModerador numFEVPagoModerador consecutivo',
    urgencias:
      'R codPrestador fechaInicioAtencion causaMotivoAtencion codDiagnosticoPrincipal codDiagnosticoPrincipalE codDiagnosticoRelacionadoE1 codDiagnosticoRelacionadoE2 codDiagnosticoRelacionadoE3 condicionDestinoUsuarioEgreso codDiagnosticoCausaMuerte fechaEgreso consecutivo',
    hospitalizacion:
      'H codPrestador viaIngresoServicioSalud fechaInicioAtencion numAutorizacion causaMotivoAtencion codDiagnosticoPrincipal codDiagnosticoPrincipalE codDiagnosticoRelacionadoE1 codDiagnosticoRelacionadoE2 codDiagnosticoRelacionadoE3 codComplicacion condicionDestinoUsuarioEgreso codDiagnosticoCausaMuerte fechaEgreso consecutivo',
    recienNacidos:
      'N codPrestador tipoDocumentoIdentificacion numDocumentoIdentificacion fechaNacimiento edadGestacional numConsultasCPrenatal codSexoBiologico peso codDiagnosticoPrincipal condicionDestinoUsuarioEgreso codDiagnosticoCausaMuerte fechaEgreso consecutivo',
    medicamentos:
      'M codPrestador numAutorizacion idMIPRES fechaDispensAdmon codDiagnosticoPrincipal codDiagnosticoRelacionado tipoMedicamento codTecnologiaSalud nomTecnologiaSalud concentracionMedicamento unidadMedida formaFarmaceutica unidadMinDispensa cantidadMedicamento diasTratamiento tipoDocumentoIdentificacion numDocumentoIdentificacion vrUnitMedicamento vrServicio conceptoRecaudo valorPagoModerador numFEVPagoModerador consecutivo',
    otrosServicios:
      'S codPrestador numAutorizacion idMIPRES fechaSuministroTecnologia tipoOS codTecnologiaSalud nomTecnologiaSalud cantidadOS tipoDocumentoIdentificacion numDocumentoIdentificacion vrUnitOS vrServicio conceptoRecaudo valorPagoModerador numFEVPagoModerador consecutivo',
  };

  function codeOf(group: string, name: string): string | undefined {
    const [letter, ...names] = ORDER[group]!.split(' ');
    const at = names.indexOf(name);
    return at < 0 ? undefined : `${letter}${String(at + 1).padStart(2, '0')}`;
  }

  /** The patient's own document, in a group of services. */
  const ofUser = (name: string): string | undefined =>
    /Usuario$/.test(name) ? name.replace(/Usuario$/, 'Identificacion') : undefined;

  function coded(group: string, name: string): readonly [code: string, name: string] | undefined {
    const own = codeOf(group, name);
    if (own !== undefined) return [own, name];
    const users = ofUser(name);
    const code = users === undefined ? undefined : codeOf('usuarios', users);
    return code === undefined ? undefined : [code, users!];
  }

  const SPANISH: Readonly<Record<string, string>> = {
    tipoDocumentoUsuario: 'Tipo de documento de identificación del usuario',
    numDocumentoUsuario: 'Número de documento de identificación del usuario',
    'usuarios.tipoDocumentoIdentificacion': 'Tipo de documento de identificación',
    'usuarios.numDocumentoIdentificacion': 'Número de documento de identificación',
    'recienNacidos.tipoDocumentoIdentificacion': 'Tipo de documento de identificación del recién nacido',
    'recienNacidos.numDocumentoIdentificacion': 'Número de documento de identificación del recién nacido',
    tipoDocumentoIdentificacion: 'Tipo de documento de identificación del profesional',
    numDocumentoIdentificacion: 'Número de documento de identificación del profesional',
    codPrestador: 'Código del prestador de servicios de salud',
    fechaInicioAtencion: 'Fecha y hora de inicio de la atención',
    numAutorizacion: 'Número de autorización',
    codConsulta: 'Código de la consulta',
    codProcedimiento: 'Código del procedimiento',
    modalidadGrupoServicioTecSal: 'Modalidad de atención del grupo de servicios',
    grupoServicios: 'Grupo de servicios',
    codServicio: 'Código del servicio',
    finalidadTecnologiaSalud: 'Finalidad de la tecnología en salud',
    causaMotivoAtencion: 'Causa o motivo de la atención',
    codDiagnosticoPrincipal: 'Código del diagnóstico principal',
    codDiagnosticoRelacionado: 'Código del diagnóstico relacionado',
    codDiagnosticoRelacionado1: 'Código del diagnóstico relacionado 1',
    codDiagnosticoRelacionado2: 'Código del diagnóstico relacionado 2',
    codDiagnosticoRelacionado3: 'Código del diagnóstico relacionado 3',
    tipoDiagnosticoPrincipal: 'Tipo de diagnóstico principal',
    vrServicio: 'Valor del servicio',
    conceptoRecaudo: 'Concepto de recaudo',
    valorPagoModerador: 'Valor del pago moderador',
    numFEVPagoModerador: 'Número de la factura del pago moderador',
    consecutivo: 'Consecutivo',
    idMIPRES: 'Número de prescripción MIPRES',
    viaIngresoServicioSalud: 'Vía de ingreso al servicio de salud',
    codComplicacion: 'Código del diagnóstico de la complicación',
    codDiagnosticoPrincipalE: 'Código del diagnóstico principal de egreso',
    codDiagnosticoRelacionadoE1: 'Código del diagnóstico relacionado de egreso 1',
    codDiagnosticoRelacionadoE2: 'Código del diagnóstico relacionado de egreso 2',
    codDiagnosticoRelacionadoE3: 'Código del diagnóstico relacionado de egreso 3',
    condicionDestinoUsuarioEgreso: 'Condición y destino del usuario al egreso',
    codDiagnosticoCausaMuerte: 'Código del diagnóstico de la causa básica de muerte',
    fechaEgreso: 'Fecha y hora de egreso',
    fechaNacimiento: 'Fecha de nacimiento',
    edadGestacional: 'Edad gestacional',
    numConsultasCPrenatal: 'Número de consultas de control prenatal',
    codSexoBiologico: 'Sexo biológico',
    peso: 'Peso',
    fechaDispensAdmon: 'Fecha y hora de dispensación o administración',
    tipoMedicamento: 'Tipo de medicamento',
    codTecnologiaSalud: 'Código de la tecnología en salud',
    nomTecnologiaSalud: 'Nombre de la tecnología en salud',
    concentracionMedicamento: 'Concentración del medicamento',
    unidadMedida: 'Unidad de medida',
    formaFarmaceutica: 'Forma farmacéutica',
    unidadMinDispensa: 'Unidad mínima de dispensación',
    cantidadMedicamento: 'Cantidad del medicamento',
    diasTratamiento: 'Días de tratamiento',
    vrUnitMedicamento: 'Valor unitario del medicamento',
    vrDispensacion: 'Valor de la dispensación',
    fechaSuministroTecnologia: 'Fecha y hora de suministro de la tecnología',
    tipoOS: 'Tipo de otros servicios',
    cantidadOS: 'Cantidad de otros servicios',
    vrUnitOS: 'Valor unitario de otros servicios',
    primerNombre: 'Primer nombre',
    segundoNombre: 'Segundo nombre',
    primerApellido: 'Primer apellido',
    segundoApellido: 'Segundo apellido',
    correo: 'Correo electrónico',
    tipoUsuario: 'Tipo de usuario',
    codSexo: 'Sexo',
    codPaisResidencia: 'País de residencia',
    codMunicipioResidencia: 'Código del municipio de residencia',
    codZonaTerritorialResidencia: 'Zona territorial de residencia',
    incapacidad: 'Incapacidad',
    codPaisOrigen: 'País de origen',
    usuarioCita: 'Usuario de la cita',
    fechaCita: 'Fecha de la cita',
    horaCita: 'Hora de la cita',
  };

  type Label = (group: string, name: string) => string;
  const LAYOUTS: Readonly<Record<string, Label>> = {
    'its own names': (_, name) => name,
    'field codes before the names': (group, name) => coded(group, name)?.join('_') ?? name,
    'field codes before the names, but for the patient': (group, name) =>
      codeOf(group, name) === undefined ? name : `${codeOf(group, name)} - ${name}`,
    'field codes alone': (group, name) => coded(group, name)?.[0] ?? name,
    'names in snake case': (_, name) => name.replace(/([A-Z]+)/g, '_$1').toLowerCase(),
    'Spanish names': (group, name) => SPANISH[`${group}.${name}`] ?? SPANISH[name] ?? name,
  };

  /** The files with other labels, and what each is. */
  async function look(label: Label) {
    const at = folder();
    const made = files.map((file) => {
      const group = file.replace('.csv', '');
      const [names = [], ...records] = recordsOf(`${SAMPLE}/${file}`);
      return write(at, file, [names.map((name) => label(group, name)), ...records]);
    });
    return { made, found: await findIn(made, 'rips') };
  }
  const looked = new Map<string, ReturnType<typeof look>>();
  const inLayout = (name: string): ReturnType<typeof look> => {
    const known = looked.get(name) ?? look(LAYOUTS[name]!);
    looked.set(name, known);
    return known;
  };

  test.each(Object.keys(LAYOUTS).flatMap((layout) => GROUPS.map((group) => ({ layout, group }))))(
    '$layout: $group',
    async ({ layout, group }) => {
      const { found } = await inLayout(layout);
      expect([found.fit?.name, found.open.map(({ id }) => id)]).toEqual(['rips/excel-por-nodo', []]);
      const { found: own } = await inLayout('its own names');
      const names = new Map(
        own.labels.map(({ label, sheet }) => [
          `${sheet.name} ${LAYOUTS[layout]!(sheet.name.replace('.csv', ''), label!)}`,
          label,
        ]),
      );
      const file = `${group}.csv`;
      const meant = meantIn(found, file) as [string, string][];
      expect(meant.map(([label, means]) => [names.get(`${file} ${label}`), means])).toEqual(
        meantIn(own, file),
      );
      const isUsers = group === 'usuarios';
      for (const [label, means] of meantIn(own, file) as [string, string][])
        if (label !== 'consecutivo')
          expect(means).toBe(isUsers ? label.replace(/DocumentoIdentificacion$/, 'DocumentoUsuario') : label);
    },
  );

  const wholeMade = prepareFiles({ files: files.map((file) => `${SAMPLE}/${file}`), mapping, params });
  test.each(Object.keys(LAYOUTS))('%s make the same documents', async (layout) => {
    const whole = await wholeMade;
    const { made, found } = await inLayout(layout);
    const prepared = await prepareFiles({ files: made, mappingText: textOf(found), params });
    expect(bodiesOf(prepared)).toEqual(bodiesOf(whole));
    expect(whole.drafts.length).toBe(26);
  });
});

describe('files of a kind that has a mapping of its own are taken without a question', () => {
  const codesIn = async (files: readonly string[], options: object): Promise<unknown> => {
    const { context, events, shown } = fake();
    await check(context, files, { ...options, json: true });
    return [
      shown.said()[0],
      events().flatMap(({ code, place, cell }) => (code ? [[code, place, cell]] : [])),
    ];
  };

  test.each([
    ['rips/agenda', 'samples/rips/consultorio', 'agenda_septiembre.txt', 42],
    ['rips/libro-por-nodo', 'samples/rips/nodos', 'RIPS_octubre.xlsx', 18],
  ])('%s', async (layout, at, name, count) => {
    const files = [join(at, name)];
    const [said, found] = (await codesIn(files, { params: `${at}/params.json` })) as [string, unknown];
    expect(said).toContain(layout);
    const [, right] = (await codesIn(files, {
      params: `${at}/params.json`,
      mapping: `${at}/mapeo.yaml`,
    })) as [string, unknown];
    expect(found).toEqual(right);
    const made = (mapping: string) => prepareFiles({ files, mapping, params: paramsOf(at) });
    const own = await made(`mappings/${layout}.yaml`);
    expect(bodiesOf(own)).toEqual(bodiesOf(await made(`${at}/mapeo.yaml`)));
    expect(own.drafts.length).toBe(count);
  });

  test('a list with less than the diary is none', async () => {
    const file = write(folder(), 'pacientes.csv', [
      [
        'fecha_atencion',
        'fecha_nacimiento',
        'nombre',
        'sexo',
        'tipo_documento',
        'identificacion',
        'diagnostico',
      ],
      ['31/10/2026', '26/09/1946', 'Daniela Moreno Cifuentes', 'Femenino', 'CC', '9800005169', 'E66.9'],
      ['30/10/2026', '13/09/1986', 'Luis Pérez Gil', 'Masculino', 'CC', '9800005170', 'I10'],
    ]);
    expect((await findIn([file], 'rips')).fit?.name).toBe('rips/consultas');
  });

  test('a number that two patients of a book have is refused, whoever of them is meant', async () => {
    const at = 'samples/rips/nodos';
    const sheets = await gridsOf(`${at}/RIPS_octubre.xlsx`);
    const doubled = sheets.map((grid) =>
      grid.name === 'usuarios'
        ? mapColumn(grid, 'id_usuario', (value, row) => (row === 1 ? 1 : value))
        : grid,
    );
    const files = [await workbook(doubled.map((grid) => page(grid)))];
    const mapping = 'mappings/rips/libro-por-nodo.yaml';
    const { drafts, issues, documents, records } = await prepareFiles({
      files,
      mapping,
      params: paramsOf(at),
    });
    const told = issues.filter(({ code }) => code === 'batch/repeated');
    expect(told.map(({ level, place, related }) => [level, place.row, related?.[0]?.row])).toEqual([
      ['error', 2, 3],
      ['error', 3, 2],
    ]);
    expect(drafts.filter(({ key }) => told.some(({ documentKey }) => documentKey === key))).toEqual([]);
    expect(documents.planned).toBe(documents.made + documents.heldBack);
    expect(records.read).toBe(records.used + records.skipped + records.heldBack);
  });
});

describe('positions', () => {
  const SAMPLE = 'samples/rips/grupos';
  const params = paramsOf(SAMPLE);
  const files = readdirSync(SAMPLE).filter((file) => file.endsWith('.csv'));
  const wholeMade = prepareFiles({
    files: files.map((file) => `${SAMPLE}/${file}`),
    mapping: 'mappings/rips/excel-por-nodo.yaml',
    params,
  });
  /** Fields of the profile 2275 behind the patient's document; medicines have lost one of theirs since. */
  const OLDER: Readonly<Record<string, number>> = {
    consultas: 23,
    procedimientos: 22,
    urgencias: 14,
    hospitalizacion: 17,
    recienNacidos: 15,
    otrosServicios: 18,
  };
  const isUsers = (file: string): boolean => file.startsWith('usuarios');
  type Change = (file: string, rows: readonly string[][]) => readonly (readonly string[])[];

  test.each<[what: string, layout: string, change: Change]>([
    ['patients and services without labels', 'rips/sin-titulos', (_, rows) => rows.slice(1)],
    [
      'services without labels',
      'rips/servicios-sin-titulos',
      (file, rows) => (isUsers(file) ? rows : rows.slice(1)),
    ],
    [
      'services without labels and without the fields of 948',
      'rips/servicios-sin-titulos',
      (file, rows) =>
        isUsers(file) ? rows : rows.slice(1).map((row) => row.slice(0, OLDER[file.replace('.csv', '')])),
    ],
    ['labels in the order of the norm are labels', 'rips/excel-por-nodo', (_, rows) => rows],
  ])('%s', async (_, layout, change) => {
    const at = folder();
    const made = files.map((file) => write(at, file, change(file, recordsOf(`${SAMPLE}/${file}`))));
    const found = await findIn(made, 'rips');
    expect([found.fit?.name, found.open.map(({ id }) => id)]).toEqual([layout, []]);
    const prepared = await prepareFiles({ files: made, mappingText: textOf(found), params });
    expect(bodiesOf(prepared)).toEqual(bodiesOf(await wholeMade));
  });

  test('in another order they are not taken for those of the norm', async () => {
    const at = folder();
    const made = files.map((file) => {
      const [labels = [], ...rows] = recordsOf(`${SAMPLE}/${file}`);
      return write(at, file, isUsers(file) ? [labels, ...rows] : rows.map((row) => row.toReversed()));
    });
    const found = await findIn(made, 'rips');
    const prepared = await prepareFiles({
      files: made,
      mapping: 'mappings/rips/servicios-sin-titulos.yaml',
      params,
    });
    expect(prepared.drafts).toEqual([]);
    expect(found.fit?.tables.filter(({ header }) => header.row.number === 0) ?? []).toEqual([]);
  });
});

describe('the names of Resolución 3374', () => {
  const SIDE = 'samples/rips/3374/complemento.csv';
  const params = paramsOf('samples/rips/3374');
  const LAYOUT = new Map<string, string[]>();
  for (const [file = '', at, name = ''] of recordsOf('schemas/catalogues/rips3374/layouts.csv').slice(1)) {
    const names = LAYOUT.get(file) ?? [];
    names[Number(at) - 1] = name;
    LAYOUT.set(file, names);
  }
  const STAYS = {
    US: [
      'CC,9900000101,EPS001,1,ROJAS,PEÑA,ANA,MARIA,31,1,F,11,001,U',
      'CC,9900000102,EPS001,1,GIL,MORA,LUIS,,54,1,M,05,001,U',
    ],
    AU: ['FU1,110010990101,CC,9900000102,03/10/2026,07:15,,13,K359,,,,1,1,,03/10/2026,11:40'],
    AH: ['FH1,110010990101,CC,9900000101,2,05/10/2026,22:10,A1,13,O800,O800,,,,,1,,07/10/2026,10:00'],
    AN: ['FH1,110010990101,CC,9900000101,06/10/2026,03:05,39,1,F,3100,Z380,,,'],
  };
  const SUPPLEMENT = [
    'FACTURA,FECHA_NACIMIENTO,CORREO,HORA,DOC_PROFESIONAL,DX_INGRESO,TIPO_DOC_RN,DOC_RN,CONSULTAS_PRENATAL,DESTINO_RN,FECHA_EGRESO_RN,HORA_EGRESO_RN',
    'FU1,02/04/1972,luis@correo.example,,9900000011,R103,,,,,,',
    'FH1,13/05/1995,ana@correo.example,,9900000011,,CN,15001234,8,01,07/10/2026,10:00',
  ];

  interface Kind {
    readonly letters: string;
    readonly rows: readonly (readonly string[])[];
  }
  const split = (lines: readonly string[]): string[][] => lines.map((line) => line.split(','));
  const stays: readonly Kind[] = Object.entries(STAYS).map(([letters, lines]) => ({
    letters,
    rows: split(lines),
  }));
  async function visits(): Promise<readonly Kind[]> {
    const input = await openInput('samples/rips/3374/RIPS000123.zip');
    const kinds: Kind[] = [];
    for (const source of input.tables) {
      const letters = basename(source.file).slice(0, 2);
      const rows: string[][] = [];
      // One record of the sample has a field too many.
      for await (const batch of source.batches())
        for (const { texts } of batch)
          if (texts.length === LAYOUT.get(letters)!.length)
            rows.push(Array.from(texts, (text) => text ?? ''));
      if (letters !== 'CT' && letters !== 'AF') kinds.push({ letters, rows });
    }
    await input.close();
    return kinds;
  }
  const inEach = async (): Promise<readonly (readonly [readonly Kind[], string])[]> => {
    const supplement = write(folder(), 'complemento.csv', split(SUPPLEMENT));
    return [
      [await visits(), SIDE],
      [stays, supplement],
    ];
  };

  const GROUPS: Readonly<Record<string, string>> = {
    US: 'usuarios',
    AC: 'consultas',
    AP: 'procedimientos',
    AM: 'medicamentos',
    AT: 'otros servicios',
    AU: 'urgencias',
    AH: 'hospitalizacion',
    AN: 'recien nacidos',
  };
  const labelled = ({ letters, rows }: Kind, order = (row: readonly string[]) => row): string[][] =>
    [LAYOUT.get(letters)!, ...rows].map((row) => [...order(row)]);

  test.each<[how: string, make: (kinds: readonly Kind[]) => string[] | Promise<string[]>]>([
    [
      'above the records of files named as flat files',
      (kinds) => {
        const at = folder();
        return kinds.map((kind) => write(at, `${kind.letters}000123.TXT`, labelled(kind)));
      },
    ],
    [
      'in another order, in files named by their groups',
      (kinds) => {
        const at = folder();
        return kinds.map((kind) =>
          write(
            at,
            `${GROUPS[kind.letters]}.csv`,
            labelled(kind, (row) => [...row].reverse()),
          ),
        );
      },
    ],
    [
      'in sheets of one workbook',
      async (kinds) => [await workbook(kinds.map((kind) => ({ name: kind.letters, rows: labelled(kind) })))],
    ],
  ])('%s: nothing is asked, and the documents are those of the flat files', async (_, make) => {
    for (const [kinds, side] of await inEach()) {
      const at = folder();
      const flat = [...kinds.map(({ letters, rows }) => write(at, `${letters}000001.TXT`, rows)), side];
      const whole = await prepareFiles({ files: flat, mapping: 'mappings/rips/3374-zip.yaml', params });
      const files = [...(await make(kinds)), side];
      const found = await findIn(files, 'rips');
      expect([found.fit?.name, found.open.map(({ id }) => id)]).toEqual(['rips/3374-titulos', []]);
      const prepared = await prepareFiles({ files, mappingText: textOf(found), params });
      expect(bodiesOf(prepared)).toEqual(bodiesOf(whole));
      expect(whole.drafts.length).toBe(kinds === stays ? 2 : 28);
      const codes = ({ issues }: typeof whole) => placed(issues).map(([, code]) => code);
      expect(codes(prepared)).toEqual(codes(whole));
    }
  });
});
