import type { CodeEntry, Text } from '../codes.js';

const error = (title: Text, message: Text, fix: Text): CodeEntry => ({ level: 'error', title, message, fix });
const warning = (title: Text, message: Text, fix: Text): CodeEntry => ({
  ...error(title, message, fix),
  level: 'warning',
});

const READ_PLAN: Text = {
  es: 'Léalo antes de decir que sí.',
  en: 'Read it before saying yes.',
};

/** `setup/…`: configuring the company at the service. */
export const SETUP_CODES = {
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
