import { type Language, type Place, wordPlace } from '../issues/issue.js';
import type { ExtraCodes } from '../issues/wording.js';
import type { LinkTo } from './link.js';
import type { ReportedState, Rows } from './run-report.js';
import { HEADINGS, SHEETS, STATES } from './texts.js';

/** What a colour says. */
export type Tone = 'good' | 'bad' | 'waiting' | 'doubt' | 'idle';

export type CellValue =
  | string
  | number
  | undefined
  | { readonly text: string; readonly tone: Tone }
  | { readonly text: string; readonly link: string };

/** `code` is an identifier or any other short text, `hash` one too long to show, `long` text wraps, `count` is a number. */
export interface Column {
  readonly heading: string;
  /** In characters, as Excel counts. */
  readonly width: number;
  readonly kind: 'code' | 'hash' | 'long' | 'count';
}

export interface SheetRows {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: Rows<readonly CellValue[]>;
}

/** How to say things and where links lead. */
export interface Saying {
  readonly language: Language;
  readonly linkTo: LinkTo;
  /** Wording of rules. */
  readonly extra?: ExtraCodes;
}

export type Heading = keyof typeof HEADINGS;
export type Layout = readonly (readonly [Heading, width: number, kind: Column['kind']])[];

/** A sheet by the names of its words. */
export const sheetOf = (
  name: keyof typeof SHEETS,
  layout: Layout,
  rows: Rows<readonly CellValue[]>,
  { language }: Saying,
): SheetRows => ({
  name: SHEETS[name][language],
  columns: layout.map(([heading, width, kind]) => ({ heading: HEADINGS[heading][language], width, kind })),
  rows,
});

/** Rows as they are read; nothing is held. */
export async function* mapRows<T>(items: Rows<T>, row: (item: T) => readonly CellValue[]) {
  for await (const item of items) yield row(item);
}

const TONES: Readonly<Record<ReportedState, Tone>> = {
  accepted: 'good',
  rejected: 'bad',
  'held-back': 'bad',
  elsewhere: 'waiting',
  pending: 'waiting',
  unknown: 'doubt',
  unsent: 'idle',
};

/** A state in the colour of its meaning. */
export const stateCell = (
  state: ReportedState,
  { language }: Saying,
  tone: Tone = TONES[state],
): CellValue => ({
  text: STATES[state][language],
  tone,
});

/** A place, linked where its file is known; `text` in place of its own. */
export function placeCell(place: Place | undefined, { linkTo, language }: Saying, text?: string): CellValue {
  if (place === undefined) return undefined;
  const shown = text ?? wordPlace(place, language);
  const link = linkTo(place);
  return link === undefined ? shown : { text: shown, link };
}
