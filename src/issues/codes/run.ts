import type { CodeEntry } from '../codes.js';

const SEE_HELP = {
  es: 'Vea «cargue {command} --help».',
  en: 'See "cargue {command} --help".',
};

/** Trouble with the call itself, or with the machine. */
export const RUN_CODES = {
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
