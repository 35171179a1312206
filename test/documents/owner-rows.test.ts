import { describe, expect, test } from 'vitest';
import { numberAndWords, withOwners } from '../../src/toolkit/documents/owner-rows.js';
import type { OwnerField } from '../../src/toolkit/schema/document.js';
import { createRowStore } from '../../src/toolkit/tables/row-store.js';
import { cellPlace, type Row, type RowSource } from '../../src/toolkit/tables/table.js';

const rowsOf = (lines: readonly string[]): readonly Row[] =>
  lines.flatMap((line, at): Row[] => {
    const texts = line.split(';').map((text) => text || undefined);
    return line === '' ? [] : [{ number: at + 1, hidden: false, texts, kinds: undefined }];
  });

const sourceOf = (lines: readonly string[]): RowSource => ({
  file: 'nomina.csv',
  async *batches() {
    yield rowsOf(lines);
  },
});

async function read(lines: readonly string[], fields: readonly OwnerField[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const batch of withOwners(sourceOf(lines), fields, rowsOf(lines)).batches()) rows.push(...batch);
  return rows;
}

/** Shows each row as its number with the owner that it has, `–` for none, `*` for a row of an owner, `?` for one not wholly read. */
const ownersIn = (rows: readonly Row[], width: number): readonly string[] =>
  rows.map(({ number, owner, texts }) =>
    owner
      ? `${number} ${owner === 'read' ? '*' : '?'}`
      : `${number} ${texts.slice(width).join(' ').trim() || '–'}`,
  );

const NUMBERED: readonly OwnerField[] = [{ columns: ['Documento', 'Nombre'] }];
const SLIP: readonly OwnerField[] = [
  { label: 'Periodo:', columns: ['Periodo'] },
  { label: 'Empleado:', columns: ['Empleado'], begins: true },
  { label: 'Cédula:', columns: ['Cédula'] },
];
const TITLES = 'Código;Concepto;Devengado;Deducido';
const [PAY, HEALTH] = ['001;SUELDO;2000000;', '101;SALUD;;80000'];

describe('records have the data of the rows above them', () => {
  test.each<[string, readonly OwnerField[], readonly string[], readonly string[]]>([
    [
      'below titles at the top',
      NUMBERED,
      [TITLES, '1032456701 - ANA RUIZ;;;', PAY, HEALTH, '52345670;LUIS PAZ;;', PAY],
      [
        '1 Documento Nombre',
        '2 *',
        '3 1032456701 ANA RUIZ',
        '4 1032456701 ANA RUIZ',
        '5 *',
        '6 52345670 LUIS PAZ',
      ],
    ],
    [
      'payslips with the titles in each',
      SLIP,
      [
        'ANDES SAS;;;',
        'Periodo: octubre;;;',
        'Empleado:;ANA RUIZ;Cédula:;1032456701',
        TITLES,
        PAY,
        ';TOTAL;2000000;',
        'ANDES SAS;;;',
        'Periodo: octubre;;;',
        'Empleado:;LUIS PAZ;Cédula:;52345670',
        TITLES,
        PAY,
      ],
      [
        '1 –',
        '2 *',
        '3 *',
        '4 Periodo Empleado Cédula',
        '5 octubre ANA RUIZ 1032456701',
        '6 –',
        '7 *',
        '8 *',
        '9 *',
        '10 Periodo Empleado Cédula',
        '11 octubre LUIS PAZ 52345670',
      ],
    ],
    [
      'a page that begins within an owner',
      NUMBERED,
      [
        'ANDES SAS;;;',
        'NOMINA 2026;;;',
        TITLES,
        '1032456701 - ANA RUIZ;;;',
        PAY,
        'ANDES SAS;;;',
        'NOMINA 2026;;;',
        TITLES,
        HEALTH,
      ],
      [
        '1 –',
        '2 –',
        '3 Documento Nombre',
        '4 *',
        '5 1032456701 ANA RUIZ',
        '6 *',
        '7 *',
        '8 Documento Nombre',
        '9 1032456701 ANA RUIZ',
      ],
    ],
    [
      'a name without its number ends the block before',
      NUMBERED,
      [TITLES, '1032456701 - ANA RUIZ;;;', PAY, 'LUIS PAZ;;;', PAY, '52345670 - EVA SOL;;;', PAY],
      ['1 Documento Nombre', '2 *', '3 1032456701 ANA RUIZ', '4 –', '5 –', '6 *', '7 52345670 EVA SOL'],
    ],
    [
      'titles without an owner end it too, where each owner has titles',
      SLIP,
      ['Periodo: octubre;;;', 'Empleado:;ANA RUIZ;Cédula:;1032456701', TITLES, PAY, TITLES, PAY],
      [
        '1 *',
        '2 *',
        '3 Periodo Empleado Cédula',
        '4 octubre ANA RUIZ 1032456701',
        '5 Periodo Empleado Cédula',
        '6 –',
      ],
    ],
    [
      'data of another owner whose first row is lost',
      SLIP,
      ['Empleado:;ANA RUIZ;Cédula:;1032456701', TITLES, PAY, 'Cédula: 52345670;;;', PAY],
      ['1 *', '2 Periodo Empleado Cédula', '3 ANA RUIZ 1032456701', '4 –', '5 –'],
    ],
    [
      'words of parts and totals are of nobody',
      NUMBERED,
      [
        TITLES,
        '1032456701 - ANA RUIZ;;;',
        'DEVENGADOS;;;',
        PAY,
        ';TOTAL DEVENGADO;2000000;',
        'DEDUCCIONES;;;',
        HEALTH,
        'Firma;;;',
      ],
      [
        '1 Documento Nombre',
        '2 *',
        '3 –',
        '4 1032456701 ANA RUIZ',
        '5 –',
        '6 –',
        '7 1032456701 ANA RUIZ',
        '8 –',
      ],
    ],
    [
      'a concept with a negative amount, and one without amount, are no owners',
      NUMBERED,
      [
        TITLES,
        '1032456701 - ANA RUIZ;;;',
        '10001;SUELDO;2000000;',
        '10002;CASINO;;',
        ';SALUD EMPLEADO;-80000;',
      ],
      [
        '1 Documento Nombre',
        '2 *',
        '3 1032456701 ANA RUIZ',
        '4 1032456701 ANA RUIZ',
        '5 1032456701 ANA RUIZ',
      ],
    ],
    [
      'an owner without records leaves nothing to the next one',
      [...SLIP, { label: 'Sueldo:', columns: ['Sueldo'] }],
      [
        'Periodo: octubre;;;',
        'Empleado: ANA RUIZ;Cédula: 1032456701;;',
        'Sueldo: 2000000;;;',
        'Periodo: noviembre;;;',
        'Empleado: LUIS PAZ;Cédula: 52345670;;',
        TITLES,
        PAY,
      ],
      [
        '1 *',
        '2 *',
        '3 *',
        '4 *',
        '5 *',
        '6 Periodo Empleado Cédula Sueldo',
        '7 noviembre LUIS PAZ 52345670',
      ],
    ],
    [
      'data that one owner alone has are left to be reported',
      SLIP,
      [
        'Empleado: ANA RUIZ;Cédula: 1032456701;;',
        TITLES,
        PAY,
        'Empleado: LUIS PAZ;Cédula: 52345670;;',
        'Retiro: 15/11/2026;;;',
        TITLES,
        PAY,
      ],
      [
        '1 *',
        '2 Periodo Empleado Cédula',
        '3 ANA RUIZ 1032456701',
        '4 *',
        '5 ?',
        '6 Periodo Empleado Cédula',
        '7 LUIS PAZ 52345670',
      ],
    ],
    [
      'data beside those that are read',
      SLIP,
      ['Empleado: ANA RUIZ;Cédula: 1032456701;Retiro: 15/11/2026;', TITLES, PAY],
      ['1 ?', '2 Periodo Empleado Cédula', '3 ANA RUIZ 1032456701'],
    ],
    [
      'a concept that is called like a value of the owner',
      [...SLIP, { label: 'Sueldo:', columns: ['Sueldo'] }],
      ['Empleado: ANA RUIZ;Cédula: 1032456701;;', 'Sueldo: 2000000;;;', TITLES, 'Sueldo:;2000000;;', PAY],
      [
        '1 *',
        '2 *',
        '3 Periodo Empleado Cédula Sueldo',
        '4 ANA RUIZ 1032456701 2000000',
        '5 ANA RUIZ 1032456701 2000000',
      ],
    ],
  ])('%s', async (_, fields, lines, expected) => {
    expect(ownersIn(await read(lines, fields), 4)).toEqual(expected);
  });

  test('a row that is wider than the titles is not read', async () => {
    const lines = [TITLES, '1032456701 - ANA RUIZ;;;', ...Array.from({ length: 40 }, () => PAY), `${PAY};;9`];
    const last = (await read(lines, NUMBERED)).at(-1);
    expect(last?.fault?.code).toBe('row/beyond-titles');
  });

  test('its cells are named where they stand, also after the row was stored', async () => {
    const lines = [TITLES, '1032456701 - ANA RUIZ;;;', PAY];
    const row = (await read(lines, NUMBERED)).at(-1)!;
    const store = createRowStore();
    store.add('1', { table: 0, row });
    const [stored] = store.take('1');
    store.close();
    for (const one of [row, stored!.row])
      expect(cellPlace(sourceOf(lines), one, 5, 'Nombre')).toEqual({
        file: 'nomina.csv',
        row: 2,
        column: 'A',
        label: 'Nombre',
      });
  });

  test('a source without such rows stays as it is', () => {
    const lines = ['Cédula;Concepto;Valor', '1;SUELDO;2'];
    const source = sourceOf(lines);
    expect(withOwners(source, NUMBERED, rowsOf(lines))).toBe(source);
  });
});

test.each([
  ['1032456701 - ANA RUIZ', ['1032456701', 'ANA RUIZ']],
  ['1.032.456.701 ANA RUIZ', ['1.032.456.701', 'ANA RUIZ']],
  ['RUIZ GOMEZ ANA - 1032456701', ['1032456701', 'RUIZ GOMEZ ANA']],
  ['RUIZ GOMEZ ANA (1032456701)', ['1032456701', 'RUIZ GOMEZ ANA']],
  ['RUIZ GOMEZ ANA CC 1032456701', undefined],
  ['RUIZ GOMEZ ANA CEDULA 1032456701', undefined],
  ['SALUD -80000', ['80000', 'SALUD']],
  ['CC 1.032.456.701 - ANA RUIZ', ['CC 1.032.456.701', 'ANA RUIZ']],
  ['C.C. 1032456701 ANA RUIZ', ['C.C. 1032456701', 'ANA RUIZ']],
  ['PRIMA 2026 JUNIO', undefined],
  ['02/03/2026', undefined],
])('the number and the words of %s', (value, expected) => {
  expect(numberAndWords(value)).toEqual(expected);
});
