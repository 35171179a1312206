import type { RipsGroup, RipsProfile } from '../../src/families/rips/national.js';
import type { JsonValue } from '../../src/toolkit/core/json.js';
import type { RuleOptions } from '../../src/toolkit/schema/rules.js';
import { service } from './rips-package.js';

type Level = 'error' | 'warning';

/** Changes of a sound transaction, and what one rule says of it: nothing without `fires`. */
export interface Case {
  readonly code: string;
  /** Pointer → value; pointers of services are shortened to `AC/codConsulta`, of the user to `U/codSexo`. */
  readonly edits: Readonly<Record<string, JsonValue>>;
  readonly fires?: readonly (readonly [Level, string])[];
  readonly options?: RuleOptions;
  readonly profile?: RipsProfile;
}

const GROUPS: Readonly<Record<string, string>> = {
  AC: 'consultas',
  AP: 'procedimientos',
  AU: 'urgencias',
  AH: 'hospitalizacion',
  AN: 'recienNacidos',
  AM: 'medicamentos',
  AT: 'otrosServicios',
};

/** `AC/codConsulta` → the leaf of the first consultation. */
export function leaf(short: string): string {
  if (short.startsWith('/')) return short;
  const [head = '', ...rest] = short.split('/');
  if (head === 'U') return `/usuarios/0/${rest.join('/')}`;
  const at = /^\d+$/.test(rest[0] ?? '') ? [] : ['0'];
  return ['/usuarios/0/servicios', GROUPS[head], ...at, ...rest].join('/');
}

const bad = (
  code: string,
  level: Level,
  edits: Case['edits'],
  blame: string = Object.keys(edits).at(-1)!,
  options?: RuleOptions,
): Case => ({
  code: `rips/${code}`,
  edits,
  fires: [[level, leaf(blame)]],
  ...(options && { options }),
});
const fine = (code: string, edits: Case['edits'], options?: RuleOptions): Case => ({
  code: `rips/${code}`,
  edits,
  ...(options && { options }),
});

const IN_OCTOBER: RuleOptions = { params: { month: '2026-10' } };
const NOW: RuleOptions = { today: '2026-10-03' };
const second = (group: keyof typeof GROUPS, edits: Record<string, JsonValue> = {}): Case['edits'] => ({
  [`/usuarios/0/servicios/${GROUPS[group]}/1`]: {
    ...service('948-v003', GROUPS[group] as RipsGroup),
    consecutivo: 2,
    ...edits,
  },
});

const OF_MOTHER = { tipoDocumentoIdentificacion: 'CC', numDocumentoIdentificacion: '9800000001' };

/** Each rule with what it finds, and its nearest neighbour that is fine. */
export const CASES: readonly Case[] = [
  bad('no-services', 'error', { 'U/servicios': { consultas: [] } }, '/usuarios'),
  fine('no-services', {}),
  bad(
    'user-without-services',
    'error',
    { '/usuarios/1': { consecutivo: 2, servicios: { consultas: [] } } },
    '/usuarios/1/servicios',
  ),
  fine('user-without-services', {}),
  bad(
    'outside-month',
    'error',
    {
      'U/servicios/urgencias': [],
      'U/servicios/hospitalizacion': [],
      'AC/fechaInicioAtencion': '2026-09-30 08:00',
    },
    'AC/fechaInicioAtencion',
    IN_OCTOBER,
  ),
  bad('outside-month', 'error', { 'AH/fechaEgreso': '2026-11-01 08:00' }, 'AH/fechaEgreso', IN_OCTOBER),
  fine('outside-month', {}, IN_OCTOBER),
  fine('outside-month', { 'AH/fechaInicioAtencion': '2026-09-29 08:00' }, IN_OCTOBER), // a stay is of the month of its discharge
  fine('outside-month', { 'AC/fechaInicioAtencion': '2026-09-30 08:00' }),
  bad('long-ago', 'warning', { 'AC/fechaInicioAtencion': '2022-10-09 08:00' }, 'AC/fechaInicioAtencion', {
    today: '2026-11-05',
  }),
  fine('long-ago', { 'AC/fechaInicioAtencion': '2022-10-09 08:00' }), // on no known day
  fine('long-ago', {}, { today: '2026-11-05' }),
  bad(
    'long-ago',
    'warning',
    { 'AH/fechaInicioAtencion': '2022-10-09 08:00' },
    'AH/fechaInicioAtencion',
    IN_OCTOBER,
  ),
  fine('long-ago', { 'AH/fechaInicioAtencion': '2026-03-29 08:00' }, IN_OCTOBER),
  bad('consecutive', 'error', { 'AC/consecutivo': 2 }),
  fine('consecutive', second('AC')),
  bad('note', 'error', { '/tipoNota': null }),
  bad('note', 'error', { '/numNota': null }),
  fine('note', { '/numFactura': 'FE1', '/tipoNota': null, '/numNota': null }),
  bad('residence', 'error', { 'U/codMunicipioResidencia': null }),
  bad('residence', 'error', { 'U/codZonaTerritorialResidencia': null }),
  fine('residence', { 'U/codPaisResidencia': '862', 'U/codMunicipioResidencia': null }),
  bad('repeated-medicine', 'warning', second('AM'), 'AM/1/codTecnologiaSalud'),
  fine('repeated-medicine', second('AM', { fechaDispensAdmon: '2026-10-03 08:00' })),
  bad('repeated-consultation', 'warning', second('AC'), 'AC/1/codConsulta'),
  fine('repeated-consultation', second('AC', { codConsulta: '890301' })),
  bad('repeated-procedure', 'warning', second('AP'), 'AP/1/codProcedimiento'),
  fine('repeated-procedure', second('AP', { fechaInicioAtencion: '2026-10-02 09:00' })),
  bad('repeated-stay', 'warning', second('AU'), 'AU/1/fechaInicioAtencion'),
  bad('repeated-stay', 'warning', second('AH'), 'AH/1/fechaInicioAtencion'),
  fine('repeated-stay', second('AU', { fechaInicioAtencion: '2026-10-01 23:00' })),
  bad('repeated-newborn', 'warning', second('AN'), 'AN/1/numDocumentoIdentificacion'),
  fine('repeated-newborn', second('AN', { numDocumentoIdentificacion: '15001235' })),
  fine('repeated-newborn', second('AN', { peso: 2900 })), // of another one
  bad('repeated-other-service', 'warning', second('AT'), 'AT/1/codTecnologiaSalud'),
  fine('repeated-other-service', second('AT', { fechaSuministroTecnologia: '2026-10-03 09:00' })),
  fine('repeated-other-service', { ...second('AT', { tipoOS: '01' }), 'AT/tipoOS': '01' }), // whose code is no CUPS
  bad(
    'repeated-supply',
    'warning',
    { ...second('AT', { tipoOS: '01' }), 'AT/tipoOS': '01' },
    'AT/1/codTecnologiaSalud',
  ),
  fine('repeated-supply', {
    ...second('AT', { tipoOS: '01', fechaSuministroTecnologia: '2026-10-02 23:00' }),
    'AT/tipoOS': '01',
  }),

  bad('birth-in-future', 'error', { 'U/fechaNacimiento': '2026-10-04' }, undefined, NOW),
  fine('birth-in-future', { 'U/fechaNacimiento': '2026-10-03' }, NOW),
  bad('late', 'warning', {}, '/tipoNota', { today: '2026-11-06' }),
  bad('late', 'warning', { 'AC/fechaInicioAtencion': '2026-11-30 08:00' }, '/tipoNota', {
    today: '2026-12-06',
  }),
  fine('late', {}, { today: '2026-11-05' }),
  fine('late', { 'AC/fechaInicioAtencion': '2026-11-01 08:00' }, { today: '2026-12-05' }),
  fine('late', { '/tipoNota': 'NA' }, { today: '2026-12-06' }),
  fine('late', { '/numFactura': 'FEV1', '/tipoNota': null, '/numNota': null }, { today: '2026-12-06' }),
  bad('service-in-future', 'error', { 'AC/fechaInicioAtencion': '2026-10-04 00:00' }, undefined, NOW),
  bad('service-in-future', 'error', { 'AM/fechaDispensAdmon': '2026-10-04 00:00' }, undefined, NOW),
  fine('service-in-future', { 'AT/fechaSuministroTecnologia': '2026-10-03 23:59' }, NOW),
  bad('entry-in-future', 'error', { 'AH/fechaInicioAtencion': '2026-10-04 00:00' }, undefined, NOW),
  fine('entry-in-future', { 'AU/fechaInicioAtencion': '2026-10-03 23:59' }, NOW),
  bad('discharge-in-future', 'error', { 'AN/fechaEgreso': '2026-10-04 00:00' }, undefined, NOW),
  fine('discharge-in-future', {}, NOW),
  bad('newborn-in-future', 'error', { 'AN/fechaNacimiento': '2026-10-04 00:00' }, undefined, NOW),
  fine('newborn-in-future', {}, NOW),
  bad('entry-after-discharge', 'error', { 'AU/fechaInicioAtencion': '2026-10-01 14:01' }, 'AU/fechaEgreso'),
  fine('entry-after-discharge', { 'AU/fechaInicioAtencion': '2026-10-01 14:00' }),
  bad('discharge-before-newborn', 'error', { 'AN/fechaEgreso': '2026-10-01 19:59' }),
  fine('discharge-before-newborn', { 'AN/fechaEgreso': '2026-10-01 20:00' }),
  bad('service-before-birth', 'error', { 'AC/fechaInicioAtencion': '1996-05-19 08:00' }),
  bad('service-before-birth', 'error', { 'U/fechaNacimiento': '2026-10-03' }),
  bad(
    'service-before-birth',
    'error',
    { 'U/fechaNacimiento': '2026-10-02', 'AP/fechaInicioAtencion': '2026-10-02 09:00' },
    'AC/fechaInicioAtencion',
  ),
  fine('service-before-birth', { 'AC/fechaInicioAtencion': '1996-05-20 00:00' }),
  bad('discharge-before-birth', 'error', { 'AU/fechaEgreso': '1996-05-19 08:00' }),
  bad('discharge-before-birth', 'error', { 'U/fechaNacimiento': '2026-10-04' }),
  fine('discharge-before-birth', {}),
  bad('entry-before-birth', 'error', { 'AH/fechaInicioAtencion': '1996-05-19 08:00' }),
  bad('entry-before-birth', 'error', { 'U/fechaNacimiento': '2026-10-02' }),
  fine('entry-before-birth', {}),
  bad('long-emergency', 'warning', { 'AU/fechaEgreso': '2026-10-03 10:01' }),
  fine('long-emergency', { 'AU/fechaEgreso': '2026-10-03 10:00' }),
  bad('short-stay', 'warning', { 'AH/fechaEgreso': '2026-10-01 19:59' }),
  fine('short-stay', { 'AH/fechaEgreso': '2026-10-01 20:00' }),
  bad(
    'after-death',
    'error',
    { 'AU/condicionDestinoUsuarioEgreso': '02', 'AC/fechaInicioAtencion': '2026-10-02 14:01' },
    'AC/fechaInicioAtencion',
  ),
  fine('after-death', {
    'AU/condicionDestinoUsuarioEgreso': '02',
    'AC/fechaInicioAtencion': '2026-10-02 14:00',
  }),
  fine('after-death', { 'AC/fechaInicioAtencion': '2026-11-02 14:01' }),

  bad('document-by-age', 'error', { 'U/tipoDocumentoIdentificacion': 'TI' }),
  bad('document-by-age', 'error', { 'U/fechaNacimiento': '2017-05-20' }, 'U/tipoDocumentoIdentificacion'),
  fine('document-by-age', { 'U/fechaNacimiento': '2009-05-20' }),
  fine('document-by-age', { 'U/fechaNacimiento': '2027-05-20' }),
  fine('document-by-age', { 'U/tipoDocumentoIdentificacion': 'PA', 'U/fechaNacimiento': '2017-05-20' }),
  bad('document-length', 'error', { 'U/numDocumentoIdentificacion': '98000000012' }),
  bad('document-length', 'error', {
    'AC/tipoDocumentoIdentificacion': 'CE',
    'AC/numDocumentoIdentificacion': '1234567',
  }),
  fine('document-length', {
    'U/tipoDocumentoIdentificacion': 'PT',
    'U/numDocumentoIdentificacion': '98000000012',
  }),
  bad('document-kind-within', 'error', {
    'U/tipoDocumentoIdentificacion': 'PT',
    'U/numDocumentoIdentificacion': 'PPT5123456',
  }),
  fine('document-kind-within', {
    'U/tipoDocumentoIdentificacion': 'PA',
    'U/numDocumentoIdentificacion': 'AB123456',
  }),
  bad('document-letters', 'warning', { 'U/numDocumentoIdentificacion': '79A00001' }),
  bad('document-letters', 'warning', { 'AC/numDocumentoIdentificacion': '99000000I1' }),
  fine('document-letters', {
    'U/tipoDocumentoIdentificacion': 'PA',
    'U/numDocumentoIdentificacion': 'AX79800001',
  }),
  fine('document-letters', { 'U/numDocumentoIdentificacion': 'CC9800000001' }), // said of its kind
  bad('reference-without-digits', 'warning', { 'AC/numAutorizacion': 'PENDIENTE' }),
  bad('reference-without-digits', 'warning', { 'AH/numAutorizacion': '0000' }),
  bad('reference-without-digits', 'warning', { 'AM/numFEVPagoModerador': 'SIN' }),
  fine('reference-without-digits', { 'AC/numAutorizacion': 'AUT-1204' }),
  bad('code-turned-date', 'error', { 'AM/codTecnologiaSalud': '19954-nov' }),
  bad('code-turned-date', 'error', { 'AT/codTecnologiaSalud': '2026-03-01T00:00:00' }),
  bad('code-turned-date', 'error', { 'AC/numAutorizacion': '01/03/2026' }),
  fine('code-turned-date', { 'AM/codTecnologiaSalud': '19954-11' }),
  bad('code-with-blanks', 'error', { 'AM/codTecnologiaSalud': '19954-11 METFORMINA' }),
  bad('code-with-blanks', 'error', { 'AT/tipoOS': '03', 'AT/codTecnologiaSalud': '129B01 CAMA' }),
  fine('code-with-blanks', { 'AT/tipoOS': '01', 'AT/codTecnologiaSalud': 'GASA 7' }),
  bad('document-zeros', 'warning', { 'U/numDocumentoIdentificacion': '0098000001' }),
  fine('document-zeros', {
    'U/tipoDocumentoIdentificacion': 'PA',
    'U/numDocumentoIdentificacion': '0098000001',
  }),
  bad('mother-age', 'warning', { 'U/fechaNacimiento': '1965-05-20' }),
  fine('mother-age', { 'U/fechaNacimiento': '1966-05-20' }),
  bad('mother-sex', 'warning', { 'U/codSexo': 'M' }),
  fine('mother-sex', { 'U/codSexo': 'M', 'U/servicios/recienNacidos': [] }),
  bad(
    'termination-sex',
    'warning',
    { 'U/codSexo': 'M', 'AC/finalidadTecnologiaSalud': '24', 'AC/causaMotivoAtencion': '49' },
    'AC/finalidadTecnologiaSalud',
  ),
  fine('termination-sex', { 'AC/finalidadTecnologiaSalud': '24' }),
  bad('termination-cause', 'warning', { 'AC/finalidadTecnologiaSalud': '24' }, 'AC/causaMotivoAtencion'),
  fine('termination-cause', { 'AC/finalidadTecnologiaSalud': '24', 'AC/causaMotivoAtencion': '34' }),
  bad('maternal-cause', 'warning', { 'AC/finalidadTecnologiaSalud': '23' }, 'AC/causaMotivoAtencion'),
  fine('maternal-cause', { 'AC/finalidadTecnologiaSalud': '23', 'AC/causaMotivoAtencion': '42' }),
  fine('maternal-cause', { 'AC/finalidadTecnologiaSalud': '11' }),
  bad(
    'maternal-purpose-sex',
    'warning',
    { 'U/codSexo': 'M', 'AC/finalidadTecnologiaSalud': '23', 'AC/causaMotivoAtencion': '42' },
    'AC/finalidadTecnologiaSalud',
  ),
  fine('maternal-purpose-sex', { 'AC/finalidadTecnologiaSalud': '25', 'AC/causaMotivoAtencion': '42' }),
  bad('newborn-document-shared', 'error', second('AN', { peso: 2900 }), 'AN/1/numDocumentoIdentificacion'),
  fine('newborn-document-shared', second('AN', { numDocumentoIdentificacion: '1600000002', peso: 2900 })),
  fine('newborn-document-shared', {
    ...second('AN', { ...OF_MOTHER, fechaNacimiento: '2026-10-01 20:05' }),
    'AN/tipoDocumentoIdentificacion': 'CC',
    'AN/numDocumentoIdentificacion': '9800000001',
  }),
  bad('newborn-document', 'error', { 'AN/tipoDocumentoIdentificacion': 'CC' }),
  fine('newborn-document', {
    'AN/tipoDocumentoIdentificacion': 'CC',
    'AN/numDocumentoIdentificacion': '9800000001',
  }),
  bad(
    'who-ordered',
    'error',
    { 'AT/tipoDocumentoIdentificacion': 'CC', 'AT/tipoOS': '05' },
    'AT/numDocumentoIdentificacion',
  ),
  fine('who-ordered', { 'AT/tipoOS': '03' }),
  bad('professional-document', 'error', { 'AP/tipoDocumentoIdentificacion': 'TI' }),
  fine('professional-document', { 'AM/tipoDocumentoIdentificacion': null }),
  bad(
    'professional-without-kind',
    'error',
    { 'AM/tipoDocumentoIdentificacion': null },
    'AM/numDocumentoIdentificacion',
  ),
  fine('professional-without-kind', {
    'AM/tipoDocumentoIdentificacion': null,
    'AM/numDocumentoIdentificacion': null,
  }),
  bad('professional-is-patient', 'error', { 'AC/numDocumentoIdentificacion': '9800000001' }),
  fine('professional-is-patient', { 'AN/numDocumentoIdentificacion': '9800000001' }),
  bad('siras', 'error', { 'U/tipoUsuario': '10' }, 'U/registroSIRAS'),
  bad('siras', 'error', { 'U/tipoUsuario': '14' }, 'U/registroSIRAS'),
  fine('siras', { 'U/tipoUsuario': '10', 'U/registroSIRAS': '123' }),
  { ...fine('siras', { 'U/tipoUsuario': '10' }), profile: '2275' },

  bad('external-cause', 'warning', { 'AC/codDiagnosticoPrincipal': 'V011' }),
  bad('external-cause', 'warning', { 'AH/codDiagnosticoPrincipalE': 'Y98X' }),
  fine('external-cause', { 'AC/codDiagnosticoPrincipal': 'Z000' }),
  bad('symptom-on-discharge', 'warning', { 'AU/codDiagnosticoPrincipalE': 'R104' }),
  fine('symptom-on-discharge', { 'AU/codDiagnosticoPrincipal': 'R104' }),
  bad('health-factor', 'warning', { 'AH/codDiagnosticoPrincipal': 'Z000' }),
  fine('health-factor', { 'AC/codDiagnosticoPrincipal': 'Z000' }),
  bad(
    'promotion-diagnosis',
    'warning',
    { 'AC/finalidadTecnologiaSalud': '11' },
    'AC/codDiagnosticoPrincipal',
  ),
  fine('promotion-diagnosis', { 'AC/finalidadTecnologiaSalud': '11', 'AC/codDiagnosticoPrincipal': 'Z000' }),
  bad(
    'cause-of-death',
    'error',
    { 'AN/condicionDestinoUsuarioEgreso': '02' },
    'AN/codDiagnosticoCausaMuerte',
  ),
  fine('cause-of-death', {
    'AN/condicionDestinoUsuarioEgreso': '02',
    'AN/codDiagnosticoCausaMuerte': 'P220',
  }),
  bad('related-is-principal', 'error', { 'AC/codDiagnosticoRelacionado3': 'I10X' }),
  bad('related-is-principal', 'error', { 'AM/codDiagnosticoRelacionado': 'O800' }),
  fine('related-is-principal', { 'AP/codDiagnosticoRelacionado': 'E119' }),
  bad('related-repeated', 'error', {
    'AC/codDiagnosticoRelacionado1': 'E119',
    'AC/codDiagnosticoRelacionado3': 'E119',
  }),
  fine('related-repeated', {
    'AC/codDiagnosticoRelacionado1': 'E119',
    'AC/codDiagnosticoRelacionado2': 'E118',
  }),
  bad('discharge-related-is-principal', 'error', { 'AH/codDiagnosticoRelacionadoE2': 'O800' }),
  fine('discharge-related-is-principal', { 'AH/codDiagnosticoRelacionadoE2': 'E119' }),
  bad('discharge-related-repeated', 'error', {
    'AU/codDiagnosticoRelacionadoE1': 'E119',
    'AU/codDiagnosticoRelacionadoE2': 'E119',
  }),
  fine('discharge-related-repeated', { 'AU/codDiagnosticoRelacionadoE2': 'E119' }),

  bad('gestational-age', 'error', { 'AN/edadGestacional': 47 }),
  bad('gestational-age', 'error', { 'AN/edadGestacional': 19 }),
  fine('gestational-age', { 'AN/edadGestacional': 46 }),
  bad('newborn-weight', 'error', { 'AN/peso': 320 }),
  fine('newborn-weight', { 'AN/peso': 5000 }),
  bad('prenatal-visits', 'error', { 'AN/numConsultasCPrenatal': 16 }),
  fine('prenatal-visits', { 'AN/numConsultasCPrenatal': 15 }),
  bad(
    'referred-without-services',
    'error',
    {
      'U/servicios': {
        urgencias: [{ ...service('948-v003', 'urgencias'), condicionDestinoUsuarioEgreso: '03' }],
      },
    },
    'AU/condicionDestinoUsuarioEgreso',
  ),
  fine('referred-without-services', { 'AU/condicionDestinoUsuarioEgreso': '03' }),
  bad('supply-description', 'error', { 'AT/tipoOS': '01' }, 'AT/nomTecnologiaSalud'),
  fine('supply-description', { 'AT/tipoOS': '01', 'AT/nomTecnologiaSalud': 'Férula' }),
  {
    code: 'rips/magistral',
    edits: { 'AM/tipoMedicamento': '03', 'AM/unidadMedida': 168 },
    fires: [
      ['error', leaf('AM/nomTecnologiaSalud')],
      ['error', leaf('AM/formaFarmaceutica')],
      ['error', leaf('AM/concentracionMedicamento')],
    ],
  },
  fine('magistral', {}),
  bad('coded-medicine', 'warning', { 'AM/concentracionMedicamento': 500 }),
  bad('coded-medicine', 'warning', { 'AM/formaFarmaceutica': 'C28944' }),
  fine('coded-medicine', { 'AM/tipoMedicamento': '03', 'AM/concentracionMedicamento': 500 }),

  bad('payment-without-value', 'error', { 'AC/conceptoRecaudo': '01' }, 'AC/valorPagoModerador'),
  fine('payment-without-value', { 'AC/conceptoRecaudo': '01', 'AC/valorPagoModerador': 1 }),
  bad('value-without-payment', 'error', { 'AT/valorPagoModerador': 1 }),
  fine('value-without-payment', { 'AT/conceptoRecaudo': '02', 'AT/valorPagoModerador': 1 }),
  bad(
    'free-purpose',
    'error',
    { 'AP/finalidadTecnologiaSalud': '14', 'AP/conceptoRecaudo': '01', 'AP/valorPagoModerador': 100 },
    'AP/conceptoRecaudo',
  ),
  fine('free-purpose', { 'AP/conceptoRecaudo': '01', 'AP/valorPagoModerador': 100 }),
  bad('consultation-value', 'error', { 'AC/vrServicio': 0 }),
  { ...bad('consultation-value', 'warning', { 'AC/vrServicio': 0 }), profile: '2275' },
  fine('consultation-value', { 'AC/vrServicio': 0, '/numFactura': 'FE1' }),
  bad('advance', 'warning', { 'AC/conceptoRecaudo': '04' }),
  fine('advance', {}),
  bad('medicine-value', 'error', { 'AM/vrServicio': 2001 }),
  fine('medicine-value', { 'AM/cantidadMedicamento': 2.5, 'AM/vrServicio': 1250 }),

  bad('unknown-code', 'error', { 'U/codMunicipioResidencia': '05999' }),
  bad('unknown-code', 'error', { 'AC/modalidadGrupoServicioTecSal': '05' }),
  bad('unknown-code', 'error', { 'AN/codSexoBiologico': '04' }),
  bad('unknown-code', 'error', { '/tipoNota': 'XX' }),
  fine('unknown-code', { 'U/tipoUsuario': '14' }),
  bad('code-not-here', 'error', { 'AC/finalidadTecnologiaSalud': '29' }),
  bad('code-not-here', 'error', { 'AU/causaMotivoAtencion': '40' }),
  bad('code-not-here', 'error', { 'AH/viaIngresoServicioSalud': '01' }),
  bad('code-not-here', 'error', { 'AH/condicionDestinoUsuarioEgreso': '03' }),
  bad('code-not-here', 'error', { 'AT/tipoOS': '06' }),
  bad('code-not-here', 'error', { 'U/tipoDocumentoIdentificacion': 'NI' }),
  { ...bad('code-not-here', 'error', { 'U/tipoUsuario': '14' }), profile: '2275' },
  fine('code-not-here', { 'AU/condicionDestinoUsuarioEgreso': '03' }),
];
