import type { Text } from '../issues/codes.js';
import type { Language } from '../issues/issue.js';

/** What questions and comments of a proposed mapping say. `{name}` stands for a param. */
const TEXTS = {
  ignore: { es: 'no se usa', en: 'not used' },
  ignoreWord: {
    es: 'no decidir: las filas con esta palabra quedan con error',
    en: 'leave it: records with this word stay in error',
  },
  label: {
    es: '{place} «{label}» ({samples}): ¿qué es?',
    en: '{place} "{label}" ({samples}): what is it?',
  },
  blankLabel: {
    es: '{place} no tiene título y hay cifras debajo ({samples}): ¿qué son?',
    en: '{place} has no label and there are figures below ({samples}): what are they?',
  },
  whyFortnight: {
    es: 'Es de una quincena: dé a las dos columnas el mismo nombre y se suman.',
    en: 'It is of one fortnight: give both columns the same name and they are added up.',
  },
  whyContested: {
    es: 'Otra columna parece lo mismo; con el mismo nombre, las cifras se suman.',
    en: 'Another column seems the same; with one name, amounts are added up.',
  },
  whyContent: {
    es: 'Lo que hay debajo no parece ser eso.',
    en: 'What stands below does not look like it.',
  },
  whyRival: { es: 'Puede ser más de una cosa.', en: 'It can be more than one thing.' },
  whyNeeded: {
    es: 'Ninguna otra columna trae un dato que hace falta.',
    en: 'No other column has something that is needed.',
  },
  whyOrder: {
    es: 'Lo devengado sería más que el sueldo mensual: quizá están cambiadas.',
    en: 'The pay would be more than the monthly salary: they may be swapped.',
  },
  sum: {
    es: '{title} (las cifras de las columnas con este nombre se suman)',
    en: '{title} (amounts of columns with this name are added up)',
  },
  layout: {
    es: 'No es claro qué forma tiene el archivo. ¿Cuál es?',
    en: 'It is not clear what layout the file has. Which is it?',
  },
  sheet: {
    es: 'La hoja «{sheet}» ({labels}): ¿qué trae?',
    en: 'Sheet "{sheet}" ({labels}): what does it hold?',
  },
  sheetsAlike: {
    es: 'Estas hojas tienen el mismo encabezado: {sheets}. ¿Cuáles se leen?',
    en: 'These sheets have the same header: {sheets}. Which are read?',
  },
  allSheets: { es: 'todas: {sheets}', en: 'all: {sheets}' },
  onlySheet: { es: 'solo «{sheet}»', en: 'only "{sheet}"' },
  grouping: {
    es: 'Hay {documents} trabajadores y {repeated} registros más de los mismos. ¿Se reúnen en un documento por trabajador?',
    en: 'There are {documents} workers and {repeated} more records of the same. Are they merged into one document a worker?',
  },
  merge: {
    es: 'sí: un documento por trabajador, las cifras y los días se suman',
    en: 'yes: one document a worker, amounts and days are added up',
  },
  noMerge: {
    es: 'no: un registro repetido queda con error',
    en: 'no: a repeated record stays in error',
  },
  decimal: {
    es: '{place} «{text}»: ¿cómo están escritas las cifras?',
    en: '{place} "{text}": how are amounts written?',
  },
  date: {
    es: '{place} «{text}»: ¿en qué orden están las fechas?',
    en: '{place} "{text}": in what order are dates?',
  },
  readAs: { es: 'se lee {value}', en: 'reads {value}' },
  formatIgnore: {
    es: 'no decidir: las celdas que se leen de dos maneras quedan con error',
    en: 'leave it: cells that read two ways stay in error',
  },
  value: {
    es: '{place} «{word}» (filas: {count}): no está en la lista {list}. ¿Qué es?',
    en: '{place} "{word}" (records: {count}): not in the list {list}. What is it?',
  },
  class: {
    es: '{place} concepto «{word}» (filas: {count}): ¿a qué corresponde?',
    en: '{place} concept "{word}" (records: {count}): what is it?',
  },
  nameOrder: {
    es: '{place} «{label}» trae el nombre completo: ¿qué va primero?',
    en: '{place} "{label}" holds full names: what comes first?',
  },
  surnames_first: { es: 'los apellidos: PÉREZ GÓMEZ ANA MARÍA', en: 'surnames: PÉREZ GÓMEZ ANA MARÍA' },
  names_first: { es: 'los nombres: ANA MARÍA PÉREZ GÓMEZ', en: 'names: ANA MARÍA PÉREZ GÓMEZ' },
  sign: {
    es: '{place} «{label}» trae cifras negativas: ¿así se escriben las deducciones?',
    en: '{place} "{label}" holds negative amounts: is that how deductions are written?',
  },
  negative: { es: 'sí: las deducciones son negativas', en: 'yes: deductions are negative' },
  positive: {
    es: 'no: las deducciones son positivas; una cifra negativa es un error',
    en: 'no: deductions are positive; a negative amount is an error',
  },
  keepDefault: { es: 'dejar lo usual ({value})', en: 'keep what is usual ({value})' },
} satisfies Record<string, Text>;

export type Wording = keyof typeof TEXTS;

export const tell = (
  language: Language,
  phrase: Wording,
  params: Readonly<Record<string, string | number>> = {},
): string =>
  TEXTS[phrase][language].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? `{${name}}`));
