import type { Grid, Value } from './grid.js';

/** Lists of services in headers that no program of ours knows, with the same five patients. */

export const PEOPLE = [
  ['CC', '9800610001', 'Rincón Peña Ana Lucía', '14/02/1961', 'F', 'COTIZANTE', 'MEDELLÍN', 'U'],
  ['CC', '9800610002', 'Mosquera Díaz Juan Pablo', '03/11/1998', 'M', 'PARTICULAR', 'CALI', 'U'],
  ['TI', '9910061003', 'Vargas Ríos Sara Inés', '30/06/2012', 'F', 'SUBSIDIADO', 'PEREIRA', 'R'],
  ['CC', '9800610004', 'Ávila Gómez Luis Alberto', '25/08/1947', 'M', 'BENEFICIARIO', 'MANIZALES', 'U'],
  ['CC', '9800610005', 'Pabón Ruiz Carmen Rosa', '09/01/1975', 'F', 'COTIZANTE', 'BUCARAMANGA', 'R'],
] as const;

/** A list with the five patients in its first columns. */
const listOf = (
  labels: readonly string[],
  more: readonly string[],
  of: (at: number) => readonly Value[],
): Grid => ({
  name: 'OCTUBRE',
  labels: [...labels, 'CORREO', ...more],
  rows: PEOPLE.map((person, at) => [...person, `p${at}@correo.example`, ...of(at)]),
});

export const consultations = listOf(
  ['T. Doc', 'Nro Id', 'Usuario', 'F. Nacim.', 'Sx', 'Aseguramiento', 'Mpio', 'Z'],
  ['F. Atención', 'Hora', 'Cod. CUPS', 'DIAG1', 'DIAG2', 'Clase Diag', 'Vlr. Consulta', 'CC Médico'],
  (at) => [`1${at}/10/2026`, '08:30', '890201', 'E119', at % 2 ? 'I10X' : null, '01', 45_000, '9900000011'],
);
export const stays = listOf(
  ['T ID', 'N IDENTIFICACION', 'PACIENTE', 'FECHA NTO', 'SEXO', 'AFILIACION', 'CIUDAD', 'ZONA'],
  ['INGRESO', 'FEC ING', 'HORA ING', 'FEC EGR', 'HORA EGR', 'VIA ING', 'DX ING', 'DX EGR', 'ESTADO SALIDA'],
  (at) => [
    5_500 + at,
    `0${at + 1}/10/2026`,
    '10:15',
    `0${at + 3}/10/2026`,
    '09:00',
    at % 2 ? 'URGENCIAS' : 'REMITIDO',
    'J189',
    'J189',
    at === 1 ? 'REMITIDO' : 'VIVO',
  ],
);
export const dispensed = listOf(
  ['TIPO ID', 'CEDULA', 'NOMBRE COMPLETO', 'F NAC', 'SEX', 'REGIMEN', 'CIUDAD', 'AREA'],
  [
    'FORMULA',
    'FECHA ENTREGA',
    'CIE10',
    'COD. CUM',
    'MEDICAMENTO',
    'CANT',
    'DIAS TTO',
    'VR UNIT',
    'VR TOTAL',
    'CC MED. FORMULA',
  ],
  (at) => [
    `F-${330 + at}`,
    `1${at}/10/2026 15:15`,
    'I10X',
    '19975312-1',
    'LOSARTAN 50 MG TABLETA',
    30 + at,
    30,
    180,
    180 * (30 + at),
    '9900000031',
  ],
);
