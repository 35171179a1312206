import type { CodeEntry, Text } from '../codes.js';

const error = (title: Text, message: Text, fix: Text): CodeEntry => ({ level: 'error', title, message, fix });
const warning = (title: Text, message: Text, fix: Text): CodeEntry => ({
  ...error(title, message, fix),
  level: 'warning',
});

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
