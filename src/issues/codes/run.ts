import type { CodeEntry } from '../codes.js';

/** Trouble with the call itself, or with the machine. */
export const RUN_CODES = {
  'run/no-documents': {
    level: 'error',
    title: { es: 'Ningún documento', en: 'No documents' },
    message: {
      es: 'No resultó ningún documento de {read} registros leídos.',
      en: 'No document came out of {read} records read.',
    },
    fix: {
      es: 'Revise que sea la hoja correcta y que tenga filas debajo del encabezado.',
      en: 'Check that it is the right sheet and that it has rows below the header.',
    },
  },
} satisfies Record<string, CodeEntry>;
