import type { CodeEntry } from '../codes.js';

/** What records of a file have wrong among each other: keys, joins, groups, classes, totals. */
export const RECORD_CODES = {
  'join/orphan': {
    level: 'error',
    title: { es: 'Registro sin su persona', en: 'Record without its person' },
    message: {
      es: 'No hay nadie con "{value}" en la tabla principal.',
      en: 'There is nobody with "{value}" in the main table.',
    },
    fix: {
      es: 'Corrija el documento, o agregue a la persona en la tabla principal.',
      en: 'Correct the document, or add the person to the main table.',
    },
  },
  'join/file-unlisted': {
    level: 'warning',
    title: { es: 'Archivo que ningún registro nombra', en: 'File that no record names' },
    message: {
      es: 'Ningún registro de la lista nombra este archivo: no hace ningún documento.',
      en: 'No record of the list names this file: it makes no document.',
    },
    fix: { es: 'Agréguelo a la lista, o déjelo por fuera.', en: 'Add it to the list, or leave it out.' },
  },
  'join/missing': {
    level: 'error',
    title: { es: 'Falta en otra tabla', en: 'Missing in another table' },
    message: { es: '"{value}" no está en {table}.', en: '"{value}" is not in {table}.' },
    fix: { es: 'Agregue allí su registro.', en: 'Add its record there.' },
  },
  'join/of-another': {
    level: 'error',
    title: { es: 'Fila de otra persona', en: "Somebody else's row" },
    message: {
      es: 'En {table}, lo de "{value}" es de {found}; no hay fila de {asked}.',
      en: 'In {table}, what is under "{value}" is of {found}; {asked} has no row.',
    },
    fix: {
      es: 'Corrija el documento en esa fila, o agregue una fila propia de {asked}.',
      en: 'Correct the document in that row, or add a row of its own for {asked}.',
    },
  },
  'join/shared': {
    level: 'error',
    title: { es: 'Fila que no dice de quién es', en: 'Row that does not say whose it is' },
    message: {
      es: 'Con "{value}" hay varias personas, y la fila de {table} no dice de cuál es; {asked} no tiene fila propia.',
      en: 'Several people share "{value}", and the row of {table} does not say whose it is; {asked} has no row of its own.',
    },
    fix: {
      es: 'Escriba en {table} una fila por persona, con su documento.',
      en: 'Write a row for each person in {table}, with the document.',
    },
  },
  'group/conflict': {
    level: 'error',
    title: { es: 'Registros que se contradicen', en: 'Records that contradict each other' },
    message: {
      es: 'Los registros de un mismo documento dicen "{first}" y "{other}".',
      en: 'Records of one document say "{first}" and "{other}".',
    },
    fix: {
      es: 'Escriba lo mismo en todos, o declare en el mapeo cómo se juntan (take).',
      en: 'Write the same in all of them, or declare in the mapping how they go together (take).',
    },
  },
  'class/unknown': {
    level: 'error',
    title: { es: 'Concepto desconocido', en: 'Unknown concept' },
    message: {
      es: 'Ninguna clase del mapeo conoce "{value}".',
      en: 'No class of the mapping knows "{value}".',
    },
    fix: {
      es: 'Agréguelo a una clase del mapeo, o decídalo en decisions: classes.',
      en: 'Add it to a class of the mapping, or settle it in decisions: classes.',
    },
  },
  'class/ambiguous': {
    level: 'error',
    title: { es: 'Concepto que puede ser dos cosas', en: 'Concept that may be two things' },
    message: { es: '"{value}" cabe en {classes}.', en: '"{value}" fits {classes}.' },
    fix: { es: 'Decídalo en decisions: classes.', en: 'Settle it in decisions: classes.' },
  },
  'control/total-differs': {
    level: 'warning',
    title: { es: 'Total de control distinto', en: 'Control total differs' },
    message: {
      es: 'La fila de totales dice {stated}, pero los registros suman {computed} (diferencia {difference}).',
      en: 'The row of totals says {stated}, but the records add up to {computed} (difference {difference}).',
    },
    fix: {
      es: 'Revise si falta o sobra un registro.',
      en: 'See whether a record is missing or too many.',
    },
  },
  'control/left-out': {
    level: 'warning',
    title: {
      es: 'Valores sin usar que explican una diferencia',
      en: 'Unused amounts that explain a difference',
    },
    message: {
      es: 'Los totales del archivo ({name}) suman {stated} y los documentos {computed}: la diferencia, {difference}, es la suma de {value}, que no se usa. Documentos con diferencia: {documents}.',
      en: 'The totals of the file ({name}) add up to {stated} and the documents to {computed}: the difference, {difference}, is the sum of {value}, which is not used. Documents that differ: {documents}.',
    },
    fix: {
      es: 'Si esos valores van en los documentos, diga en el mapeo qué son (labels) en vez de descartarlos.',
      en: 'If these amounts belong in the documents, say in the mapping what they are (labels) instead of leaving them aside.',
    },
  },
  'check/failed': {
    level: 'error',
    title: { es: 'No cumple una condición del mapeo', en: 'A condition of the mapping does not hold' },
    message: { es: '{message_es}', en: '{message_en}' },
    fix: { es: '{fix_es}', en: '{fix_en}' },
  },
  'batch/repeated': {
    level: 'error',
    title: { es: 'Valor repetido', en: 'Repeated value' },
    message: {
      es: '"{value}" ya está en la fila {first}.',
      en: '"{value}" is already in row {first}.',
    },
    fix: { es: 'Deje uno solo.', en: 'Keep one of them.' },
  },
  'batch/count-differs': {
    level: 'error',
    title: { es: 'Número de registros distinto', en: 'Number of records differs' },
    message: {
      es: 'Se declaran {stated} registros, pero hay {found}.',
      en: '{stated} records are stated, but there are {found}.',
    },
    fix: { es: 'Revise si el archivo está completo.', en: 'See whether the file is complete.' },
  },
  'batch/sum-differs': {
    level: 'error',
    title: { es: 'Suma distinta', en: 'Sum differs' },
    message: {
      es: 'Se declara {stated}, pero los registros suman {found} (diferencia {difference}).',
      en: '{stated} is stated, but the records add up to {found} (difference {difference}).',
    },
    fix: { es: 'Revise si el archivo está completo.', en: 'See whether the file is complete.' },
  },
  'document/no-target': {
    level: 'error',
    title: { es: 'No se sabe qué documento es', en: 'Kind of document unknown' },
    message: {
      es: 'El registro no cumple la condición de ningún documento del mapeo.',
      en: 'The record meets the condition of no document of the mapping.',
    },
    fix: {
      es: 'Revise la columna que dice qué clase de documento es.',
      en: 'Check the column that says what kind of document it is.',
    },
  },
  'document/too-many-records': {
    level: 'error',
    title: { es: 'Demasiados registros en un documento', en: 'Too many records in one document' },
    message: {
      es: 'Este documento reúne {count} registros; caben {most}.',
      en: 'This document gathers {count} records; {most} fit.',
    },
    fix: {
      es: 'Vea si la columna que separa los documentos repite un mismo valor.',
      en: 'See whether the column that tells documents apart repeats one value.',
    },
  },
} as const satisfies Record<string, CodeEntry>;
