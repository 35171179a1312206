import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { describe, expect, test } from 'vitest';
import { loadReadyMappings } from '../../src/app/job.js';
import { propose } from '../../src/propose/inspect.js';
import { defaultAnswer, NO_ANSWERS, type Question } from '../../src/propose/question.js';
import { type Prepared, prepareFiles } from '../support/prepare-file.js';

/** What somebody knows of a file, in Spanish words of their own. What is not named does not go into the documents. */
interface Clerk {
  readonly folder: string;
  /** The mapping that is known to be right: test/golden compares what it gives with the truth. */
  readonly right: string;
  /** Label → what it is. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Word of a column → what it means. */
  readonly words?: Readonly<Record<string, string>>;
  /** Other questions by the beginning of their id. */
  readonly others?: Readonly<Record<string, string>>;
  /** Parameters that a run would give, but that this person says once and for all. */
  readonly settled?: readonly string[];
  /** Of the folder; all of its data files without it. */
  readonly file?: string;
  /** @default those of the folder */
  readonly params?: Readonly<Record<string, unknown>>;
  /** At most so many questions. */
  readonly questions: number;
}

const TYPES = { 'param.type_worker_id': 'Dependiente', 'param.sub_type_worker_id': 'No aplica' };
const TYPE_PARAMS = ['type_worker_id', 'sub_type_worker_id'];

const CLERKS: Readonly<Record<string, Clerk>> = {
  'a payroll by the usual words': { folder: 'payroll', right: 'payroll/wide', questions: 0 },
  'a sheet grown by hand': {
    folder: 'payroll/desordenada',
    right: 'samples/payroll/desordenada/mapeo.yaml',
    others: TYPES,
    settled: TYPE_PARAMS,
    questions: 4,
  },
  'a sheet per concept': { folder: 'payroll/multihoja', right: 'payroll/multi-sheet', questions: 0 },
  'a list of concepts': {
    folder: 'payroll/conceptos',
    right: 'payroll/long',
    others: TYPES,
    settled: TYPE_PARAMS,
    questions: 4,
  },
  'a sheet of corrections': { folder: 'payroll/ajustes', right: 'payroll/adjust', questions: 0 },
  'two fortnights side by side': {
    folder: 'payroll/quincenas',
    right: 'samples/payroll/quincenas/mapeo.yaml',
    columns: {
      Vinculación: 'fecha de ingreso',
      'Mpio (DANE)': 'código del municipio',
      Sede: 'dirección',
      Vínculo: 'tipo de contrato',
      Abono: 'forma de pago',
      Entidad: 'banco',
      'Clase cuenta': 'tipo de cuenta',
      Cuenta: 'número de cuenta',
      'RN #': 'horas RN',
      'RN $': 'valor RN',
      Básico: 'salario devengado',
      'Fdo. Solid.': 'fondo de solidaridad',
      'Devengado mes': 'total devengado',
      'Deducido mes': 'total deducciones',
      Neto: 'neto a pagar',
    },
    words: { 'T. fijo': 'término fijo', 'T. indefinido': 'término indefinido' },
    others: { ...TYPES, 'param.document_type_id': 'Cédula de ciudadanía' },
    settled: [...TYPE_PARAMS, 'document_type_id'],
    questions: 16,
  },
  'six capitals for a label': {
    folder: 'payroll/abreviada',
    right: 'samples/payroll/abreviada/mapeo.yaml',
    columns: {
      TIPDOC: 'tipo de documento',
      CEDULA: 'cédula',
      APELL1: 'primer apellido',
      APELL2: 'segundo apellido',
      NOMB1: 'primer nombre',
      NOMB2: 'otros nombres',
      DIRTRA: 'dirección de trabajo',
      CODMUN: 'código municipio',
      TIPTRA: 'tipo de trabajador',
      SUBTIP: 'subtipo de trabajador',
      TIPCON: 'tipo de contrato',
      SALINT: 'salario integral',
      ALTRIE: 'alto riesgo',
      FECING: 'fecha de ingreso',
      SUEBAS: 'sueldo mensual',
      DIATRA: 'días trabajados',
      DEVBAS: 'salario devengado',
      AUXTRA: 'auxilio de transporte',
      HED: 'HED horas',
      VHED: 'HED valor',
      HEN: 'HEN horas',
      VHEN: 'HEN valor',
      RNO: 'RN horas',
      VRNO: 'RN valor',
      HEDF: 'HEDDF horas',
      VHEDF: 'HEDDF valor',
      RDF: 'HRDDF horas',
      VRDF: 'HRDDF valor',
      HENF: 'HENDF horas',
      VHENF: 'HENDF valor',
      RNDF: 'HRNDF horas',
      VRNDF: 'HRNDF valor',
      VACINI: 'vacaciones desde',
      VACFIN: 'vacaciones hasta',
      VACDIA: 'vacaciones días',
      VACVAL: 'vacaciones valor',
      COMISI: 'comisiones',
      BONSAL: 'bonificación salarial',
      BONNSA: 'bonificación no salarial',
      VIASAL: 'viáticos salariales',
      TOTDEV: 'total devengado',
      DESSAL: 'salud',
      DESPEN: 'pensión',
      FONSOL: 'fondo de solidaridad',
      FONSUB: 'fondo de subsistencia',
      RETEFU: 'retención en la fuente',
      LIBRAN: 'libranza valor',
      ENTLIB: 'libranza entidad',
      COOPER: 'cooperativa',
      TOTDED: 'total deducciones',
      NETPAG: 'neto a pagar',
      FORPAG: 'forma de pago',
      NOMBAN: 'banco',
      TIPCTA: 'tipo de cuenta',
      NUMCTA: 'número de cuenta',
    },
    words: { '5999': 'no' },
    others: { layout: 'con una columna por concepto', 'by.workers': 'códigos' },
    questions: 50,
  },
  'a foreign group': {
    folder: 'payroll/ingles',
    right: 'samples/payroll/ingles/mapeo.yaml',
    columns: {
      'ID Type': 'tipo de documento',
      'Given Name': 'primer nombre',
      'City Code': 'código municipio',
      Contract: 'tipo de contrato',
      'Integral (Y/N)': 'salario integral',
      'High Risk (Y/N)': 'alto riesgo',
      Payment: 'medio de pago',
      'Account Type': 'tipo de cuenta',
      Account: 'número de cuenta',
      'Pay Date': 'fecha de pago',
      Days: 'días trabajados',
      'Regular Pay': 'salario devengado',
      Transport: 'auxilio de transporte',
      Commission: 'comisiones',
      'Vacation From': 'vacaciones desde',
      'Vacation To': 'vacaciones hasta',
      'Vacation Days': 'vacaciones días',
      'Vacation Pay': 'vacaciones valor',
      Solidarity: 'fondo de solidaridad',
      Subsistence: 'fondo de subsistencia',
      Withholding: 'retención en la fuente',
      'Employee ID': 'número documento',
      Kind: 'tipo',
      From: 'inicio',
      To: 'fin',
      Hours: 'cantidad',
      Amount: 'valor',
      Lender: 'descripción',
    },
    words: {
      'National ID': 'Cédula de ciudadanía',
      'Foreigner ID': 'Cédula de extranjería',
      Passport: 'Pasaporte',
      'Fixed term': 'Término fijo',
      Indefinite: 'Término indefinido',
      Project: 'Obra o labor',
      'Bank transfer': 'Transferencia débito bancaria',
      'Bank deposit': 'Consignación bancaria',
      Cash: 'Efectivo',
      Savings: 'Ahorros',
      Checking: 'Corriente',
      'Day overtime': 'hora extra diurna',
      'Night overtime': 'hora extra nocturna',
      'Sunday/holiday surcharge': 'recargo dominical',
    },
    others: { ...TYPES, 'sheet.Loans': 'Libranzas' },
    settled: TYPE_PARAMS,
    questions: 32,
  },
  'consultations by field names': { folder: 'rips/interfaz', right: 'rips/interfaz', questions: 0 },
  'consultations of a clinic': { folder: 'rips/consultas', right: 'rips/consultas', questions: 1 },
  'a file per group': { folder: 'rips/grupos', right: 'rips/excel-por-nodo', questions: 0 },
  'flat files of the years before': { folder: 'rips/3374', right: 'rips/3374-zip', questions: 0 },
  'the diary of a single professional': {
    folder: 'rips/consultorio',
    right: 'samples/rips/consultorio/mapeo.yaml',
    columns: {
      TIPO: 'tipo de documento',
      IDENTIFICACION: 'número de documento',
      AREA: 'zona',
      CODIGO: 'código de la consulta',
      DIAGNOSTICO: 'diagnóstico principal',
      'CLASE DX': 'tipo de diagnóstico',
      MOTIVO: 'causa',
      RECAUDO: 'concepto de recaudo',
      'VR RECAUDO': 'pago moderador',
    },
    words: {
      C: 'Contributivo cotizante',
      B: 'Contributivo beneficiario',
      S: 'Subsidiado',
      P: 'Particular',
    },
    questions: 14,
  },
  'a sheet per node, joined by an id': {
    folder: 'rips/nodos',
    right: 'samples/rips/nodos/mapeo.yaml',
    columns: { municipio: 'codMunicipioResidencia' },
    questions: 2,
  },
  'a list of events': {
    folder: 'events',
    file: 'eventos-facturas-recibidas.csv',
    right: 'events/list',
    params: {},
    questions: 0,
  },
  'attached documents in a zip': {
    folder: 'events',
    file: 'adjuntos.zip',
    right: 'events/attached',
    params: { event_id: 1, by_cufe: true },
    others: { layout: 'un mismo evento' },
    questions: 1,
  },
  'a list beside a zip': {
    folder: 'events/lista-y-zip',
    right: 'samples/events/lista-y-zip/mapeo.yaml',
    words: { Recibo: 'recibo del bien' },
    questions: 1,
  },
};

/** What the person types at a question. */
function said(clerk: Clerk, { id, aliases = [], samples, ...question }: Question): string {
  const { columns = {}, words = {}, others = {} } = clerk;
  const isUsed = (label: string): boolean => columns[label] !== undefined;
  if (id.startsWith('unused.'))
    return samples.flatMap(({ cell, text }) => (isUsed(text.split(': ')[0]!) ? [cell] : [])).join(', ') || 'sí';
  const other = Object.entries(others).find(([start]) => id.startsWith(start))?.[1];
  if (other !== undefined) return other;
  if (id.startsWith('param.')) return 'se da en cada envío';
  const word = /^(value|class|choice)\./.test(id) ? words[aliases[0]!] : undefined;
  if (word !== undefined) return word;
  if (question.path[2] === 'labels') return aliases.map((name) => columns[name]).find(Boolean) ?? 'no se usa';
  return defaultAnswer({ id, aliases, samples, ...question }) ?? 'ignorar';
}

const READY = await loadReadyMappings();
const errors = ({ issues }: Prepared): string[] =>
  issues.flatMap(({ level, code, place }) =>
    level === 'error' ? [[code, place.file, place.sheet, place.column, place.row, place.pointer, place.param].join(' ')] : [],
  ).sort();

describe.each(Object.entries(CLERKS))('%s', (_, clerk) => {
  const folder = join('samples', clerk.folder);
  const files = readdirSync(folder)
    .filter((name) => (clerk.file === undefined ? /\.(xlsx|csv|txt|zip)$/i.test(name) : name === clerk.file))
    .map((name) => join(folder, name));
  const params =
    clerk.params ??
    (JSON.parse(readFileSync(join(folder, 'params.json'), 'utf8')) as Record<string, unknown>);
  const inRun = Object.fromEntries(Object.entries(params).filter(([name]) => !clerk.settled?.includes(name)));

  test('gives the right documents by answers alone', async () => {
    const given = new Map<string, string>();
    for (;;) {
      const found = await propose({
        files,
        ready: READY,
        answers: { ...NO_ANSWERS, given },
        language: 'es',
        name: 'respondido',
        params: inRun,
      });
      const asked = found.questions.filter(({ id }) => !given.has(id));
      for (const question of asked) given.set(question.id, said(clerk, question));
      if (asked.length > 0) continue;
      expect(found.questions).toEqual([]);
      const mappingText = stringify(found.tree, { lineWidth: 0 });
      const made = await prepareFiles({ files, mappingText, params: inRun });
      const mapping = clerk.right.endsWith('.yaml') ? clerk.right : `mappings/${clerk.right}.yaml`;
      const wanted = await prepareFiles({ files, mapping, params });
      expect(errors(made)).toEqual(errors(wanted));
      expect(made.drafts.map(({ body }) => body)).toEqual(wanted.drafts.map(({ body }) => body));
      expect(made.issues.filter(({ code }) => code === 'header/label-new')).toEqual([]);
      break;
    }
    expect([...given.keys()].length, [...given.keys()].join(' ')).toBeLessThanOrEqual(clerk.questions);
  });
});
