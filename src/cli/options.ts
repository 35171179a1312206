import type { Options as UseCaseOptions } from '../app/options.js';
import { type Language, stop } from '../core/issue.js';
import { isPlainDate } from '../core/plain-date.js';
import type { Text } from '../generated/issue-codes.js';

/** Options as commander hands them over; a command only sees those it lists. */
export interface Options extends UseCaseOptions {
  readonly json?: boolean;
  readonly showValues?: boolean;
  readonly lang?: Language;
  readonly debug?: boolean;
}

/** Other meanings of `--as` and `--reason`, which are filed under `as` and `reason`. */
export type OptionName = keyof Options | 'asForm' | 'asPerson' | 'whyAbandon';

/** How an option is written, explained and read. */
export interface OptionSpec {
  readonly flags: string;
  readonly about: Text;
  readonly read?: (text: string) => unknown;
  readonly repeat?: boolean;
}

/** Reads a number; throws a PipelineError (`usage`, run/bad-option) for any other text. */
const numberBetween =
  (option: string, from: number, to: number, whole: boolean) =>
  (text: string): number => {
    const value = Number(text);
    const fits = text.trim() !== '' && value >= from && value <= to && (!whole || Number.isInteger(value));
    if (fits) return value;
    return stop('usage', {
      code: 'run/bad-option',
      value: text,
      params: { option, expected: `${from} … ${to}` },
    });
  };

/** Reads one of a few words; throws a PipelineError (`usage`, run/bad-option) for any other text. */
const oneOf =
  (option: string, words: readonly string[]) =>
  (text: string): string =>
    words.includes(text)
      ? text
      : stop('usage', {
          code: 'run/bad-option',
          value: text,
          params: { option, expected: words.join(' | ') },
        });

const bookingDay = (text: string): string =>
  text === 'today' || isPlainDate(text)
    ? text
    : stop('usage', {
        code: 'run/bad-option',
        value: text,
        params: { option: '--booking', expected: 'today | 2026-11-30' },
      });

const language = (text: string): Language =>
  text === 'es' || text === 'en'
    ? text
    : stop('usage', {
        code: 'run/bad-option',
        value: text,
        params: { option: '--lang', expected: 'es | en' },
      });

export const OPTIONS: Readonly<Record<OptionName, OptionSpec>> = {
  mapping: {
    flags: '-m, --mapping <FILE>',
    about: {
      es: 'mapeo que dice qué es cada columna: un archivo, o uno de los listos, como payroll/wide',
      en: 'mapping that says what each column is: a file, or a ready-made one such as payroll/wide',
    },
  },
  param: {
    flags: '-p, --param <NAME=VALUE>',
    about: { es: 'parámetro del mapeo; se puede repetir', en: 'parameter of the mapping; may be repeated' },
    repeat: true,
  },
  params: {
    flags: '--params <FILE>',
    about: {
      es: 'parámetros en un archivo JSON o YAML; -p tiene prioridad',
      en: 'parameters in a JSON or YAML file; -p wins',
    },
  },
  as: {
    flags: '--as <TABLE>',
    about: { es: 'tabla que es, como cups o cie10', en: 'which table it is, such as cups or cie10' },
  },
  asForm: {
    flags: '--as <FORM>',
    about: {
      es: 'rips-json: un archivo nacional por paquete, en la carpeta de -o',
      en: 'rips-json: a national file for each package, in the folder of -o',
    },
    read: oneOf('--as', ['rips-json']),
  },
  output: { flags: '-o, --output <FILE>', about: { es: 'archivo de salida', en: 'output file' } },
  json: {
    flags: '--json',
    about: {
      es: 'un objeto JSON por línea en la salida, para programas',
      en: 'one JSON object a line on stdout, for programs',
    },
  },
  showValues: {
    flags: '--show-values',
    about: { es: 'muestra completos los datos personales', en: 'show personal values in full' },
  },
  lang: {
    flags: '--lang <LANG>',
    about: {
      es: 'idioma: es o en (por defecto CARGUE_LANG, o es)',
      en: 'language: es or en (default CARGUE_LANG, else es)',
    },
    read: language,
  },
  debug: {
    flags: '--debug',
    about: { es: 'muestra el detalle técnico de una falla', en: 'show the technical detail of a failure' },
  },
  company: {
    flags: '--company <NAME>',
    about: {
      es: 'empresa cuyo diario se usa (por defecto la del perfil, o «default»)',
      en: 'company whose journal is used (default the profile\'s, else "default")',
    },
  },
  url: {
    flags: '--url <URL>',
    about: {
      es: 'dirección del servicio (por defecto CARGUE_URL, o la del perfil)',
      en: "the service's address (default CARGUE_URL, else the profile's)",
    },
  },
  testSet: {
    flags: '--test-set <ID>',
    about: { es: 'envía a este set de pruebas', en: 'send to this test set' },
  },
  concurrency: {
    flags: '--concurrency <N>',
    about: { es: 'envíos a la vez', en: 'requests at a time' },
    read: numberBetween('--concurrency', 1, 256, true),
  },
  rate: {
    flags: '--rate <N>',
    about: {
      es: 'peticiones por minuto, a lo sumo; 0 es sin límite (por defecto 55, o sin límite en este equipo)',
      en: 'requests a minute at most; 0 is no limit (default 55, or no limit on this machine)',
    },
    read: numberBetween('--rate', 0, 1_000_000, false),
  },
  partial: {
    flags: '--partial',
    about: {
      es: 'si hay errores, envía los documentos que no los tienen',
      en: 'when there are errors, send the documents without any',
    },
  },
  dryRun: {
    flags: '--dry-run',
    about: { es: 'revisa y resume, sin enviar nada', en: 'check and sum up, send nothing' },
  },
  yes: {
    flags: '--yes',
    about: {
      es: 'sin preguntar (con errores hace falta además --partial; a producción, ante una persona, se pregunta igual)',
      en: 'without asking (with errors --partial is needed too; for production a person who is there is asked all the same)',
    },
  },
  report: {
    flags: '--report <FILE>',
    about: {
      es: 'reporte en Excel (por defecto ENTRADA-reporte-EMPRESA-EJECUCIÓN.xlsx aquí)',
      en: 'Excel report (default INPUT-reporte-COMPANY-RUN.xlsx here)',
    },
  },
  reason: {
    flags: '--reason <TEXT>',
    about: {
      es: 'motivo que llevan las notas (por defecto «Corrección de la nómina»)',
      en: 'reason that the notes carry (default "Corrección de la nómina")',
    },
  },
  deleteMissing: {
    flags: '--delete-missing',
    about: {
      es: 'elimina lo aceptado de quien ya no está en el archivo (--yes solo no lo hace)',
      en: 'delete what was accepted of people no longer in the file (--yes alone does not)',
    },
  },
  annotate: {
    flags: '--annotate <FILE>',
    about: {
      es: 'copia del archivo en Excel con las celdas por corregir marcadas y el estado de cada fila',
      en: 'copy of the file in Excel with the cells to fix marked and the state of every row',
    },
  },
  answer: {
    flags: '--answer <ID=VALUE>',
    about: {
      es: 'respuesta a lo que quedó por decidir; se puede repetir',
      en: 'answer to what was left open; may be repeated',
    },
    repeat: true,
  },
  path: {
    flags: '--path <NAME=VALUE>',
    about: { es: 'parámetro de la ruta; se puede repetir', en: 'path parameter; may be repeated' },
    repeat: true,
  },
  query: {
    flags: '--query <NAME=VALUE>',
    about: { es: 'parámetro de consulta; se puede repetir', en: 'query parameter; may be repeated' },
    repeat: true,
  },
  body: {
    flags: '--body <FILE>',
    about: {
      es: 'archivo JSON con el cuerpo, o - para la entrada',
      en: 'JSON file with the body, or - for stdin',
    },
  },
  port: {
    flags: '--port <N>',
    about: { es: 'puerto (por defecto uno libre)', en: 'port (default a free one)' },
    read: numberBetween('--port', 0, 65_535, true),
  },
  data: {
    flags: '--data <FILE>',
    about: {
      es: 'archivo que guarda el estado entre ejecuciones',
      en: 'file that keeps the state between runs',
    },
  },
  draft07: {
    flags: '--draft-07',
    about: {
      es: 'en la versión de JSON Schema que los editores de YAML conocen',
      en: 'in the version of JSON Schema that YAML editors know',
    },
  },
  write: {
    flags: '--write <FILE>',
    about: {
      es: 'escribe el mapeo propuesto, con lo que falte por responder',
      en: 'write the proposed mapping, with what is still to be answered',
    },
  },
  force: {
    flags: '--force',
    about: {
      es: 'reemplaza el archivo de salida aunque no lo haya escrito cargue (nunca uno de entrada)',
      en: 'replace the output file even if cargue did not write it (never an input)',
    },
  },
  folder: {
    flags: '-o, --folder <FOLDER>',
    about: {
      es: 'carpeta de los PDF (por defecto vista-previa-EMPRESA-EJECUCIÓN aquí)',
      en: 'folder of the PDFs (default vista-previa-COMPANY-RUN here)',
    },
  },
  documents: {
    flags: '--documents <FILE>',
    about: {
      es: 'documentos que escribió convert, en vez de una ejecución',
      en: 'documents that convert wrote, in place of a run',
    },
  },
  only: {
    flags: '--only <NUMBER>',
    about: {
      es: 'solo el documento de este número, como NOM12; se puede repetir',
      en: 'only the document of this number, such as NOM12; may be repeated',
    },
    repeat: true,
  },
  to: {
    flags: '--to <ADDRESS>',
    about: {
      es: 'todo a este correo, en vez del de cada trabajador',
      en: "all to this address, in place of each worker's",
    },
  },
  again: {
    flags: '--again',
    about: {
      es: 'también lo que ya se envió por correo',
      en: 'also what was mailed before',
    },
  },
  softwareId: {
    flags: '--software-id <ID>',
    about: { es: 'id del software de nómina', en: 'id of the payroll software' },
  },
  payrollAddress: {
    flags: '--payroll-address <WHERE>',
    about: {
      es: 'a dónde va la nómina: test, production o una URL',
      en: 'where payroll goes: test, production or a URL',
    },
  },
  invoiceAddress: {
    flags: '--invoice-address <WHERE>',
    about: {
      es: 'a dónde va la facturación: test, production, una URL, o same si aquí no se factura',
      en: 'where invoicing goes: test, production, a URL, or same if it is not done here',
    },
  },
  changeAddress: {
    flags: '--change-address',
    about: {
      es: 'con --yes: sí a cambiar una dirección ya configurada',
      en: 'with --yes: yes to changing an address that was set before',
    },
  },
  pinFile: {
    flags: '--pin-file <FILE>',
    about: {
      es: 'archivo privado (0600) con el PIN del software; sin él, CARGUE_SOFTWARE_PIN o se pregunta si hace falta',
      en: 'private file (0600) with the PIN of the software; without it CARGUE_SOFTWARE_PIN, or it is asked for when needed',
    },
  },
  documentType: {
    flags: '--document-type <TYPE>',
    about: {
      es: 'payroll (nómina) o adjust (notas de ajuste)',
      en: 'payroll or adjust (adjust notes)',
    },
  },
  prefix: {
    flags: '--prefix <PREFIX>',
    about: { es: 'prefijo del rango, como NI', en: 'prefix of the range, such as NI' },
  },
  firstNumber: {
    flags: '--first-number <N>',
    about: { es: 'primer número del rango', en: 'first number of the range' },
    read: numberBetween('--first-number', 1, 9_999_999_999, true),
  },
  lastNumber: {
    flags: '--last-number <N>',
    about: { es: 'último número del rango', en: 'last number of the range' },
    read: numberBetween('--last-number', 1, 9_999_999_999, true),
  },
  replaceAll: {
    flags: '--replace-all',
    about: {
      es: 'borra los demás rangos de este tipo',
      en: 'delete the other ranges of this type',
    },
  },
  profile: {
    flags: '--profile <NAME>',
    about: {
      es: 'perfil con la dirección, la empresa y lo demás (por defecto CARGUE_PROFILE)',
      en: 'profile with the address, the company and the rest (default CARGUE_PROFILE)',
    },
  },
  ca: {
    flags: '--ca <FILE>',
    about: {
      es: 'archivo PEM de una autoridad de certificación propia; solo se acepta la suya',
      en: 'PEM file of a private certificate authority; only its certificates are taken',
    },
  },
  timeout: {
    flags: '--timeout <SECONDS>',
    about: {
      es: 'espera de una respuesta, en segundos (por defecto 200; el servicio puede tardar 190)',
      en: 'wait for an answer, in seconds (default 200; the service may take 190)',
    },
    read: numberBetween('--timeout', 1, 3_600, true),
  },
  environment: {
    flags: '--environment <WHICH>',
    about: {
      es: 'qué hay tras la dirección: test o production',
      en: 'what stands behind the address: test or production',
    },
    read: oneOf('--environment', ['test', 'production']),
  },
  companyName: {
    flags: '--company-name <TEXT>',
    about: {
      es: 'nombre de la empresa, para las preguntas',
      en: 'name of the company, for questions',
    },
  },
  booking: {
    flags: '--booking <DAY>',
    about: {
      es: 'RIPS: día de las citas, `today` o una fecha, si el servicio no acepta el de la atención',
      en: 'RIPS: day of the appointments, `today` or a date, where the service refuses that of the care',
    },
    read: bookingDay,
  },
  paymentConcept: {
    flags: '--payment-concept <FORM>',
    about: {
      es: 'RIPS: conceptoRecaudo como `number` (5, por defecto) o `code` (05)',
      en: 'RIPS: conceptoRecaudo as `number` (5, the default) or `code` (05)',
    },
    read: oneOf('--payment-concept', ['number', 'code']),
  },
  sispro: {
    flags: '--sispro <FILE>',
    about: {
      es: 'RIPS: guarda antes en el servicio este acceso a SISPRO (YAML; la clave también de CARGUE_SISPRO_PASSWORD)',
      en: 'RIPS: first store this access to SISPRO in the service (YAML; its password also from CARGUE_SISPRO_PASSWORD)',
    },
  },
  results: {
    flags: '--results <FOLDER>',
    about: {
      es: 'RIPS: carpeta de los ResultadosMSPS (por defecto resultados-EMPRESA-EJECUCIÓN aquí)',
      en: 'RIPS: folder of the ResultadosMSPS files (default resultados-COMPANY-RUN here)',
    },
  },
  expand: {
    flags: '--expand',
    about: {
      es: 'eventos: registra antes 030 y 032 donde falten; nunca 031 ni 033',
      en: 'events: registers 030 and 032 first where they are missing; never 031 or 033',
    },
  },
  byCufe: {
    flags: '--by-cufe',
    about: {
      es: 'eventos desde XML: envía el CUFE en vez del archivo',
      en: 'events from XML: sends the CUFE in place of the file',
    },
  },
  worklist: {
    flags: '--worklist <OUT.xlsx>',
    about: {
      es: 'no envía: pregunta el estado de cada factura y escribe qué evento sigue y hasta cuándo',
      en: 'sends nothing: asks the state of each invoice and writes which event is next and until when',
    },
  },
  ask: {
    flags: '--ask <WHERE>',
    about: {
      es: 'dónde se pregunta: dian (por defecto), page (página pública), own u own-number (facturas propias)',
      en: 'where to ask: dian (default), page (public page), own or own-number (own issued invoices)',
    },
    read: oneOf('--ask', ['dian', 'page', 'own', 'own-number']),
  },
  hold: {
    flags: '--hold',
    about: {
      es: 'deja todo listo y no envía: sigue con approve EJECUCIÓN y send EJECUCIÓN',
      en: 'lay all out and do not send: goes on by approve RUN and send RUN',
    },
  },
  settle: {
    flags: '--settle <NUMBER=WORD>',
    about: {
      es: 'lo que usted averiguó de un documento sin confirmar: NÚMERO=accepted:CUNE (o CUDE, CUV), NÚMERO=none si no está, o en RIPS el id de lo que se hizo; se puede repetir',
      en: 'what you found out about an unconfirmed document: NUMBER=accepted:CUNE (or CUDE, CUV), NUMBER=none if it is not there, or in RIPS the id of what was made; may be repeated',
    },
    repeat: true,
  },
  before: {
    flags: '--before <DATE>',
    about: {
      es: 'solo ejecuciones terminadas antes de este día, AAAA-MM-DD',
      en: 'only runs that ended before this day, YYYY-MM-DD',
    },
  },
  asPerson: {
    flags: '--as <NAME>',
    about: {
      es: 'quién lo dice; queda en el diario (por defecto se pregunta, o la cuenta de este equipo)',
      en: 'who says so; kept in the journal (default: asked, or the account on this machine)',
    },
  },
  whyAbandon: {
    flags: '--reason <TEXT>',
    about: {
      es: 'por qué; entonces tampoco se pregunta más por lo que quedó sin confirmar, que no estorba a otro envío',
      en: 'why; then nothing is asked any more about what is unconfirmed either, and it stands in no one’s way',
    },
  },
};
