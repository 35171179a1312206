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
  'header/sheet-misspelt': {
    level: 'error',
    title: { es: 'Hoja con otro nombre', en: 'Sheet of another name' },
    message: {
      es: 'La hoja "{value}" no se lee: parece ser "{wanted}".',
      en: 'The sheet "{value}" is not read: it seems to be "{wanted}".',
    },
    fix: {
      es: 'Cambie el nombre de la hoja a "{wanted}", o agréguelo al mapeo (sheet).',
      en: 'Rename the sheet to "{wanted}", or add the name to the mapping (sheet).',
    },
  },
  'header/label-new': {
    level: 'warning',
    title: { es: 'Columna que el mapeo no conoce', en: 'Column unknown to the mapping' },
    message: {
      es: 'El mapeo no dice qué es la columna "{value}": no se lee. Celdas con datos: {cells}; por ejemplo, "{example}".',
      en: 'The mapping does not say what the column "{value}" is: it is not read. Filled cells: {cells}; for example "{example}".',
    },
    fix: {
      es: 'Si los documentos la necesitan, agréguela a labels con el nombre de su columna; si no, a ignore con la razón.',
      en: 'If the documents need it, add it to labels with the id of its column; if not, to ignore with the reason.',
    },
  },
  'header/amounts-new': {
    level: 'error',
    title: {
      es: 'Valores en una columna que el mapeo no conoce',
      en: 'Amounts in a column unknown to the mapping',
    },
    message: {
      es: 'La columna "{value}" tiene valores y el mapeo no dice qué es: no llegan a ningún documento. Celdas con datos: {cells}; suma: {sum}; por ejemplo, "{example}".',
      en: 'The column "{value}" holds amounts and the mapping does not say what it is: they reach no document. Filled cells: {cells}; sum: {sum}; for example "{example}".',
    },
    fix: {
      es: 'Si los documentos la necesitan, agréguela a labels con el nombre de su columna; si no, a ignore con la razón.',
      en: 'If the documents need it, add it to labels with the id of its column; if not, to ignore with the reason.',
    },
  },
  'header/sheet-unused': {
    level: 'warning',
    title: { es: 'Hoja sin usar', en: 'Sheet not used' },
    message: {
      es: 'La hoja "{value}" tiene registros de personas, pero el mapeo no la lee. Filas con datos: {rows}.',
      en: 'The sheet "{value}" has records of people, but the mapping does not read it. Filled rows: {rows}.',
    },
    fix: {
      es: 'Si sus datos hacen parte de los documentos, agréguela al mapeo (tables); si no, a ignore_sheets con la razón.',
      en: 'If its data belong to the documents, add it to the mapping (tables); if not, to ignore_sheets with the reason.',
    },
  },
  'header/sheet-unread': {
    level: 'warning',
    title: { es: 'Hoja que ninguna tabla lee', en: 'Sheet that no table reads' },
    message: {
      es: 'Ninguna tabla del mapeo lee la hoja "{value}". Filas con datos: {rows}.',
      en: 'No table of the mapping reads the sheet "{value}". Filled rows: {rows}.',
    },
    fix: {
      es: 'Si sus datos hacen parte de los documentos, agréguela al mapeo (tables); si no, a ignore_sheets con la razón.',
      en: 'If its data belong to the documents, add it to the mapping (tables); if not, to ignore_sheets with the reason.',
    },
  },
  'header/hidden-sheet-unread': {
    level: 'warning',
    title: { es: 'Hoja oculta que ninguna tabla lee', en: 'Hidden sheet that no table reads' },
    message: {
      es: 'Ninguna tabla del mapeo lee la hoja "{value}", que está oculta. Filas con datos: {rows}.',
      en: 'No table of the mapping reads the sheet "{value}", which is hidden. Filled rows: {rows}.',
    },
    fix: {
      es: 'Muéstrela y revísela: si sus datos hacen parte de los documentos, agréguela al mapeo (tables); si no, a ignore_sheets con la razón.',
      en: 'Show it and look at it: if its data belong to the documents, add it to the mapping (tables); if not, to ignore_sheets with the reason.',
    },
  },
  'header/file-unused': {
    level: 'error',
    title: { es: 'Archivo del zip sin usar', en: 'File of the zip not used' },
    message: {
      es: 'El mapeo no lee «{value}»: sus registros se perderían.',
      en: 'The mapping does not read "{value}": its records would be lost.',
    },
    fix: {
      es: 'Agregue su tabla al mapeo (tables), o saque el archivo del zip.',
      en: 'Add its table to the mapping (tables), or take the file out of the zip.',
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
      es: 'Deje una sola, cambie el título de la que no corresponde, o márquela como ignore en el mapeo (labels).',
      en: 'Keep one, change the title of the one that is something else, or mark it as ignore in the mapping (labels).',
    },
  },
  'header/ambiguous': {
    level: 'error',
    title: { es: 'Título que puede ser dos columnas', en: 'Title that may be two columns' },
    message: { es: '"{value}" puede ser: {columns}.', en: '"{value}" may be: {columns}.' },
    fix: {
      es: 'Precise el título, o diga en el mapeo qué es (labels, o groups si está bajo un grupo).',
      en: 'Make the title precise, or say in the mapping what it is (labels, or groups if it stands under one).',
    },
  },
  'header/field-count': {
    level: 'error',
    title: { es: 'Número de campos distinto', en: 'Another number of fields' },
    message: {
      es: 'El registro tiene {found} campos; deben ser {wanted}.',
      en: 'The record has {found} fields; there should be {wanted}.',
    },
    fix: {
      es: 'Busque una coma de más o de menos: desde ahí los datos quedan corridos.',
      en: 'Look for a comma too many or too few: from there on the data have shifted.',
    },
  },
} satisfies Record<string, CodeEntry>;
