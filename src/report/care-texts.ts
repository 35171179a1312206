import type { Text } from '../issues/codes.js';

/** The service groups as people call them. */
export const GROUPS = {
  consultas: { es: 'Consultas', en: 'Consultations' },
  procedimientos: { es: 'Procedimientos', en: 'Procedures' },
  urgencias: { es: 'Urgencias', en: 'Emergencies' },
  hospitalizacion: { es: 'Hospitalización', en: 'Hospitalization' },
  recienNacidos: { es: 'Recién nacidos', en: 'Newborns' },
  medicamentos: { es: 'Medicamentos', en: 'Medicines' },
  otrosServicios: { es: 'Otros servicios', en: 'Other services' },
} satisfies Record<string, Text>;

export const ALL_GROUPS: Text = { es: 'Total', en: 'Total' };
