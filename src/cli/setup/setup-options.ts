import { numberBetween, type OptionSpec } from '../option-spec.js';

/** Options of `setup`. Secrets are not among them. */
export interface SetupOptionValues {
  readonly softwareId?: string;
  readonly payrollAddress?: string;
  readonly invoiceAddress?: string;
  readonly changeAddress?: boolean;
  readonly pinFile?: string;
  readonly documentType?: string;
  readonly prefix?: string;
  readonly firstNumber?: number;
  readonly lastNumber?: number;
  readonly replaceAll?: boolean;
}

export const SETUP_OPTIONS: Readonly<Record<keyof SetupOptionValues, OptionSpec>> = {
  softwareId: {
    flags: '--software-id <ID>',
    about: { es: 'id del software de nómina', en: 'id of the payroll software' },
  },
  payrollAddress: {
    flags: '--payroll-address <WHERE>',
    about: {
      es: 'a dónde va la nómina: test, production o una URL',
      en: 'where payroll goes: test, production or a URL',
    },
  },
  invoiceAddress: {
    flags: '--invoice-address <WHERE>',
    about: {
      es: 'a dónde va la facturación: test, production, una URL, o same si aquí no se factura',
      en: 'where invoicing goes: test, production, a URL, or same if it is not done here',
    },
  },
  changeAddress: {
    flags: '--change-address',
    about: {
      es: 'con --yes: sí a cambiar una dirección ya configurada',
      en: 'with --yes: yes to changing an address that was set before',
    },
  },
  pinFile: {
    flags: '--pin-file <FILE>',
    about: {
      es: 'archivo privado (0600) con el PIN del software; sin él, CARGUE_SOFTWARE_PIN o se pregunta si hace falta',
      en: 'private file (0600) with the PIN of the software; without it CARGUE_SOFTWARE_PIN, or it is asked for when needed',
    },
  },
  documentType: {
    flags: '--document-type <TYPE>',
    about: {
      es: 'payroll (nómina) o adjust (notas de ajuste)',
      en: 'payroll or adjust (adjust notes)',
    },
  },
  prefix: {
    flags: '--prefix <PREFIX>',
    about: { es: 'prefijo del rango, como NI', en: 'prefix of the range, such as NI' },
  },
  firstNumber: {
    flags: '--first-number <N>',
    about: { es: 'primer número del rango', en: 'first number of the range' },
    read: numberBetween('--first-number', 1, 9_999_999_999, true),
  },
  lastNumber: {
    flags: '--last-number <N>',
    about: { es: 'último número del rango', en: 'last number of the range' },
    read: numberBetween('--last-number', 1, 9_999_999_999, true),
  },
  replaceAll: {
    flags: '--replace-all',
    about: {
      es: 'borra los demás rangos de este tipo',
      en: 'delete the other ranges of this type',
    },
  },
};
