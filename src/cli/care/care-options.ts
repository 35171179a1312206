import { stop } from '../../issues/pipeline-error.js';
import { isPlainDate } from '../../values/plain-date.js';
import { type OptionSpec, oneOf } from '../option-spec.js';

/** Options of `send`, `resume` and `report` that only RIPS packages know. */
export interface CareOptionValues {
  readonly booking?: string;
  readonly paymentConcept?: 'number' | 'code';
  readonly sispro?: string;
  readonly results?: string;
}

const bookingDay = (text: string): string =>
  text === 'today' || isPlainDate(text)
    ? text
    : stop('usage', {
        code: 'run/bad-option',
        value: text,
        params: { option: '--booking', expected: 'today | 2026-11-30' },
      });

export const CARE_OPTIONS: Readonly<Record<keyof CareOptionValues, OptionSpec>> = {
  booking: {
    flags: '--booking <DAY>',
    about: {
      es: 'RIPS: día de las citas, `today` o una fecha, si el servicio no acepta el de la atención',
      en: 'RIPS: day of the appointments, `today` or a date, where the service refuses that of the care',
    },
    read: bookingDay,
  },
  paymentConcept: {
    flags: '--payment-concept <FORM>',
    about: {
      es: 'RIPS: conceptoRecaudo como `number` (5, por defecto) o `code` (05)',
      en: 'RIPS: conceptoRecaudo as `number` (5, the default) or `code` (05)',
    },
    read: oneOf('--payment-concept', ['number', 'code']),
  },
  sispro: {
    flags: '--sispro <FILE>',
    about: {
      es: 'RIPS: guarda antes en el servicio este acceso a SISPRO (YAML; la clave también de CARGUE_SISPRO_PASSWORD)',
      en: 'RIPS: first store this access to SISPRO in the service (YAML; its password also from CARGUE_SISPRO_PASSWORD)',
    },
  },
  results: {
    flags: '--results <FOLDER>',
    about: {
      es: 'RIPS: carpeta de los ResultadosMSPS (por defecto resultados-EMPRESA-EJECUCIÓN aquí)',
      en: 'RIPS: folder of the ResultadosMSPS files (default resultados-COMPANY-RUN here)',
    },
  },
};
