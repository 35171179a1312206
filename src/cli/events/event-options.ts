import { type OptionSpec, oneOf } from '../option-spec.js';

/** Options of events, beside those of `send`. */
export interface EventOptionValues {
  readonly expand?: boolean;
  readonly byCufe?: boolean;
  readonly worklist?: string;
  readonly ask?: 'dian' | 'page' | 'own' | 'own-number';
}

export const EVENT_OPTIONS: Readonly<Record<keyof EventOptionValues, OptionSpec>> = {
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
};
