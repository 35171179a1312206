import type { Text } from '../issues/codes.js';
import type { Language } from '../issues/issue.js';

/** Words of the template that are neither the mapping's nor the schemas'. `{name}` stands for a value. */
const TEXTS = {
  title: { es: 'Plantilla: {about}', en: 'Template: {about}' },
  reads: { es: 'La lee el mapeo {mapping}.', en: 'It is read with the mapping {mapping}.' },
  steps: { es: 'Pasos', en: 'Steps' },
  fillMain: {
    es: 'Llene la hoja «{main}»: una fila por documento. No cambie los encabezados.',
    en: 'Fill the sheet "{main}", a row for each document. Leave the headers as they are.',
  },
  fillOthers: {
    es: 'En las demás hojas, una fila por cada hecho, con «{key}» igual al de «{main}». Las que no use quedan vacías.',
    en: 'In the other sheets write a row for each event, with the same "{key}" as in "{main}". Leave unused ones empty.',
  },
  headers: {
    es: 'Cada encabezado tiene una nota que dice qué va en su columna. Algunas columnas tienen una lista para escoger.',
    en: 'Each header has a note that says what goes in its column. Some columns have a list to choose from.',
  },
  forms: {
    es: 'Fechas como 31/12/2026. Valores sin signo, también los descuentos. Lo que no aplique se deja en blanco.',
    en: 'Dates like 31/12/2026. Amounts without a sign, deductions too. Leave blank what does not apply.',
  },
  params: {
    es: 'Escriba los parámetros de la corrida en un archivo, como en el ejemplo de abajo.',
    en: 'Write the parameters of the run into a file, as in the example below.',
  },
  check: { es: 'Revise el archivo, y corrija lo que diga:', en: 'Check the file, and correct what it says:' },
  send: { es: 'Envíelo:', en: 'Send it:' },
  command: {
    es: 'cargue {verb} ARCHIVO.xlsx -m {mapping} --params parametros.json',
    en: 'cargue {verb} FILE.xlsx -m {mapping} --params params.json',
  },
  always: { es: 'Obligatorio', en: 'Required' },
  unless: {
    es: 'Obligatorio, si no da el parámetro {param}',
    en: 'Required, unless the parameter {param} is given',
  },
  unlessAny: {
    es: 'Obligatorio, si no da un parámetro en su lugar',
    en: 'Required, unless a parameter is given in its place',
  },
  optional: { es: 'Opcional', en: 'Optional' },
  colours: { es: 'Colores de los encabezados', en: 'Colours of the headers' },
  sheets: { es: 'Hojas', en: 'Sheets' },
  sheet: { es: 'Hoja', en: 'Sheet' },
  holds: { es: 'Qué contiene', en: 'What it holds' },
  paramTable: { es: 'Parámetros', en: 'Parameters' },
  name: { es: 'Parámetro', en: 'Parameter' },
  about: { es: 'Qué es', en: 'What it is' },
  type: { es: 'Forma', en: 'Form' },
  preset: { es: 'Si no se da', en: 'When not given' },
  example: { es: 'Ejemplo de parametros.json', en: 'Example of params.json' },
  list: { es: 'Lista: {words}', en: 'List: {words}' },
  choose: { es: 'Escoja de la lista', en: 'Choose from the list' },
  unknownTitle: { es: 'No está en la lista', en: 'Not in the list' },
  unknown: {
    es: 'La lista no tiene esa palabra. ¿Dejarla así?',
    en: 'The list does not have that word. Keep it?',
  },
} satisfies Record<string, Text>;

/** What the types of parameters look like. */
export const FORMS: Readonly<Record<string, Text>> = {
  text: { es: 'texto', en: 'text' },
  integer: { es: 'número entero', en: 'whole number' },
  decimal: { es: 'número, como 12.50', en: 'number, such as 12.50' },
  money: { es: 'valor, como 1500000.00', en: 'amount, such as 1500000.00' },
  date: { es: 'fecha AAAA-MM-DD', en: 'date YYYY-MM-DD' },
  datetime: { es: 'AAAA-MM-DDTHH:MM:SS', en: 'YYYY-MM-DDTHH:MM:SS' },
  time: { es: 'hora HH:MM', en: 'time HH:MM' },
  month: { es: 'mes AAAA-MM', en: 'month YYYY-MM' },
  boolean: { es: 'true o false', en: 'true or false' },
};

export const templateText = (
  language: Language,
  phrase: keyof typeof TEXTS,
  values: Readonly<Record<string, string>> = {},
): string => TEXTS[phrase][language].replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
