import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { placed, prepareFiles } from '../support/prepare-file.js';
import { zipOf } from '../support/zip-writer.js';

/** Consultations and procedures of Resolución 3374: whose rows of the supplement are, and on which days. */

const MAPPING = 'mappings/rips/3374-zip.yaml';
const PARAMS = {
  numDocumentoIdObligado: '900555321',
  cod_prestador: '110010990101',
  conversions: {
    tipo_usuario: { '1': '01' },
    AC_finalidad: { '10': '15' },
    causa_externa: { '13': '38', '15': '38' },
    AP_ambito: { '1': '01' },
  },
  users: [
    {
      user_id: 11,
      tipoDocumentoIdentificacion: 'CC',
      numDocumentoIdentificacion: '9900000011',
      codPrestador: '110010990101',
    },
  ],
};

const PATIENTS = [1, 2, 3, 4, 5];
const documentOf = (patient: number): string => `980000010${patient}`;
const US = PATIENTS.map((one) => `CC,${documentOf(one)},EPS001,1,ROJAS,PEREZ,ANA,MARIA,31,1,F,11,001,U`);
const AC = (patient: number, invoice = 'F1', date = '05/10/2026'): string =>
  `${invoice},1100109901,CC,${documentOf(patient)},${date},,890201,10,13,M545,,,,1,38000.00,0.00,38000.00`;
const AP = (patient: number, date: string, invoice = 'F1'): string =>
  `${invoice},1100109901,CC,${documentOf(patient)},${date},,903841,1,2,1,M545,,,,64000.00`;
const HEADER =
  'FACTURA;TIPO_DOC;DOCUMENTO;FECHA_NACIMIENTO;CORREO;HORA;DOC_PROFESIONAL;TIPO_DOC_PROFESIONAL;MODALIDAD;GRUPO;COD_SERVICIO;GRUPO_PROC;COD_SERVICIO_PROC';
const line = (
  patient: number,
  { invoice = 'F1', type = 'CC', document = documentOf(patient) } = {},
): string =>
  `${invoice};${type};${document};2${patient}/04/1972;p${patient}@correo.example;08:30;9900000011;CC;01;01;334;02;706`;

interface Files {
  readonly ac: readonly string[];
  readonly ap?: readonly string[];
  readonly side: readonly string[];
  readonly params?: Record<string, unknown>;
}

function prepared({ ac, ap = [], side, params }: Files) {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-3374-'));
  const zip = join(folder, 'RIPS000009.zip');
  const supplement = join(folder, 'complemento.csv');
  const flat = (name: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [{ name: `${name}000009.TXT`, data: Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1') }];
  writeFileSync(zip, zipOf([...flat('US', US), ...flat('AC', ac), ...flat('AP', ap)]));
  writeFileSync(supplement, side.join('\n'));
  return prepareFiles({ files: [zip, supplement], mapping: MAPPING, params: { ...PARAMS, ...params } });
}

/** Without what tables that are not loaded leave unchecked. */
const saidOf = ({ issues }: Prepared) => issues.filter(({ code }) => code !== 'catalogue/not-loaded');

type Prepared = Awaited<ReturnType<typeof prepared>>;

const peopleOf = ({ drafts }: Prepared) =>
  drafts.map(({ body: document }) => {
    const { document_number, birth_date } = (document as Record<string, Record<string, unknown>>)['patient']!;
    return [document_number, birth_date];
  });
const person = (patient: number) => [documentOf(patient), `1972-04-2${patient}`];
const at = (row: number, code: string) => [`RIPS000009.zip/AC000009.TXT!A${row}`, code];

describe('a row of the supplement is of the patient that it names', () => {
  test('several patients of an invoice have a row each, in any order', async () => {
    const found = await prepared({
      ac: PATIENTS.map((one) => AC(one)),
      side: [HEADER, ...PATIENTS.toReversed().map((one) => line(one))],
    });
    expect(placed(saidOf(found))).toEqual([]);
    expect(peopleOf(found)).toEqual(PATIENTS.map(person));
  });

  const withoutDocument = (rows: readonly string[]): readonly string[] =>
    [HEADER, ...rows].map((row) =>
      row
        .split(';')
        .filter((_, index) => index !== 1 && index !== 2)
        .join(';'),
    );

  test.each<[what: string, files: Files, issues: unknown, people: unknown]>([
    [
      'two rows that changed places',
      {
        ac: [AC(1, 'F1'), AC(2, 'F2')],
        side: [HEADER, line(1, { invoice: 'F2' }), line(2, { invoice: 'F1' })],
      },
      [at(1, 'join/of-another'), at(2, 'join/of-another')],
      [],
    ],
    [
      'one row for an invoice of five',
      { ac: PATIENTS.map((one) => AC(one)), side: [HEADER, line(3)] },
      [1, 2, 4, 5].map((row) => at(row, 'join/of-another')),
      [person(3)],
    ],
    [
      'one row that names nobody for an invoice of two',
      { ac: [AC(1), AC(2)], side: [HEADER, line(1, { type: '', document: '' })] },
      [at(1, 'join/shared'), at(2, 'join/shared')],
      [],
    ],
    [
      'another type of document',
      { ac: [AC(1)], side: [HEADER, line(1, { type: 'TI' })] },
      [at(1, 'join/of-another')],
      [],
    ],
    [
      'the type in words',
      { ac: [AC(1)], side: [HEADER, line(1, { type: 'Cédula de ciudadanía' })] },
      [],
      [person(1)],
    ],
    [
      'a supplement without documents, where each invoice has one patient',
      { ac: [AC(1, 'F1'), AC(2, 'F2')], side: withoutDocument([line(2, { invoice: 'F2' }), line(1)]) },
      [],
      [person(1), person(2)],
    ],
    [
      'a supplement without documents, where one invoice has two',
      { ac: [AC(1), AC(2), AC(3, 'F3')], side: withoutDocument([line(1), line(3, { invoice: 'F3' })]) },
      [at(1, 'join/shared'), at(2, 'join/shared')],
      [person(3)],
    ],
    [
      'a row of its own beside one that names nobody',
      { ac: [AC(1), AC(2)], side: [HEADER, line(1), line(2, { type: '', document: '' })] },
      [at(2, 'join/shared')],
      [person(1)],
    ],
    [
      'no row at all',
      { ac: [AC(1), AC(2, 'F2')], side: [HEADER, line(1)] },
      [at(2, 'join/missing')],
      [person(1)],
    ],
    [
      'two rows of one patient that say the same',
      { ac: [AC(1)], side: [HEADER, line(1), line(1)] },
      [],
      [person(1)],
    ],
    [
      'two rows of one patient that differ',
      { ac: [AC(1)], side: [HEADER, line(1), line(1).replace('08:30', '09:30')] },
      [['complemento.csv!A3', 'row/key-repeated']],
      [],
    ],
  ])('%s', async (_, files, issues, people) => {
    const found = await prepared(files);
    expect(placed(saidOf(found))).toEqual(issues);
    expect(peopleOf(found)).toEqual(people);
    expect(found.records.used + found.records.skipped + found.records.heldBack).toBe(found.records.read);
  });

  test('the issue names the invoice, the patient without a row, and whose row it is', async () => {
    const found = await prepared({ ac: [AC(1), AC(2)], side: [HEADER, line(2)] });
    expect(saidOf(found).filter(({ level }) => level === 'error')).toMatchObject([
      {
        value: 'F1',
        params: { asked: `${documentOf(1)} CC`, found: `${documentOf(2)} CC` },
        related: [{ file: 'complemento.csv', row: 2, column: 'C' }],
      },
    ]);
  });
});

describe('days', () => {
  const datesOf = ({ drafts }: Prepared) =>
    drafts.map(({ body: document }) => {
      const { appointment, document: body } = document as Record<string, Record<string, unknown>>;
      const services = body!['services'] as { fechaInicioAtencion: string }[];
      return [appointment!['date'], ...services.map((one) => one.fechaInicioAtencion.slice(0, 10))];
    });
  const apOf = (row: number, code: string) => [`RIPS000009.zip/AP000009.TXT!E${row}`, code];
  const acOf = (row: number, code: string) => [`RIPS000009.zip/AC000009.TXT!E${row}`, code];

  test.each<[what: string, files: Omit<Files, 'side'>, issues: unknown, dates: unknown]>([
    [
      'a procedure of the day of its consultation',
      { ac: [AC(1)], ap: [AP(1, '05/10/2026')], params: { month: '2026-10' } },
      [],
      [['2026-10-05', '2026-10-05', '2026-10-05']],
    ],
    [
      'a procedure of another day keeps its own',
      { ac: [AC(1)], ap: [AP(1, '05/10/2026'), AP(1, '09/10/2026')] },
      [apOf(2, 'attention/apart')],
      [['2026-10-05', '2026-10-05', '2026-10-05', '2026-10-09']],
    ],
    [
      'two consultations of one invoice',
      { ac: [AC(1), AC(1, 'F1', '20/10/2026')] },
      [acOf(2, 'attention/apart')],
      [['2026-10-05', '2026-10-05', '2026-10-20']],
    ],
    [
      'a day on which appointments are booked says nothing of the care',
      { ac: [AC(1)], params: { booking_date: '2026-11-25' } },
      [],
      [['2026-11-25', '2026-10-05']],
    ],
    [
      'a month that the services are not of',
      { ac: [AC(1)], ap: [AP(1, '05/10/2026')], params: { month: '2026-09' } },
      [acOf(1, 'rips/outside-month'), apOf(1, 'rips/outside-month')],
      [],
    ],
    [
      'one service outside the month',
      { ac: [AC(1)], ap: [AP(1, '05/11/2026')], params: { month: '2026-10' } },
      [apOf(1, 'attention/apart'), apOf(1, 'rips/outside-month')],
      [],
    ],
  ])('%s', async (_, files, issues, dates) => {
    const found = await prepared({ ...files, side: [HEADER, line(1)] });
    expect(placed(saidOf(found))).toEqual(issues);
    expect(datesOf(found)).toEqual(dates);
  });
});
