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
  askWhose: {
    es: '{path} es un diario de este servicio sin nombre de empresa. ¿Es el de {company}?',
    en: '{path} is a journal of this service without a company name. Is it that of {company}?',
  },
  askAdopt: {
    es: '¿Tomar {path} como el diario de {company}? Lo que no sea definitivo y pueda faltarle se preguntará antes de enviarlo.',
    en: 'Take {path} as the journal of {company}? What is not final, and may be missing from it, will be asked about before it is sent.',
  },
  adopted: {
    es: 'Diario de {company}: {path}',
    en: 'Journal of {company}: {path}',
  },
  askPurge: {
    es: '¿Borrar los datos personales de {count} documentos de {runs} ejecuciones terminadas antes del {date}? No se pueden recuperar; los reportes y copias que tenga no cambian.',
    en: 'Remove the personal data of {count} documents of {runs} runs that ended before {date}? It cannot be brought back; reports and copies that you have stay as they are.',
  },
  purged: {
    es: 'Datos personales borrados: {count} documentos de {runs} ejecuciones. Quedan número, código, estado, fechas y de quién y de qué mes era cada documento, para que nada se envíe dos veces.',
    en: 'Personal data removed: {count} documents of {runs} runs. Number, code, state, dates, and whose and of which month each document was, stay: so nothing is sent twice.',
  },
  wasPurged: {
    es: 'Sus datos personales se borraron el {date}; quedan números, códigos, estados y fechas.',
    en: 'Its personal data was removed on {date}; numbers, codes, states and dates are left.',
  },
  notPurged: {
    es: 'Sin borrar, porque tienen documentos sin terminar: {list}',
    en: 'Not removed, since they have unfinished documents: {list}',
  },
  nothingToPurge: {
    es: 'No hay ejecuciones terminadas antes del {date} con datos personales.',
    en: 'There are no runs with personal data that ended before {date}.',
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
