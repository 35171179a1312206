import type { Text } from '../../issues/codes.js';

/** What `profile` says to people. */
export const PROFILE_TEXTS = {
  noProfiles: {
    es: 'No hay perfiles en {folder}.',
    en: 'There are no profiles in {folder}.',
  },
  askProfileUrl: { es: 'Dirección del servicio (https://…)', en: "The service's address (https://…)" },
  askEnvironment: {
    es: '¿Qué hay tras esa dirección? (test, production)',
    en: 'What stands behind that address? (test, production)',
  },
  askNit: {
    es: 'NIT de la empresa, sin puntos ni dígito de verificación',
    en: "The company's NIT, without points or check digit",
  },
  askProfileToken: {
    es: 'Token de la empresa, para guardarlo en este archivo privado (en blanco: no se guarda): ',
    en: "The company's token, to keep it in this private file (blank: it is not kept): ",
  },
  profileAdded: {
    es: 'Perfil escrito: {file}. Úselo con --profile {name}, o con CARGUE_PROFILE={name}.',
    en: 'Profile written: {file}. Use it by --profile {name}, or by CARGUE_PROFILE={name}.',
  },
} satisfies Record<string, Text>;
