import type { Level } from '../core/issue.js';

const error = (title: Text, message: Text, fix: Text): CodeEntry => ({ level: 'error', title, message, fix });
const warning = (title: Text, message: Text, fix: Text): CodeEntry => ({
  ...error(title, message, fix),
  level: 'warning',
});

const RESUME_FIRST: Text = {
  es: 'Termínela primero con `cargue resume {run}`; después vuelva a intentar.',
  en: 'Finish it first with `cargue resume {run}`; then try again.',
};
const LOOK_AT_MONTH: Text = {
  es: 'Confirme que el cambio es de verdad; si no, corrija la celda.',
  en: 'Make sure that the change is real; if not, correct the cell.',
};

const PREDECESSOR = { es: 'Documento anterior de la nota', en: 'Document that the note corrects' };
const MONTH = { es: 'El mes del trabajador ya está ocupado', en: "The worker's month is taken" };

/** What the journal has to say of payrolls, adjust notes and months. */
export const ADJUST_CODES = {
  'payroll/note-predecessor': error(
    PREDECESSOR,
    {
      es: 'El documento que la nota corrige no concuerda con el diario: {number}.',
      en: 'The document that the note corrects does not agree with the journal: {number}.',
    },
    {
      es: 'Revise número, CUNE y fecha del documento por corregir.',
      en: 'Check number, CUNE and date of the document to correct.',
    },
  ),
  'payroll/new-worker': warning(
    { es: 'Persona nueva frente al mes anterior', en: 'New person compared with the month before' },
    {
      es: '{value} no tiene nómina aceptada en {month}.',
      en: '{value} has no accepted payroll in {month}.',
    },
    {
      es: 'Confirme que es un ingreso y no un número de documento mal escrito.',
      en: 'Make sure that it is someone new and not a mistyped document number.',
    },
  ),
  'payroll/missing-worker': warning(
    { es: 'Persona que falta frente al mes anterior', en: 'Person missing compared with the month before' },
    {
      es: '{value} tiene nómina aceptada en {month} y no está en este archivo.',
      en: '{value} has an accepted payroll in {month} and is not in this file.',
    },
    {
      es: 'Confirme el retiro, o agregue a la persona.',
      en: 'Make sure that the person left, or add the person.',
    },
  ),
  'payroll/salary-changed': warning(
    {
      es: 'Sueldo distinto al del mes anterior',
      en: 'Base salary differs from the month before',
    },
    {
      es: 'El sueldo base {value} no es el de {month}.',
      en: 'The base salary {value} is not that of {month}.',
    },
    LOOK_AT_MONTH,
  ),
  'payroll/account-changed': warning(
    {
      es: 'Cuenta distinta a la del mes anterior',
      en: 'Bank account differs from the month before',
    },
    {
      es: 'La cuenta bancaria {value} no es la de {month}.',
      en: 'The bank account {value} is not that of {month}.',
    },
    LOOK_AT_MONTH,
  ),
  'send/predecessor-missing': error(
    { es: 'La DIAN aún no encuentra el documento anterior', en: 'DIAN does not find the predecessor yet' },
    {
      es: 'Se intentó {tries} veces y la DIAN no encuentra el documento que la nota corrige.',
      en: 'It was tried {tries} times, and DIAN does not find the document that the note corrects.',
    },
    {
      es: 'Espere a que la DIAN lo muestre y haga la nota otra vez; si cambió el documento de la persona, elimine y envíe una nómina nueva.',
      en: "Wait until DIAN shows it and make the note again; if the person's document changed, delete and send a new payroll.",
    },
  ),
  'send/predecessor-not-accepted': error(
    { es: 'No se envió: depende de otro', en: 'Not sent: it depends on another' },
    {
      es: 'Solo podía salir después de {number}, que no fue aceptado; no se envió.',
      en: 'It could only leave after {number}, which was not accepted; it was not sent.',
    },
    {
      es: 'Corrija lo que impidió aceptar {number} y use `cargue adjust` otra vez.',
      en: 'Correct what kept {number} from being accepted, then run `cargue adjust` again.',
    },
  ),
  'run/not-adjustable': error(
    { es: 'No se ajusta', en: 'Not adjustable' },
    {
      es: 'Solo se ajustan nóminas; el mapeo hace {value}.',
      en: 'Only payrolls are adjusted; the mapping makes {value}.',
    },
    {
      es: 'Use un mapeo de nómina o de notas, como payroll/wide o payroll/adjust.',
      en: 'Use a mapping of payrolls or of notes, such as payroll/wide or payroll/adjust.',
    },
  ),
  'run/needs-note-prefix': error(
    { es: 'Falta el prefijo de las notas', en: 'No prefix for the notes' },
    {
      es: 'Las notas de ajuste llevan un prefijo propio y no se dijo cuál.',
      en: 'Adjust notes have a prefix of their own, and none was given.',
    },
    { es: 'Agregue -p note_prefix=NA (el suyo).', en: 'Add -p note_prefix=NA (yours).' },
  ),
} satisfies Record<string, CodeEntry>;

export type AdjustCode = keyof typeof ADJUST_CODES;

const asNote = (title: Text, message: Text, fix: Text = ADJUST_CODES['payroll/note-predecessor'].fix) =>
  error(title, message, fix);

/** Wording of codes that say several things: by the param `case` of the issue. */
export const CASES = {
  /** The same rule as in a file (schemas/rules), kept over the journal. */
  'payroll/worker-month': {
    accepted: error(
      MONTH,
      {
        es: '{value} ya tiene un documento aceptado de este mes, con otros datos: {number}, CUNE {cune}, emitido el {date}.',
        en: '{value} already has an accepted document of this month, with other data: {number}, CUNE {cune}, issued on {date}.',
      },
      {
        es: 'Lo aceptado se corrige con `cargue adjust`; una segunda nómina del mes solo va como novedad.',
        en: 'What was accepted is corrected by `cargue adjust`; a second payroll of a month only goes as a novelty.',
      },
    ),
    pending: error(
      MONTH,
      {
        es: '{value} tiene un documento de este mes sin veredicto aún: {number}, CUNE {cune}, emitido el {date}.',
        en: '{value} has a document of this month that waits for its verdict: {number}, CUNE {cune}, issued on {date}.',
      },
      RESUME_FIRST,
    ),
    unknown: error(
      MONTH,
      {
        es: '{value} tiene un documento de este mes que pudo haber llegado: {number}, CUNE {cune}, emitido el {date}.',
        en: '{value} has a document of this month that may have landed: {number}, CUNE {cune}, issued on {date}.',
      },
      RESUME_FIRST,
    ),
  },
  'payroll/note-predecessor': {
    'not-accepted': asNote(PREDECESSOR, {
      es: 'El diario sabe que {number} no fue aceptado: no hay qué corregir.',
      en: 'The journal knows that {number} was not accepted: there is nothing to correct.',
    }),
    open: asNote(
      PREDECESSOR,
      {
        es: '{number} aún no tiene veredicto en el diario.',
        en: '{number} has no verdict in the journal yet.',
      },
      RESUME_FIRST,
    ),
    deleted: asNote(PREDECESSOR, {
      es: '{number} ya fue eliminado: no se puede ajustar más.',
      en: '{number} was deleted: nothing more can be adjusted.',
    }),
    'a-deletion': asNote(PREDECESSOR, {
      es: '{number} es una eliminación: no se puede ajustar.',
      en: '{number} is itself a deletion: it cannot be adjusted.',
    }),
    'other-worker': asNote(
      PREDECESSOR,
      {
        es: '{number} es de otra persona o de otro mes.',
        en: '{number} is of another person or another month.',
      },
      {
        es: 'Revise el documento por corregir. Si cambió el número de documento de la persona, elimine y envíe una nómina nueva.',
        en: "Check the document to correct. If the person's document number changed, delete and send a new payroll.",
      },
    ),
    differs: asNote(PREDECESSOR, {
      es: '«{value}» no es lo que el diario tiene de {number}: {known}.',
      en: '"{value}" is not what the journal has of {number}: {known}.',
    }),
    replaced: {
      ...asNote(
        PREDECESSOR,
        {
          es: '{number} ya fue reemplazado; el último aceptado es {latest}.',
          en: '{number} was replaced already; the latest accepted one is {latest}.',
        },
        { es: 'Corrija el último, {latest}.', en: 'Correct the latest one, {latest}.' },
      ),
      level: 'warning',
    },
    'not-known': {
      ...asNote(
        PREDECESSOR,
        {
          es: 'El diario no conoce el documento que la nota corrige.',
          en: 'The journal does not know the document that the note corrects.',
        },
        {
          es: 'Confirme número, CUNE y fecha en el portal de la DIAN.',
          en: 'Confirm number, CUNE and date in the DIAN portal.',
        },
      ),
      level: 'warning',
    },
  },
} satisfies Record<string, Record<string, CodeEntry>>;

/** What can be wrong when the national form of a health service is made of its parts. */
const ATTENTION_CODES = {
  'attention/user-unknown': {
    level: 'error',
    title: { es: 'Profesional desconocido', en: 'Unknown professional' },
    message: {
      es: 'El parámetro users no tiene el usuario "{value}": faltan su sede y su documento.',
      en: 'The parameter users has no user "{value}": its site and document are not known.',
    },
    fix: {
      es: 'Agregue el usuario al parámetro users (user_id, tipoDocumentoIdentificacion, numDocumentoIdentificacion, codPrestador), o corrija la celda.',
      en: 'Add the user to the parameter users (user_id, tipoDocumentoIdentificacion, numDocumentoIdentificacion, codPrestador), or correct the cell.',
    },
  },
  'attention/not-carried': {
    level: 'warning',
    title: { es: 'Dato que el servicio no lleva', en: 'A value that the service does not carry' },
    message: {
      es: 'El servicio no tiene campo para {field}: «{value}» no llega al Ministerio, le llega {sent}.',
      en: 'The service has no field for {field}: "{value}" does not reach the ministry, which gets {sent}.',
    },
    fix: {
      es: 'Si el Ministerio lo exige en este registro, repórtelo por otro medio: `cargue convert` hace su JSON nacional completo.',
      en: 'Where the ministry demands it of this record, report it in another way: `cargue convert` makes its whole national JSON.',
    },
  },
  'attention/items-unmatched': {
    level: 'error',
    title: { es: 'Ítems nacionales sin su servicio', en: 'National items without their service' },
    message: {
      es: 'El mapeo escribe {items} ítems nacionales de {group}, y el documento tiene {services} servicios de ese grupo.',
      en: 'The mapping writes {items} national items of {group}, and the document has {services} services of that group.',
    },
    fix: {
      es: 'Use en national.servicios los mismos $each, $where y $sort que en document.services.',
      en: 'Use the same $each, $where and $sort in national.servicios as in document.services.',
    },
  },
} satisfies Readonly<Record<string, CodeEntry>>;

/** Code lists: those that are not loaded, and those that are being loaded. */
const CATALOGUE_CODES = {
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

/** What a single cell can have wrong. */
const CELL_CODES = {
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

const REPEAT: Text = {
  es: 'Repita el comando: sigue donde quedó.',
  en: 'Repeat the command: it goes on where it stopped.',
};

/** `service/…` is what stands in the way of any request, `preview/…` and `email/…` what concerns one document. */
const ERRAND_CODES = {
  'service/unreachable': error(
    { es: 'Servicio inalcanzable', en: 'Service unreachable' },
    { es: 'No hay conexión con el servicio ({reason}).', en: 'The service cannot be reached ({reason}).' },
    {
      es: 'Revise la dirección y la red, y repita el comando.',
      en: 'Check the address and the network, and repeat the command.',
    },
  ),
  'service/untrusted-certificate': error(
    { es: 'Certificado que no es de confianza', en: 'Certificate not trusted' },
    {
      es: 'El certificado del servicio no es de confianza ({reason}): no se envió nada.',
      en: "The service's certificate is not trusted ({reason}): nothing was sent.",
    },
    {
      es: 'Si el servicio tiene una autoridad de certificación propia, dé su archivo PEM con --ca o en el perfil; si no, no siga: alguien puede estar en medio.',
      en: 'If the service has a certificate authority of its own, give its PEM file by --ca or in the profile; if not, go no further: someone may stand in between.',
    },
  ),
  'service/no-answer': error(
    { es: 'Sin respuesta', en: 'No answer' },
    { es: 'No llegó respuesta del servicio ({reason}).', en: 'No answer came from the service ({reason}).' },
    REPEAT,
  ),
  'service/unreadable-answer': error(
    { es: 'Respuesta ilegible', en: 'Unreadable answer' },
    {
      es: 'El servicio respondió {status} sin un resultado: {text}',
      en: 'The service answered {status} without a result: {text}',
    },
    REPEAT,
  ),
  'service/unauthenticated': error(
    { es: 'Token no válido', en: 'Token not valid' },
    {
      es: 'El servicio no reconoce el token de la empresa ({status}).',
      en: 'The service does not accept the company token ({status}).',
    },
    { es: 'Ponga el token correcto en CARGUE_TOKEN.', en: 'Put the right token into CARGUE_TOKEN.' },
  ),
  'service/wrong-address': error(
    { es: 'Dirección equivocada', en: 'Wrong address' },
    {
      es: 'La dirección no es la del servicio, o esta versión no tiene la operación: respondió {status}.',
      en: 'The address is not that of the service, or this version lacks the operation: it answered {status}.',
    },
    { es: 'Revise la URL.', en: 'Check the URL.' },
  ),
  'service/throttled': error(
    { es: 'Demasiadas solicitudes', en: 'Too many requests' },
    {
      es: 'El servicio pide ir más despacio y no deja de pedirlo.',
      en: 'The service keeps asking to slow down.',
    },
    { es: 'Repita más tarde, o con un --rate menor.', en: 'Repeat later, or at a lower --rate.' },
  ),
  'preview/refused': error(
    { es: 'El servicio no hizo la vista previa', en: 'The service made no preview' },
    { es: 'El servicio no hizo la vista previa: {text}', en: 'The service made no preview: {text}' },
    {
      es: 'Revise el documento; la vista previa pasa por las mismas revisiones que el envío.',
      en: 'Check the document; a preview goes through the same checks as sending.',
    },
  ),
  'preview/not-a-pdf': error(
    { es: 'La vista previa no es un PDF', en: 'The preview is no PDF' },
    { es: 'Lo que llegó como vista previa no es un PDF.', en: 'What came as a preview is no PDF.' },
    {
      es: 'Repita más tarde; si sigue igual, avise a quien opera el servicio.',
      en: 'Repeat later; if it stays so, tell whoever runs the service.',
    },
  ),
  'preview/no-number': warning(
    { es: 'Sin número, sin vista previa', en: 'No number, no preview' },
    {
      es: 'Este documento no recibió número, y el servicio no hace vistas previas sin él.',
      en: 'This document got no number, and the service makes no preview without one.',
    },
    { es: 'Corrija lo que lo detuvo y envíelo.', en: 'Correct what held it back, and send it.' },
  ),
  'preview/no-such-kind': warning(
    { es: 'Sin vista previa para este tipo', en: 'No preview for this kind' },
    {
      es: 'El servicio solo hace vistas previas de nóminas, no de {kind}.',
      en: 'The service previews payrolls only, not {kind}.',
    },
    { es: 'No hay nada que hacer.', en: 'There is nothing to do.' },
  ),
  'preview/name-taken': error(
    { es: 'Dos documentos con el mismo nombre', en: 'Two documents of one name' },
    {
      es: 'Otro documento de esta llamada ya ocupa el archivo «{value}».',
      en: 'Another document of this call already has the file "{value}".',
    },
    { es: 'Dé a cada documento su propio número.', en: 'Give every document a number of its own.' },
  ),
  'preview/in-the-way': error(
    { es: 'Hay otra cosa con ese nombre', en: 'Something else has that name' },
    {
      es: '«{value}» existe y no es un PDF: no se toca.',
      en: '"{value}" exists and is no PDF: it is left alone.',
    },
    { es: 'Quítelo o elija otra carpeta con -o.', en: 'Remove it, or choose another folder with -o.' },
  ),
  'preview/not-writable': error(
    { es: 'No se puede escribir la vista previa', en: 'The preview cannot be written' },
    { es: 'No se puede escribir en «{value}» ({reason}).', en: 'Cannot write to "{value}" ({reason}).' },
    {
      es: 'Revise permisos y espacio, o elija otra carpeta con -o.',
      en: 'Check permissions and space, or choose another folder with -o.',
    },
  ),
  'preview/bad-line': error(
    { es: 'Línea que no es un documento', en: 'A line that is no document' },
    {
      es: 'La línea {line} no es un documento de nómina en JSON.',
      en: 'Line {line} is no payroll document in JSON.',
    },
    {
      es: 'Use el archivo que escribe `cargue convert -o`.',
      en: 'Use the file that `cargue convert -o` writes.',
    },
  ),
  'email/no-address': warning(
    { es: 'Sin correo', en: 'No e-mail address' },
    {
      es: 'El documento no tiene el correo del trabajador.',
      en: "The document does not have the worker's e-mail address.",
    },
    {
      es: 'Envíelo con --only NÚMERO --to CORREO, o agregue la columna del correo el mes siguiente.',
      en: 'Mail it with --only NUMBER --to ADDRESS, or add the e-mail column next month.',
    },
  ),
  'email/bad-address': error(
    { es: 'Correo mal escrito', en: 'Malformed e-mail address' },
    { es: '«{value}» no es un correo electrónico.', en: '"{value}" is no e-mail address.' },
    { es: 'Escríbalo como nombre@empresa.co.', en: 'Write it as name@company.co.' },
  ),
  'email/refused': error(
    { es: 'El servicio no envió el correo', en: 'The service did not mail it' },
    { es: 'El servicio no envió el correo: {text}', en: 'The service did not mail it: {text}' },
    {
      es: 'El servicio solo envía lo que él mismo tiene por aceptado; repita más tarde, o avise a quien lo opera.',
      en: 'The service only mails what it holds as accepted itself; repeat later, or tell whoever runs it.',
    },
  ),
  'email/unconfirmed': error(
    { es: 'No se sabe si el correo salió', en: 'Not known whether the mail left' },
    {
      es: 'El correo pudo haber salido: no llegó una respuesta clara ({reason}).',
      en: 'The mail may have left: no clear answer came ({reason}).',
    },
    {
      es: 'No se repite solo. Pregunte al trabajador; si no llegó: --again --only {number}.',
      en: 'It is not repeated by itself. Ask the worker; if nothing came: --again --only {number}.',
    },
  ),
} satisfies Record<string, CodeEntry>;

/** Order, terms and senders of acquirer events (events.md 2–4). Params: `event` as code and name; `rule`, the authority's. */
const EVENT_CODES = {
  'events/already-done': {
    level: 'warning',
    authority: ['LGC01', '90'],
    title: { es: 'Evento ya registrado', en: 'Event already registered' },
    message: {
      es: '{event} ya está registrado en esta factura ({rule}): cuenta como hecho.',
      en: '{event} is registered on this invoice already ({rule}): it counts as done.',
    },
    fix: { es: 'No hay nada que hacer; la fila se omite.', en: 'Nothing is left to do; the row is skipped.' },
  },
  'events/order': {
    level: 'error',
    authority: ['LGC03', 'LGC09', 'LGC12', 'LGC13', 'LGC14'],
    title: { es: 'Falta un evento anterior', en: 'An earlier event is missing' },
    message: {
      es: 'Antes de {event} falta registrar: {missing} ({rule}).',
      en: 'Before {event} this must be registered: {missing} ({rule}).',
    },
    fix: {
      es: 'Ponga antes una fila por cada evento que falta, o use `--expand` para registrar 030 y 032 donde falten.',
      en: 'Put a row for each missing event before it, or use `--expand` to register 030 and 032 where they are missing.',
    },
  },
  'events/excluded': {
    level: 'error',
    authority: ['LGC02', 'LGC04', 'LGC05', 'LGC07'],
    title: { es: 'Evento excluido por otro', en: 'Event excluded by another' },
    message: {
      es: '{event} ya no se puede registrar ({rule}): la factura tiene {done}.',
      en: '{event} can no longer be registered ({rule}): the invoice has {done}.',
    },
    fix: {
      es: 'Una aceptación o un reclamo es definitivo; arregle la diferencia con el vendedor.',
      en: 'An acceptance or a claim is final; settle the difference with the seller.',
    },
  },
  'events/cash-sale': {
    level: 'error',
    authority: ['LGC62'],
    title: { es: 'Factura de contado', en: 'Cash invoice' },
    message: {
      es: 'La factura no es a crédito: no lleva {event} ({rule}).',
      en: 'The invoice is not on credit: {event} does not apply ({rule}).',
    },
    fix: { es: 'Deje la factura por fuera.', en: 'Leave the invoice out.' },
  },
  'events/not-yours': {
    level: 'error',
    title: { es: 'Evento de otro', en: "Somebody else's event" },
    message: { es: '{event} lo registra otro: {sender}.', en: '{event} is registered by another: {sender}.' },
    fix: {
      es: 'Quite la fila; si su empresa es la que vendió, use `-p sender=vendedor`.',
      en: 'Remove the row; if your company is the seller, use `-p sender=vendedor`.',
    },
  },
  'events/term-ending': {
    level: 'warning',
    title: { es: 'El plazo se acaba', en: 'The term is ending' },
    message: {
      es: 'Hoy es el día hábil {day} de {days} para {event}: el plazo termina el {end}.',
      en: 'Today is business day {day} of {days} for {event}: the term ends on {end}.',
    },
    fix: { es: 'Regístrelo cuanto antes.', en: 'Register it as soon as you can.' },
  },
  'events/term-over': {
    level: 'error',
    title: { es: 'Plazo vencido', en: 'Term over' },
    message: {
      es: 'El plazo para {event} terminó el {end}: el 032 es del {from}.',
      en: 'The term for {event} ended on {end}: 032 is of {from}.',
    },
    fix: {
      es: 'Un reclamo ya no se puede registrar; una aceptación puede quedar sin efecto, pues rige la tácita.',
      en: 'A claim can no longer be registered; an acceptance may be without effect, as the tacit one rules.',
    },
  },
  'events/term-running': {
    level: 'error',
    authority: ['LGC14'],
    title: { es: 'El plazo aún corre', en: 'The term still runs' },
    message: {
      es: '{event} solo se puede registrar después del {end}, si no hay reclamo ({rule}).',
      en: '{event} can only be registered after {end}, if there is no claim ({rule}).',
    },
    fix: { es: 'Espere a que pase el plazo.', en: 'Wait until the term is over.' },
  },
  'events/found-registered': {
    level: 'warning',
    title: { es: 'Evento hallado en la DIAN', en: 'Event found at DIAN' },
    message: {
      es: 'La respuesta del envío no bastaba; la consulta a la DIAN muestra el evento registrado el {date}.',
      en: 'The answer to the request did not do; the query at DIAN shows the event registered on {date}.',
    },
    fix: {
      es: 'No hay nada que hacer; si otra persona lo registró, su CUDE es el del reporte.',
      en: 'Nothing is left to do; if somebody else registered it, its CUDE is the one in the report.',
    },
  },
  'events/state-unknown': {
    level: 'warning',
    title: { es: 'Estado desconocido', en: 'Unknown state' },
    message: {
      es: 'El servicio no dijo qué eventos tiene la factura {cufe}; cuenta solo lo que sabe el diario.',
      en: 'The service did not say which events invoice {cufe} has; only what the journal knows counts.',
    },
    fix: { es: 'Consulte más tarde con `cargue events`.', en: 'Ask later with `cargue events`.' },
  },
  'events/not-told': {
    level: 'error',
    title: { es: 'Consulta sin respuesta', en: 'Query without an answer' },
    message: {
      es: 'El servicio no dijo qué eventos tiene la factura: {text}',
      en: 'The service did not say which events the invoice has: {text}',
    },
    fix: {
      es: 'Consulte de otra manera (`--ask`), o más tarde.',
      en: 'Ask in another way (`--ask`), or later.',
    },
  },
  'events/not-events': {
    level: 'error',
    title: { es: 'No son eventos', en: 'Not events' },
    message: {
      es: 'El mapeo {value} no hace eventos.',
      en: 'The mapping {value} does not make events.',
    },
    fix: {
      es: 'Use `-m events/list` o `-m events/attached`; para otros documentos, `cargue send`.',
      en: 'Use `-m events/list` or `-m events/attached`; for other documents, `cargue send`.',
    },
  },
} satisfies Readonly<Record<string, CodeEntry>>;

/** Trouble with an input file as a whole: the run stops before, or while, its rows are read. */
export const FILE_CODES = {
  'file/not-found': {
    level: 'error',
    title: { es: 'Archivo no encontrado', en: 'File not found' },
    message: { es: 'El archivo no existe.', en: 'The file does not exist.' },
    fix: {
      es: 'Revise el nombre, la extensión y la carpeta; si el nombre tiene espacios, escríbalo entre comillas.',
      en: 'Check the name, its extension and the folder; if the name has spaces, put it in quotes.',
    },
  },
  'file/is-directory': {
    level: 'error',
    title: { es: 'Es una carpeta', en: 'It is a folder' },
    message: { es: 'Es una carpeta, no un archivo.', en: 'It is a folder, not a file.' },
    fix: { es: 'Indique el archivo que está dentro de ella.', en: 'Name the file inside it.' },
  },
  'file/not-readable': {
    level: 'error',
    title: { es: 'Archivo que no se deja leer', en: 'File cannot be read' },
    message: {
      es: 'El sistema no permite leer el archivo.',
      en: 'The system does not allow the file to be read.',
    },
    fix: {
      es: 'Ciérrelo en Excel o en el otro programa que lo use, y revise que su usuario tenga permiso de lectura.',
      en: 'Close it in Excel or any other program that uses it, and check that your user may read it.',
    },
  },
  'file/empty': {
    level: 'error',
    title: { es: 'Archivo vacío', en: 'Empty file' },
    message: {
      es: 'El archivo está vacío (0 bytes de contenido).',
      en: 'The file is empty (0 bytes of content).',
    },
    fix: {
      es: 'Guárdelo o descárguelo de nuevo; puede que la copia haya quedado a medias.',
      en: 'Save or download it again; the copy may not have finished.',
    },
  },
  'file/old-xls': {
    level: 'error',
    title: { es: 'Excel 97-2003 (.xls)', en: 'Excel 97-2003 (.xls)' },
    message: {
      es: 'El archivo está en el formato antiguo de Excel (.xls), aunque su nombre diga otra cosa.',
      en: 'The file is in the old Excel format (.xls), whatever its name says.',
    },
    fix: {
      es: 'Ábralo en Excel y use Guardar como > Libro de Excel (.xlsx).',
      en: 'Open it in Excel and use Save As > Excel Workbook (.xlsx).',
    },
  },
  'file/encrypted': {
    level: 'error',
    title: { es: 'Libro con contraseña', en: 'Workbook with a password' },
    message: {
      es: 'El archivo está cifrado con una contraseña para abrirlo.',
      en: 'The file is encrypted: it needs a password to open.',
    },
    fix: {
      es: 'En Excel: Archivo > Información > Proteger libro > Cifrar con contraseña, borre la contraseña y guarde una copia.',
      en: 'In Excel: File > Info > Protect Workbook > Encrypt with Password, clear the password and save a copy.',
    },
  },
  'file/not-a-workbook': {
    level: 'error',
    title: { es: 'No es un libro de Excel', en: 'Not an Excel workbook' },
    message: {
      es: 'El archivo es un paquete {format} sin un libro de Excel (.xlsx) con hojas de cálculo.',
      en: 'The file is a {format} package without an Excel workbook (.xlsx) that has worksheets.',
    },
    fix: {
      es: 'Si es un ZIP, extraiga primero el archivo de Excel o CSV. Si no, ábralo y use Guardar como > Libro de Excel (.xlsx).',
      en: 'If it is a ZIP, extract the Excel or CSV file first. Otherwise open it and use Save As > Excel Workbook (.xlsx).',
    },
  },
  'file/xlsb': {
    level: 'error',
    title: { es: 'Libro binario de Excel (.xlsb)', en: 'Excel binary workbook (.xlsb)' },
    message: {
      es: 'El archivo es un libro binario de Excel (.xlsb), aunque su nombre diga otra cosa.',
      en: 'The file is an Excel binary workbook (.xlsb), whatever its name says.',
    },
    fix: {
      es: 'Ábralo en Excel y use Guardar como > Libro de Excel (.xlsx).',
      en: 'Open it in Excel and use Save As > Excel Workbook (.xlsx).',
    },
  },
  'file/ods': {
    level: 'error',
    title: { es: 'Hoja de OpenDocument (.ods)', en: 'OpenDocument spreadsheet (.ods)' },
    message: {
      es: 'El archivo es una hoja de cálculo OpenDocument (.ods), la de LibreOffice, aunque su nombre diga otra cosa.',
      en: 'The file is an OpenDocument spreadsheet (.ods), as LibreOffice writes it, whatever its name says.',
    },
    fix: {
      es: 'Ábralo en LibreOffice o Excel y use Guardar como, con el tipo Excel (.xlsx).',
      en: 'Open it in LibreOffice or Excel and use Save As, with the type Excel (.xlsx).',
    },
  },
  'file/unknown-format': {
    level: 'error',
    title: { es: 'Formato no admitido', en: 'Format not supported' },
    message: {
      es: 'Por su contenido, el archivo es {format}, aunque su nombre diga otra cosa.',
      en: 'By its content the file is {format}, whatever its name says.',
    },
    fix: {
      es: 'Entregue un libro de Excel (.xlsx) o un CSV. Si el archivo abre en Excel, use Guardar como > Libro de Excel (.xlsx).',
      en: 'Give an Excel workbook (.xlsx) or a CSV. If the file opens in Excel, use Save As > Excel Workbook (.xlsx).',
    },
  },
  'file/binary': {
    level: 'error',
    title: { es: 'No es texto', en: 'Not text' },
    message: {
      es: 'El archivo trae bytes nulos: no es texto ni un libro de Excel, o está dañado.',
      en: 'The file holds NUL bytes: it is neither text nor an Excel workbook, or it is damaged.',
    },
    fix: {
      es: 'Ábralo en el programa que lo creó y guárdelo como .xlsx o como "CSV UTF-8".',
      en: 'Open it in the program that made it and save it as .xlsx or as "CSV UTF-8".',
    },
  },
  'file/zip-broken': {
    level: 'error',
    title: { es: 'Libro incompleto o dañado', en: 'Workbook cut short or damaged' },
    message: {
      es: 'El libro está incompleto o dañado y no se puede abrir.',
      en: 'The workbook is cut short or damaged and cannot be opened.',
    },
    fix: {
      es: 'Descárguelo o cópielo de nuevo. Si Excel lo abre o lo repara, guárdelo como un libro nuevo.',
      en: 'Download or copy it again. If Excel opens or repairs it, save it as a new workbook.',
    },
  },
  'file/zip-bomb': {
    level: 'error',
    title: { es: 'Libro sospechosamente grande', en: 'Suspiciously large workbook' },
    message: {
      es: 'Al descomprimirlo, el libro pasa de los límites de seguridad.',
      en: 'Unpacked, the workbook exceeds the safety limits.',
    },
    fix: {
      es: 'Copie solo las filas con datos a un libro nuevo, o divida el archivo en varios.',
      en: 'Copy just the rows with data to a new workbook, or split the file.',
    },
  },
  'file/zip-ambiguous': {
    level: 'error',
    title: { es: 'Archivo que dice dos cosas', en: 'File that says two things' },
    message: {
      es: 'En el archivo, {part} está dos veces o comparte su contenido con otra parte u otra hoja: no se sabe cuál vale.',
      en: 'In the file, {part} is there twice or shares its content with another part or sheet: which one counts cannot be known.',
    },
    fix: {
      es: 'Pida de nuevo el archivo a quien lo hizo. Si Excel lo abre o lo repara, guárdelo como un libro nuevo y revise sus hojas.',
      en: 'Ask who made the file for another one. If Excel opens or repairs it, save it as a new workbook and look through its sheets.',
    },
  },
  'file/too-many-sheets': {
    level: 'error',
    title: { es: 'Demasiadas hojas', en: 'Too many sheets' },
    message: {
      es: 'El libro tiene {sheets} hojas; se leen hasta {most}.',
      en: 'The workbook has {sheets} sheets; up to {most} are read.',
    },
    fix: {
      es: 'Deje en el libro solo las hojas con datos, o divídalo en varios.',
      en: 'Keep only the sheets with data in the workbook, or split it.',
    },
  },
  'file/cell-outside': {
    level: 'error',
    title: { es: 'Celda fuera de la hoja', en: 'Cell outside the sheet' },
    message: {
      es: 'La parte {part} del libro tiene la celda {cell}; una hoja de Excel termina en XFD1048576.',
      en: 'The part {part} of the workbook has the cell {cell}; a sheet of Excel ends at XFD1048576.',
    },
    fix: {
      es: 'Reparta los datos en varias hojas o libros; si el archivo lo creó un programa, avise a quien lo mantiene.',
      en: 'Spread the data over several sheets or workbooks; if a program made the file, tell whoever maintains that.',
    },
  },
  'file/row-too-long': {
    level: 'error',
    title: { es: 'Fila con demasiado texto', en: 'Row with too much text' },
    message: {
      es: 'La fila {row} de la parte {part} del libro tiene varios megabytes de texto.',
      en: 'Row {row} of the part {part} of the workbook holds several megabytes of text.',
    },
    fix: {
      es: 'Deje en la hoja solo los datos del registro; si el archivo lo creó un programa, avise a quien lo mantiene.',
      en: 'Keep only the data of the record in the sheet; if a program made the file, tell whoever maintains that.',
    },
  },
  'file/zip-path': {
    level: 'error',
    title: { es: 'Nombre peligroso en el zip', en: 'Dangerous name in the zip' },
    message: {
      es: 'El zip tiene un nombre que sale de su carpeta: {part}.',
      en: 'The zip has a name that leaves its folder: {part}.',
    },
    fix: {
      es: 'No lo abra: pida de nuevo el archivo a quien lo envió.',
      en: 'Do not open it: ask who sent the file for another one.',
    },
  },
  'file/zip-nested': {
    level: 'error',
    title: { es: 'Libro o zip dentro del zip', en: 'Workbook or zip inside the zip' },
    message: {
      es: 'Dentro del zip está {part}, que no se lee allí.',
      en: 'Inside the zip there is {part}, which is not read there.',
    },
    fix: {
      es: 'Sáquelo del zip y nómbrelo aparte.',
      en: 'Take it out of the zip and name it by itself.',
    },
  },
  'file/zip-without-table': {
    level: 'error',
    title: { es: 'Zip sin tablas', en: 'Zip without tables' },
    message: {
      es: 'El zip no tiene ningún archivo de texto con datos.',
      en: 'The zip has no text file with data.',
    },
    fix: {
      es: 'Compruebe que sea el zip de los archivos planos (.TXT o .CSV).',
      en: 'Check that it is the zip of the flat files (.TXT or .CSV).',
    },
  },
  'file/part-missing': {
    level: 'error',
    title: { es: 'Al libro le falta una parte', en: 'Part of the workbook is missing' },
    message: {
      es: 'El libro menciona la parte {part}, que no está dentro de él.',
      en: 'The workbook mentions the part {part}, which is not in it.',
    },
    fix: {
      es: 'Ábralo en Excel, acepte la reparación y guárdelo como un libro nuevo.',
      en: 'Open it in Excel, accept the repair and save it as a new workbook.',
    },
  },
  'file/xml-broken': {
    level: 'error',
    title: { es: 'Contenido del libro dañado', en: 'Damaged workbook content' },
    message: {
      es: 'La parte {part} del libro está dañada.',
      en: 'The part {part} of the workbook is damaged.',
    },
    fix: {
      es: 'Ábralo en Excel, acepte la reparación y guárdelo como un libro nuevo; si lo creó un programa, avise a quien lo mantiene.',
      en: 'Open it in Excel, accept the repair and save it as a new workbook; if a program made it, tell whoever maintains that.',
    },
  },
  'file/xml-entities': {
    level: 'error',
    title: { es: 'Libro con definiciones no permitidas', en: 'Workbook with forbidden definitions' },
    message: {
      es: 'La parte {part} del libro trae una definición DOCTYPE, que Excel nunca escribe y que sirve para ataques.',
      en: 'The part {part} of the workbook holds a DOCTYPE definition, which Excel never writes and attacks use.',
    },
    fix: {
      es: 'No use este archivo si no confía en quien lo envió. Si confía, ábralo en Excel y guárdelo como un libro nuevo.',
      en: 'Do not use this file unless you trust its sender. If you do, open it in Excel and save it as a new workbook.',
    },
  },
  'file/encoding': {
    level: 'error',
    title: { es: 'Codificación del texto no reconocida', en: 'Text encoding not recognised' },
    message: {
      es: 'El texto mezcla codificaciones o está en una desconocida: tildes y eñes saldrían mal.',
      en: 'The text mixes encodings or is in an unknown one: accents and ñ would come out wrong.',
    },
    fix: {
      es: 'Ábralo en Excel, revise tildes y eñes, y guárdelo como "CSV UTF-8 (delimitado por comas)".',
      en: 'Open it in Excel, check accents and ñ, and save it as "CSV UTF-8 (Comma delimited)".',
    },
  },
  'file/csv-quote': {
    level: 'error',
    title: { es: 'Comillas sin cerrar', en: 'Unclosed quote' },
    message: {
      es: 'Un campo abre comillas (") y no las cierra, así que se uniría con los registros siguientes.',
      en: 'A field opens a quote (") and does not close it, so it would swallow the records that follow.',
    },
    fix: {
      es: 'Cierre las comillas en ese registro o bórrelas; unas comillas dentro de un campo entre comillas se escriben dos veces ("").',
      en: 'Close the quote in that record or remove it; a quote inside a quoted field is written twice ("").',
    },
  },
  'file/too-many-columns': {
    level: 'error',
    title: { es: 'Demasiadas columnas', en: 'Too many columns' },
    message: {
      es: 'El registro tiene {count} columnas; se leen hasta {most}.',
      en: 'The record has {count} columns; up to {most} are read.',
    },
    fix: {
      es: 'Deje solo las columnas con datos, y revise que el separador del archivo sea el correcto y que cada registro esté en su línea.',
      en: 'Keep only the columns with data, and check that the delimiter of the file is the right one and that every record is on its own line.',
    },
  },
  'file/record-too-long': {
    level: 'error',
    title: { es: 'Registro demasiado largo', en: 'Record too long' },
    message: {
      es: 'Un registro pasa de varios megabytes: faltan saltos de línea o hay comillas sin cerrar.',
      en: 'A record is several megabytes long: line breaks are missing or a quote is not closed.',
    },
    fix: {
      es: 'Revise que cada registro esté en su línea y que toda comilla (") que se abre se cierre.',
      en: 'Check that every record is on its own line and that every quote (") that opens also closes.',
    },
  },
} satisfies Record<string, CodeEntry>;

/** How the amounts and dates of a column are written, when cells do not agree or do not tell. */
const FORMAT_CODES = {
  'format/contradiction': {
    level: 'error',
    title: { es: 'Escrito de otra manera que su columna', en: 'Written in another way than its column' },
    message: {
      es: '"{value}" está escrito como {other}, pero la columna se lee como {style}.',
      en: '"{value}" is written as {other}, yet its column is read as {style}.',
    },
    fix: {
      es: 'Escriba la celda como {style}, o declare en el mapeo (formats) cómo está escrita la columna.',
      en: 'Write the cell as {style}, or declare in the mapping (formats) how the column is written.',
    },
  },
  'format/undecided': {
    level: 'error',
    title: { es: 'Columna que se puede leer de dos maneras', en: 'Column that can be read two ways' },
    message: {
      es: 'Ninguna celda aclara si "{value}" es {first} o {second}.',
      en: 'No cell tells whether "{value}" is {first} or {second}.',
    },
    fix: {
      es: 'Responda --answer {answer} ({first}) o --answer {other} ({second}), o declárelo en el mapeo con formats.',
      en: 'Answer --answer {answer} ({first}) or --answer {other} ({second}), or declare it in the mapping with formats.',
    },
  },
} satisfies Record<string, CodeEntry>;

/** Trouble in finding the table, its header and its columns. */
const HEADER_CODES = {
  'header/sheet-not-found': {
    level: 'error',
    title: { es: 'No está la hoja', en: 'Sheet not found' },
    message: {
      es: 'Ninguna hoja se llama como pide el mapeo ({wanted}); hay: {found}.',
      en: 'No sheet has the name that the mapping wants ({wanted}); there are: {found}.',
    },
    fix: {
      es: 'Cambie el nombre de la hoja o el del mapeo.',
      en: 'Change the name of the sheet or the one in the mapping.',
    },
  },
  'header/sheet-misspelt': {
    level: 'error',
    title: { es: 'Hoja con otro nombre', en: 'Sheet of another name' },
    message: {
      es: 'La hoja "{value}" no se lee: parece ser "{wanted}".',
      en: 'The sheet "{value}" is not read: it seems to be "{wanted}".',
    },
    fix: {
      es: 'Cambie el nombre de la hoja a "{wanted}", o agréguelo al mapeo (sheet).',
      en: 'Rename the sheet to "{wanted}", or add the name to the mapping (sheet).',
    },
  },
  'header/label-new': {
    level: 'warning',
    title: { es: 'Columna que el mapeo no conoce', en: 'Column unknown to the mapping' },
    message: {
      es: 'El mapeo no dice qué es la columna "{value}": no se lee. Celdas con datos: {cells}; por ejemplo, "{example}".',
      en: 'The mapping does not say what the column "{value}" is: it is not read. Filled cells: {cells}; for example "{example}".',
    },
    fix: {
      es: 'Si los documentos la necesitan, agréguela a labels con el nombre de su columna; si no, a ignore con la razón.',
      en: 'If the documents need it, add it to labels with the id of its column; if not, to ignore with the reason.',
    },
  },
  'header/amounts-new': {
    level: 'error',
    title: {
      es: 'Valores en una columna que el mapeo no conoce',
      en: 'Amounts in a column unknown to the mapping',
    },
    message: {
      es: 'La columna "{value}" tiene valores y el mapeo no dice qué es: no llegan a ningún documento. Celdas con datos: {cells}; suma: {sum}; por ejemplo, "{example}".',
      en: 'The column "{value}" holds amounts and the mapping does not say what it is: they reach no document. Filled cells: {cells}; sum: {sum}; for example "{example}".',
    },
    fix: {
      es: 'Si los documentos la necesitan, agréguela a labels con el nombre de su columna; si no, a ignore con la razón.',
      en: 'If the documents need it, add it to labels with the id of its column; if not, to ignore with the reason.',
    },
  },
  'header/sheet-unused': {
    level: 'warning',
    title: { es: 'Hoja sin usar', en: 'Sheet not used' },
    message: {
      es: 'La hoja "{value}" tiene registros de personas, pero el mapeo no la lee. Filas con datos: {rows}.',
      en: 'The sheet "{value}" has records of people, but the mapping does not read it. Filled rows: {rows}.',
    },
    fix: {
      es: 'Si sus datos hacen parte de los documentos, agréguela al mapeo (tables); si no, a ignore_sheets con la razón.',
      en: 'If its data belong to the documents, add it to the mapping (tables); if not, to ignore_sheets with the reason.',
    },
  },
  'header/sheet-unread': {
    level: 'warning',
    title: { es: 'Hoja que ninguna tabla lee', en: 'Sheet that no table reads' },
    message: {
      es: 'Ninguna tabla del mapeo lee la hoja "{value}". Filas con datos: {rows}.',
      en: 'No table of the mapping reads the sheet "{value}". Filled rows: {rows}.',
    },
    fix: {
      es: 'Si sus datos hacen parte de los documentos, agréguela al mapeo (tables); si no, a ignore_sheets con la razón.',
      en: 'If its data belong to the documents, add it to the mapping (tables); if not, to ignore_sheets with the reason.',
    },
  },
  'header/hidden-sheet-unread': {
    level: 'warning',
    title: { es: 'Hoja oculta que ninguna tabla lee', en: 'Hidden sheet that no table reads' },
    message: {
      es: 'Ninguna tabla del mapeo lee la hoja "{value}", que está oculta. Filas con datos: {rows}.',
      en: 'No table of the mapping reads the sheet "{value}", which is hidden. Filled rows: {rows}.',
    },
    fix: {
      es: 'Muéstrela y revísela: si sus datos hacen parte de los documentos, agréguela al mapeo (tables); si no, a ignore_sheets con la razón.',
      en: 'Show it and look at it: if its data belong to the documents, add it to the mapping (tables); if not, to ignore_sheets with the reason.',
    },
  },
  'header/file-unused': {
    level: 'error',
    title: { es: 'Archivo del zip sin usar', en: 'File of the zip not used' },
    message: {
      es: 'El mapeo no lee «{value}»: sus registros se perderían.',
      en: 'The mapping does not read "{value}": its records would be lost.',
    },
    fix: {
      es: 'Agregue su tabla al mapeo (tables), o saque el archivo del zip.',
      en: 'Add its table to the mapping (tables), or take the file out of the zip.',
    },
  },
  'header/not-found': {
    level: 'error',
    title: { es: 'No se encontró el encabezado', en: 'Header not found' },
    message: {
      es: 'Ninguna de las primeras {within} filas tiene las columnas {wanted}.',
      en: 'None of the first {within} rows has the columns {wanted}.',
    },
    fix: {
      es: 'Revise que sea el archivo correcto, o agregue sus títulos al mapeo (titles).',
      en: 'Check that it is the right file, or add its titles to the mapping (titles).',
    },
  },
  'header/missing': {
    level: 'error',
    title: { es: 'Falta una columna', en: 'Column missing' },
    message: { es: 'Falta la columna "{title}".', en: 'The column "{title}" is missing.' },
    fix: {
      es: 'Agregue la columna, o escriba en el mapeo cómo se llama en este archivo.',
      en: 'Add the column, or write in the mapping what this file calls it.',
    },
  },
  'header/duplicate': {
    level: 'error',
    title: { es: 'Dos columnas para lo mismo', en: 'Two columns for one thing' },
    message: {
      es: '"{value}" repite la columna {first} ("{firstLabel}"); se leyó la primera.',
      en: '"{value}" repeats column {first} ("{firstLabel}"); the first was read.',
    },
    fix: {
      es: 'Deje una sola, cambie el título de la que no corresponde, o márquela como ignore en el mapeo (labels).',
      en: 'Keep one, change the title of the one that is something else, or mark it as ignore in the mapping (labels).',
    },
  },
  'header/ambiguous': {
    level: 'error',
    title: { es: 'Título que puede ser dos columnas', en: 'Title that may be two columns' },
    message: { es: '"{value}" puede ser: {columns}.', en: '"{value}" may be: {columns}.' },
    fix: {
      es: 'Precise el título, o diga en el mapeo qué es (labels, o groups si está bajo un grupo).',
      en: 'Make the title precise, or say in the mapping what it is (labels, or groups if it stands under one).',
    },
  },
  'header/field-count': {
    level: 'error',
    title: { es: 'Número de campos distinto', en: 'Another number of fields' },
    message: {
      es: 'El registro tiene {found} campos; deben ser {wanted}.',
      en: 'The record has {found} fields; there should be {wanted}.',
    },
    fix: {
      es: 'Busque una coma de más o de menos: desde ahí los datos quedan corridos.',
      en: 'Look for a comma too many or too few: from there on the data have shifted.',
    },
  },
} satisfies Record<string, CodeEntry>;

const CORRECT: Text = {
  es: 'Corrija el dato y envíe el archivo otra vez: la atención recibe un número nuevo.',
  en: 'Correct the data and send the file again: the visit gets a new number.',
};

/** What the sender says of RIPS packages, and what the ministry says through the service. */
export const HEALTH_CODES = {
  'remote/rips-rejected': {
    ...error(
      { es: 'Rechazado por el Ministerio', en: 'Rejected by the ministry' },
      {
        es: 'El Ministerio lo rechazó, regla {rule}: {text}',
        en: 'The ministry rejected it, rule {rule}: {text}',
      },
      CORRECT,
    ),
    byRule: true,
  },
  'remote/rips-notification': warning(
    { es: 'Aceptado con notificación del Ministerio', en: 'Accepted with a notification of the ministry' },
    { es: 'El Ministerio notifica, regla {rule}: {text}', en: 'The ministry notes, rule {rule}: {text}' },
    { es: 'No bloquea el CUV; téngalo en cuenta.', en: 'It does not hold up the CUV; mind it.' },
  ),
  'remote/rips-no-reasons': error(
    { es: 'Rechazado sin motivos', en: 'Rejected without reasons' },
    {
      es: 'El Ministerio lo rechazó y los motivos no llegaron. Lo que llegó: {text}',
      en: 'The ministry rejected it and the reasons were not delivered. What came: {text}',
    },
    {
      es: 'Corra `cargue check` con las tablas del Ministerio, o busque los motivos en el servicio.',
      en: 'Run `cargue check` with the tables of the ministry, or look the reasons up in the service.',
    },
  ),
  'remote/rips-cut-off': warning(
    { es: 'Motivos incompletos', en: 'Reasons cut off' },
    {
      es: 'La respuesta del Ministerio llegó cortada: puede haber más motivos.',
      en: 'The answer of the ministry came cut off: there may be more reasons.',
    },
    {
      es: 'Corrija los motivos conocidos y corra `cargue check` antes de enviar otra vez.',
      en: 'Correct the known reasons and run `cargue check` before sending again.',
    },
  ),
  'send/patient-changed': error(
    {
      es: 'El paciente ya no es el mismo en el servicio',
      en: 'The patient at the service is another one now',
    },
    {
      es: 'La fila del paciente con que se armó {number} ya no es suya: el paquete no se generó.',
      en: "The patient's row that {number} was made with is no longer theirs: the package was not generated.",
    },
    {
      es: 'Revise el paciente en el servicio y use `cargue resume`.',
      en: 'Look the patient up in the service, then run `cargue resume`.',
    },
  ),
  'send/health-access': error(
    { es: 'El servicio no entra al sistema del Ministerio', en: 'No access to the system of the ministry' },
    {
      es: 'El servicio no pudo entrar al sistema del Ministerio: {text}',
      en: 'The service could not enter the system of the ministry: {text}',
    },
    {
      es: 'Revise usuario, contraseña y dirección de SISPRO y use `cargue resume`: no se ha transmitido nada de lo que falta.',
      en: 'Check user, password and address of SISPRO, then run `cargue resume`: nothing of what is left was transmitted.',
    },
  ),
  'send/health-access-refused': error(
    { es: 'El servicio no guardó el acceso a SISPRO', en: 'The service did not store the access to SISPRO' },
    {
      es: 'El servicio no guardó el acceso al sistema del Ministerio: {text}',
      en: 'The service did not store the access to the system of the ministry: {text}',
    },
    { es: 'Revise los cuatro datos del acceso.', en: 'Check the four parts of the access.' },
  ),
  'send/health-access-file': error(
    { es: 'No se puede usar el archivo de SISPRO', en: 'The SISPRO file cannot be used' },
    { es: 'No se puede usar {value} ({reason}).', en: '{value} cannot be used ({reason}).' },
    {
      es: 'Es un YAML con type_document_identification_id, number_identification, url y, si quiere, password; con password, solo usted puede leerlo (chmod 600).',
      en: 'It is a YAML file with type_document_identification_id, number_identification, url and, if you like, password; with a password only you may read it (chmod 600).',
    },
  ),
  'send/needs-sispro-password': error(
    { es: 'Falta la clave de SISPRO', en: 'The password of SISPRO is missing' },
    { es: 'El acceso a SISPRO no tiene clave.', en: 'The access to SISPRO has no password.' },
    { es: 'Póngala en CARGUE_SISPRO_PASSWORD.', en: 'Put it into CARGUE_SISPRO_PASSWORD.' },
  ),
  'send/appointment-unknown': error(
    { es: 'No se sabe si la cita quedó creada', en: 'It is not known whether the appointment was made' },
    {
      es: 'Se pidió la cita del {date} a las {time} con el profesional {user} y no llegó respuesta; citas que podrían ser esa: {found}.',
      en: 'The appointment of {date} at {time} with professional {user} was asked for and no answer came; appointments that it may be: {found}.',
    },
    {
      es: 'Búsquela en el calendario del servicio. Si está: `cargue resume --settle {number}=ID`, con su id. Si no está: `cargue resume --settle {number}=none`.',
      en: 'Look it up in the calendar of the service. If it is there: `cargue resume --settle {number}=ID`, with its id. If not: `cargue resume --settle {number}=none`.',
    },
  ),
  'send/rips-document-unknown': error(
    {
      es: 'No se sabe si el documento RIPS quedó creado',
      en: 'It is not known whether the RIPS document was made',
    },
    {
      es: 'Se pidió crear el documento {number} y no llegó respuesta ({reason}). No se ha transmitido al Ministerio.',
      en: 'Document {number} was asked for and no answer came ({reason}). It was not transmitted to the ministry.',
    },
    {
      es: 'Búsquelo en el servicio por su número. Si está: `cargue resume --settle {number}=ID`, con su id. Si no está: `cargue resume --settle {number}=none`.',
      en: 'Look its number up in the service. If it is there: `cargue resume --settle {number}=ID`, with its id. If not: `cargue resume --settle {number}=none`.',
    },
  ),
  'send/cuv-unknown': error(
    { es: 'No se sabe si el Ministerio lo recibió', en: 'It is not known whether the ministry got it' },
    {
      es: 'Se pidió transmitir {number} y no llegó un resultado ({reason}). No se transmite otra vez: quedaría dos veces.',
      en: 'Transmission of {number} was asked for and no result came ({reason}). It is not sent again: it might be there twice.',
    },
    {
      es: 'Busque {number} en el Ministerio o en el servicio. Si tiene CUV: `cargue resume --settle {number}=accepted:CUV`. Si es seguro que no llegó: `cargue resume --settle {number}=none`.',
      en: 'Look {number} up at the ministry or in the service. If it has a CUV: `cargue resume --settle {number}=accepted:CUV`. If it surely did not arrive: `cargue resume --settle {number}=none`.',
    },
  ),
  'send/care-repeated': error(
    { es: 'Atención repetida en el archivo', en: 'Visit repeated in the file' },
    {
      es: 'La misma atención ya está en este envío: {key}.',
      en: 'The same visit is already in this run: {key}.',
    },
    { es: 'Deje una sola.', en: 'Leave only one.' },
  ),
  'send/care-accepted': error(
    { es: 'Atención ya aceptada con otros datos', en: 'Visit accepted before with other data' },
    {
      es: 'La atención ya fue aceptada con otros datos: número {number}, CUV {cuv}, envío {run}.',
      en: 'The visit was accepted before with other data: number {number}, CUV {cuv}, run {run}.',
    },
    {
      es: 'Lo aceptado se corrige con una nota de ajuste (NA), no enviándolo otra vez.',
      en: 'What was accepted is corrected by an adjust note (NA), not by sending it again.',
    },
  ),
} satisfies Readonly<Record<string, CodeEntry>>;

export type HealthCode = keyof typeof HEALTH_CODES;

/** What `cargue inspect`, and the choice of a mapping, can refuse. */
const INSPECT_CODES = {
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

/** What a mapping file, its formulas or its parameters can have wrong. */
const MAPPING_CODES = {
  'mapping/not-readable': {
    level: 'error',
    title: { es: 'No se puede leer el mapeo', en: 'Mapping not readable' },
    message: { es: 'No se puede leer {value}.', en: '{value} cannot be read.' },
    fix: { es: 'Revise la ruta del archivo (-m).', en: 'Check the path of the file (-m).' },
  },
  'mapping/no-tests': {
    level: 'error',
    title: { es: 'Mapeo sin pruebas', en: 'Mapping without tests' },
    message: { es: 'El mapeo {value} no trae pruebas.', en: 'The mapping {value} holds no tests.' },
    fix: {
      es: 'Agregue «tests:» con registros y los documentos que deben dar (mappings/LANGUAGE.md).',
      en: 'Add "tests:" with records and the documents they must become (mappings/LANGUAGE.md).',
    },
  },
  'mapping/yaml': {
    level: 'error',
    title: { es: 'YAML mal formado', en: 'Malformed YAML' },
    message: { es: '{reason}.', en: '{reason}.' },
    fix: {
      es: 'Corrija la línea; la sangría se hace con espacios.',
      en: 'Correct the line; indentation is made of spaces.',
    },
  },
  'mapping/unknown-key': {
    level: 'error',
    title: { es: 'Clave desconocida', en: 'Unknown key' },
    message: { es: 'La clave "{value}" no existe aquí.', en: 'The key "{value}" does not exist here.' },
    fix: {
      es: 'Corrija la clave o quítela (mappings/LANGUAGE.md).',
      en: 'Correct the key or remove it (mappings/LANGUAGE.md).',
    },
  },
  'mapping/missing-key': {
    level: 'error',
    title: { es: 'Falta una clave', en: 'Missing key' },
    message: { es: 'Falta la clave "{value}".', en: 'The key "{value}" is missing.' },
    fix: { es: 'Agréguela (mappings/LANGUAGE.md).', en: 'Add it (mappings/LANGUAGE.md).' },
  },
  'mapping/shape': {
    level: 'error',
    title: { es: 'Valor con otra forma', en: 'Value of another shape' },
    message: {
      es: 'El valor no tiene la forma esperada: {expected}.',
      en: 'The value is not of the form expected: {expected}.',
    },
    fix: { es: 'Corrija el valor (mappings/LANGUAGE.md).', en: 'Correct the value (mappings/LANGUAGE.md).' },
  },
  'mapping/unknown-schema': {
    level: 'error',
    title: { es: 'Destino desconocido', en: 'Unknown target' },
    message: { es: 'No hay un documento "{value}".', en: 'There is no document "{value}".' },
    fix: { es: 'Use un nombre de cargue schema list.', en: 'Use a name of cargue schema list.' },
  },
  'mapping/unknown-target': {
    level: 'error',
    title: { es: 'Campo que el documento no tiene', en: 'Field the document does not have' },
    message: { es: 'El documento no tiene {pointer}.', en: 'The document has no {pointer}.' },
    fix: {
      es: 'Corrija el nombre del campo (cargue schema show).',
      en: 'Correct the name of the field (cargue schema show).',
    },
  },
  'mapping/unknown-table': {
    level: 'error',
    title: { es: 'Tabla desconocida', en: 'Unknown table' },
    message: { es: 'No hay una tabla "{value}".', en: 'There is no table "{value}".' },
    fix: { es: 'Use el nombre de una tabla de tables.', en: 'Use the name of a table of tables.' },
  },
  'mapping/unknown-column': {
    level: 'error',
    title: { es: 'Columna desconocida', en: 'Unknown column' },
    message: {
      es: 'No hay una columna "{value}" en la tabla.',
      en: 'There is no column "{value}" in the table.',
    },
    fix: {
      es: 'Declárela en columns, o corrija el nombre.',
      en: 'Declare it in columns, or correct the name.',
    },
  },
  'mapping/unknown-param': {
    level: 'error',
    title: { es: 'Parámetro desconocido', en: 'Unknown parameter' },
    message: { es: 'No hay un parámetro "{value}".', en: 'There is no parameter "{value}".' },
    fix: {
      es: 'Declárelo en params, o corrija el nombre.',
      en: 'Declare it in params, or correct the name.',
    },
  },
  'mapping/unknown-catalogue': {
    level: 'error',
    title: { es: 'Lista desconocida', en: 'Unknown catalogue' },
    message: { es: 'No hay una lista "{value}".', en: 'There is no catalogue "{value}".' },
    fix: { es: 'Use un nombre de cargue catalogue list.', en: 'Use a name of cargue catalogue list.' },
  },
  'mapping/unknown-catalogue-column': {
    level: 'error',
    title: { es: 'Columna que la lista no tiene', en: 'Column the catalogue does not have' },
    message: { es: 'La lista no tiene una columna "{value}".', en: 'The catalogue has no column "{value}".' },
    fix: { es: 'Use una columna de la lista.', en: 'Use a column of the catalogue.' },
  },
  'mapping/unknown-synonyms': {
    level: 'error',
    title: { es: 'Sinónimos desconocidos', en: 'Unknown synonyms' },
    message: {
      es: 'No hay un archivo mappings/synonyms/{value}.yaml.',
      en: 'There is no file mappings/synonyms/{value}.yaml.',
    },
    fix: { es: 'Corrija el nombre.', en: 'Correct the name.' },
  },
  'mapping/unknown-total': {
    level: 'error',
    title: { es: 'Total desconocido', en: 'Unknown total' },
    message: {
      es: '"{value}" no es un total de este documento; hay: {known}.',
      en: '"{value}" is no total of this document; there are: {known}.',
    },
    fix: { es: 'Use uno de esos nombres.', en: 'Use one of those names.' },
  },
  'mapping/unknown-part': {
    level: 'error',
    title: { es: 'Parte desconocida', en: 'Unknown part' },
    message: { es: 'El patrón no tiene la parte "{value}".', en: 'The pattern has no part "{value}".' },
    fix: {
      es: 'Use una parte del patrón (mappings/LANGUAGE.md).',
      en: 'Use a part of the pattern (mappings/LANGUAGE.md).',
    },
  },
  'mapping/no-titles': {
    level: 'error',
    title: { es: 'Columna sin títulos', en: 'Column without titles' },
    message: {
      es: 'La columna {column} no dice cómo se llama en el archivo.',
      en: 'The column {column} does not say what the file calls it.',
    },
    fix: {
      es: 'Agregue titles, o un id que esté en los sinónimos.',
      en: 'Add titles, or an id that the synonyms have.',
    },
  },
  'mapping/ignored-wanted': {
    level: 'error',
    title: { es: 'Columna que se lee y se descarta', en: 'Column both read and ignored' },
    message: {
      es: 'ignore descarta un título de la columna {value}, que se lee.',
      en: 'ignore leaves aside a title of the column {value}, which is read.',
    },
    fix: {
      es: 'Quite el título de ignore, o la columna de columns.',
      en: 'Take the title out of ignore, or the column out of columns.',
    },
  },
  'mapping/ignored-sheet-wanted': {
    level: 'error',
    title: { es: 'Hoja que se lee y se descarta', en: 'Sheet both read and ignored' },
    message: {
      es: 'ignore_sheets descarta una hoja de la tabla {value}, que se lee.',
      en: 'ignore_sheets leaves aside a sheet of the table {value}, which is read.',
    },
    fix: {
      es: 'Quite el nombre de ignore_sheets, o de sheet.',
      en: 'Take the name out of ignore_sheets, or out of sheet.',
    },
  },
  'mapping/unknown-ignored': {
    level: 'error',
    title: { es: 'Nombre desconocido en ignore', en: 'Unknown name in ignore' },
    message: {
      es: 'Los sinónimos del mapeo no tienen "{value}".',
      en: 'The synonyms of the mapping do not have "{value}".',
    },
    fix: {
      es: 'Use un nombre de columns o de ignored de los sinónimos, o escriba los títulos en titles.',
      en: 'Use a name of columns or ignored in the synonyms, or write the titles in titles.',
    },
  },
  'mapping/no-choices': {
    level: 'error',
    title: { es: 'Faltan las opciones', en: 'Choices missing' },
    message: {
      es: '{column} es de opciones y no dice cuáles.',
      en: '{column} is a choice and does not say of what.',
    },
    fix: { es: 'Agregue choices.', en: 'Add choices.' },
  },
  'mapping/param-type': {
    level: 'error',
    title: { es: 'Valor que no es de ese tipo', en: 'Value not of that type' },
    message: {
      es: '"{value}" no es {type}, el tipo del parámetro {param}.',
      en: '"{value}" is not {type}, the type of parameter {param}.',
    },
    fix: { es: 'Corrija el valor o el tipo.', en: 'Correct the value or the type.' },
  },
  'mapping/const-type': {
    level: 'error',
    title: { es: 'Constante de otro tipo', en: 'Constant of another type' },
    message: {
      es: 'La constante {value} debe ser {expected}; sin comillas YAML pierde los ceros y el texto.',
      en: 'The constant {value} must be a {expected}; unquoted, YAML loses zeros and text.',
    },
    fix: { es: 'Escríbala entre comillas si es texto.', en: 'Quote it if it is text.' },
  },
  'mapping/type': {
    level: 'error',
    title: { es: 'Tipos que no casan', en: 'Types that do not fit' },
    message: {
      es: 'El campo es {expected} y su fuente es {found}.',
      en: 'The field is {expected} and its source is {found}.',
    },
    fix: { es: 'Cambie read de la columna, o la fuente.', en: 'Change read of the column, or the source.' },
  },
  'mapping/two-sources': {
    level: 'error',
    title: { es: 'Dos fuentes para un campo', en: 'Two sources for one field' },
    message: {
      es: 'El campo tiene más de una fuente: {sources}.',
      en: 'The field has more than one source: {sources}.',
    },
    fix: { es: 'Deje una sola.', en: 'Keep one.' },
  },
  'mapping/no-source': {
    level: 'error',
    title: { es: 'Campo sin fuente', en: 'Field without a source' },
    message: { es: '{pointer} no dice de dónde sale.', en: '{pointer} does not say where it comes from.' },
    fix: {
      es: 'Agregue from, const, param, lookup, formula o parts.',
      en: 'Add from, const, param, lookup, formula or parts.',
    },
  },
  'mapping/not-a-block': {
    level: 'error',
    title: { es: 'No es un bloque', en: 'Not a block' },
    message: {
      es: '{pointer} es un objeto: lleva sus campos debajo.',
      en: '{pointer} is an object: its fields go below it.',
    },
    fix: { es: 'Escriba los campos con sangría.', en: 'Write the fields indented.' },
  },
  'mapping/not-a-list': {
    level: 'error',
    title: { es: 'No es una lista', en: 'Not a list' },
    message: {
      es: '{pointer} es una lista: cada elemento empieza con un guion.',
      en: '{pointer} is a list: each item starts with a dash.',
    },
    fix: { es: 'Ponga un guion delante del bloque.', en: 'Put a dash before the block.' },
  },
  'mapping/total-mapped': {
    level: 'error',
    title: { es: 'Total calculado', en: 'Derived total' },
    message: {
      es: '{pointer} se calcula; un mapeo nunca lo llena.',
      en: '{pointer} is derived; a mapping never fills it.',
    },
    fix: {
      es: 'Quítelo, y ponga la columna en stated si quiere comparar.',
      en: 'Remove it, and put the column under stated to compare.',
    },
  },
  'mapping/series-mapped': {
    level: 'error',
    title: { es: 'Número que se asigna después', en: 'Number assigned later' },
    message: {
      es: '{pointer} se numera al enviar; un mapeo nunca lo llena.',
      en: '{pointer} is numbered when sending; a mapping never fills it.',
    },
    fix: { es: 'Quítelo.', en: 'Remove it.' },
  },
  'mapping/secret-mapped': {
    level: 'error',
    title: { es: 'Secreto en un mapeo', en: 'Secret in a mapping' },
    message: {
      es: '{pointer} es un secreto; un mapeo nunca lo llena, porque quedaría en archivos y en el diario.',
      en: '{pointer} is a secret; a mapping never fills it, since it would stay in files and in the journal.',
    },
    fix: { es: 'Quítelo.', en: 'Remove it.' },
  },
  'mapping/required-unmapped': {
    level: 'error',
    title: { es: 'Falta un campo obligatorio', en: 'Required field not mapped' },
    message: {
      es: 'Falta {pointer}, que todo documento lleva.',
      en: '{pointer} is missing, which every document has.',
    },
    fix: { es: 'Dele una fuente.', en: 'Give it a source.' },
  },
  'formula/open-text': {
    level: 'error',
    title: { es: 'Texto sin cerrar', en: 'Text not closed' },
    message: { es: 'El texto de la fórmula no se cierra.', en: 'The text in the formula is not closed.' },
    fix: { es: 'Agregue la comilla.', en: 'Add the quote.' },
  },
  'formula/unexpected': {
    level: 'error',
    title: { es: 'Fórmula mal escrita', en: 'Malformed formula' },
    message: { es: 'No se esperaba "{found}".', en: '"{found}" was not expected.' },
    fix: { es: 'Corrija la fórmula.', en: 'Correct the formula.' },
  },
  'formula/expected': {
    level: 'error',
    title: { es: 'Fórmula mal escrita', en: 'Malformed formula' },
    message: { es: 'Se esperaba "{expected}".', en: '"{expected}" was expected.' },
    fix: { es: 'Corrija la fórmula.', en: 'Correct the formula.' },
  },
  'formula/ends-early': {
    level: 'error',
    title: { es: 'Fórmula incompleta', en: 'Incomplete formula' },
    message: { es: 'La fórmula termina antes de tiempo.', en: 'The formula ends early.' },
    fix: { es: 'Complétela.', en: 'Complete it.' },
  },
  'formula/unknown-name': {
    level: 'error',
    title: { es: 'Nombre desconocido en la fórmula', en: 'Unknown name in the formula' },
    message: {
      es: '"{name}" no es una columna ni un parámetro.',
      en: '"{name}" is neither a column nor a parameter.',
    },
    fix: {
      es: 'Corrija el nombre; los parámetros se escriben param.nombre.',
      en: 'Correct the name; parameters are written param.name.',
    },
  },
  'formula/unknown-function': {
    level: 'error',
    title: { es: 'Función desconocida', en: 'Unknown function' },
    message: { es: 'No hay una función "{name}".', en: 'There is no function "{name}".' },
    fix: { es: 'Use una de mappings/LANGUAGE.md.', en: 'Use one of mappings/LANGUAGE.md.' },
  },
  'formula/inputs': {
    level: 'error',
    title: { es: 'Número de entradas', en: 'Number of inputs' },
    message: {
      es: '{name} toma {expected} valores y recibe {found}.',
      en: '{name} takes {expected} values and gets {found}.',
    },
    fix: { es: 'Corrija la llamada.', en: 'Correct the call.' },
  },
  'formula/type': {
    level: 'error',
    title: { es: 'Tipos que no casan en la fórmula', en: 'Types that do not fit in the formula' },
    message: {
      es: 'Se esperaba {expected} y hay {found}.',
      en: '{expected} was expected and there is {found}.',
    },
    fix: {
      es: 'Convierta el valor o cambie read de la columna.',
      en: 'Convert the value or change read of the column.',
    },
  },
  'formula/many': {
    level: 'error',
    title: { es: 'Muchos valores donde cabe uno', en: 'Many values where one fits' },
    message: { es: '{name} da muchos valores.', en: '{name} gives many values.' },
    fix: { es: 'Úselo dentro de sum, min, max o count.', en: 'Use it inside sum, min, max or count.' },
  },
  'formula/division': {
    level: 'error',
    title: { es: 'División sin redondeo', en: 'Division without rounding' },
    message: {
      es: 'Una división debe decir a cuántos decimales.',
      en: 'A division must say to how many decimals.',
    },
    fix: { es: 'Escriba divide(a, b, decimales).', en: 'Write divide(a, b, decimals).' },
  },
  'formula/blank': {
    level: 'error',
    title: { es: 'Fórmula con un dato vacío', en: 'Formula over an empty value' },
    message: {
      es: 'La fórmula necesita {name}, que está vacío.',
      en: 'The formula needs {name}, which is empty.',
    },
    fix: { es: 'Llene la celda.', en: 'Fill the cell.' },
  },
  'formula/beyond-bounds': {
    level: 'error',
    title: { es: 'Fórmula con un resultado desmedido', en: 'Formula with a result beyond all bounds' },
    message: {
      es: 'La fórmula da un número, una fecha o un texto que ningún documento admite.',
      en: 'The formula comes to a number, a date or a text that no document can hold.',
    },
    fix: {
      es: 'Revise el valor de la celda, y en el mapeo los decimales de round y divide (de 0 a 20).',
      en: 'Check the value of the cell and, in the mapping, the decimals of round and divide (0 to 20).',
    },
  },
  'formula/too-long': {
    level: 'error',
    title: { es: 'Fórmula demasiado larga', en: 'Formula too long' },
    message: {
      es: 'La fórmula tiene demasiadas partes o demasiados paréntesis dentro de otros.',
      en: 'The formula has too many parts, or too many parentheses inside of others.',
    },
    fix: {
      es: 'Repártala en varios valores con nombre (values:).',
      en: 'Divide it into several named values (values:).',
    },
  },
  'mapping/undecided': {
    level: 'error',
    title: { es: 'Decisión pendiente', en: 'Open choice' },
    message: { es: '{question}', en: '{question}' },
    fix: {
      es: 'Ponga la respuesta en lugar del nodo undecided.',
      en: 'Put the answer in place of the undecided node.',
    },
  },
  'mapping/cycle': {
    level: 'error',
    title: { es: 'Definición en círculo', en: 'Definition in a circle' },
    message: {
      es: '"{value}" se define, directa o indirectamente, con ella misma.',
      en: '"{value}" is defined by itself, directly or not.',
    },
    fix: { es: 'Rompa el círculo.', en: 'Break the circle.' },
  },
  'mapping/several-not-amounts': {
    level: 'error',
    title: { es: 'Sumar lo que no son valores', en: 'Adding what is no amount' },
    message: {
      es: 'La columna "{column}" no es de valores: no se puede sumar de varias.',
      en: 'The column "{column}" holds no amounts: several cannot be added up.',
    },
    fix: { es: 'Quite several.', en: 'Take several away.' },
  },
  'mapping/table-twice': {
    level: 'error',
    title: { es: 'Tabla repetida', en: 'Table given twice' },
    message: { es: 'Ya hay una tabla "{value}".', en: 'There already is a table "{value}".' },
    fix: { es: 'Cambie el nombre de una.', en: 'Rename one of them.' },
  },
  'mapping/label-of-computed': {
    level: 'error',
    title: { es: 'Encabezado para una columna calculada', en: 'Header for a computed column' },
    message: {
      es: 'La columna "{value}" se calcula: ningún encabezado puede darla.',
      en: 'The column "{value}" is computed: no header can give it.',
    },
    fix: { es: 'Quite el encabezado de labels, o la fórmula.', en: 'Take the label or the formula away.' },
  },
  'mapping/unknown-classes': {
    level: 'error',
    title: { es: 'Clases desconocidas', en: 'Unknown classes' },
    message: {
      es: 'Los sinónimos no tienen las clases "{value}".',
      en: 'The synonyms have no classes "{value}".',
    },
    fix: {
      es: 'Escriba las clases aquí, o agréguelas a mappings/synonyms.',
      en: 'Write the classes here, or add them to mappings/synonyms.',
    },
  },
  'mapping/unknown-base': {
    level: 'error',
    title: { es: 'Mapeo base desconocido', en: 'Unknown base mapping' },
    message: {
      es: 'No hay un mapeo "{value}" en que basarse.',
      en: 'There is no mapping "{value}" to build on.',
    },
    fix: {
      es: 'Use el nombre de uno listo (payroll/wide), o un archivo de la carpeta del mapeo.',
      en: 'Use the name of a ready-made one (payroll/wide), or a file in the folder of the mapping.',
    },
  },
  'mapping/extends-deep': {
    level: 'error',
    title: { es: 'Base que tiene otra base', en: 'Base with a base of its own' },
    message: {
      es: '"{value}" ya se basa en otro mapeo; solo se permite un nivel.',
      en: '"{value}" builds on another mapping itself; one level is allowed.',
    },
    fix: { es: 'Básese en el primero.', en: 'Build on the first one.' },
  },
  'mapping/no-decisions': {
    level: 'error',
    title: { es: 'Archivo de decisiones no encontrado', en: 'Decisions file not found' },
    message: {
      es: 'No está el archivo "{value}" en la carpeta del mapeo.',
      en: 'The file "{value}" is not in the folder of the mapping.',
    },
    fix: { es: 'Revise la ruta.', en: 'Check the path.' },
  },
  'mapping/needs-each': {
    level: 'error',
    title: { es: 'Sin $each', en: 'Without $each' },
    message: { es: '{key} solo tiene sentido con $each.', en: '{key} only makes sense with $each.' },
    fix: {
      es: 'Agregue $each con el nombre de una tabla, o quite {key}.',
      en: 'Add $each with the name of a table, or take {key} away.',
    },
  },
  'mapping/unknown-rule': {
    level: 'error',
    title: { es: 'Regla desconocida', en: 'Unknown rule' },
    message: { es: 'No hay una regla "{value}".', en: 'There is no rule "{value}".' },
    fix: { es: 'Vea los códigos con cargue explain.', en: 'See the codes with cargue explain.' },
  },
  'mapping/unknown-code': {
    level: 'error',
    title: { es: 'Código que la lista no tiene', en: 'Code the list does not have' },
    message: {
      es: 'La lista {catalogue} no tiene el código "{value}".',
      en: 'The list {catalogue} has no code "{value}".',
    },
    fix: {
      es: 'Use un código de cargue catalogue show {catalogue}.',
      en: 'Use a code of cargue catalogue show {catalogue}.',
    },
  },
  'mapping/no-effect': {
    level: 'error',
    title: { es: 'Clave sin efecto', en: 'Key without effect' },
    message: {
      es: 'La clave "{value}" no tiene efecto aquí: {needs}.',
      en: 'The key "{value}" has no effect here: {needs}.',
    },
    fix: { es: 'Quítela, o ponga lo que necesita.', en: 'Take it away, or give what it needs.' },
  },
  'param/unknown': {
    level: 'error',
    title: { es: 'Parámetro desconocido', en: 'Unknown parameter' },
    message: {
      es: 'El mapeo no tiene un parámetro "{value}".',
      en: 'The mapping has no parameter "{value}".',
    },
    fix: { es: 'Corrija el nombre.', en: 'Correct the name.' },
  },
  'param/wrong': {
    level: 'error',
    title: { es: 'Parámetro con otro tipo', en: 'Parameter of another type' },
    message: {
      es: '{name} debe ser {type}; "{value}" no lo es.',
      en: '{name} must be {type}; "{value}" is not.',
    },
    fix: { es: 'Escriba -p {name}=VALOR.', en: 'Write -p {name}=VALUE.' },
  },
  'param/table-unfit': {
    level: 'error',
    title: { es: 'Tabla de parámetros sin columnas', en: 'Parameter table without columns' },
    message: {
      es: 'Las claves de {name} no son columnas del mapeo.',
      en: 'The keys of {name} are no columns of the mapping.',
    },
    fix: {
      es: 'Use como claves los nombres de las columnas (columns).',
      en: 'Use the ids of the columns as keys (columns).',
    },
  },
  'param/missing': {
    level: 'error',
    title: { es: 'Falta un parámetro', en: 'Parameter missing' },
    message: {
      es: 'Falta el parámetro {name} ({type}). {about_es}',
      en: 'The parameter {name} ({type}) is missing. {about_en}',
    },
    fix: {
      es: 'Agregue -p {name}=VALOR, o póngalo en el archivo de --params.',
      en: 'Add -p {name}=VALUE, or put it in the --params file.',
    },
  },
} satisfies Record<string, CodeEntry>;

const SEE_SCHEMA: Text = {
  es: 'Corrija el perfil; sus claves están en «cargue schema show profile».',
  en: 'Correct the profile; its keys are in "cargue schema show profile".',
};

/** Trouble with a profile: a file that says where a company sends. Never quotes a value: it may be a secret. */
const PROFILE_CODES = {
  'profile/bad-name': error(
    { es: 'Nombre de perfil no válido', en: 'Bad profile name' },
    {
      es: '«{value}» no sirve como nombre de perfil.',
      en: '"{value}" does not do as the name of a profile.',
    },
    {
      es: 'Use letras sin acento, cifras, guion y guion bajo, como «pruebas».',
      en: 'Use plain letters, digits, hyphen and underscore, such as "tests".',
    },
  ),
  'profile/not-found': error(
    { es: 'No existe el perfil', en: 'No such profile' },
    { es: 'No hay un perfil «{value}» en {folder}.', en: 'There is no profile "{value}" in {folder}.' },
    {
      es: 'Vea los que hay con «cargue profile list», o cree uno con «cargue profile add».',
      en: 'See those there are with "cargue profile list", or make one with "cargue profile add".',
    },
  ),
  'profile/exists': error(
    { es: 'El perfil ya existe', en: 'The profile exists' },
    { es: 'Ya hay un perfil en {file}.', en: 'There is a profile at {file} already.' },
    {
      es: 'Elija otro nombre, o edite o borre ese archivo.',
      en: 'Choose another name, or edit or remove that file.',
    },
  ),
  'profile/not-readable': error(
    { es: 'Perfil ilegible', en: 'Profile not readable' },
    { es: 'No se puede leer {file} ({reason}).', en: '{file} cannot be read ({reason}).' },
    { es: 'Revise que exista y su permiso de lectura.', en: 'Check that it exists and may be read.' },
  ),
  'profile/open-to-others': error(
    { es: 'Archivo con secretos a la vista', en: 'File with secrets open to others' },
    {
      es: '{file} guarda un secreto y otros usuarios lo pueden leer: no se usa.',
      en: '{file} holds a secret and others may read it: it is not used.',
    },
    { es: 'Ciérrelo con: chmod 600 "{file}"', en: 'Close it with: chmod 600 "{file}"' },
  ),
  'profile/no-token': error(
    { es: 'Archivo de token sin token', en: 'Token file without a token' },
    { es: '{file} no contiene solo un token.', en: '{file} does not hold a token alone.' },
    {
      es: 'Debe ser una línea con el token y nada más.',
      en: 'It must be one line with the token and nothing else.',
    },
  ),
  'profile/yaml': error(
    { es: 'Perfil mal formado', en: 'Malformed profile' },
    { es: 'El perfil no se puede leer como YAML aquí.', en: 'The profile cannot be read as YAML here.' },
    {
      es: 'Escriba «clave: valor» por línea, con espacio tras los dos puntos; lo raro va entre comillas.',
      en: 'Write "key: value" a line, with a space after the colon; quote what is unusual.',
    },
  ),
  'profile/unknown-key': error(
    { es: 'Clave desconocida en el perfil', en: 'Unknown key in the profile' },
    { es: 'La clave «{value}» no existe aquí.', en: 'The key "{value}" does not exist here.' },
    SEE_SCHEMA,
  ),
  'profile/missing-key': error(
    { es: 'Falta una clave del perfil', en: 'Key missing in the profile' },
    { es: 'Falta la clave «{value}».', en: 'The key "{value}" is missing.' },
    SEE_SCHEMA,
  ),
  'profile/shape': error(
    { es: 'Valor con otra forma en el perfil', en: 'Value of another shape in the profile' },
    {
      es: 'El valor de «{key}» no tiene la forma esperada: {expected}.',
      en: 'The value of "{key}" is not of the form expected: {expected}.',
    },
    SEE_SCHEMA,
  ),
  'profile/test-set-in-production': error(
    { es: 'Set de pruebas en producción', en: 'Test set in production' },
    {
      es: 'Un perfil de producción no lleva set de pruebas: nada llegaría a producción.',
      en: 'A production profile has no test set: nothing would reach production.',
    },
    {
      es: 'Quite «test_set», o ponga «environment: test».',
      en: 'Remove "test_set", or write "environment: test".',
    },
  ),
  'profile/two-tokens': error(
    { es: 'Dos fuentes del token', en: 'Two sources of the token' },
    { es: 'El perfil tiene «token» y «token_file».', en: 'The profile has "token" and "token_file".' },
    { es: 'Deje uno de los dos.', en: 'Keep one of the two.' },
  ),
  'profile/other-address': {
    level: 'warning',
    title: { es: 'Otra dirección que la del perfil', en: 'Another address than the profile has' },
    message: {
      es: 'Se usa {url} y no la dirección del perfil «{profile}»: su token, su certificado y su ambiente no valen allí.',
      en: '{url} is used and not the address of the profile "{profile}": its token, certificate and environment do not hold there.',
    },
    fix: {
      es: 'Quite --url o CARGUE_URL para usar la dirección del perfil.',
      en: "Leave out --url or CARGUE_URL to use the profile's address.",
    },
  },
} satisfies Record<string, CodeEntry>;

/** What records of a file have wrong among each other: keys, joins, groups, classes, totals. */
const RECORD_CODES = {
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

/** Trouble with the files that the program writes. */
const REPORT_CODES = {
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

const SEE_HELP = {
  es: 'Vea «cargue {command} --help».',
  en: 'See "cargue {command} --help".',
};

/** Trouble with the call itself, or with the machine. */
const RUN_CODES = {
  'run/no-documents': {
    level: 'error',
    title: { es: 'Ningún documento', en: 'No documents' },
    message: {
      es: 'No resultó ningún documento de {read} registros leídos.',
      en: 'No document came out of {read} records read.',
    },
    fix: {
      es: 'Revise que sea la hoja correcta y que tenga filas debajo del encabezado.',
      en: 'Check that it is the right sheet and that it has rows below the header.',
    },
  },
  'run/unknown-command': {
    level: 'error',
    title: { es: 'Comando desconocido', en: 'Unknown command' },
    message: { es: 'No hay un comando «{value}».', en: 'There is no command "{value}".' },
    fix: { es: 'Vea la lista con «cargue --help».', en: 'See the list with "cargue --help".' },
  },
  'run/unknown-option': {
    level: 'error',
    title: { es: 'Opción desconocida', en: 'Unknown option' },
    message: { es: 'No hay una opción «{value}» aquí.', en: 'There is no option "{value}" here.' },
    fix: SEE_HELP,
  },
  'run/missing-argument': {
    level: 'error',
    title: { es: 'Falta un dato en la orden', en: 'Missing argument' },
    message: { es: 'Falta {value}.', en: '{value} is missing.' },
    fix: SEE_HELP,
  },
  'run/extra-argument': {
    level: 'error',
    title: { es: 'Sobra un dato en la orden', en: 'Extra argument' },
    message: { es: 'La orden tiene datos de más.', en: 'The command has arguments too many.' },
    fix: SEE_HELP,
  },
  'run/missing-value': {
    level: 'error',
    title: { es: 'Falta el valor de una opción', en: 'Option without its value' },
    message: { es: 'La opción «{value}» necesita un valor.', en: 'The option "{value}" needs a value.' },
    fix: SEE_HELP,
  },
  'run/bad-option': {
    level: 'error',
    title: { es: 'Valor de opción no válido', en: 'Bad option value' },
    message: { es: '«{value}» no sirve para {option}.', en: '"{value}" does not fit {option}.' },
    fix: { es: 'Escriba {expected}.', en: 'Write {expected}.' },
  },
  'run/no-match': {
    level: 'error',
    title: { es: 'Ningún archivo coincide', en: 'No file matches' },
    message: { es: 'Ningún archivo coincide con «{value}».', en: 'No file matches "{value}".' },
    fix: { es: 'Revise la carpeta y el nombre.', en: 'Check the folder and the name.' },
  },
  'run/no-mapping': {
    level: 'error',
    title: { es: 'Falta el mapeo', en: 'No mapping given' },
    message: {
      es: 'No se dijo con qué mapeo leer el archivo.',
      en: 'It was not said which mapping to read the file with.',
    },
    fix: {
      es: 'Agregue -m MAPEO. Hay listos: {ready}.',
      en: 'Add -m MAPPING. Ready-made ones: {ready}.',
    },
  },
  'run/mapping-not-found': {
    level: 'error',
    title: { es: 'No se encuentra el mapeo', en: 'Mapping not found' },
    message: { es: 'No hay un archivo de mapeo «{value}».', en: 'There is no mapping file "{value}".' },
    fix: {
      es: 'Revise la ruta. Hay listos: {ready}.',
      en: 'Check the path. Ready-made ones: {ready}.',
    },
  },
  'run/params-file': {
    level: 'error',
    title: { es: 'Archivo de parámetros', en: 'Parameter file' },
    message: {
      es: 'El archivo de parámetros no se puede usar: {reason}.',
      en: 'The parameter file cannot be used: {reason}.',
    },
    fix: {
      es: 'Debe ser JSON o YAML con un nombre y un valor por línea, como «month: "2026-10"».',
      en: 'It must be JSON or YAML with a name and a value a line, such as "month: "2026-10"".',
    },
  },
  'run/needs-yes': {
    level: 'error',
    title: { es: 'Falta la confirmación', en: 'Not confirmed' },
    message: {
      es: 'Nadie puede responder aquí a la pregunta de enviar.',
      en: 'Nobody can answer the question here whether to send.',
    },
    fix: { es: 'Agregue --yes para enviar sin preguntar.', en: 'Add --yes to send without asking.' },
  },
  'run/needs-name': {
    level: 'error',
    title: { es: 'Falta el nombre', en: 'No name' },
    message: {
      es: 'Quien aprueba queda con su nombre en el diario.',
      en: 'Whoever approves is named in the journal.',
    },
    fix: { es: 'Agregue --as NOMBRE.', en: 'Add --as NAME.' },
  },
  'run/needs-url': {
    level: 'error',
    title: { es: 'Falta la dirección del servicio', en: 'No service address' },
    message: { es: 'No se dijo a qué servicio enviar.', en: 'It was not said which service to send to.' },
    fix: {
      es: 'Agregue --url DIRECCIÓN o defina CARGUE_URL. Para probar aquí mismo: «cargue sandbox».',
      en: 'Add --url ADDRESS or set CARGUE_URL. To try it right here: "cargue sandbox".',
    },
  },
  'run/needs-token': {
    level: 'error',
    title: { es: 'Falta el token', en: 'No token' },
    message: {
      es: 'El servicio pide el token de la empresa.',
      en: "The service asks for the company's token.",
    },
    fix: {
      es: 'Defina CARGUE_TOKEN con el token; nunca va como opción, donde otros lo podrían ver.',
      en: 'Set CARGUE_TOKEN to the token; it is never an option, where others could see it.',
    },
  },
  'run/bad-proxy': {
    level: 'error',
    title: { es: 'Dirección del proxy', en: 'Address of the proxy' },
    message: { es: 'El proxy «{value}» no es una dirección.', en: 'The proxy "{value}" is no address.' },
    fix: {
      es: 'Escriba HTTPS_PROXY como http://servidor:puerto, o exceptúe el servicio con NO_PROXY.',
      en: 'Write HTTPS_PROXY as http://host:port, or except the service by NO_PROXY.',
    },
  },
  'run/ca-file': {
    level: 'error',
    title: { es: 'Archivo de la autoridad de certificación', en: 'File of the certificate authority' },
    message: {
      es: 'El archivo de certificados no se puede usar ({reason}).',
      en: 'The file of certificates cannot be used ({reason}).',
    },
    fix: {
      es: 'Dé un archivo PEM con el certificado de la autoridad («-----BEGIN CERTIFICATE-----»).',
      en: 'Give a PEM file with the certificate of the authority ("-----BEGIN CERTIFICATE-----").',
    },
  },
  'run/bad-body': {
    level: 'error',
    title: { es: 'Cuerpo no válido', en: 'Bad body' },
    message: {
      es: 'El cuerpo no se puede leer como JSON: {reason}.',
      en: 'The body cannot be read as JSON: {reason}.',
    },
    fix: {
      es: 'Dé un archivo con un objeto JSON, o - para leerlo de la entrada.',
      en: 'Give a file with a JSON object, or - to read it from the input.',
    },
  },
  'run/unknown-name': {
    level: 'error',
    title: { es: 'Nombre desconocido', en: 'Unknown name' },
    message: { es: 'No se conoce «{value}».', en: '"{value}" is not known.' },
    fix: { es: 'Vea la lista con «cargue {list}».', en: 'See the list with "cargue {list}".' },
  },
  'run/not-sendable': {
    level: 'error',
    title: { es: 'No se envía', en: 'Not sendable' },
    message: {
      es: 'Los documentos de {value} no se pueden enviar todavía.',
      en: 'Documents of {value} cannot be sent yet.',
    },
    fix: { es: 'Use «cargue convert» para obtenerlos.', en: 'Use "cargue convert" to get them.' },
  },
  'run/output-is-input': {
    level: 'error',
    title: { es: 'La salida es la entrada', en: 'Output is the input' },
    message: {
      es: '«{value}» es un archivo de entrada, o el diario.',
      en: '"{value}" is an input file, or the journal.',
    },
    fix: {
      es: 'Elija otro nombre: la entrada no se toca.',
      en: 'Choose another name: the input is never touched.',
    },
  },
  'run/no-output-folder': {
    level: 'error',
    title: { es: 'Falta la carpeta de salida', en: 'No output folder' },
    message: {
      es: 'Los paquetes se escriben en una carpeta, y la llamada no la nombra.',
      en: 'Packages are written into a folder, and the call names none.',
    },
    fix: { es: 'Agregue -o CARPETA.', en: 'Add -o FOLDER.' },
  },
  'run/not-packages': {
    level: 'error',
    title: { es: 'No son paquetes RIPS', en: 'No RIPS packages' },
    message: {
      es: 'El mapeo hace documentos {value}, y el JSON nacional es de rips/attention.',
      en: 'The mapping makes documents {value}, and the national JSON is of rips/attention.',
    },
    fix: { es: 'Quite --as, o use un mapeo de rips/.', en: 'Leave --as out, or use a mapping of rips/.' },
  },
  'run/folder-not-writable': {
    level: 'error',
    title: { es: 'No se pudo escribir en la carpeta', en: 'The folder could not be written' },
    message: {
      es: 'No se pudo escribir en «{value}» ({reason}).',
      en: '"{value}" could not be written ({reason}).',
    },
    fix: {
      es: 'Compruebe el nombre, los permisos y el espacio libre.',
      en: 'Check its name, its rights and the free space.',
    },
  },
  'run/output-exists': {
    level: 'error',
    title: { es: 'El archivo ya existe', en: 'The file exists' },
    message: {
      es: 'Ya hay un archivo «{value}» que este programa no escribió para esto, o que alguien cambió o llenó después.',
      en: 'There is a file "{value}" already that this program did not write for this, or that someone changed or filled in since.',
    },
    fix: {
      es: 'Elija otro nombre, o agregue --force para reemplazarlo.',
      en: 'Choose another name, or add --force to replace it.',
    },
  },
  'run/no-template': {
    level: 'error',
    title: { es: 'Sin plantilla', en: 'No template' },
    message: {
      es: 'El mapeo {value} lee archivos que no son un libro con encabezados: no hay plantilla para llenar.',
      en: 'The mapping {value} reads files that are no workbook with headers: there is no template to fill.',
    },
    fix: {
      es: 'Use otro mapeo del mismo documento, o haga el archivo con el programa que lo exporta.',
      en: 'Use another mapping of the same document, or make the file with the program that exports it.',
    },
  },
  'run/annotate-one-file': {
    level: 'error',
    title: { es: 'Una copia, un archivo', en: 'One copy, one file' },
    message: {
      es: '--annotate hace la copia de un archivo; hay {count}.',
      en: '--annotate makes the copy of one file; there are {count}.',
    },
    fix: { es: 'Haga una llamada por archivo.', en: 'Make one call for each file.' },
  },
  'run/annotate-no-table': {
    level: 'error',
    title: { es: 'No hay tabla que anotar', en: 'No table to annotate' },
    message: {
      es: '--annotate hace la copia de una hoja o de un CSV, no de documentos XML ni de un zip.',
      en: '--annotate makes the copy of a sheet or a CSV, not of XML documents or a zip.',
    },
    fix: {
      es: 'Quite --annotate; el reporte dice todo.',
      en: 'Leave out --annotate; the report says it all.',
    },
  },
  'run/annotate-beyond-sheet': {
    level: 'error',
    title: { es: 'No cabe en una hoja de Excel', en: 'Does not fit in an Excel sheet' },
    message: {
      es: 'Una hoja de Excel llega hasta la fila {row} y la columna {column}: la copia no puede mostrar esta celda, y no se escribió.',
      en: 'An Excel sheet ends at row {row} and column {column}: the copy cannot show this cell, and was not written.',
    },
    fix: {
      es: 'Quite --annotate, o deje en el archivo solo las filas y columnas con datos de la tabla.',
      en: 'Leave out --annotate, or keep only the rows and columns with data of the table in the file.',
    },
  },
  'run/no-answer': {
    level: 'error',
    title: { es: 'El servicio no respondió', en: 'No answer from the service' },
    message: { es: '{value} no respondió ({reason}).', en: '{value} did not answer ({reason}).' },
    fix: {
      es: 'Revise la dirección y la conexión, y vuelva a intentar.',
      en: 'Check the address and the connection, and try again.',
    },
  },
  'run/sandbox': {
    level: 'error',
    title: { es: 'El servicio de prueba no arranca', en: 'The sandbox does not start' },
    message: {
      es: 'El servicio de prueba no arranca ({reason}).',
      en: 'The sandbox does not start ({reason}).',
    },
    fix: {
      es: 'Elija otro puerto con --port, u otro archivo con --data.',
      en: 'Choose another port with --port, or another file with --data.',
    },
  },
  'run/unexpected': {
    level: 'error',
    title: { es: 'Falla inesperada', en: 'Unexpected failure' },
    message: { es: 'Falla inesperada: {reason}.', en: 'Unexpected failure: {reason}.' },
    fix: {
      es: 'Es un defecto del programa. Repita con --debug para ver el detalle.',
      en: 'It is a defect of the program. Repeat with --debug for the detail.',
    },
  },
} satisfies Record<string, CodeEntry>;

const RESUME: Text = { es: 'Use `cargue resume` más tarde.', en: 'Run `cargue resume` later.' };

/** Of a document that DIAN has already. */
const PROCESSED_BEFORE: Pick<CodeEntry, 'authority'> = { authority: ['90'] };

/** `remote/…` is what the service or DIAN said, `send/…` what the sender concludes, `journal/…` the book it keeps. */
export const SEND_CODES = {
  'remote/rejected': {
    ...error(
      { es: 'Rechazado por la DIAN', en: 'Rejected by DIAN' },
      { es: 'La DIAN lo rechazó, regla {rule}: {text}', en: 'DIAN rejected it, rule {rule}: {text}' },
      {
        es: 'Corrija el dato y envíe el archivo otra vez: el documento recibe un número nuevo.',
        en: 'Correct the data and send the file again: the document gets a new number.',
      },
    ),
    byRule: true,
  },
  'remote/notification': warning(
    { es: 'Aceptado con notificación', en: 'Accepted with a notification' },
    {
      es: 'La DIAN lo aceptó y notifica, regla {rule}: {text}',
      en: 'DIAN accepted it and notes, rule {rule}: {text}',
    },
    {
      es: 'No hay que reenviarlo; téngalo en cuenta el mes siguiente.',
      en: 'Nothing to send again; mind it next month.',
    },
  ),
  'remote/refused': error(
    { es: 'El servicio no admite los datos', en: 'The service refuses the data' },
    { es: 'El servicio no lo admitió: {text}', en: 'The service refused it: {text}' },
    { es: 'Corrija el dato y envíe el archivo otra vez.', en: 'Correct the data and send the file again.' },
  ),
  'remote/test-set': error(
    { es: 'Respuesta sobre el set de pruebas', en: 'An answer about the test set' },
    {
      es: 'La DIAN habla del set de pruebas y no del documento: {text}',
      en: 'DIAN speaks of the test set, not of the document: {text}',
    },
    {
      es: 'Revise el estado del set en el portal de la DIAN.',
      en: 'Look up the state of the test set in the DIAN portal.',
    },
  ),
  'remote/no-verdict': error(
    { es: 'Respuesta sin veredicto', en: 'An answer without a verdict' },
    {
      es: 'La respuesta no dice si fue aceptado: {text}',
      en: 'The answer does not say whether it was accepted: {text}',
    },
    RESUME,
  ),
  'send/number-taken': {
    ...error(
      { es: 'Número ya usado', en: 'Number already used' },
      {
        es: 'La DIAN o el servicio ya tiene otro documento con el número {number}.',
        en: 'DIAN or the service already holds another document with number {number}.',
      },
      {
        es: 'Averigüe quién más envía con este prefijo y envíe otra vez desde un número libre.',
        en: 'Find out who else sends on this prefix, then send again from a free number.',
      },
    ),
    ...PROCESSED_BEFORE,
  },
  'send/answer-of-another': error(
    { es: 'Respuesta de otro documento', en: "Another document's answer" },
    {
      es: 'La respuesta que llegó no es de {number} sino de otro documento ({shown}): puede haber sido aceptado.',
      en: 'The answer that came is not about {number} but about another document ({shown}): it may have been accepted.',
    },
    {
      es: 'Use `cargue resume`: pregunta por cada uno antes de decir nada.',
      en: 'Run `cargue resume`: it asks about each of them before it says anything.',
    },
  ),
  'send/pin-unusable': warning(
    { es: 'El PIN no corresponde', en: 'The PIN does not fit' },
    {
      es: 'Con el PIN dado no se obtiene el CUNE de ninguno de los {tried} documentos ya aceptados: no sirve para comprobar los demás.',
      en: 'The PIN that was given makes the CUNE of none of {tried} documents that were accepted: it cannot confirm the others.',
    },
    {
      es: 'Dé el PIN del software de nómina de esta empresa (CARGUE_SOFTWARE_PIN o --pin-file) y use `cargue resume`.',
      en: 'Give the PIN of the payroll software of this company (CARGUE_SOFTWARE_PIN or --pin-file), then run `cargue resume`.',
    },
  ),
  'send/landed-unconfirmed': {
    ...error(
      { es: 'Llegó, pero falta confirmarlo', en: 'It landed, but is not confirmed' },
      {
        es: 'La DIAN ya tiene un documento con el número {number}; falta comprobar si es este.',
        en: 'DIAN already holds a document with number {number}; whether it is this one is not confirmed yet.',
      },
      {
        es: 'Dé el PIN del software de nómina en CARGUE_SOFTWARE_PIN y use `cargue resume`: el CUNE lo comprueba. Sin él, busque el número en el portal de la DIAN y diga qué halló: `cargue resume --settle {number}=accepted:CUNE` o `--settle {number}=none`.',
        en: 'Give the PIN of the payroll software in CARGUE_SOFTWARE_PIN and run `cargue resume`: the CUNE tells. Without it, look the number up in the DIAN portal and say what you found: `cargue resume --settle {number}=accepted:CUNE` or `--settle {number}=none`.',
      },
    ),
    ...PROCESSED_BEFORE,
  },
  'send/echo-unconfirmed': error(
    {
      es: 'Sin confirmar: puede ser el eco del primer intento',
      en: 'Unconfirmed: may be the echo of the first try',
    },
    {
      es: 'Se envió {number}, no llegó la respuesta, y al repetirlo la DIAN contesta la regla {rule}: o el primer intento fue aceptado, o lo que la DIAN tiene es otro documento.',
      en: '{number} was sent, no answer came, and to the same again DIAN answers rule {rule}: either the first try was accepted, or what DIAN holds is another document.',
    },
    {
      es: 'Busque en el portal de la DIAN el documento de esa persona y ese mes. Si es {number}, asiéntelo con `cargue resume --settle {number}=accepted:CUNE`; si es otro, con `cargue resume --settle {number}=none`, y corrija el otro con `cargue adjust`.',
      en: 'Look up the document of that person and month in the DIAN portal. If it is {number}, settle it by `cargue resume --settle {number}=accepted:CUNE`; if it is another, by `cargue resume --settle {number}=none`, and correct that other one by `cargue adjust`.',
    },
  ),
  'send/no-answer': error(
    { es: 'Sin respuesta', en: 'No answer' },
    {
      es: 'Se envió y no llegó respuesta ({reason}): puede haber sido aceptado.',
      en: 'It was sent and no answer came ({reason}): it may have been accepted.',
    },
    {
      es: 'Use `cargue resume`: pregunta antes de enviar otra vez, con el mismo número.',
      en: 'Run `cargue resume`: it asks before it sends again, under the same number.',
    },
  ),
  'send/unreadable-answer': error(
    { es: 'Respuesta ilegible', en: 'Unreadable answer' },
    {
      es: 'El servicio respondió {status} sin un resultado: {text}',
      en: 'The service answered {status} without a result: {text}',
    },
    {
      es: 'Use `cargue resume`: envía lo mismo con el mismo número.',
      en: 'Run `cargue resume`: it sends the same under the same number.',
    },
  ),
  'send/interrupted': error(
    { es: 'Interrumpido', en: 'Interrupted' },
    {
      es: 'El envío se interrumpió antes de conocer la respuesta.',
      en: 'Sending was interrupted before the answer was known.',
    },
    { es: 'Use `cargue resume`.', en: 'Run `cargue resume`.' },
  ),
  'send/unreachable': error(
    { es: 'Servicio inalcanzable', en: 'Service unreachable' },
    { es: 'No hay conexión con el servicio ({reason}).', en: 'The service cannot be reached ({reason}).' },
    {
      es: 'Revise la dirección y la red, y use `cargue resume`.',
      en: 'Check the address and the network, then run `cargue resume`.',
    },
  ),
  'send/untrusted-certificate': error(
    { es: 'Certificado que no es de confianza', en: 'Certificate not trusted' },
    {
      es: 'El certificado del servicio no es de confianza ({reason}): no se envió nada.',
      en: "The service's certificate is not trusted ({reason}): nothing was sent.",
    },
    {
      es: 'Si el servicio tiene una autoridad de certificación propia, dé su archivo PEM con --ca o en el perfil; si no, no siga: alguien puede estar en medio.',
      en: 'If the service has a certificate authority of its own, give its PEM file by --ca or in the profile; if not, go no further: someone may stand in between.',
    },
  ),
  'send/unauthenticated': error(
    { es: 'Token no válido', en: 'Token not valid' },
    {
      es: 'El servicio no reconoce el token de la empresa ({status}).',
      en: 'The service does not accept the company token ({status}).',
    },
    {
      es: 'Ponga el token correcto en CARGUE_TOKEN y use `cargue resume`.',
      en: 'Put the right token into CARGUE_TOKEN, then run `cargue resume`.',
    },
  ),
  'send/wrong-address': error(
    { es: 'Dirección equivocada', en: 'Wrong address' },
    {
      es: 'La dirección no es la del servicio: respondió {status}.',
      en: 'The address is not that of the service: it answered {status}.',
    },
    { es: 'Revise la URL y use `cargue resume`.', en: 'Check the URL, then run `cargue resume`.' },
  ),
  'send/not-in-service': error(
    { es: 'El servicio no puede enviar ahora', en: 'The service cannot send now' },
    { es: 'El servicio no envió el documento: {text}', en: 'The service did not send the document: {text}' },
    RESUME,
  ),
  'send/certificate-expired': error(
    { es: 'Certificado vencido', en: 'Certificate expired' },
    {
      es: 'El certificado de firma de la empresa venció: {text}',
      en: 'The signing certificate of the company has expired: {text}',
    },
    {
      es: 'Renueve el certificado en el servicio y use `cargue resume`.',
      en: 'Renew the certificate in the service, then run `cargue resume`.',
    },
  ),
  'send/test-set-refused': error(
    { es: 'Set de pruebas no admitido', en: 'Test set refused' },
    {
      es: 'La DIAN no recibió el documento en el set de pruebas: {text}',
      en: 'DIAN did not take the document into the test set: {text}',
    },
    {
      es: 'Revise el identificador del set; no es el del software ni su PIN.',
      en: 'Check the id of the test set; it is neither the software id nor its PIN.',
    },
  ),
  'send/throttled': error(
    { es: 'Demasiadas solicitudes', en: 'Too many requests' },
    {
      es: 'El servicio pide ir más despacio y no deja de pedirlo.',
      en: 'The service keeps asking to slow down.',
    },
    {
      es: 'Envíe con un --rate menor: `cargue resume --rate 30`.',
      en: 'Send at a lower --rate: `cargue resume --rate 30`.',
    },
  ),
  'send/throttled-until': error(
    { es: 'El servicio pide esperar', en: 'The service asks to wait' },
    {
      es: 'El servicio no recibe más solicitudes hasta {until}.',
      en: 'The service takes no more requests until {until}.',
    },
    {
      es: 'Siga después de esa hora: `cargue resume`. Lo que falta quedó sin enviar, con su número.',
      en: 'Go on after that time: `cargue resume`. What is left is unsent and keeps its number.',
    },
  ),
  'send/too-many-retries': error(
    { es: 'Demasiados reintentos', en: 'Too many retries' },
    {
      es: 'Se agotaron los {budget} reintentos de esta ejecución.',
      en: 'The {budget} retries of this run are used up.',
    },
    RESUME,
  ),
  'send/month-repeated': error(
    { es: 'Mes repetido', en: 'Month repeated' },
    {
      es: 'Este envío ya tiene una nómina del mismo trabajador y mes: {key}.',
      en: 'This run already holds a payroll of the same worker and month: {key}.',
    },
    {
      es: 'Una las dos en una sola, o declare la novedad.',
      en: 'Merge the two into one, or declare the novelty.',
    },
  ),
  'send/unfinished-run': error(
    { es: 'Hay una ejecución sin terminar', en: 'A run is unfinished' },
    {
      es: 'La ejecución {run} ya tiene este documento y no ha terminado.',
      en: 'Run {run} already holds this document and is not finished.',
    },
    {
      es: 'Termínela con `cargue resume {run}`; si sus datos estaban mal, renuncie al resto con `cargue journal abandon {run}`.',
      en: 'Finish it with `cargue resume {run}`; if its data were wrong, give up the rest with `cargue journal abandon {run}`.',
    },
  ),
  'send/abandoned': error(
    { es: 'Abandonado', en: 'Given up' },
    {
      es: 'La ejecución se abandonó antes de enviarlo; su número queda gastado.',
      en: 'The run was given up before it was sent; its number is spent.',
    },
    { es: 'Envíe el archivo otra vez.', en: 'Send the file again.' },
  ),
  'send/may-be-there': error(
    { es: 'Puede estar ya en el servicio', en: 'May be at the service already' },
    {
      es: 'La ejecución {run}, a la que se renunció, pudo haber entregado este documento ({number}) y nadie sabe si llegó.',
      en: 'Run {run}, which was given up, may have delivered this document ({number}), and nobody knows whether it arrived.',
    },
    {
      es: 'Averigüe en el servicio y dígalo con `cargue resume {run} --settle {number}=none` o `--settle {number}=accepted:CÓDIGO`; o diga que sí, cuando se le pregunte, a enviarlo de nuevo.',
      en: 'Look it up at the service and say so by `cargue resume {run} --settle {number}=none` or `--settle {number}=accepted:CODE`; or say yes, when asked, to sending it anew.',
    },
  ),
  'send/sent-meanwhile': error(
    { es: 'Ya se envió por otra ejecución', en: 'Sent by another run meanwhile' },
    {
      es: 'Mientras la ejecución estaba retenida, otra hizo aceptar lo mismo: {key}.',
      en: 'While the run was held, another one had the same accepted: {key}.',
    },
    {
      es: 'Envíe el resto con --partial, o renuncie a la ejecución con `cargue journal abandon`.',
      en: 'Send the rest by --partial, or give the run up by `cargue journal abandon`.',
    },
  ),
  'send/cannot-settle': error(
    { es: 'No se puede asentar así', en: 'Cannot be settled so' },
    {
      es: '«{value}» no dice qué fue de {number}: no está sin confirmar en la ejecución {run}, o la palabra no es la que se pide.',
      en: '"{value}" does not say what became of {number}: it is not unconfirmed in run {run}, or the word is not what is asked for.',
    },
    {
      es: 'Vea con `cargue status {run}` qué está sin confirmar. Escriba NÚMERO=none, o NÚMERO=accepted: y los 96 caracteres del CUNE, CUDE o CUV; de un paciente, cita o documento RIPS, su id.',
      en: '`cargue status {run}` says what is unconfirmed. Write NUMBER=none, or NUMBER=accepted: and the 96 characters of the CUNE, CUDE or CUV; of a RIPS patient, appointment or document its id.',
    },
  ),
  'send/settle-ambiguous': error(
    { es: 'Varios documentos se llaman así', en: 'Several documents are called so' },
    {
      es: '{number} nombra {count} documentos sin confirmar de la ejecución {run}.',
      en: '{number} names {count} unconfirmed documents of run {run}.',
    },
    {
      es: 'Escriba en su lugar #POSICIÓN, la `sequence` que da `cargue status {run} --json`.',
      en: 'Write #POSITION in its place, the `sequence` that `cargue status {run} --json` gives.',
    },
  ),
  'send/code-of-another': error(
    { es: 'El código es de otro documento', en: 'The code is that of another document' },
    {
      es: 'El código que se dice de {number} ya es de {other}, en la ejecución {run}.',
      en: 'The code said of {number} is that of {other} already, in run {run}.',
    },
    {
      es: 'Copie otra vez el código del documento; cada uno tiene el suyo.',
      en: 'Copy the code of the document again; each has its own.',
    },
  ),
  'send/held': error(
    { es: 'Ejecución retenida', en: 'Run held' },
    {
      es: 'La ejecución {run} está retenida: `resume` no la empieza.',
      en: 'Run {run} is held: `resume` does not start it.',
    },
    {
      es: 'Apruébela con `cargue approve {run}` y envíela con `cargue send {run}`.',
      en: 'Approve it by `cargue approve {run}`, then send it by `cargue send {run}`.',
    },
  ),
  'send/not-approved': error(
    { es: 'Ejecución sin aprobar', en: 'Run not approved' },
    {
      es: 'Nadie ha aprobado la ejecución {run} tal como está.',
      en: 'Nobody has approved run {run} as it is.',
    },
    { es: 'Use `cargue approve {run}`.', en: 'Run `cargue approve {run}`.' },
  ),
  'send/not-held': error(
    { es: 'No hay nada por aprobar', en: 'Nothing to approve' },
    { es: 'La ejecución {run} no está retenida.', en: 'Run {run} is not held.' },
    {
      es: '`cargue status` muestra las ejecuciones; `cargue send ARCHIVO --hold` retiene una.',
      en: '`cargue status` lists the runs; `cargue send FILE --hold` holds one.',
    },
  ),
  'send/given-up': error(
    { es: 'Se renunció a la ejecución', en: 'Run given up' },
    {
      es: 'A la ejecución {run} se renunció: no se envía ni se pregunta nada más de ella.',
      en: 'Run {run} was given up: nothing more of it is sent or asked.',
    },
    {
      es: 'Lo que quedó sin confirmar se asienta con `cargue resume {run} --settle NÚMERO=none` o `--settle NÚMERO=accepted:CÓDIGO`.',
      en: 'What is unconfirmed is settled by `cargue resume {run} --settle NUMBER=none` or `--settle NUMBER=accepted:CODE`.',
    },
  ),
  'send/start-too-low': warning(
    { es: 'El número inicial ya pasó', en: 'The first number is past' },
    {
      es: 'El número inicial {start} de {prefix} ya pasó: se sigue con el siguiente libre, {next}.',
      en: 'The first number {start} of {prefix} is past: the next free one is taken, {next}.',
    },
    {
      es: 'No hay que hacer nada; para empezar más adelante escriba un número mayor que {next}.',
      en: 'Nothing needs doing; to begin further on, give a number above {next}.',
    },
  ),
  'send/number-gap': warning(
    { es: 'Números que quedan sin usar', en: 'Numbers left out' },
    {
      es: 'El número inicial deja sin usar los números {from} a {to} de {prefix}.',
      en: 'The first number leaves out the numbers {from} to {to} of {prefix}.',
    },
    {
      es: 'Si no es lo que quiere, quite el parámetro del número inicial.',
      en: 'If that is not meant, leave the parameter of the first number out.',
    },
  ),
  'send/bad-url': error(
    { es: 'URL no válida', en: 'Bad URL' },
    {
      es: '"{value}" no sirve como dirección del servicio.',
      en: '"{value}" cannot be the address of the service.',
    },
    {
      es: 'Escriba solo https://servidor/ruta, sin usuario ni parámetros.',
      en: 'Write https://host/path only, without user or parameters.',
    },
  ),
  'send/insecure-url': error(
    { es: 'URL sin cifrar', en: 'Unencrypted URL' },
    {
      es: '"{value}" enviaría la nómina y el token sin cifrar.',
      en: '"{value}" would send payroll and token in clear.',
    },
    {
      es: 'Use https; http solo se admite en este mismo equipo.',
      en: 'Use https; http is only for this very machine.',
    },
  ),
  'send/bad-token': error(
    { es: 'Token mal escrito', en: 'Malformed token' },
    {
      es: 'El token está vacío o tiene espacios o caracteres que no caben en un encabezado.',
      en: 'The token is empty, or has blanks or characters that do not fit in a header.',
    },
    {
      es: 'Copie el token completo, sin espacios ni saltos de línea.',
      en: 'Copy the whole token, without blanks or line breaks.',
    },
  ),
  'send/bad-parameter': error(
    { es: 'Falta un dato de la ruta', en: 'A path parameter is missing' },
    {
      es: '{operation} necesita {name}, y "{value}" no sirve.',
      en: '{operation} needs {name}, and "{value}" will not do.',
    },
    { es: 'Dé un valor para {name}.', en: 'Give a value for {name}.' },
  ),
  'send/in-progress': error(
    { es: 'Envío en curso', en: 'Sending is under way' },
    {
      es: 'La ejecución {run} está en curso en otro proceso.',
      en: 'Run {run} is under way in another process.',
    },
    {
      es: 'Espere a que termine; si se interrumpe, siga con `cargue resume {run}`.',
      en: 'Wait until it is done; should it be interrupted, go on with `cargue resume {run}`.',
    },
  ),
  'send/locked': error(
    { es: 'Otro envío está en marcha', en: 'Another sender is at work' },
    {
      es: 'Otro proceso está enviando con esta empresa y dirección.',
      en: 'Another process is sending for this company and address.',
    },
    { es: 'Espere a que termine.', en: 'Wait until it is done.' },
  ),
  'journal/not-writable': error(
    { es: 'No se puede escribir el diario', en: 'The journal cannot be written' },
    {
      es: 'No se puede escribir en {path} ({reason}). Sin diario no se envía.',
      en: 'Cannot write to {path} ({reason}). Nothing is sent without a journal.',
    },
    {
      es: 'Revise permisos y espacio, o elija otra carpeta con CARGUE_WORKSPACE.',
      en: 'Check permissions and space, or choose another folder with CARGUE_WORKSPACE.',
    },
  ),
  'journal/damaged': error(
    { es: 'Diario dañado', en: 'Journal damaged' },
    {
      es: '{path} no es un diario o está dañado ({reason}).',
      en: '{path} is not a journal, or is damaged ({reason}).',
    },
    {
      es: 'No lo borre, guarda los números ya usados: copie su carpeta aparte, saque lo que se pueda leer con `cargue report` o `cargue journal export`, ponga en su lugar la última copia de `cargue journal backup` y pregunte al servicio por lo posterior con `cargue api getDocumentStatus`.',
      en: 'Do not delete it, it holds the numbers already used: copy its folder aside, take out what can be read by `cargue report` or `cargue journal export`, put the last copy of `cargue journal backup` in its place, and ask the service about what came later by `cargue api getDocumentStatus`.',
    },
  ),
  'journal/export-incomplete': error(
    { es: 'Exportación incompleta', en: 'Export not complete' },
    {
      es: 'El diario está dañado: de «{part}» falta lo que no se pudo leer.',
      en: 'The journal is damaged: of "{part}" what could not be read is missing.',
    },
    {
      es: 'Guarde lo exportado y compárelo con la última copia.',
      en: 'Keep what was exported and compare it with the last copy.',
    },
  ),
  'journal/behind': error(
    { es: 'El diario perdió lo último', en: 'The journal has lost what came last' },
    {
      es: 'A {path} le faltan las últimas {missing} escrituras, según su constancia: el archivo o su registro (-wal) se dañó, se borró o se cambió por uno anterior. Lo que falta puede haberse enviado.',
      en: 'The last {missing} writes are missing from {path}, says its proof: the file or its log (-wal) was damaged, deleted or replaced by an earlier one. What is missing may have been sent.',
    },
    {
      es: 'Ponga de nuevo el diario completo, con su -wal. Si no lo tiene, ponga la última copia de `cargue journal backup`, o siga con lo que hay: `cargue journal adopt`; lo que no sea definitivo se pregunta antes de enviarlo.',
      en: 'Put the whole journal back, with its -wal. If you do not have it, put the last copy of `cargue journal backup` there, or go on with what there is: `cargue journal adopt`; what is not final is asked about before it is sent.',
    },
  ),
  'journal/foreign': error(
    { es: 'Diario de otra empresa o de otra historia', en: 'Journal of another company or another history' },
    {
      es: '{path} no es el diario que estaba aquí: es de otra empresa, o una copia que siguió por su lado.',
      en: '{path} is not the journal that was here: it is that of another company, or a copy that went its own way.',
    },
    {
      es: 'Ponga en su lugar el diario de esta empresa. Si este es el correcto, `cargue journal adopt` lo toma y pregunta por lo que no sea definitivo.',
      en: 'Put the journal of this company in its place. If this is the right one, `cargue journal adopt` takes it and asks about what is not final.',
    },
  ),
  'journal/foreign-log': error(
    { es: 'Registro de otro diario', en: 'Log of another journal' },
    {
      es: 'Junto a la copia restaurada quedó {path}, del diario anterior; mezclarlos la dañaría.',
      en: '{path} of the journal before lies beside the restored copy; mixing them would damage it.',
    },
    {
      es: 'Si ese diario está completo, póngalo de nuevo con su registro: sabe más que la copia. Si no, `cargue journal adopt` aparta el registro y sigue con la copia.',
      en: 'If that journal is whole, put it back with its log: it knows more than the copy. If not, `cargue journal adopt` sets the log aside and goes on with the copy.',
    },
  ),
  'journal/restored': warning(
    { es: 'Diario restaurado o copiado', en: 'Journal restored or copied' },
    {
      es: '{path} es una copia, o cambió de equipo o de lugar; sabe lo enviado hasta {until}. {documents} documentos sin terminar (ejecuciones: {runs}) pueden haberse enviado después: se pregunta por ellos antes de enviarlos, y un RIPS no se genera dos veces. También pueden estar usados números posteriores a los que conoce.',
      en: '{path} is a copy, or was moved to another place or machine; it knows what was sent until {until}. {documents} unfinished documents (runs: {runs}) may have been sent since: they are asked about before they are sent, and no RIPS is generated twice. Numbers beyond those it knows may be used, too.',
    },
    {
      es: 'Use `cargue resume` por cada ejecución; lo que nadie pueda decir, averígüelo y asiéntelo con --settle. No envíe otra vez archivos que envió después de esa hora.',
      en: 'Run `cargue resume` for each run; what nobody can tell, look up and settle by --settle. Do not send files again that you sent after that time.',
    },
  ),
  'journal/of-another-company': error(
    { es: 'El token es de otra empresa', en: "The token is another company's" },
    {
      es: 'Con este token se envió antes por {other} (diario {path}), y ahora se pide por {company}.',
      en: 'This token was used for {other} before (journal {path}), and is now given for {company}.',
    },
    {
      es: 'Revise el token, el perfil y --company: cada empresa tiene su token. Si el token pasó a ser de {company}, dígalo con `cargue journal adopt --company {company}`.',
      en: 'Check token, profile and --company: every company has a token of its own. If the token is that of {company} now, say so by `cargue journal adopt --company {company}`.',
    },
  ),
  'journal/two-journals': error(
    { es: 'Dos diarios de una empresa', en: 'Two journals of one company' },
    {
      es: '{company} tiene dos diarios para este servicio, por haberse escrito de dos formas la dirección o el nombre: {one} y {other}. Con uno solo no se ve lo que envió el otro.',
      en: '{company} has two journals for this service, since address or name were spelt in two ways: {one} and {other}. One alone does not show what the other has sent.',
    },
    {
      es: 'Quédese con el más completo: saque del otro lo que haga falta con `cargue journal export`, y mueva su carpeta fuera del espacio de trabajo.',
      en: 'Keep the more complete one: take what you need of the other by `cargue journal export`, and move its folder out of the workspace.',
    },
  ),
  'journal/whose': error(
    { es: 'Un diario sin nombre de empresa', en: 'A journal without a company name' },
    {
      es: 'En {path} hay un diario de este servicio sin nombre de empresa; puede ser el de {company}.',
      en: 'There is a journal of this service without a company name at {path}; it may be that of {company}.',
    },
    {
      es: 'Si es de {company}: `cargue journal adopt --company {company}`. Si es de otra, dele su token una vez: `cargue journal adopt` con el CARGUE_TOKEN de esa empresa y sin --company.',
      en: 'If it is of {company}: `cargue journal adopt --company {company}`. If it is of another, give it its token once: `cargue journal adopt` with the CARGUE_TOKEN of that company and without --company.',
    },
  ),
  'journal/purged': error(
    { es: 'Datos personales borrados', en: 'Personal data removed' },
    {
      es: 'De la ejecución {run} se borraron los datos personales el {date}: quedan números, códigos, estados y fechas, no los documentos.',
      en: 'Personal data of run {run} was removed on {date}: numbers, codes, states and dates are left, the documents are not.',
    },
    {
      es: 'Use el reporte que guardó entonces, o la copia del diario de antes de esa fecha.',
      en: 'Use the report that you kept, or the copy of the journal from before that date.',
    },
  ),
  'journal/synced-folder': warning(
    { es: 'Diario en una carpeta sincronizada', en: 'Journal in a synced folder' },
    {
      es: 'El diario está en {path}, que {by} copia mientras se escribe: puede dañarlo o cruzarlo con el de otro equipo.',
      en: 'The journal is in {path}, which {by} copies while it is written: it may damage it, or mix it with that of another machine.',
    },
    {
      es: 'Lleve la carpeta a un disco de este equipo y diga cuál con CARGUE_WORKSPACE; para copias use `cargue journal backup`.',
      en: 'Move the folder to a disk of this machine and name it by CARGUE_WORKSPACE; for copies use `cargue journal backup`.',
    },
  ),
  'journal/network-folder': warning(
    { es: 'Diario en una carpeta de red', en: 'Journal in a network folder' },
    {
      es: 'El diario está en {path}, un sistema de archivos que es o puede ser de otro equipo ({system}): allí ni los bloqueos ni el orden de lo escrito son seguros.',
      en: "The journal is in {path}, a file system that is, or may be, another machine's ({system}): neither locks nor the order of what is written are safe there.",
    },
    {
      es: 'Lleve la carpeta a un disco de este equipo y diga cuál con CARGUE_WORKSPACE.',
      en: 'Move the folder to a disk of this machine and name it by CARGUE_WORKSPACE.',
    },
  ),
  'journal/open-to-others': warning(
    { es: 'Diario a la vista de otros', en: 'Journal open to others' },
    {
      es: '{path} tiene datos personales y no se pudo cerrar a otros usuarios.',
      en: '{path} holds personal data and could not be closed to others.',
    },
    {
      es: 'Lleve la carpeta a un disco con permisos, o pida a su dueño: chmod -R go-rwx.',
      en: 'Move the folder to a disk that has rights, or ask its owner to: chmod -R go-rwx.',
    },
  ),
  'journal/newer': error(
    { es: 'Diario de una versión más nueva', en: 'Journal of a newer version' },
    {
      es: '{path} fue escrito por una versión más nueva del programa.',
      en: '{path} was written by a newer version of the program.',
    },
    { es: 'Actualice el programa.', en: 'Update the program.' },
  ),
  'journal/missing': error(
    { es: 'No hay diario', en: 'No journal' },
    { es: 'No hay envíos guardados en {path}.', en: 'There are no saved runs at {path}.' },
    { es: 'Revise la URL, la empresa y CARGUE_WORKSPACE.', en: 'Check URL, company and CARGUE_WORKSPACE.' },
  ),
  'journal/no-such-run': error(
    { es: 'Corrida desconocida', en: 'Unknown run' },
    { es: 'El diario no tiene la ejecución {run}.', en: 'The journal has no run {run}.' },
    { es: 'Use `cargue status` para ver las ejecuciones.', en: '`cargue status` lists the runs.' },
  ),
} satisfies Record<string, CodeEntry>;

export type SendCode = keyof typeof SEND_CODES;

const READ_PLAN: Text = {
  es: 'Léalo antes de decir que sí.',
  en: 'Read it before saying yes.',
};

/** `setup/…`: configuring the company at the service. */
const SETUP_CODES = {
  'setup/needs-value': error(
    { es: 'Falta un dato', en: 'A value is missing' },
    {
      es: 'Falta {option}, y aquí nadie puede responder.',
      en: '{option} is missing, and nobody can answer here.',
    },
    { es: 'Agregue {option}. Puede ser: {expected}.', en: 'Add {option}. It may be: {expected}.' },
  ),
  'setup/needs-pin': error(
    { es: 'Falta el PIN', en: 'The PIN is missing' },
    { es: 'Falta el PIN del software de nómina.', en: 'The PIN of the payroll software is missing.' },
    {
      es: 'Defina CARGUE_SOFTWARE_PIN, o use --pin-file con un archivo que solo usted pueda leer; nunca va como argumento.',
      en: 'Set CARGUE_SOFTWARE_PIN, or use --pin-file with a file that only you can read; it is never an argument.',
    },
  ),
  'setup/pins-differ': error(
    { es: 'Los dos PIN no coinciden', en: 'The two PINs differ' },
    {
      es: 'Lo escrito la segunda vez no es lo mismo.',
      en: 'What was typed the second time is not the same.',
    },
    { es: 'Escríbalo de nuevo, dos veces igual.', en: 'Type it again, twice the same.' },
  ),
  'setup/pin-file': error(
    { es: 'El archivo del PIN no se puede leer', en: 'The PIN file cannot be read' },
    { es: 'El archivo del PIN no se puede leer ({reason}).', en: 'The PIN file cannot be read ({reason}).' },
    {
      es: 'Debe ser un archivo de texto que solo tenga el PIN.',
      en: 'It must be a text file that holds only the PIN.',
    },
  ),
  'setup/open-pin-file': error(
    { es: 'Otros pueden leer el archivo del PIN', en: 'Others can read the PIN file' },
    {
      es: 'Otras personas de este equipo pueden leer «{value}».',
      en: 'Other people on this machine can read "{value}".',
    },
    { es: 'Quíteles el permiso: chmod 600 ARCHIVO.', en: 'Take the right from them: chmod 600 FILE.' },
  ),
  'setup/unknown-present': warning(
    { es: 'No se sabe qué hay configurado', en: 'What is configured is not known' },
    {
      es: 'El servicio no deja leer sus direcciones, y este equipo no las ha configurado antes: lo que haya, también para facturación, se reemplaza.',
      en: 'The service does not show its addresses, and this machine has not set them before: whatever is there, for invoicing too, is replaced.',
    },
    READ_PLAN,
  ),
  'setup/changes-address': warning(
    { es: 'Cambia la dirección', en: 'The address changes' },
    {
      es: 'La dirección de {of} cambia: {before} → {after}.',
      en: 'The address of {of} changes: {before} → {after}.',
    },
    READ_PLAN,
  ),
  'setup/needs-change-address': error(
    { es: 'Cambio de dirección sin confirmar', en: 'Change of address not confirmed' },
    {
      es: 'La llamada cambiaría la dirección de {of}, y --yes solo no basta para eso.',
      en: 'The call would change the address of {of}, and --yes alone is not enough for that.',
    },
    {
      es: 'Si es lo que quiere, agregue --change-address.',
      en: 'If that is what you want, add --change-address.',
    },
  ),
  'setup/two-addresses': warning(
    {
      es: 'Nómina y facturación en ambientes distintos',
      en: 'Payroll and invoicing in different environments',
    },
    {
      es: 'Nómina y facturación quedan en direcciones distintas. Las versiones viejas del servicio solo conocen una.',
      en: 'Payroll and invoicing get different addresses. Old versions of the service know only one.',
    },
    {
      es: 'Compare con lo que el servicio responda, y envíe un solo documento primero.',
      en: 'Compare with what the service answers, and send a single document first.',
    },
  ),
  'setup/stored-differs': error(
    { es: 'El servicio guardó otra cosa', en: 'The service stored something else' },
    {
      es: 'Para {of} el servicio dice «{value}», y se le pidió {expected}.',
      en: 'For {of} the service says "{value}", and it was told {expected}.',
    },
    {
      es: 'No envíe nada todavía: pregunte a quien opera el servicio.',
      en: 'Send nothing yet: ask whoever runs the service.',
    },
  ),
  'setup/not-shown': warning(
    { es: 'El servicio no muestra lo que guardó', en: 'The service does not show what it stored' },
    {
      es: 'El servicio dijo que sí, pero no muestra {of}.',
      en: 'The service said yes, but does not show {of}.',
    },
    { es: 'Envíe un solo documento primero.', en: 'Send a single document first.' },
  ),
  'setup/refused': error(
    { es: 'El servicio no admite la configuración', en: 'The service refuses the configuration' },
    { es: 'El servicio no la admitió: {text}', en: 'The service refused it: {text}' },
    { es: 'Corrija el dato y repita.', en: 'Correct the value and repeat.' },
  ),
  'setup/unconfirmed': error(
    { es: 'No se sabe si quedó configurado', en: 'Not known whether it was configured' },
    { es: 'No llegó una respuesta clara ({reason}).', en: 'No clear answer came ({reason}).' },
    {
      es: 'Repita el comando con los mismos datos: el resultado es el mismo.',
      en: 'Repeat the command with the same values: the result is the same.',
    },
  ),
  'setup/bad-range': error(
    { es: 'Rango imposible', en: 'Impossible range' },
    {
      es: 'El último número ({last}) debe ser mayor que el primero ({first}).',
      en: 'The last number ({last}) must be larger than the first ({first}).',
    },
    { es: 'Escriba un rango como 1 a 99999999.', en: 'Give a range such as 1 to 99999999.' },
  ),
  'setup/next-outside': warning(
    { es: 'El siguiente número queda fuera', en: 'The next number falls outside' },
    {
      es: 'El siguiente número de {prefix} es {next}, y el rango va de {first} a {last}: el servicio rechazaría los envíos.',
      en: 'The next number of {prefix} is {next}, and the range goes from {first} to {last}: the service would refuse what is sent.',
    },
    { es: 'Escriba un rango que incluya el {next}.', en: 'Give a range that includes {next}.' },
  ),
  'setup/second-prefix': warning(
    { es: 'Más de un prefijo', en: 'More than one prefix' },
    {
      es: 'Ya hay un rango con prefijo {other}. Con dos, el servicio exige decir en cada documento el número de resolución.',
      en: 'There already is a range with prefix {other}. With two, the service demands the resolution number in every document.',
    },
    {
      es: 'Use el mismo prefijo, o --replace-all para dejar solo el nuevo.',
      en: 'Use the same prefix, or --replace-all to keep only the new one.',
    },
  ),
  'setup/replaces-all': warning(
    { es: 'Se borran los demás prefijos', en: 'The other prefixes are deleted' },
    {
      es: 'Con --replace-all el servicio borra todos los demás rangos de este tipo.',
      en: 'With --replace-all the service deletes all other ranges of this type.',
    },
    READ_PLAN,
  ),
} satisfies Record<string, CodeEntry>;

/** Trouble with the temporary file in which the records of a large file wait for their turn. */
const STORE_CODES = {
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

const ASK_AGAIN: Text = {
  es: 'Pida al vendedor el archivo completo, o descárguelo de nuevo.',
  en: 'Ask the seller for the whole file, or download it again.',
};

/** Trouble with one XML document of several; the others go on. Param: `detail`, what was found or where. */
const XML_CODES = {
  'xml/malformed': entry(
    { es: 'XML dañado', en: 'Damaged XML' },
    {
      es: 'El XML está cortado o mal formado, y no se puede leer.',
      en: 'The XML breaks off or is malformed, and cannot be read.',
    },
    ASK_AGAIN,
  ),
  'xml/doctype': entry(
    { es: 'XML con DOCTYPE', en: 'XML with a DOCTYPE' },
    {
      es: 'El XML declara un DOCTYPE, que ninguna factura electrónica tiene y puede ser un ataque.',
      en: 'The XML declares a DOCTYPE, which no electronic invoice has and may be an attack.',
    },
    { es: 'No lo use; pida el original al vendedor.', en: 'Do not use it; ask the seller for the original.' },
  ),
  'xml/too-deep': entry(
    { es: 'XML demasiado anidado', en: 'XML nested too deep' },
    {
      es: 'El XML tiene más elementos anidados que cualquier factura.',
      en: 'The XML has elements nested deeper than in any invoice.',
    },
    ASK_AGAIN,
  ),
  'xml/too-large': entry(
    { es: 'XML demasiado grande', en: 'XML too large' },
    {
      es: 'El XML es más grande que cualquier factura (8 MB).',
      en: 'The XML is larger than any invoice (8 MB).',
    },
    ASK_AGAIN,
  ),
  'xml/not-utf8': entry(
    { es: 'XML que no está en UTF-8', en: 'XML not in UTF-8' },
    { es: 'El XML no está en UTF-8, como la DIAN exige.', en: 'The XML is not in UTF-8, as DIAN demands.' },
    ASK_AGAIN,
  ),
  'xml/not-attached-document': entry(
    { es: 'No es un AttachedDocument', en: 'Not an AttachedDocument' },
    {
      es: 'El XML no es un AttachedDocument, sino {detail}.',
      en: 'The XML is not an AttachedDocument but {detail}.',
    },
    {
      es: 'Use el XML que el vendedor envía en el zip de la factura, con la factura y la respuesta de la DIAN dentro.',
      en: 'Use the XML that the seller mails in the zip of the invoice, with the invoice and the answer of DIAN inside.',
    },
  ),
  'xml/not-an-invoice': entry(
    { es: 'No trae una factura', en: 'No invoice inside' },
    {
      es: 'El AttachedDocument no trae una factura dentro.',
      en: 'The AttachedDocument has no invoice inside.',
    },
    {
      es: 'Los eventos son solo de facturas: deje por fuera notas y otros documentos.',
      en: 'Events are about invoices only: leave out notes and other documents.',
    },
  ),
  'xml/incomplete': entry(
    { es: 'Factura incompleta', en: 'Incomplete invoice' },
    {
      es: 'A la factura le falta un dato, o no es válido: {detail}.',
      en: 'The invoice lacks a value, or it is not valid: {detail}.',
    },
    ASK_AGAIN,
  ),
  'xml/other-invoice': entry(
    { es: 'La respuesta es de otra factura', en: 'The answer is of another invoice' },
    {
      es: 'La respuesta de la DIAN dentro del archivo habla de otra factura: {detail}.',
      en: 'The answer of DIAN inside the file speaks of another invoice: {detail}.',
    },
    ASK_AGAIN,
  ),
} satisfies Readonly<Record<string, CodeEntry>>;

export interface Text {
  readonly es: string;
  readonly en: string;
}

/** Wording of a code. `{name}` stands for a param of the issue, `{value}` for what was found. */
export interface CodeEntry {
  readonly level: Level;
  /** What kind of trouble, for people who ask `cargue explain CODE`. */
  readonly title: Text;
  readonly message: Text;
  readonly fix: Text;
  /** The fix where no cell can be filled: `{param}` is to be given, the table lacks a column, or the mapping says nothing. */
  readonly instead?: { readonly param: Text; readonly table: Text; readonly mapping: Text };
  /** Passes on what a rule of the authority says, the param `rule`: its fix, and a text that was cut, are those of that rule. */
  readonly byRule?: true;
  /** Rules of the authority that it foresees or passes on (`LGC62`); `NIE074–NIE108` is all between the two. */
  readonly authority?: readonly string[];
}

/** Every code that the program itself can say; rules bring their own (schemas/rules). */
export const CODES: Readonly<Record<string, CodeEntry>> = {
  ...FILE_CODES,
  ...XML_CODES,
  ...HEADER_CODES,
  ...CELL_CODES,
  ...FORMAT_CODES,
  ...MAPPING_CODES,
  ...INSPECT_CODES,
  ...DOCUMENT_CODES,
  ...CATALOGUE_CODES,
  ...EVENT_CODES,
  ...SEND_CODES,
  ...HEALTH_CODES,
  ...ADJUST_CODES,
  ...ATTENTION_CODES,
  ...RECORD_CODES,
  ...REPORT_CODES,
  ...RUN_CODES,
  ...PROFILE_CODES,
  ...ERRAND_CODES,
  ...SETUP_CODES,
  ...STORE_CODES,
};
