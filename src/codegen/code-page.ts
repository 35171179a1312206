import { CODES, type CodeEntry } from '../issues/codes.js';
import { code, GENERATED, inCell, table } from './markdown.js';
import type { SchemaJson } from './schema-files.js';

/** A code as its page shows it: those of rules name the authority's own. */
interface ShownCode extends CodeEntry {
  readonly code: string;
  readonly authority?: readonly string[];
}

/** Parts of codes before the slash, in the order in which a run meets them. */
const STAGES: Readonly<Record<string, readonly [es: string, en: string]>> = {
  run: ['La orden', 'The command'],
  profile: ['El perfil', 'The profile'],
  param: ['Los parámetros', 'Parameters'],
  mapping: ['El archivo de mapeo', 'The mapping file'],
  formula: ['Las fórmulas', 'Formulas'],
  inspect: ['La inspección y la elección del mapeo', 'Inspecting, and choosing a mapping'],
  file: ['Los archivos', 'Files'],
  xml: ['Los documentos XML', 'XML documents'],
  header: ['Hojas, encabezados y columnas', 'Sheets, headers and columns'],
  format: ['El formato de números y fechas', 'The format of numbers and dates'],
  cell: ['Las celdas', 'Cells'],
  lookup: ['Las listas de códigos', 'Code lists'],
  catalogue: ['Las tablas publicadas', 'Published tables'],
  class: ['Las clases de conceptos', 'Classes of concepts'],
  row: ['Los registros', 'Records'],
  group: ['Los registros de un documento', 'The records of one document'],
  join: ['Los registros de otras tablas', 'Records of other tables'],
  control: ['Los totales del archivo', 'Totals of the file'],
  check: ['Lo que exige el mapeo', 'What the mapping demands'],
  batch: ['Lo que exige el mapeo de todos los registros', 'What the mapping demands of all records'],
  document: ['La forma del documento', 'The shape of the document'],
  payroll: ['Las reglas de la nómina', 'Rules of payroll'],
  attention: ['La atención en su forma nacional', 'The visit in its national form'],
  rips: ['Las reglas de RIPS', 'Rules of RIPS'],
  events: ['Las reglas de los eventos', 'Rules of events'],
  send: ['El envío', 'Sending'],
  preview: ['La vista previa', 'Previews'],
  email: ['El correo', 'E-mail'],
  setup: ['La configuración', 'Setting up'],
  service: ['La conexión con el servicio', 'The connection with the service'],
  remote: ['La respuesta del servicio', 'What the service answers'],
  journal: ['El diario', 'The journal'],
  store: ['El almacén temporal', 'Temporary storage'],
  report: ['El reporte', 'The report'],
};

const stageOf = ({ code: name }: ShownCode): string => name.slice(0, name.indexOf('/'));

/** A stage that has no words here is called as its codes do. */
const headingOf = (stage: string): string => [stage, STAGES[stage]?.join(' / ')].filter(Boolean).join(': ');

function entry({ code: name, level, title, message, fix, authority }: ShownCode): string {
  const whose = authority === undefined ? [] : [authority.map(code).join(', ')];
  const words = table(
    [`**${level}**`, inCell(title.es), inCell(title.en)],
    [
      ['dice / says', inCell(message.es), inCell(message.en)],
      ['arreglo / fix', inCell(fix.es), inCell(fix.en)],
    ],
  );
  return [`### ${name}`, ...whose, words].join('\n\n');
}

/** Codes of a file of rules. */
const rulesOf = (file: SchemaJson): ShownCode[] => (file['rules'] ?? []) as ShownCode[];

/** Every code that an issue may have, by stage: level, title, what it says and how to fix it, in both languages. */
export function codePage(ruleFiles: readonly SchemaJson[]): string {
  const own = Object.entries(CODES).map(([name, one]): ShownCode => ({ code: name, ...one }));
  const codes = [...own, ...ruleFiles.flatMap(rulesOf)].sort((a, b) => (a.code < b.code ? -1 : 1));
  const stages = [...new Set([...Object.keys(STAGES), ...codes.map(stageOf)])];
  const sections = stages.flatMap((stage) => {
    const inside = codes.filter((one) => stageOf(one) === stage).map(entry);
    return inside.length === 0 ? [] : [`## ${headingOf(stage)}`, ...inside];
  });
  return `${[GENERATED, ...INTRODUCTION, ...sections].join('\n\n')}\n`;
}

const INTRODUCTION = [
  '# Códigos / Codes',
  'Todo lo que el programa puede decir de unos datos, un mapeo, una orden o un envío. `{…}` es lo que se llena en cada caso; `{value}`, lo que se encontró. Lo mismo en la terminal: `cargue explain CÓDIGO`. Un código como `NIE187` es el de la autoridad que la regla anticipa.',
  'All that the program can say about data, a mapping, a command or a sending. `{…}` is filled in case by case; `{value}` is what was found. The same on the terminal: `cargue explain CODE --lang en`. A code such as `NIE187` is the one of the authority that the rule foresees.',
];
