import type { CodeEntry } from '../codes.js';

/** Trouble in finding the table, its header and its columns. */
export const HEADER_CODES = {
  'header/sheet-not-found': {
    level: 'error',
    title: { es: 'No está la hoja', en: 'Sheet not found' },
    message: {
      es: 'Ninguna hoja se llama como pide el mapeo ({wanted}); hay: {found}.',
      en: 'No sheet has the name that the mapping wants ({wanted}); there are: {found}.',
    },
    fix: {
      es: 'Cambie el nombre de la hoja o el del mapeo.',
      en: 'Change the name of the sheet or the one in the mapping.',
    },
  },
  'header/not-found': {
    level: 'error',
    title: { es: 'No se encontró el encabezado', en: 'Header not found' },
    message: {
      es: 'Ninguna de las primeras {within} filas tiene las columnas {wanted}.',
      en: 'None of the first {within} rows has the columns {wanted}.',
    },
    fix: {
      es: 'Revise que sea el archivo correcto, o agregue sus títulos al mapeo (titles).',
      en: 'Check that it is the right file, or add its titles to the mapping (titles).',
    },
  },
  'header/missing': {
    level: 'error',
    title: { es: 'Falta una columna', en: 'Column missing' },
    message: { es: 'Falta la columna "{title}".', en: 'The column "{title}" is missing.' },
    fix: {
      es: 'Agregue la columna, o escriba en el mapeo cómo se llama en este archivo.',
      en: 'Add the column, or write in the mapping what this file calls it.',
    },
  },
  'header/duplicate': {
    level: 'error',
    title: { es: 'Dos columnas para lo mismo', en: 'Two columns for one thing' },
    message: {
      es: '"{value}" repite la columna {first} ("{firstLabel}"); se leyó la primera.',
      en: '"{value}" repeats column {first} ("{firstLabel}"); the first was read.',
    },
    fix: {
      es: 'Deje una sola, o cambie el título de la que no corresponde.',
      en: 'Keep one, or change the title of the one that is something else.',
    },
  },
  'header/ambiguous': {
    level: 'error',
    title: { es: 'Título que puede ser dos columnas', en: 'Title that may be two columns' },
    message: { es: '"{value}" puede ser: {columns}.', en: '"{value}" may be: {columns}.' },
    fix: {
      es: 'Precise el título, o declárelo en una sola columna del mapeo.',
      en: 'Make the title precise, or declare it for one column of the mapping only.',
    },
  },
} satisfies Record<string, CodeEntry>;
