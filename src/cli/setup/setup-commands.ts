import { CALLS, COMMON, type CommandSpec, JOURNAL } from '../command-spec.js';

/** How a company is set up at the service. */
export const SETUP_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'setup software',
    about: {
      es: 'registra el software de nómina, paso a paso',
      en: 'register the payroll software, step by step',
    },
    args: [],
    options: [
      'softwareId',
      'payrollAddress',
      'invoiceAddress',
      'changeAddress',
      'pinFile',
      ...JOURNAL,
      ...CALLS,
      'dryRun',
      'yes',
      ...COMMON,
    ],
    load: () => import('../commands/setup-software.js'),
  },
  {
    name: 'setup resolution',
    about: {
      es: 'registra un rango de números, paso a paso',
      en: 'register a range of numbers, step by step',
    },
    args: [],
    options: [
      'documentType',
      'prefix',
      'firstNumber',
      'lastNumber',
      'replaceAll',
      ...JOURNAL,
      ...CALLS,
      'dryRun',
      'yes',
      ...COMMON,
    ],
    load: () => import('../commands/setup-resolution.js'),
  },
  {
    name: 'setup show',
    about: {
      es: 'muestra lo que se sabe de la configuración',
      en: 'show what is known of the configuration',
    },
    args: [],
    options: [...JOURNAL, ...CALLS, 'yes', ...COMMON],
    load: () => import('../commands/setup-show.js'),
  },
];
