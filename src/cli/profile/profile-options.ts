import { numberBetween, type OptionSpec, oneOf } from '../option-spec.js';

/** What a profile says, as options; the others are those of `send`. */
export interface ProfileOptionValues {
  readonly profile?: string;
  readonly ca?: string;
  /** In seconds. */
  readonly timeout?: number;
  readonly environment?: 'test' | 'production';
  readonly companyName?: string;
}

export const PROFILE_OPTIONS: Readonly<Record<keyof ProfileOptionValues, OptionSpec>> = {
  profile: {
    flags: '--profile <NAME>',
    about: {
      es: 'perfil con la dirección, la empresa y lo demás (por defecto CARGUE_PROFILE)',
      en: 'profile with the address, the company and the rest (default CARGUE_PROFILE)',
    },
  },
  ca: {
    flags: '--ca <FILE>',
    about: {
      es: 'archivo PEM de una autoridad de certificación propia; solo se acepta la suya',
      en: 'PEM file of a private certificate authority; only its certificates are taken',
    },
  },
  timeout: {
    flags: '--timeout <SECONDS>',
    about: {
      es: 'espera de una respuesta, en segundos (por defecto 200; el servicio puede tardar 190)',
      en: 'wait for an answer, in seconds (default 200; the service may take 190)',
    },
    read: numberBetween('--timeout', 1, 3_600, true),
  },
  environment: {
    flags: '--environment <WHICH>',
    about: {
      es: 'qué hay tras la dirección: test o production',
      en: 'what stands behind the address: test or production',
    },
    read: oneOf('--environment', ['test', 'production']),
  },
  companyName: {
    flags: '--company-name <TEXT>',
    about: {
      es: 'nombre de la empresa, para las preguntas',
      en: 'name of the company, for questions',
    },
  },
};
