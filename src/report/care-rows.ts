import type { Place } from '../issues/issue.js';
import type { Decimal } from '../values/decimal.js';
import { toPlain } from '../values/decimal.js';
import type { CareReport, ReportedPatient, ReportedService, ReportedTotal } from './care-report.js';
import { ALL_GROUPS, GROUPS } from './care-texts.js';
import {
  type CellValue,
  type Layout,
  mapRows,
  placeCell,
  type Saying,
  type SheetRows,
  sheetOf,
  stateCell,
} from './sheet.js';

const PATIENTS: Layout = [
  ['document', 22, 'code'],
  ['name', 40, 'long'],
  ['packages', 12, 'count'],
  ['services', 12, 'count'],
  ['state', 16, 'code'],
];
const SERVICES: Layout = [
  ['file', 24, 'long'],
  ['record', 20, 'code'],
  ['patient', 18, 'code'],
  ['group', 17, 'code'],
  ['serviceCode', 15, 'code'],
  ['date', 17, 'code'],
  ['amount', 14, 'count'],
  ['noteNumber', 19, 'code'],
  ['state', 14, 'code'],
  ['cuv', 24, 'hash'],
];
const TOTALS: Layout = [
  ['group', 20, 'code'],
  ['packages', 12, 'count'],
  ['patients', 12, 'count'],
  ['services', 12, 'count'],
  ['amount', 18, 'count'],
  ['servicesAccepted', 20, 'count'],
  ['amountAccepted', 22, 'count'],
];

/** Excel keeps 15 digits; an amount beyond that, or with cents, stays the text that it is. */
const WHOLE = /^-?\d{1,15}$/;
const amountCell = (amount: Decimal): CellValue => {
  const plain = toPlain(amount);
  return WHOLE.test(plain) ? Number(plain) : plain;
};

/** The record as Excel shows it: `Consultas!12`, or `12` of a file without sheets. */
function recordCell(place: Place | undefined, saying: Saying): CellValue {
  if (place?.row === undefined) return undefined;
  const { column, file, ...record } = place;
  const text = record.sheet === undefined ? String(record.row) : `${record.sheet}!${record.row}`;
  return placeCell({ ...place, column: 'A' }, saying, text);
}

export const patientRow = (patient: ReportedPatient, saying: Saying): readonly CellValue[] => [
  patient.document,
  patient.name,
  patient.packages,
  patient.services,
  stateCell(patient.state, saying),
];

export const serviceRow = (service: ReportedService, saying: Saying): readonly CellValue[] => [
  service.place?.file,
  recordCell(service.place, saying),
  service.patient,
  GROUPS[service.group][saying.language],
  service.code,
  service.date,
  service.value === undefined ? undefined : amountCell(service.value),
  service.number,
  stateCell(service.state, saying),
  service.cuv,
];

export const totalRow = (total: ReportedTotal, { language }: Saying): readonly CellValue[] => [
  total.group === undefined ? { text: ALL_GROUPS[language], tone: 'idle' } : GROUPS[total.group][language],
  total.packages,
  total.patients,
  total.services,
  amountCell(total.value),
  total.accepted.services,
  amountCell(total.accepted.value),
];

/** The sheets of a run of RIPS packages. */
export const careSheets = (care: CareReport, saying: Saying): readonly SheetRows[] => [
  sheetOf(
    'patients',
    PATIENTS,
    mapRows(care.patients(), (item) => patientRow(item, saying)),
    saying,
  ),
  sheetOf(
    'services',
    SERVICES,
    mapRows(care.services(), (item) => serviceRow(item, saying)),
    saying,
  ),
  sheetOf(
    'totals',
    TOTALS,
    mapRows(care.totals(), (item) => totalRow(item, saying)),
    saying,
  ),
];
