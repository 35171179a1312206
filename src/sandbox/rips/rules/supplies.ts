import { text } from '../../members.js';
import { blame, type Item, type ItemRule, type PackageRule } from './rule.js';

/** Newborns, medicines and supplies (rips.md 4). */

const MAGISTRAL = '03';
const SUPPLY = '01';
const MAGISTRAL_NEEDS = [
  'nomTecnologiaSalud',
  'concentracionMedicamento',
  'unidadMedida',
  'formaFarmaceutica',
];

const outside = (field: string, from: number, to: number): ItemRule => ({
  of: ['recienNacidos'],
  blames: (values) => {
    const value = Number(text(values, field));
    return value < from || value > to ? field : undefined;
  },
});

export const SUPPLY_RULES: Readonly<Record<string, ItemRule>> = {
  RVC057: outside('edadGestacional', 20, 46),
  /** Grams. */
  RVC058: outside('peso', 500, 5000),
  RVC097: outside('numConsultasCPrenatal', 0, 15),
  RVC065: {
    of: ['medicamentos'],
    blames: (values) =>
      text(values, 'tipoMedicamento') === MAGISTRAL
        ? MAGISTRAL_NEEDS.find((field) => ['', '0'].includes(text(values, field)))
        : undefined,
  },
  RVC066: {
    of: ['otrosServicios'],
    blames: (values) =>
      text(values, 'tipoOS') === SUPPLY && text(values, 'nomTecnologiaSalud') === ''
        ? 'nomTecnologiaSalud'
        : undefined,
  },
};

/** The later ones of items with the same code on the same day. */
const repeats = (items: readonly Item[], code: string, date: string): readonly Item[] => {
  const seen = new Set<string>();
  return items.filter(({ values }) => {
    const key = `${text(values, code)} ${text(values, date).slice(0, 10)}`;
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  });
};

export const REPETITION_RULES: Readonly<Record<string, PackageRule>> = {
  RVG13: ({ items }) =>
    repeats(
      items.filter(({ group }) => group === 'medicamentos'),
      'codTecnologiaSalud',
      'fechaDispensAdmon',
    ).map((item) => blame(item, 'codTecnologiaSalud')),

  RVC018: ({ items }) =>
    (['consultas', 'procedimientos'] as const).flatMap((group) => {
      const code = group === 'consultas' ? 'codConsulta' : 'codProcedimiento';
      return repeats(
        items.filter((item) => item.group === group),
        code,
        'fechaInicioAtencion',
      ).map((item) => blame(item, code));
    }),
};
