import type { CodeEntry, Text } from '../codes.js';

const error = (title: Text, message: Text, fix: Text): CodeEntry => ({ level: 'error', title, message, fix });
const warning = (title: Text, message: Text, fix: Text): CodeEntry => ({
  ...error(title, message, fix),
  level: 'warning',
});

const REPEAT: Text = {
  es: 'Repita el comando: sigue donde quedó.',
  en: 'Repeat the command: it goes on where it stopped.',
};

/** `service/…` is what stands in the way of any request, `preview/…` and `email/…` what concerns one document. */
export const ERRAND_CODES = {
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
