import { compare, multiply } from '../../../values/decimal.js';
import type { JsonObject } from '../../../values/json.js';
import { text } from '../../members.js';
import type { ItemRule } from './rule.js';

/** What was paid, by whom (rips.md 4). */

const PAID = ['consultas', 'procedimientos', 'medicamentos', 'otrosServicios'] as const;
const ADVANCE = '04';
const NOTHING_PAID = '05';

/** Purposes of promotion, prevention, maternal and perinatal care: free of moderating payments. */
const FREE_PURPOSES = ['11', '12', '13', '14', '20', '22', '23', '25', '26', '27', '28'];

const isZero = (values: JsonObject, field: string): boolean => Number(text(values, field)) === 0;
const nothingPaid = (values: JsonObject): boolean => text(values, 'conceptoRecaudo') === NOTHING_PAID;

export const MONEY_RULES: Readonly<Record<string, ItemRule>> = {
  RVC060: {
    of: PAID,
    blames: (values) =>
      !nothingPaid(values) && isZero(values, 'valorPagoModerador') ? 'valorPagoModerador' : undefined,
  },
  RVC061: {
    of: PAID,
    blames: (values) =>
      nothingPaid(values) && !isZero(values, 'valorPagoModerador') ? 'valorPagoModerador' : undefined,
  },
  RVC084: {
    of: ['consultas', 'procedimientos'],
    blames: (values) =>
      FREE_PURPOSES.includes(text(values, 'finalidadTecnologiaSalud')) && !nothingPaid(values)
        ? 'conceptoRecaudo'
        : undefined,
  },
  RVC091: {
    of: ['consultas'],
    blames: (values) => (isZero(values, 'vrServicio') ? 'vrServicio' : undefined),
  },
  RVC092: {
    of: PAID,
    blames: (values) => (text(values, 'conceptoRecaudo') === ADVANCE ? 'conceptoRecaudo' : undefined),
  },
  RVC094: {
    of: ['medicamentos'],
    blames: (values) => {
      const product = multiply(text(values, 'cantidadMedicamento'), text(values, 'vrUnitMedicamento'));
      return compare(product, text(values, 'vrServicio')) === 0 ? undefined : 'vrServicio';
    },
  },
};
