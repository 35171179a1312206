import type { CodeEntry, Text } from '../codes.js';

const error = (title: Text, message: Text, fix: Text): CodeEntry => ({ level: 'error', title, message, fix });
const warning = (title: Text, message: Text, fix: Text): CodeEntry => ({
  ...error(title, message, fix),
  level: 'warning',
});

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
