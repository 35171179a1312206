import type { Language } from '../issues/issue.js';
import { stop } from '../issues/pipeline-error.js';
import { CARE_OPTIONS, type CareOptionValues } from './care/care-options.js';
import { ERRAND_OPTIONS, type ErrandOptionValues } from './errand-options.js';
import { EVENT_OPTIONS, type EventOptionValues } from './events/event-options.js';
import { RUN_OPTIONS, type RunOptionValues } from './journal/run-options.js';
import { numberBetween, type OptionSpec, oneOf } from './option-spec.js';
import { PROFILE_OPTIONS, type ProfileOptionValues } from './profile/profile-options.js';
import { SETUP_OPTIONS, type SetupOptionValues } from './setup/setup-options.js';

/** Every option of every command, as commander hands them over; a command only sees those it lists. */
export interface Options
  extends ErrandOptionValues,
    SetupOptionValues,
    ProfileOptionValues,
    EventOptionValues,
    RunOptionValues,
    CareOptionValues {
  readonly mapping?: string;
  readonly param?: readonly string[];
  readonly params?: string;
  readonly output?: string;
  readonly json?: boolean;
  readonly showValues?: boolean;
  readonly lang?: Language;
  readonly debug?: boolean;
  readonly company?: string;
  readonly url?: string;
  readonly testSet?: string;
  readonly concurrency?: number;
  readonly rate?: number;
  readonly partial?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly report?: string;
  readonly reason?: string;
  readonly deleteMissing?: boolean;
  readonly annotate?: string;
  readonly answer?: readonly string[];
  readonly path?: readonly string[];
  readonly query?: readonly string[];
  readonly body?: string;
  readonly port?: number;
  readonly data?: string;
  readonly draft07?: boolean;
  readonly write?: string;
  readonly force?: boolean;
  readonly as?: string;
  /** Never set: `--as` of convert, which is filed under `as`. */
  readonly asForm?: undefined;
}

export type OptionName = keyof Options;

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
  ...ERRAND_OPTIONS,
  ...SETUP_OPTIONS,
  ...PROFILE_OPTIONS,
  ...CARE_OPTIONS,
  ...EVENT_OPTIONS,
  ...RUN_OPTIONS,
};

/** `name=value` pairs, the last of a name winning. */
export function namedValues(option: string, pairs: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at <= 0)
        stop('usage', { code: 'run/bad-option', value: pair, params: { option, expected: 'name=value' } });
      return [pair.slice(0, at).trim(), pair.slice(at + 1)];
    }),
  );
}

/** `ID=VALUE` answers; ids may hold `=` themselves, values do not. The last of an id wins. */
export function answerValues(pairs: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair): [string, string] => {
      const at = pair.lastIndexOf('=');
      if (at <= 0)
        stop('usage', {
          code: 'run/bad-option',
          value: pair,
          params: { option: '--answer', expected: 'ID=VALUE' },
        });
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}
