import type { Place } from '../issues/issue.js';
import { word } from '../issues/wording.js';
import type { DocumentFamily, ReportedDocument } from './run-report.js';
import { type CellValue, type Heading, type Layout, placeCell, type Saying, stateCell } from './sheet.js';
import { EARLIER, settledText } from './texts.js';

/** A document comes from a record, whichever of its cells is known. */
const recordOf = ({ file, sheet, row }: Place): Place => ({
  ...(file !== undefined && { file }),
  ...(sheet !== undefined && { sheet }),
  ...(row !== undefined && { row, column: 'A' }),
});

function messageOf({ issues, earlier, settled }: ReportedDocument, { language, extra }: Saying): string {
  const messages = issues.map((issue) => word(issue, language, extra).message);
  if (settled) messages.unshift(settledText(settled, language));
  if (earlier) messages.unshift(EARLIER[language]);
  return messages.join('\n');
}

type CellOf = (document: ReportedDocument, saying: Saying) => CellValue;

const codeOf: CellOf = ({ documentCode }) => documentCode;
const numberOf: CellOf = ({ number }) => number;
const keyOf: CellOf = ({ key }) => key;

const CELLS = {
  key: keyOf,
  package: keyOf,
  name: ({ name }) => name,
  number: numberOf,
  noteNumber: numberOf,
  eventNumber: numberOf,
  state: ({ state }, saying) => stateCell(state, saying),
  message: messageOf,
  code: codeOf,
  cune: codeOf,
  cuv: codeOf,
  cude: codeOf,
  cufeRead: codeOf,
  invoice: ({ key, event }) => event?.invoice ?? key,
  cufe: ({ event }) => event?.cufe,
  eventCode: ({ event }) => event?.code,
  eventName: ({ event }) => event?.name,
  zipKey: ({ zipKey }) => zipKey,
  attempts: ({ attempts }) => attempts,
  where: ({ place }, saying) => placeCell(place && recordOf(place), saying),
} satisfies Partial<Record<Heading, CellOf>>;

type DocumentLayout = readonly (readonly [keyof typeof CELLS, Layout[number][1], Layout[number][2]])[];

/** What each family's documents show, and how the code is called that proves them. */
const LAYOUTS: Readonly<Record<DocumentFamily, DocumentLayout>> = {
  payroll: [
    ['key', 15, 'code'],
    ['name', 32, 'long'],
    ['number', 12, 'code'],
    ['state', 15, 'code'],
    ['message', 44, 'long'],
    ['cune', 30, 'hash'],
    ['zipKey', 22, 'hash'],
    ['attempts', 10, 'count'],
    ['where', 18, 'code'],
  ],
  care: [
    ['package', 38, 'long'],
    ['name', 32, 'long'],
    ['noteNumber', 19, 'code'],
    ['state', 15, 'code'],
    ['message', 52, 'long'],
    ['cuv', 30, 'hash'],
    ['attempts', 10, 'count'],
    ['where', 34, 'code'],
  ],
  events: [
    ['invoice', 20, 'long'],
    ['cufe', 24, 'hash'],
    ['eventCode', 10, 'code'],
    ['eventName', 40, 'long'],
    ['state', 15, 'code'],
    ['message', 52, 'long'],
    ['cude', 24, 'hash'],
    ['eventNumber', 22, 'code'],
    ['attempts', 10, 'count'],
    ['where', 34, 'code'],
  ],
  reception: [
    ['key', 26, 'long'],
    ['name', 32, 'long'],
    ['state', 15, 'code'],
    ['message', 52, 'long'],
    ['cufeRead', 30, 'hash'],
    ['attempts', 10, 'count'],
    ['where', 34, 'code'],
  ],
  other: [
    ['key', 26, 'long'],
    ['name', 32, 'long'],
    ['number', 16, 'code'],
    ['state', 15, 'code'],
    ['message', 52, 'long'],
    ['code', 30, 'hash'],
    ['zipKey', 22, 'hash'],
    ['attempts', 10, 'count'],
    ['where', 34, 'code'],
  ],
};

export const documentLayout = (family: DocumentFamily): Layout => LAYOUTS[family];

/** The cells of a document in the order of its family's layout. */
export const documentRow = (
  document: ReportedDocument,
  saying: Saying,
  family: DocumentFamily,
): readonly CellValue[] => LAYOUTS[family].map(([name]) => CELLS[name](document, saying));
