import { CALLS, COMMON, type CommandSpec, JOURNAL, MAPPED } from '../command-spec.js';

const SENT = ['concurrency', 'rate', 'partial', 'dryRun', 'yes', 'report', 'force'] as const;

/** Received invoices: their events, and what the seller sent. */
export const EVENT_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'events',
    about: {
      es: 'registra eventos de facturas recibidas, o dice qué sigue en cada una',
      en: 'register events of received invoices, or say what is next for each',
    },
    args: [
      {
        form: '<FILE...>',
        about: {
          es: 'lista de eventos, o AttachedDocument en .xml o .zip; * y ? se expanden',
          en: 'list of events, or AttachedDocument as .xml or .zip; * and ? are expanded',
        },
      },
    ],
    options: [...MAPPED, 'worklist', 'ask', ...JOURNAL, ...CALLS, ...SENT, 'hold', 'annotate', ...COMMON],
    load: () => import('../commands/events.js'),
  },
  {
    name: 'reception',
    about: {
      es: 'hace leer al servicio los AttachedDocument que envió el vendedor',
      en: "have the service read the seller's AttachedDocument files",
    },
    args: [
      {
        form: '<FILE...>',
        about: {
          es: 'archivos .xml, o un .zip con ellos; * y ? se expanden',
          en: '.xml files, or a .zip of them; * and ? are expanded',
        },
      },
    ],
    options: ['mapping', 'param', 'params', 'output', 'showValues', ...JOURNAL, ...CALLS, ...SENT, ...COMMON],
    load: () => import('../commands/reception.js'),
  },
];
