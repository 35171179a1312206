import type { CodeEntry } from '../codes.js';

/** What a mapping file, its formulas or its parameters can have wrong. */
export const MAPPING_CODES = {
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
