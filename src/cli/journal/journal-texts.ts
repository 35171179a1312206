import type { Text } from '../../issues/codes.js';

/** What `journal` says to people. */
export const JOURNAL_TEXTS = {
  exported: {
    es: 'Exportado: {file}, {count} líneas. Tiene datos personales: guárdelo como la nómina.',
    en: 'Exported: {file}, {count} lines. It holds personal data: keep it as you keep the payroll.',
  },
  backedUp: {
    es: 'Copia del diario: {file}, leída de nuevo y en orden. Lo que se envíe después no está en ella.',
    en: 'Copy of the journal: {file}, read again and in order. What is sent from now on is not in it.',
  },
  askAbandon: {
    es: '¿Renunciar a {count} documentos sin enviar de la ejecución {run}? Sus números quedan gastados.',
    en: 'Give up {count} documents of run {run} that were not sent? Their numbers stay spent.',
  },
  askAbandonOpen: {
    es: '¿Renunciar a la ejecución {run}: {count} documentos sin enviar y {open} sin confirmar, que pueden haber llegado?',
    en: 'Give up run {run}: {count} documents not sent and {open} unconfirmed, which may have arrived?',
  },
  heldDropped: {
    es: 'La ejecución retenida {run} ya no existe; sus números quedan libres.',
    en: 'The held run {run} is gone; its numbers are free.',
  },
  openAbandoned: {
    es: 'Quedan {count} sin confirmar, por los que nadie pregunta más; asiéntelos si los averigua: cargue resume {run} --settle',
    en: '{count} are unconfirmed and nobody asks about them any more; settle them if you find out: cargue resume {run} --settle',
  },
  abandoned: {
    es: 'Se renunció a {count} documentos de la ejecución {run}. Ya se puede enviar el archivo corregido.',
    en: '{count} documents of run {run} were given up. The corrected file can be sent now.',
  },
  nothingToAbandon: {
    es: 'La ejecución {run} no tiene documentos sin enviar.',
    en: 'Run {run} has no documents that were not sent.',
  },
  stillOpen: {
    es: 'Quedan {count} sin confirmar o pendientes, que pueden haber llegado: cargue resume {run}',
    en: '{count} are unconfirmed or pending and may have landed: cargue resume {run}',
  },
  rejectedNumbers: {
    es: 'Números gastados en documentos que no se aceptaron: {list}',
    en: 'Numbers spent on documents that were not accepted: {list}',
  },
  numberGaps: {
    es: 'Números que ningún documento tiene: {list}',
    en: 'Numbers that no document has: {list}',
  },
} satisfies Record<string, Text>;
