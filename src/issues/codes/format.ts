import type { CodeEntry } from '../codes.js';

/** How the amounts and dates of a column are written, when cells do not agree or do not tell. */
export const FORMAT_CODES = {
  'format/contradiction': {
    level: 'error',
    title: { es: 'Escrito de otra manera que su columna', en: 'Written in another way than its column' },
    message: {
      es: '"{value}" está escrito como {other}, pero la columna se lee como {style}.',
      en: '"{value}" is written as {other}, yet its column is read as {style}.',
    },
    fix: {
      es: 'Escriba la celda como {style}, o declare en el mapeo (formats) cómo está escrita la columna.',
      en: 'Write the cell as {style}, or declare in the mapping (formats) how the column is written.',
    },
  },
  'format/undecided': {
    level: 'error',
    title: { es: 'Columna que se puede leer de dos maneras', en: 'Column that can be read two ways' },
    message: {
      es: 'Ninguna celda aclara si "{value}" es {first} o {second}.',
      en: 'No cell tells whether "{value}" is {first} or {second}.',
    },
    fix: {
      es: 'Responda --answer {answer} ({first}) o --answer {other} ({second}), o declárelo en el mapeo con formats.',
      en: 'Answer --answer {answer} ({first}) or --answer {other} ({second}), or declare it in the mapping with formats.',
    },
  },
} satisfies Record<string, CodeEntry>;
