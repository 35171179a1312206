import type { CodeEntry, Text } from '../codes.js';

const error = (title: Text, message: Text, fix: Text): CodeEntry => ({ level: 'error', title, message, fix });

const SEE_SCHEMA: Text = {
  es: 'Corrija el perfil; sus claves están en «cargue schema show profile».',
  en: 'Correct the profile; its keys are in "cargue schema show profile".',
};

/** Trouble with a profile: a file that says where a company sends. Never quotes a value: it may be a secret. */
export const PROFILE_CODES = {
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
