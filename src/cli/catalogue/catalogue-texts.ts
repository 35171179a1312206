import type { Text } from '../../issues/codes.js';

/** What `catalogue` says to people. */
export const CATALOGUE_TEXTS = {
  tableLoaded: {
    es: '{table}: {rows} filas de {source}, en uso desde ahora.',
    en: '{table}: {rows} rows of {source}, in use from now on.',
  },
  tableSame: {
    es: '{table}: las mismas {rows} filas que ya estaban en uso.',
    en: '{table}: the same {rows} rows that were in use already.',
  },
  originShipped: { es: 'incluida, {rows} filas', en: 'shipped, {rows} rows' },
  originSample: {
    es: 'muestra de {rows} filas: la tabla no está cargada',
    en: 'sample of {rows} rows: the table is not loaded',
  },
  originLoaded: {
    es: '{rows} filas de {source}, cargada el {at}, versión {version}',
    en: '{rows} rows of {source}, loaded on {at}, version {version}',
  },
  originAbsent: {
    es: 'sin cargar: tabla {sispro} de SISPRO',
    en: 'not loaded: table {sispro} of SISPRO',
  },
  askPull: { es: '¿Pedir las tablas a {url}?', en: 'Ask {url} for its tables?' },
} satisfies Record<string, Text>;
