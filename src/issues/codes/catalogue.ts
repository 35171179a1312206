import type { CodeEntry } from '../codes.js';

/** Code lists: those that are not loaded, and those that are being loaded. */
export const CATALOGUE_CODES = {
  'catalogue/not-loaded': {
    level: 'warning',
    title: { es: 'Tabla sin cargar', en: 'Table not loaded' },
    message: {
      es: 'La tabla {table} no está cargada: {documents} documentos no se revisaron contra ella ({rules}).',
      en: 'Table {table} is not loaded: {documents} documents were not checked against it ({rules}).',
    },
    fix: {
      es: 'Baje la tabla de SISPRO y ejecute cargue catalogue import ARCHIVO --as {table}',
      en: 'Download the table from SISPRO and load it: cargue catalogue import FILE --as {table}',
    },
  },
  'catalogue/column-missing': {
    level: 'warning',
    title: { es: 'Tabla incompleta', en: 'Incomplete table' },
    message: {
      es: 'La tabla {table} se cargó sin la columna {column}: {documents} documentos no se revisaron con ella ({rules}).',
      en: 'Table {table} was loaded without column {column}: {documents} documents were not checked by it ({rules}).',
    },
    fix: {
      es: 'Con el archivo completo de SISPRO ejecute cargue catalogue import ARCHIVO --as {table}',
      en: 'Load the complete file of SISPRO: cargue catalogue import FILE --as {table}',
    },
  },
  'catalogue/no-codes': {
    level: 'error',
    title: { es: 'No es la tabla', en: 'Not the table' },
    message: {
      es: 'Ninguna columna de «{value}» trae los códigos de {table}.',
      en: 'No column of "{value}" has the codes of {table}.',
    },
    fix: {
      es: 'La columna del código se llama {expected}. Revise que sea el archivo de la tabla.',
      en: 'The column of the code is called {expected}. Check that it is the file of the table.',
    },
  },
  'catalogue/other-name': {
    level: 'warning',
    title: { es: 'Otra tabla', en: 'Another table' },
    message: {
      es: 'El archivo dice ser la tabla {value}; {table} es {expected}.',
      en: 'The file says it is table {value}; {table} is {expected}.',
    },
    fix: {
      es: 'Si se equivocó de archivo, importe el correcto: reemplaza a este.',
      en: 'If it is the wrong file, load the right one: it replaces this one.',
    },
  },
  'catalogue/rows-refused': {
    level: 'warning',
    title: { es: 'Filas que no se cargan', en: 'Rows not loaded' },
    message: {
      es: '{count} filas no se cargaron: su código no tiene la forma de {table}. La primera dice «{value}».',
      en: '{count} rows were not loaded: their code does not have the form of {table}. The first says "{value}".',
    },
    fix: {
      es: 'Revise esas filas; Excel cambia códigos como 602E01 por números.',
      en: 'Check those rows; Excel turns codes such as 602E01 into numbers.',
    },
  },
  'catalogue/zeros-restored': {
    level: 'warning',
    title: { es: 'Ceros repuestos', en: 'Zeros restored' },
    message: {
      es: 'A {count} códigos les faltaba el cero a la izquierda; el primero quedó {value}.',
      en: '{count} codes had lost their leading zero; the first became {value}.',
    },
    fix: {
      es: 'No hay que hacer nada: los códigos de {table} tienen {width} caracteres.',
      en: 'Nothing to do: the codes of {table} have {width} characters.',
    },
  },
  'catalogue/not-answered': {
    level: 'error',
    title: { es: 'El servicio no dio sus tablas', en: 'The service gave no tables' },
    message: {
      es: '{operation} no contestó con tablas (estado {status}).',
      en: '{operation} did not answer with tables (status {status}).',
    },
    fix: {
      es: 'Las listas que había siguen en uso. Vea la respuesta con «cargue api {operation}».',
      en: 'The lists that were in use stay. See the answer with "cargue api {operation}".',
    },
  },
  'catalogue/repeated': {
    level: 'warning',
    title: { es: 'Códigos repetidos', en: 'Repeated codes' },
    message: {
      es: '{count} filas repiten un código; queda la primera habilitada. El primero es {value}.',
      en: '{count} rows repeat a code; the first enabled one stands. The first is {value}.',
    },
    fix: { es: 'No hay que hacer nada.', en: 'Nothing to do.' },
  },
} as const satisfies Record<string, CodeEntry>;
