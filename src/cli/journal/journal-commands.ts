import { CALLS, COMMON, type CommandSpec, JOURNAL, RUN } from '../command-spec.js';

/** What is done with the journal itself. */
export const JOURNAL_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'journal path',
    about: { es: 'dice en qué archivo está el diario', en: 'say which file the journal is' },
    args: [],
    options: [...JOURNAL, ...COMMON],
    load: () => import('../commands/journal-path.js'),
  },
  {
    name: 'journal export',
    about: {
      es: 'escribe todo el diario, un objeto JSON por línea, con los datos personales completos',
      en: 'write the whole journal, one JSON object a line, personal data in full',
    },
    args: [],
    options: ['output', 'force', ...JOURNAL, ...COMMON],
    load: () => import('../commands/journal-export.js'),
  },
  {
    name: 'journal backup',
    about: {
      es: 'copia el diario, también mientras se envía; la copia se pone en el lugar que dice journal path',
      en: 'copy the journal, also while sending; the copy goes back to where journal path says',
    },
    args: [{ form: '<FILE>', about: { es: 'archivo de la copia', en: 'file of the copy' } }],
    options: ['force', ...JOURNAL, ...COMMON],
    load: () => import('../commands/journal-backup.js'),
  },
  {
    name: 'journal adopt',
    about: {
      es: 'toma el archivo que está en el lugar del diario como el de esta empresa, aunque le falte lo último o sea una copia: lo que no sea definitivo se pregunta',
      en: "take the file in the place of the journal as this company's, though it lacks what came last or is a copy: what is not final is asked about",
    },
    args: [],
    options: [...JOURNAL, 'yes', ...COMMON],
    load: () => import('../commands/journal-adopt.js'),
  },
  {
    name: 'journal purge',
    about: {
      es: 'borra los datos personales de las ejecuciones terminadas antes de una fecha; quedan números, códigos y estados',
      en: 'remove the personal data of runs that ended before a date; numbers, codes and states stay',
    },
    args: [],
    options: ['before', ...JOURNAL, 'yes', ...COMMON],
    load: () => import('../commands/journal-purge.js'),
  },
  {
    name: 'journal abandon',
    about: {
      es: 'renuncia a lo que una ejecución no ha enviado, o con --reason a todo lo que le falta, para enviar el archivo corregido',
      en: 'give up what a run has not sent, or by --reason all that it lacks, so that the corrected file can be sent',
    },
    args: [{ form: '<RUN>', about: { es: 'ejecución', en: 'run' } }],
    options: ['whyAbandon', ...JOURNAL, 'yes', ...COMMON],
    load: () => import('../commands/journal-abandon.js'),
  },
];

/** What is done with runs that were laid out or begun. */
export const RUN_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'approve',
    about: {
      es: 'muestra lo que send --hold dejó listo, y lo aprueba con su nombre',
      en: 'show what send --hold laid out, and approve it by name',
    },
    args: [{ form: '<RUN>', about: { es: 'ejecución retenida', en: 'held run' } }],
    options: [...JOURNAL, 'asPerson', 'yes', ...COMMON],
    load: () => import('../commands/approve.js'),
  },
  {
    name: 'resume',
    about: { es: 'termina una ejecución que quedó a medias', en: 'finish a run that was left halfway' },
    args: [RUN],
    options: [
      ...JOURNAL,
      ...CALLS,
      'concurrency',
      'pinFile',
      'rate',
      'report',
      'force',
      'showValues',
      'yes',
      'settle',
      'asPerson',
      'sispro',
      'results',
      ...COMMON,
    ],
    load: () => import('../commands/resume.js'),
  },
  {
    name: 'status',
    about: {
      es: 'muestra las ejecuciones, o las cuentas de una',
      en: 'show the runs, or the accounts of one',
    },
    args: [{ form: '[RUN]', about: { es: 'ejecución (sin ella, todas)', en: 'run (without it, all)' } }],
    options: [...JOURNAL, 'showValues', ...COMMON],
    load: () => import('../commands/status.js'),
  },
  {
    name: 'report',
    about: { es: 'escribe de nuevo el reporte de una ejecución', en: "write a run's report again" },
    args: [RUN],
    options: ['output', 'results', 'force', ...JOURNAL, ...COMMON],
    load: () => import('../commands/report.js'),
  },
];
