import type { CodeEntry, Text } from '../codes.js';

const entry = (title: Text, message: Text, fix: Text): CodeEntry => ({ level: 'error', title, message, fix });

/**
 * Faults of a document against its schema. Params: `field` (wire name) and `title` (Spanish title) always;
 * `allowed`, `limit`, `expected`, `pattern` or `rule` where the wording names them.
 */
export const DOCUMENT_CODES = {
  'document/required': {
    ...entry(
      { es: 'Falta un dato obligatorio', en: 'A required value is missing' },
      { es: 'Falta {title} ({field}).', en: '{field} is missing.' },
      {
        es: 'Llene la celda, o asigne el dato en el mapeo.',
        en: 'Fill in the cell, or give the value in the mapping.',
      },
    ),
    instead: {
      param: { es: 'Dé el parámetro: -p {param}=VALOR.', en: 'Give the parameter: -p {param}=VALUE.' },
      table: {
        es: 'Agregue la columna a la tabla, o asigne el dato en el mapeo.',
        en: 'Add the column to the table, or give the value in the mapping.',
      },
      mapping: { es: 'Asigne el dato en el mapeo.', en: 'Give the value in the mapping.' },
    },
  },
  'document/blank': entry(
    { es: 'Texto vacío', en: 'Empty text' },
    { es: '{title} ({field}) está vacío.', en: '{field} is empty.' },
    { es: 'Escriba un texto, o deje el campo por fuera.', en: 'Write some text, or leave the field out.' },
  ),
  'document/not-allowed': entry(
    { es: 'Campo que no existe', en: 'Field that does not exist' },
    {
      es: 'El documento no tiene un campo {field} en este lugar.',
      en: 'The document has no field {field} here.',
    },
    {
      es: 'Quítelo o corrija su nombre; use `cargue schema show` para ver los campos.',
      en: 'Remove it or correct its name; `cargue schema show` lists the fields.',
    },
  ),
  'document/type': entry(
    { es: 'Tipo de dato equivocado', en: 'Wrong type of value' },
    {
      es: '{title} ({field}) no es del tipo que se espera: {value}',
      en: '{field} is not of the expected type: {value}',
    },
    { es: 'La forma correcta es {expected}', en: 'The right form is {expected}' },
  ),
  'document/choice': entry(
    { es: 'Valor fuera de la lista', en: 'Value not in the list' },
    { es: '"{value}" no es un valor de {title} ({field}).', en: '"{value}" is not a value of {field}.' },
    { es: 'Use uno de estos: {allowed}.', en: 'Use one of these: {allowed}.' },
  ),
  'document/too-short': entry(
    { es: 'Texto demasiado corto', en: 'Text too short' },
    {
      es: '"{value}" tiene menos de {limit} caracteres.',
      en: '"{value}" has fewer than {limit} characters.',
    },
    { es: 'Complete el dato.', en: 'Complete the value.' },
  ),
  'document/too-long': entry(
    { es: 'Texto demasiado largo', en: 'Text too long' },
    { es: '"{value}" tiene más de {limit} caracteres.', en: '"{value}" has more than {limit} characters.' },
    { es: 'Abrevie el dato.', en: 'Shorten the value.' },
  ),
  'document/too-small': entry(
    { es: 'Número demasiado pequeño', en: 'Number too small' },
    { es: '{value} es menor que {limit}.', en: '{value} is less than {limit}.' },
    { es: 'Escriba {limit} o más.', en: 'Write {limit} or more.' },
  ),
  'document/too-large': entry(
    { es: 'Número demasiado grande', en: 'Number too large' },
    { es: '{value} es mayor que {limit}.', en: '{value} is more than {limit}.' },
    { es: 'Escriba {limit} o menos.', en: 'Write {limit} or less.' },
  ),
  'document/too-few': entry(
    { es: 'Faltan elementos', en: 'Too few items' },
    {
      es: '{title} ({field}) tiene menos de {limit} elementos.',
      en: '{field} has fewer than {limit} items.',
    },
    { es: 'Agregue por lo menos {limit}.', en: 'Add at least {limit}.' },
  ),
  'document/too-many': entry(
    { es: 'Sobran elementos', en: 'Too many items' },
    { es: '{title} ({field}) tiene más de {limit} elementos.', en: '{field} has more than {limit} items.' },
    { es: 'Deje a lo sumo {limit}.', en: 'Keep at most {limit}.' },
  ),
  'document/repeated': entry(
    { es: 'Elementos repetidos', en: 'Repeated items' },
    { es: '{title} ({field}) repite un elemento.', en: '{field} repeats an item.' },
    { es: 'Deje cada elemento una sola vez.', en: 'Keep each item once.' },
  ),
  'document/pattern': entry(
    { es: 'Forma equivocada', en: 'Wrong form' },
    {
      es: '"{value}" no tiene la forma de {title} ({field}).',
      en: '"{value}" does not have the form of {field}.',
    },
    { es: 'Debe cumplir el patrón {pattern}', en: 'It must match the pattern {pattern}' },
  ),
  'document/no-variant': entry(
    { es: 'Ninguna forma coincide', en: 'No alternative fits' },
    {
      es: '{title} ({field}) no coincide con ninguna de sus formas.',
      en: '{field} fits none of its alternatives.',
    },
    { es: 'Compárelo con `cargue schema show`.', en: 'Compare it with `cargue schema show`.' },
  ),
  'document/format': entry(
    { es: 'Forma equivocada', en: 'Wrong form' },
    { es: '"{value}" no tiene la forma {expected}.', en: '"{value}" does not have the form {expected}.' },
    { es: 'Corrija el dato.', en: 'Correct the value.' },
  ),
  'document/format-money': entry(
    { es: 'Valor en pesos mal escrito', en: 'Malformed amount' },
    {
      es: '"{value}" no sirve como valor en pesos: va en positivo y con dos decimales a lo más.',
      en: '"{value}" will not do as an amount of money: it is positive, with two decimals at most.',
    },
    {
      es: 'Escríbalo sin signo; en el documento es texto con punto y dos decimales: "1500000.00".',
      en: 'Write it without a sign; in the document it is text with a point and two decimals: "1500000.00".',
    },
  ),
  'document/format-decimal': entry(
    { es: 'Cantidad mal escrita', en: 'Malformed quantity' },
    { es: '"{value}" no es una cantidad.', en: '"{value}" is not a quantity.' },
    {
      es: 'Debe ser texto sin signo ni ceros sobrantes: "4" o "7.5".',
      en: 'It must be text without sign or trailing zeros: "4" or "7.5".',
    },
  ),
  'document/format-two-decimals': entry(
    { es: 'Número sin dos decimales', en: 'Number without two decimals' },
    {
      es: '"{value}" no es un número con dos decimales.',
      en: '"{value}" is not a number with two decimals.',
    },
    {
      es: 'Debe ser texto con punto y dos decimales, sin signo: "30.00".',
      en: 'It must be text with a point and two decimals, no sign: "30.00".',
    },
  ),
  'document/format-date': entry(
    { es: 'Fecha mal escrita o inexistente', en: 'Malformed or impossible date' },
    { es: '"{value}" no es una fecha.', en: '"{value}" is not a date.' },
    {
      es: 'Escriba una fecha del calendario como 2026-10-31.',
      en: 'Write a calendar date such as 2026-10-31.',
    },
  ),
  'document/format-local-date-time': entry(
    { es: 'Fecha y hora mal escritas', en: 'Malformed date and time' },
    { es: '"{value}" no es una fecha con hora.', en: '"{value}" is not a date with a time.' },
    {
      es: 'Escriba fecha y hora sin zona, como 2026-10-31T18:30:00.',
      en: 'Write date and time without a zone, such as 2026-10-31T18:30:00.',
    },
  ),
  'document/format-time': entry(
    { es: 'Hora mal escrita', en: 'Malformed time' },
    { es: '"{value}" no es una hora.', en: '"{value}" is not a time.' },
    { es: 'Escriba horas y minutos, como 07:30.', en: 'Write hours and minutes, such as 07:30.' },
  ),
  'document/format-worker-document': entry(
    { es: 'Número de documento mal escrito', en: 'Malformed identity document' },
    { es: '"{value}" no es un número de documento.', en: '"{value}" is not an identity document number.' },
    {
      es: 'Solo dígitos va como número; con letras o cero inicial, como texto de 1 a 15 letras y dígitos, sin puntos ni espacios.',
      en: 'Digits alone go as a number; with letters or a leading zero, as text of 1 to 15 letters and digits, no dots or spaces.',
    },
  ),
  'document/format-prefix': entry(
    { es: 'Prefijo mal escrito', en: 'Malformed prefix' },
    { es: '"{value}" no es un prefijo.', en: '"{value}" is not a prefix.' },
    { es: 'Use de una a cuatro letras mayúsculas: NOM.', en: 'Use one to four upper-case letters: NOM.' },
  ),
  'document/format-cune': entry(
    { es: 'CUNE mal escrito', en: 'Malformed CUNE' },
    { es: '"{value}" no es un CUNE.', en: '"{value}" is not a CUNE.' },
    {
      es: 'Copie los 96 caracteres completos, en minúsculas, sin espacios.',
      en: 'Copy all 96 characters, in lower case, without spaces.',
    },
  ),
  'document/format-cufe': entry(
    { es: 'CUFE mal escrito', en: 'Malformed CUFE' },
    { es: '"{value}" no es un CUFE.', en: '"{value}" is not a CUFE.' },
    {
      es: 'Copie los 96 caracteres completos, en minúsculas, sin espacios.',
      en: 'Copy all 96 characters, in lower case, without spaces.',
    },
  ),
  'document/format-base64': entry(
    { es: 'Archivo mal codificado', en: 'Malformed base64' },
    { es: '{title} ({field}) no está en base64.', en: '{field} is not base64.' },
    {
      es: 'Codifique el archivo completo en base64, sin saltos de línea.',
      en: 'Encode the whole file in base64, without line breaks.',
    },
  ),
  'document/format-national-date-time': entry(
    { es: 'Fecha y hora mal escritas', en: 'Malformed date and time' },
    { es: '"{value}" no es una fecha con hora.', en: '"{value}" is not a date with a time.' },
    {
      es: 'Escriba fecha y hora sin segundos, como 2026-10-31 18:30.',
      en: 'Write date and time without seconds, such as 2026-10-31 18:30.',
    },
  ),
  'document/format-cie10': entry(
    { es: 'Código CIE-10 mal escrito', en: 'Malformed CIE-10 code' },
    { es: '"{value}" no es un código CIE-10.', en: '"{value}" is not a CIE-10 code.' },
    {
      es: 'Escriba cuatro caracteres sin punto; los de tres terminan en X: A099, I10X.',
      en: 'Write four characters without a dot; those of three end in X: A099, I10X.',
    },
  ),
  'document/format-cups': entry(
    { es: 'Código CUPS mal escrito', en: 'Malformed CUPS code' },
    { es: '"{value}" no es un código CUPS.', en: '"{value}" is not a CUPS code.' },
    {
      es: 'Escriba los seis caracteres, con los ceros iniciales: 890201.',
      en: 'Write all six characters, leading zeros included: 890201.',
    },
  ),
  'document/format-country-code': entry(
    { es: 'Código de país mal escrito', en: 'Malformed country code' },
    { es: '"{value}" no es un código de país.', en: '"{value}" is not a country code.' },
    { es: 'Escriba los tres dígitos como texto: "170".', en: 'Write the three digits as text: "170".' },
  ),
  'document/format-email': entry(
    { es: 'Correo mal escrito', en: 'Malformed e-mail address' },
    { es: '"{value}" no es un correo electrónico.', en: '"{value}" is not an e-mail address.' },
    {
      es: 'Escriba una sola dirección, como ana@ejemplo.co.',
      en: 'Write one address, such as ana@example.co.',
    },
  ),
  'document/format-phone': entry(
    { es: 'Teléfono mal escrito', en: 'Malformed telephone number' },
    { es: '"{value}" no es un teléfono.', en: '"{value}" is not a telephone number.' },
    {
      es: 'Escriba de siete a diez dígitos, sin espacios ni signos.',
      en: 'Write seven to ten digits, without spaces or signs.',
    },
  ),
  'document/format-pin': entry(
    { es: 'PIN mal escrito', en: 'Malformed PIN' },
    { es: 'El PIN no tiene cinco dígitos.', en: 'The PIN does not have five digits.' },
    {
      es: 'Escriba los cinco dígitos del PIN del software.',
      en: 'Write the five digits of the software PIN.',
    },
  ),
  'document/format-uri': entry(
    { es: 'Dirección web mal escrita', en: 'Malformed web address' },
    { es: '"{value}" no es una dirección web.', en: '"{value}" is not a web address.' },
    { es: 'Escriba la dirección completa, con https://.', en: 'Write the whole address, with https://.' },
  ),
} satisfies Record<string, CodeEntry>;
