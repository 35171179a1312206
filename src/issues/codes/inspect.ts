import type { CodeEntry } from '../codes.js';

/** What `cargue inspect`, and the choice of a mapping, can refuse. */
export const INSPECT_CODES = {
  'inspect/unknown-answer': {
    level: 'error',
    title: { es: 'Respuesta a nada que se pregunte', en: 'Answer to nothing that is asked' },
    message: {
      es: 'No hay una pregunta «{value}». Preguntas abiertas: {open}.',
      en: 'There is no question "{value}". Open questions: {open}.',
    },
    fix: {
      es: 'Use el id de una pregunta, como sale en «cargue inspect».',
      en: 'Use the id of a question, as "cargue inspect" shows it.',
    },
  },
  'inspect/bad-answer': {
    level: 'error',
    title: { es: 'Respuesta que no sirve', en: 'Answer that does not fit' },
    message: { es: '«{value}» no es una respuesta a {id}.', en: '"{value}" is no answer to {id}.' },
    fix: {
      es: 'Dé el valor de un candidato, o el nombre de una columna, código o clase que exista.',
      en: 'Give the value of a candidate, or the name of a column, code or class that exists.',
    },
  },
  'inspect/answer-twice': {
    level: 'error',
    title: { es: 'Dos títulos para una sola columna', en: 'Two labels for one column' },
    message: {
      es: '{id} y {other} no pueden ser ambos {column}: solo las cifras se suman.',
      en: '{id} and {other} cannot both be {column}: only amounts are added up.',
    },
    fix: { es: 'Responda ignore a una de las dos.', en: 'Answer ignore to one of them.' },
  },
  'inspect/not-ours': {
    level: 'error',
    title: { es: 'El archivo no es de inspect', en: 'The file is not from inspect' },
    message: {
      es: '{value} existe y no lo escribió cargue inspect: no se reemplaza.',
      en: '{value} exists and was not written by cargue inspect: it is not replaced.',
    },
    fix: {
      es: 'Dé otro nombre, o agregue --force para reemplazarlo.',
      en: 'Give another name, or add --force to replace it.',
    },
  },
  'inspect/edited-otherwise': {
    level: 'error',
    title: { es: 'El mapeo se editó de otra manera', en: 'The mapping was edited otherwise' },
    message: {
      es: '{value} se editó a mano, y las respuestas de esta llamada cambian lo mismo: {places}. No se escribió nada.',
      en: '{value} was edited by hand, and the answers of this call change the same: {places}. Nothing was written.',
    },
    fix: {
      es: 'Cámbielo a mano, dé otro nombre con --write, o agregue --force para perder lo editado.',
      en: 'Change it by hand, give another name to --write, or add --force to lose the edits.',
    },
  },
  'inspect/nothing-found': {
    level: 'error',
    title: { es: 'Ningún encabezado conocido', en: 'No known header' },
    message: {
      es: 'En ninguna hoja de {value} hay un encabezado que se parezca a los de los mapeos listos ({ready}).',
      en: 'No sheet of {value} has a header like those of the ready-made mappings ({ready}).',
    },
    fix: {
      es: 'Revise que sea el archivo correcto y que los títulos estén en las primeras 30 filas.',
      en: 'Check that it is the right file and that its labels are within the first 30 rows.',
    },
  },
  'inspect/no-clear-mapping': {
    level: 'error',
    title: { es: 'Ningún mapeo listo se ajusta sin dudas', en: 'No ready-made mapping plainly fits' },
    message: {
      es: 'Ningún mapeo listo se ajusta sin dudas. El más cercano es {closest} ({score}).{missing_es}{unsure_es}',
      en: 'No ready-made mapping plainly fits. The closest is {closest} ({score}).{missing_en}{unsure_en}',
    },
    fix: {
      es: 'Use: cargue inspect {files} --write mapeo.yaml, y después -m mapeo.yaml.',
      en: 'Use: cargue inspect {files} --write mapping.yaml, and then -m mapping.yaml.',
    },
  },
} satisfies Record<string, CodeEntry>;
