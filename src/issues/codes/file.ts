import type { CodeEntry } from '../codes.js';

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
