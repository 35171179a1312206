import { COMMON, type CommandSpec, JOURNAL } from '../command-spec.js';

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
    options: ['output', ...JOURNAL, ...COMMON],
    load: () => import('../commands/journal-export.js'),
  },
  {
    name: 'journal backup',
    about: {
      es: 'copia el diario, también mientras se envía; la copia se pone en el lugar que dice journal path',
      en: 'copy the journal, also while sending; the copy goes back to where journal path says',
    },
    args: [{ form: '<FILE>', about: { es: 'archivo de la copia', en: 'file of the copy' } }],
    options: [...JOURNAL, ...COMMON],
    load: () => import('../commands/journal-backup.js'),
  },
  {
    name: 'journal abandon',
    about: {
      es: 'renuncia a lo que una ejecución no ha enviado, para enviar el archivo corregido',
      en: 'give up what a run has not sent, so that the corrected file can be sent',
    },
    args: [{ form: '<RUN>', about: { es: 'ejecución', en: 'run' } }],
    options: [...JOURNAL, 'yes', ...COMMON],
    load: () => import('../commands/journal-abandon.js'),
  },
];
