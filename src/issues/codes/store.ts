import type { CodeEntry } from '../codes.js';

/** Trouble with the temporary file in which the records of a large file wait for their turn. */
export const STORE_CODES = {
  'store/not-writable': {
    level: 'error',
    title: { es: 'Archivo temporal que no se puede usar', en: 'Temporary file that cannot be used' },
    message: {
      es: 'No se pudo escribir o leer el archivo temporal en {path} ({reason}).',
      en: 'The temporary file in {path} could not be written or read ({reason}).',
    },
    fix: {
      es: 'Libere espacio en el disco y revise el permiso de escritura en la carpeta temporal del sistema.',
      en: 'Free some disk space and check that the temporary folder of the system may be written to.',
    },
  },
} satisfies Record<string, CodeEntry>;
