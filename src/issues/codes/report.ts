import type { CodeEntry } from '../codes.js';

/** Trouble with the files that the program writes. */
export const REPORT_CODES = {
  'report/not-writable': {
    level: 'error',
    title: { es: 'No se puede escribir el archivo', en: 'The file cannot be written' },
    message: {
      es: 'No se puede escribir {file} ({reason}).',
      en: '{file} cannot be written ({reason}).',
    },
    fix: {
      es: 'Revise que la carpeta exista y permita escribir, o elija otro nombre. Nada de lo enviado se pierde: «cargue report» lo escribe de nuevo.',
      en: 'Check that the folder exists and can be written to, or choose another name. Nothing sent is lost: "cargue report" writes it again.',
    },
  },
  'report/second-name': {
    level: 'warning',
    title: { es: 'Escrito con otro nombre', en: 'Written under another name' },
    message: {
      es: '{wanted} está abierto en otro programa, o no lo escribió cargue; quedó en {file}.',
      en: '{wanted} is open in another program, or was not written by cargue; it was written to {file}.',
    },
    fix: {
      es: 'Trabaje con el nuevo; la próxima vez cierre el archivo, o agregue --force si se puede reemplazar.',
      en: 'Work with the new one; the next time close the file, or add --force if it may be replaced.',
    },
  },
} satisfies Record<string, CodeEntry>;
