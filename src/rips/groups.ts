/** The service groups, in the order of their `service_type_id`, 1 to 7 (service.md 6.6). */
export const RIPS_GROUPS = [
  'consultas',
  'procedimientos',
  'urgencias',
  'hospitalizacion',
  'recienNacidos',
  'medicamentos',
  'otrosServicios',
] as const;
export type RipsGroup = (typeof RIPS_GROUPS)[number];

/** The group of a service item; the id may come as number or text. */
export const groupOf = (serviceTypeId: unknown): RipsGroup | undefined =>
  RIPS_GROUPS[Number(serviceTypeId) - 1];

/** The field that says when a service of a group began. */
export const STARTS: Readonly<Record<RipsGroup, string>> = {
  consultas: 'fechaInicioAtencion',
  procedimientos: 'fechaInicioAtencion',
  urgencias: 'fechaInicioAtencion',
  hospitalizacion: 'fechaInicioAtencion',
  recienNacidos: 'fechaNacimiento',
  medicamentos: 'fechaDispensAdmon',
  otrosServicios: 'fechaSuministroTecnologia',
};

/** The field that says what was done; where a group has no such code, its diagnosis. */
export const WHATS: Readonly<Record<RipsGroup, string>> = {
  consultas: 'codConsulta',
  procedimientos: 'codProcedimiento',
  urgencias: 'codDiagnosticoPrincipal',
  hospitalizacion: 'codDiagnosticoPrincipal',
  recienNacidos: 'codDiagnosticoPrincipal',
  medicamentos: 'codTecnologiaSalud',
  otrosServicios: 'codTecnologiaSalud',
};
