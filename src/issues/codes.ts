import { ADJUST_CODES } from './codes/adjust.js';
import { ATTENTION_CODES } from './codes/attention.js';
import { CATALOGUE_CODES } from './codes/catalogue.js';
import { CELL_CODES } from './codes/cell.js';
import { DOCUMENT_CODES } from './codes/document.js';
import { ERRAND_CODES } from './codes/errand.js';
import { EVENT_CODES } from './codes/events.js';
import { FILE_CODES } from './codes/file.js';
import { FORMAT_CODES } from './codes/format.js';
import { HEADER_CODES } from './codes/header.js';
import { HEALTH_CODES } from './codes/health.js';
import { INSPECT_CODES } from './codes/inspect.js';
import { MAPPING_CODES } from './codes/mapping.js';
import { PROFILE_CODES } from './codes/profile.js';
import { RECORD_CODES } from './codes/records.js';
import { REPORT_CODES } from './codes/report.js';
import { RUN_CODES } from './codes/run.js';
import { SEND_CODES } from './codes/send.js';
import { SETUP_CODES } from './codes/setup.js';
import { STORE_CODES } from './codes/store.js';
import { XML_CODES } from './codes/xml.js';
import type { Level } from './issue.js';

export interface Text {
  readonly es: string;
  readonly en: string;
}

/** Wording of a code. `{name}` stands for a param of the issue, `{value}` for what was found. */
export interface CodeEntry {
  readonly level: Level;
  /** What kind of trouble, for people who ask `cargue explain CODE`. */
  readonly title: Text;
  readonly message: Text;
  readonly fix: Text;
  /** The fix where no cell can be filled: `{param}` is to be given, the table lacks a column, or the mapping says nothing. */
  readonly instead?: { readonly param: Text; readonly table: Text; readonly mapping: Text };
  /** Passes on what a rule of the authority says, the param `rule`: its fix, and a text that was cut, are those of that rule. */
  readonly byRule?: true;
  /** Rules of the authority that it foresees or passes on (`LGC62`); `NIE074–NIE108` is all between the two. */
  readonly authority?: readonly string[];
}

/** Every code that the program itself can say; rules bring their own (schemas/rules). */
export const CODES: Readonly<Record<string, CodeEntry>> = {
  ...FILE_CODES,
  ...XML_CODES,
  ...HEADER_CODES,
  ...CELL_CODES,
  ...FORMAT_CODES,
  ...MAPPING_CODES,
  ...INSPECT_CODES,
  ...DOCUMENT_CODES,
  ...CATALOGUE_CODES,
  ...EVENT_CODES,
  ...SEND_CODES,
  ...HEALTH_CODES,
  ...ADJUST_CODES,
  ...ATTENTION_CODES,
  ...RECORD_CODES,
  ...REPORT_CODES,
  ...RUN_CODES,
  ...PROFILE_CODES,
  ...ERRAND_CODES,
  ...SETUP_CODES,
  ...STORE_CODES,
};
