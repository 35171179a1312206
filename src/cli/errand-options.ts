import type { OptionSpec } from './option-spec.js';

/** Options of `preview` and `email`. */
export interface ErrandOptionValues {
  readonly folder?: string;
  readonly documents?: string;
  readonly only?: readonly string[];
  readonly to?: string;
  readonly again?: boolean;
}

export const ERRAND_OPTIONS: Readonly<Record<keyof ErrandOptionValues, OptionSpec>> = {
  folder: {
    flags: '-o, --folder <FOLDER>',
    about: {
      es: 'carpeta de los PDF (por defecto vista-previa-EMPRESA-EJECUCIÓN aquí)',
      en: 'folder of the PDFs (default vista-previa-COMPANY-RUN here)',
    },
  },
  documents: {
    flags: '--documents <FILE>',
    about: {
      es: 'documentos que escribió convert, en vez de una ejecución',
      en: 'documents that convert wrote, in place of a run',
    },
  },
  only: {
    flags: '--only <NUMBER>',
    about: {
      es: 'solo el documento de este número, como NOM12; se puede repetir',
      en: 'only the document of this number, such as NOM12; may be repeated',
    },
    repeat: true,
  },
  to: {
    flags: '--to <ADDRESS>',
    about: {
      es: 'todo a este correo, en vez del de cada trabajador',
      en: "all to this address, in place of each worker's",
    },
  },
  again: {
    flags: '--again',
    about: {
      es: 'también lo que ya se envió por correo',
      en: 'also what was mailed before',
    },
  },
};
