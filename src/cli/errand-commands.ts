import { CALLS, COMMON, type CommandSpec, JOURNAL, RUN } from './command-spec.js';

/** What is done with the documents of a run beside sending them. */
export const ERRAND_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'preview',
    about: {
      es: 'guarda la vista previa en PDF de cada documento',
      en: 'save the PDF preview of each document',
    },
    args: [RUN],
    options: [
      'folder',
      'documents',
      'only',
      ...JOURNAL,
      ...CALLS,
      'concurrency',
      'rate',
      'yes',
      'showValues',
      ...COMMON,
    ],
    load: () => import('./commands/preview.js'),
  },
  {
    name: 'email',
    about: {
      es: 'envía por correo los documentos aceptados',
      en: 'mail the accepted documents',
    },
    args: [RUN],
    options: [
      'only',
      'to',
      'again',
      ...JOURNAL,
      ...CALLS,
      'concurrency',
      'rate',
      'dryRun',
      'yes',
      'showValues',
      ...COMMON,
    ],
    load: () => import('./commands/email.js'),
  },
];
