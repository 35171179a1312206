import type { CodeEntry } from '../codes.js';

/** What a single cell can have wrong. */
export const CELL_CODES = {
  'cell/amount-unused': {
    level: 'error',
    title: { es: 'Valor que no llega al documento', en: 'Amount that reaches no document' },
    message: {
      es: 'El valor {value} no llega a ningún documento: ninguna condición del mapeo toma este registro.',
      en: 'The amount {value} reaches no document: no condition of the mapping takes this record.',
    },
    fix: {
      es: 'Revise lo que clasifica el registro (el tipo o el concepto); si no debe ir, quítelo o declárelo en skip.',
      en: 'Check what classifies the record (its kind or concept); if it must not go, take it out or declare it in skip.',
    },
  },
  'cell/not-a-number': {
    level: 'error',
    title: { es: 'No es un número', en: 'Not a number' },
    message: { es: '"{value}" no es un número.', en: '"{value}" is not a number.' },
    fix: {
      es: 'Escriba solo cifras, como 1500000 o 1.500.000,00.',
      en: 'Write digits only, such as 1500000 or 1,500,000.00.',
    },
  },
  'cell/number-ambiguous': {
    level: 'error',
    title: { es: 'Número que se puede leer de dos maneras', en: 'Number that can be read two ways' },
    message: { es: '"{value}" puede ser {comma} o {dot}.', en: '"{value}" may be {comma} or {dot}.' },
    fix: {
      es: 'Responda --answer decimal=comma (1.234,56) o --answer decimal=dot (1,234.56), declárelo en el mapeo con formats: {decimal: comma}, o escriba el número sin separador de miles.',
      en: 'Answer --answer decimal=comma (1.234,56) or --answer decimal=dot (1,234.56), declare it in the mapping with formats: {decimal: dot}, or write the number without thousands marks.',
    },
  },
  'cell/garbled': {
    level: 'error',
    title: { es: 'Texto con letras dañadas', en: 'Text with damaged letters' },
    message: {
      es: '"{value}" tiene letras dañadas: se guardó o se abrió con otra codificación.',
      en: '"{value}" has damaged letters: it was saved or opened in another encoding.',
    },
    fix: {
      es: 'Escríbalo de nuevo, o exporte otra vez el archivo en UTF-8.',
      en: 'Write it again, or export the file once more in UTF-8.',
    },
  },
  'cell/thousands-or-decimals': {
    level: 'error',
    title: { es: 'Miles o decimales', en: 'Thousands or decimals' },
    message: {
      es: '"{value}" puede ser {first} o {second}: no es seguro si su signo separa miles o decimales.',
      en: '"{value}" may be {first} or {second}: its mark may stand before thousands or before decimals.',
    },
    fix: {
      es: 'Escriba el número sin separador de miles: {first} o {second}.',
      en: 'Write the number without thousands marks: {first} or {second}.',
    },
  },
  'cell/number-too-long': {
    level: 'error',
    title: { es: 'Número con demasiadas cifras', en: 'Number with too many digits' },
    message: {
      es: 'El número tiene más de 30 cifras; ningún valor de un documento tiene tantas.',
      en: 'The number has more than 30 digits; no value of a document has so many.',
    },
    fix: {
      es: 'Corrija el valor, o redondee sus decimales.',
      en: 'Correct the value, or round its decimals.',
    },
  },
  'cell/scientific': {
    level: 'error',
    title: { es: 'Número en notación científica', en: 'Number in scientific notation' },
    message: {
      es: '"{value}" quedó en notación científica y sus cifras no se pueden recuperar.',
      en: '"{value}" was turned into scientific notation and its digits cannot be recovered.',
    },
    fix: {
      es: 'Escriba de nuevo el valor completo, con la celda en formato de texto.',
      en: 'Write the full value again, with the cell formatted as text.',
    },
  },
  'cell/not-whole': {
    level: 'error',
    title: { es: 'No es un número entero', en: 'Not a whole number' },
    message: { es: '"{value}" debe ser un número entero.', en: '"{value}" must be a whole number.' },
    fix: { es: 'Escriba el número sin decimales.', en: 'Write the number without decimals.' },
  },
  'cell/too-many-decimals': {
    level: 'error',
    title: { es: 'Más de dos decimales', en: 'More than two decimals' },
    message: { es: '"{value}" tiene más de dos decimales.', en: '"{value}" has more than two decimals.' },
    fix: { es: 'Redondee el valor a centavos.', en: 'Round the amount to cents.' },
  },
  'cell/not-an-identifier': {
    level: 'error',
    title: { es: 'No es un número de identificación', en: 'Not an identifier' },
    message: {
      es: '"{value}" no sirve como número de documento o de cuenta.',
      en: '"{value}" cannot be a document or account number.',
    },
    fix: { es: 'Escriba solo cifras y letras.', en: 'Write digits and letters only.' },
  },
  'cell/digits-lost': {
    level: 'error',
    title: { es: 'Cifras perdidas', en: 'Digits lost' },
    message: {
      es: '"{value}" tiene más de 15 cifras y Excel no las guarda todas.',
      en: '"{value}" has more than 15 digits and Excel does not keep them all.',
    },
    fix: {
      es: 'Dé a la celda formato de texto y escriba el número otra vez.',
      en: 'Format the cell as text and write the number again.',
    },
  },
  'cell/not-a-date': {
    level: 'error',
    title: { es: 'No es una fecha', en: 'Not a date' },
    message: { es: '"{value}" no es una fecha.', en: '"{value}" is not a date.' },
    fix: { es: 'Escriba la fecha como 31/10/2026.', en: 'Write the date as 2026-10-31.' },
  },
  'cell/date-impossible': {
    level: 'error',
    title: { es: 'Fecha que no existe', en: 'A date that does not exist' },
    message: { es: '"{value}" no existe en el calendario.', en: '"{value}" is not in the calendar.' },
    fix: { es: 'Corrija el día o el mes.', en: 'Correct the day or the month.' },
  },
  'cell/date-ambiguous': {
    level: 'error',
    title: { es: 'Fecha que se puede leer de dos maneras', en: 'Date that can be read two ways' },
    message: { es: '"{value}" puede ser {dmy} o {mdy}.', en: '"{value}" may be {dmy} or {mdy}.' },
    fix: {
      es: 'Responda --answer date=dmy (día primero) o --answer date=mdy (mes primero), declárelo en el mapeo con formats: {date: dmy}, o escriba {dmy} si es esa.',
      en: 'Answer --answer date=dmy (day first) or --answer date=mdy (month first), declare it in the mapping with formats: {date: mdy}, or write {dmy} if that is it.',
    },
  },
  'cell/not-a-datetime': {
    level: 'error',
    title: { es: 'No es una fecha con hora', en: 'Not a date with time' },
    message: { es: '"{value}" no es una fecha con hora.', en: '"{value}" is not a date with time.' },
    fix: {
      es: 'Escriba fecha y hora como 31/10/2026 19:00.',
      en: 'Write date and time as 2026-10-31 19:00.',
    },
  },
  'cell/not-a-time': {
    level: 'error',
    title: { es: 'No es una hora', en: 'Not a time' },
    message: { es: '"{value}" no es una hora.', en: '"{value}" is not a time.' },
    fix: { es: 'Escriba la hora como 14:30.', en: 'Write the time as 14:30.' },
  },
  'cell/not-yes-or-no': {
    level: 'error',
    title: { es: 'No es sí ni no', en: 'Neither yes nor no' },
    message: { es: '"{value}" no es sí ni no.', en: '"{value}" is neither yes nor no.' },
    fix: { es: 'Escriba SI o NO.', en: 'Write SI or NO.' },
  },
  'cell/not-a-choice': {
    level: 'error',
    title: { es: 'Valor fuera de la lista', en: 'Value outside the list' },
    message: {
      es: '"{value}" no es uno de los valores admitidos: {expected}.',
      en: '"{value}" is not one of the values taken: {expected}.',
    },
    fix: {
      es: 'Escriba uno de esos valores, o agregue la palabra al mapeo.',
      en: 'Write one of those values, or add the word to the mapping.',
    },
  },
  'cell/formula-error': {
    level: 'error',
    title: { es: 'Fórmula con error', en: 'Formula with an error' },
    message: { es: 'La celda contiene el error {value}.', en: 'The cell holds the error {value}.' },
    fix: { es: 'Corrija la fórmula o escriba el valor.', en: 'Correct the formula or write the value.' },
  },
  'cell/formula-uncached': {
    level: 'error',
    title: { es: 'Fórmula sin resultado guardado', en: 'Formula without a stored result' },
    message: {
      es: 'La fórmula {value} no trae su resultado en el archivo.',
      en: 'The formula {value} has no stored result in the file.',
    },
    fix: {
      es: 'Abra el libro en Excel, deje que calcule y guárdelo.',
      en: 'Open the workbook in Excel, let it calculate and save it.',
    },
  },
  'cell/blank': {
    level: 'error',
    title: { es: 'Celda vacía', en: 'Empty cell' },
    message: { es: 'Falta el dato.', en: 'The value is missing.' },
    fix: { es: 'Llene la celda.', en: 'Fill the cell.' },
  },
  'cell/amount-passed-over': {
    level: 'warning',
    title: { es: 'Valor que se deja por otro', en: 'Amount passed over for another one' },
    message: {
      es: 'De varios valores distintos de la misma persona o documento, el mapeo toma {kept}; este ({value}) no se usa.',
      en: 'Of several different amounts of one person or document the mapping takes {kept}; this one ({value}) is not used.',
    },
    fix: {
      es: 'Si se deben sumar, use take: sum en el mapeo; si son el mismo valor, corrija la celda.',
      en: 'If they are to be added up, use take: sum in the mapping; if they are one amount, correct the cell.',
    },
  },
  'cell/two-amounts': {
    level: 'error',
    title: { es: 'Dos valores donde cabe uno', en: 'Two amounts where there is room for one' },
    message: {
      es: 'Aquí dice {other}, y otra columna del mismo registro dice {first}; solo una de las dos puede traer valor.',
      en: 'Here it says {other}, and another column of the same record says {first}; only one of them may hold an amount.',
    },
    fix: {
      es: 'Deje vacía, o en cero, la celda que no corresponde; si son dos valores, escríbalos en dos filas.',
      en: 'Leave the wrong one empty or zero; if they are two amounts, write them in two rows.',
    },
  },
  'cell/negative-part': {
    level: 'error',
    title: { es: 'Sumando negativo', en: 'Negative part of a sum' },
    message: {
      es: '"{value}" es negativo y se sumaría con otras celdas en un valor que no admite negativos.',
      en: '"{value}" is negative, and would be added to other cells in an amount that takes no negative ones.',
    },
    fix: {
      es: 'Corrija el signo; si es un descuento, póngalo en la columna o el concepto que le corresponde.',
      en: 'Correct the sign; if it is a deduction, put it in the column or concept where it belongs.',
    },
  },
  'cell/zeros-restored': {
    level: 'warning',
    title: { es: 'Ceros a la izquierda repuestos', en: 'Leading zeros restored' },
    message: {
      es: '"{value}" perdió sus ceros; se leyó como {restored}.',
      en: '"{value}" lost its zeros; it was read as {restored}.',
    },
    fix: { es: 'Dé a la columna formato de texto.', en: 'Format the column as text.' },
  },
  'cell/name-unsure': {
    level: 'warning',
    title: {
      es: 'Nombre que se puede partir de varias maneras',
      en: 'Name that can be split in several ways',
    },
    message: {
      es: '"{value}" se leyó con apellidos "{surnames}" y nombres "{names}".',
      en: '"{value}" was read as surnames "{surnames}" and names "{names}".',
    },
    fix: {
      es: 'Si no es así, escriba una coma después de los apellidos: PEREZ GOMEZ, ANA MARIA.',
      en: 'If that is not so, write a comma after the surnames: PEREZ GOMEZ, ANA MARIA.',
    },
  },
  'lookup/unknown': {
    level: 'error',
    title: { es: 'No está en la lista', en: 'Not in the list' },
    message: {
      es: '"{value}" no está en la lista {catalogue}.',
      en: '"{value}" is not in the list {catalogue}.',
    },
    fix: {
      es: 'Escriba un código o nombre de la lista (cargue catalogue show {catalogue}).',
      en: 'Write a code or name of the list (cargue catalogue show {catalogue}).',
    },
  },
  'lookup/contradiction': {
    level: 'error',
    title: { es: 'Palabras de dos listas en una columna', en: 'Words of two lists in one column' },
    message: {
      es: 'La columna también dice "{word}", que no es de la lista en uso ({used}): no se sabe qué significa "{value}".',
      en: 'The column also says "{word}", which is not of the list in use ({used}): what "{value}" means is not known.',
    },
    fix: {
      es: 'Diga qué lista es con {settle}, o corrija la columna.',
      en: 'Say which list it is with {settle}, or correct the column.',
    },
  },
  'lookup/unanswered': {
    level: 'error',
    title: { es: 'Código antiguo por decidir', en: 'Old code to be decided' },
    message: {
      es: 'El código "{value}" de {table} no tiene una conversión segura{candidates}.',
      en: 'The code "{value}" of {table} has no sure conversion{candidates}.',
    },
    fix: {
      es: 'Diga cuál vale en estos archivos: parámetro {param}, {table}, "{code}".',
      en: 'Say which one holds in these files: parameter {param}, {table}, "{code}".',
    },
  },
  'lookup/ambiguous': {
    level: 'error',
    title: { es: 'Hay varios con ese nombre', en: 'Several have that name' },
    message: { es: '"{value}" puede ser: {candidates}.', en: '"{value}" may be: {candidates}.' },
    fix: {
      es: 'Escriba el código, o agregue una columna que lo precise.',
      en: 'Write the code, or add a column that tells which.',
    },
  },
  'cell/not-a-diagnosis': {
    level: 'error',
    title: { es: 'No es un diagnóstico', en: 'Not a diagnosis' },
    message: {
      es: '"{value}" no tiene la forma de un código CIE-10.',
      en: '"{value}" does not have the form of a CIE-10 code.',
    },
    fix: {
      es: 'Escriba una letra y dos o tres cifras, como I10X o E11.9.',
      en: 'Write a letter and two or three digits, such as I10X or E11.9.',
    },
  },
  'row/hidden': {
    level: 'warning',
    title: { es: 'Fila oculta', en: 'Hidden row' },
    message: {
      es: 'La fila está oculta, pero cuenta como registro.',
      en: 'The row is hidden, yet it counts as a record.',
    },
    fix: { es: 'Muéstrela o bórrela, según corresponda.', en: 'Show it or delete it, as the case may be.' },
  },
  'row/key-repeated': {
    level: 'error',
    title: { es: 'Registro repetido', en: 'Record repeated' },
    message: { es: '{value} ya está en la fila {first}.', en: '{value} is already in row {first}.' },
    fix: {
      es: 'Deje un solo registro por persona, o use un mapeo que los agrupe.',
      en: 'Keep one record per person, or use a mapping that groups them.',
    },
  },
  'row/no-record': {
    level: 'warning',
    title: { es: 'Fila que no es un registro', en: 'Row that is no record' },
    message: {
      es: '«{value}» no tiene documento ni valores: la fila se deja por fuera.',
      en: '"{value}" has no identification and no amounts: the row is left out.',
    },
    fix: {
      es: 'Si es una persona, escriba su documento y sus valores; si no lo es, no hay que hacer nada.',
      en: 'If it is a person, write identification and amounts; if not, there is nothing to do.',
    },
  },
  'control/count-differs': {
    level: 'warning',
    title: { es: 'Número de registros', en: 'Number of records' },
    message: {
      es: 'El archivo dice {stated} registros y se leyeron {counted}.',
      en: 'The file says {stated} records and {counted} were read.',
    },
    fix: {
      es: 'Revise si faltan o sobran filas.',
      en: 'See whether rows are missing or too many.',
    },
  },
  'row/key-blank': {
    level: 'error',
    title: { es: 'Registro sin identificación', en: 'Record without its key' },
    message: { es: 'El registro no dice de quién es.', en: 'The record does not say whose it is.' },
    fix: {
      es: 'Llene la celda; si la fila no es un registro, bórrela.',
      en: 'Fill the cell; if the row is no record, delete it.',
    },
  },
} satisfies Record<string, CodeEntry>;
