import { createHash } from 'node:crypto';
import { truncateToCents } from '../../families/payroll/cune.js';
import { isObject, type JsonObject, type JsonValue } from '../../toolkit/core/json.js';
import { checkDigit } from '../../toolkit/core/nit.js';
import { member, text } from '../answer.js';
import type { Company } from '../store.js';
import { type Composed, exactAmount, type PayrollDocument } from './document.js';
import { rowById } from './judge.js';

/**
 * The document in the annex's form (Resolución 000013 of 2021, annex v1.0): every element and attribute under its name and in
 * its order. The signature is left out, and of the employer what the service was never told is of Bogotá.
 */

type Attributes = Readonly<Record<string, string>>;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (value: string): string => value.replace(/[&<>"]/g, (character) => ESCAPES[character]!);

/** Attributes without a value are left out, as the service's template does. */
function element(name: string, attributes: Attributes, content = ''): string {
  const said = Object.entries(attributes).flatMap(([key, value]) =>
    value === '' ? [] : [` ${key}="${escapeXml(value)}"`],
  );
  return content === '' ? `<${name}${said.join('')}/>` : `<${name}${said.join('')}>${content}</${name}>`;
}

const leaf = (name: string, value: string): string =>
  value === '' ? '' : `<${name}>${escapeXml(value)}</${name}>`;

/** Parts that stand together in an element of their own, which is not there without any. */
const group = (name: string, parts: readonly string[]): string =>
  parts.join('') === '' ? '' : `<${name}>${parts.join('')}</${name}>`;

/** Printed with two decimals. */
function cents(value: JsonValue | undefined): string {
  const exact = exactAmount(value);
  return exact === undefined ? '' : truncateToCents(exact);
}

const plain = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** What DIAN calls the row of an id. */
const codeOf = (list: string, id: JsonValue | undefined, column = 'code'): string =>
  rowById(list, id)?.[column] ?? '';

const surcharge = (id: JsonValue | undefined): string =>
  codeOf('type_overtime_surcharges', id, 'percentage_annex');
const lawRate = (id: JsonValue | undefined): string => codeOf('type_law_deductions', id, 'percentage');

/** How a member of the request is written, by the attribute that it becomes. */
type Form = readonly [member: string, write: (value: JsonValue | undefined) => string];
type Forms = Readonly<Record<string, Form>>;

const attributesOf = (item: JsonObject, forms: Forms): Attributes =>
  Object.fromEntries(Object.entries(forms).map(([name, [from, write]]) => [name, write(item[from])]));

const SPAN: Forms = {
  FechaInicio: ['start_date', plain],
  FechaFin: ['end_date', plain],
  Cantidad: ['quantity', plain],
};
const PAID: Forms = { Pago: ['payment', cents] };
const HOURS: Forms = {
  HoraInicio: ['start_time', plain],
  HoraFin: ['end_time', plain],
  Cantidad: ['quantity', plain],
  Porcentaje: ['percentage', surcharge],
  ...PAID,
};

/** A concept: the list of the request, the element of each item, and its attributes; a text where it has but one value. */
interface Concept {
  readonly list: string;
  readonly item: string;
  readonly forms?: Forms;
  readonly value?: string;
}
/** Concepts that share an element around them, or stand without one. */
type Section = readonly [around: string | undefined, ...concepts: Concept[]];

const overtime = (list: string): Section => [list, { list, item: list.slice(0, -1), forms: HOURS }];

const EARNED: readonly Section[] = [
  ...['HEDs', 'HENs', 'HRNs', 'HEDDFs', 'HRDDFs', 'HENDFs', 'HRNDFs'].map(overtime),
  [
    'Vacaciones',
    { list: 'common_vacation', item: 'VacacionesComunes', forms: { ...SPAN, ...PAID } },
    {
      list: 'paid_vacation',
      item: 'VacacionesCompensadas',
      forms: { Cantidad: ['quantity', plain], ...PAID },
    },
  ],
  [
    undefined,
    {
      list: 'service_bonus',
      item: 'Primas',
      forms: { Cantidad: ['quantity', plain], ...PAID, PagoNS: ['paymentNS', cents] },
    },
    {
      list: 'severance',
      item: 'Cesantias',
      forms: { ...PAID, Porcentaje: ['percentage', cents], PagoIntereses: ['interest_payment', cents] },
    },
  ],
  [
    'Incapacidades',
    { list: 'work_disabilities', item: 'Incapacidad', forms: { ...SPAN, Tipo: ['type', plain], ...PAID } },
  ],
  [
    'Licencias',
    { list: 'maternity_leave', item: 'LicenciaMP', forms: { ...SPAN, ...PAID } },
    { list: 'paid_leave', item: 'LicenciaR', forms: { ...SPAN, ...PAID } },
    { list: 'non_paid_leave', item: 'LicenciaNR', forms: SPAN },
  ],
  [
    'Bonificaciones',
    {
      list: 'bonuses',
      item: 'Bonificacion',
      forms: { BonificacionS: ['salary_bonus', cents], BonificacionNS: ['non_salary_bonus', cents] },
    },
  ],
  [
    'Auxilios',
    {
      list: 'aid',
      item: 'Auxilio',
      forms: { AuxilioS: ['salary_assistance', cents], AuxilioNS: ['non_salary_assistance', cents] },
    },
  ],
  ['HuelgasLegales', { list: 'legal_strike', item: 'HuelgaLegal', forms: SPAN }],
  [
    'OtrosConceptos',
    {
      list: 'other_concepts',
      item: 'OtroConcepto',
      forms: {
        DescripcionConcepto: ['description_concept', plain],
        ConceptoS: ['salary_concept', cents],
        ConceptoNS: ['non_salary_concept', cents],
      },
    },
  ],
  [
    'Compensaciones',
    {
      list: 'compensations',
      item: 'Compensacion',
      forms: {
        CompensacionO: ['ordinary_compensation', cents],
        CompensacionE: ['extraordinary_compensation', cents],
      },
    },
  ],
  [
    'BonoEPCTVs',
    {
      list: 'epctv_bonuses',
      item: 'BonoEPCTV',
      forms: {
        PagoS: ['paymentS', cents],
        PagoNS: ['paymentNS', cents],
        PagoAlimentacionS: ['salary_food_payment', cents],
        PagoAlimentacionNS: ['non_salary_food_payment', cents],
      },
    },
  ],
  ['Comisiones', { list: 'commissions', item: 'Comision', value: 'commission' }],
  ['PagosTerceros', { list: 'third_party_payments', item: 'PagoTercero', value: 'third_party_payment' }],
  ['Anticipos', { list: 'advances', item: 'Anticipo', value: 'advance' }],
];

/** One amount each; `accrued.refund` is dropped, as the service does (service.md 4.5). */
const EARNED_AMOUNTS: Attributes = {
  Dotacion: 'endowment',
  ApoyoSost: 'sustenance_support',
  Teletrabajo: 'telecommuting',
  BonifRetiro: 'withdrawal_bonus',
  Indemnizacion: 'compensation',
};

const HELD_BACK: readonly Section[] = [
  [
    'Sindicatos',
    {
      list: 'labor_union',
      item: 'Sindicato',
      forms: { Porcentaje: ['percentage', cents], Deduccion: ['deduction', cents] },
    },
  ],
  [
    'Sanciones',
    {
      list: 'sanctions',
      item: 'Sancion',
      forms: { SancionPublic: ['public_sanction', cents], SancionPriv: ['private_sanction', cents] },
    },
  ],
  [
    'Libranzas',
    {
      list: 'orders',
      item: 'Libranza',
      forms: { Descripcion: ['description', plain], Deduccion: ['deduction', cents] },
    },
  ],
  ['PagosTerceros', { list: 'third_party_payments', item: 'PagoTercero', value: 'third_party_payment' }],
  ['Anticipos', { list: 'advances', item: 'Anticipo', value: 'advance' }],
  ['OtrasDeducciones', { list: 'other_deductions', item: 'OtraDeduccion', value: 'other_deduction' }],
];

const HELD_BACK_AMOUNTS: Attributes = {
  PensionVoluntaria: 'voluntary_pension',
  RetencionFuente: 'withholding_at_source',
  AFC: 'afc',
  Cooperativa: 'cooperative',
  EmbargoFiscal: 'tax_liens',
  PlanComplementarios: 'supplementary_plan',
  Educacion: 'education',
  Reintegro: 'refund',
  Deuda: 'debt',
};

const objectAt = (body: JsonObject, ...keys: readonly string[]): JsonObject => {
  const found = member(body, ...keys);
  return isObject(found) ? found : {};
};

const listAt = (part: JsonObject, name: string): readonly JsonObject[] => {
  const found = part[name];
  return Array.isArray(found) ? found.filter(isObject) : [];
};

const conceptsIn = (part: JsonObject, sections: readonly Section[]): string[] =>
  sections.map(([around, ...concepts]) => {
    const items = concepts.flatMap(({ list, item, forms = {}, value }) =>
      listAt(part, list).map((one) =>
        value === undefined ? element(item, attributesOf(one, forms)) : leaf(item, cents(one[value])),
      ),
    );
    return around === undefined ? items.join('') : group(around, items);
  });

const amountsIn = (part: JsonObject, amounts: Attributes): string[] =>
  Object.entries(amounts).map(([name, from]) => leaf(name, cents(part[from])));

function accruals(part: JsonObject): string {
  const transport = attributesOf(part, {
    AuxilioTransporte: ['transportation_allowance', cents],
    ViaticoManuAlojS: ['salary_viatics', cents],
    ViaticoManuAlojNS: ['non_salary_viatics', cents],
  });
  return group('Devengados', [
    element(
      'Basico',
      attributesOf(part, { DiasTrabajados: ['worked_days', plain], SueldoTrabajado: ['salary', cents] }),
    ),
    Object.values(transport).join('') === '' ? '' : element('Transporte', transport),
    ...conceptsIn(part, EARNED),
    ...amountsIn(part, EARNED_AMOUNTS),
  ]);
}

function deductions(part: JsonObject): string {
  const fund = attributesOf(part, {
    Porcentaje: ['fondossp_type_law_deductions_id', lawRate],
    DeduccionSP: ['fondosp_deduction_SP', cents],
    PorcentajeSub: ['fondossp_sub_type_law_deductions_id', lawRate],
    DeduccionSub: ['fondosp_deduction_sub', cents],
  });
  return group('Deducciones', [
    element(
      'Salud',
      attributesOf(part, {
        Porcentaje: ['eps_type_law_deductions_id', lawRate],
        Deduccion: ['eps_deduction', cents],
      }),
    ),
    element(
      'FondoPension',
      attributesOf(part, {
        Porcentaje: ['pension_type_law_deductions_id', lawRate],
        Deduccion: ['pension_deduction', cents],
      }),
    ),
    Object.values(fund).join('') === '' ? '' : element('FondoSP', fund),
    ...conceptsIn(part, HELD_BACK),
    ...amountsIn(part, HELD_BACK_AMOUNTS),
  ]);
}

const flag = (value: JsonValue | undefined): string => String(value === true || value === 1 || value === '1');

function worker({ worker: id, body }: PayrollDocument): string {
  const said = objectAt(body, 'worker');
  const town = codeOf('municipalities', said['municipality_id']);
  return element('Trabajador', {
    TipoTrabajador: codeOf('type_workers', said['type_worker_id']),
    SubTipoTrabajador: codeOf('sub_type_workers', said['sub_type_worker_id']),
    AltoRiesgoPension: flag(said['high_risk_pension']),
    TipoDocumento: codeOf(
      'payroll_type_document_identifications',
      said['payroll_type_document_identification_id'],
    ),
    NumeroDocumento: id,
    PrimerApellido: text(said, 'surname'),
    SegundoApellido: text(said, 'second_surname'),
    PrimerNombre: text(said, 'first_name'),
    OtrosNombres: text(said, 'middle_name'),
    LugarTrabajoPais: 'CO',
    LugarTrabajoDepartamentoEstado: town.slice(0, 2),
    LugarTrabajoMunicipioCiudad: town,
    LugarTrabajoDireccion: text(said, 'address'),
    SalarioIntegral: flag(said['integral_salarary']),
    TipoContrato: codeOf('type_contracts', said['type_contract_id']),
    Sueldo: cents(said['salary']),
    CodigoTrabajador: text(said, 'worker_code') || text(body, 'worker_code'),
  });
}

/** What a payroll or a replacement has, and a deletion has not. */
const paid = (document: PayrollDocument): string[] => {
  const { body } = document;
  return [
    worker(document),
    element('Pago', {
      Forma: '1',
      Metodo: codeOf('payment_methods', member(body, 'payment', 'payment_method_id')),
      Banco: text(body, 'payment', 'bank_name'),
      TipoCuenta: text(body, 'payment', 'account_type'),
      NumeroCuenta: text(body, 'payment', 'account_number'),
    }),
    group(
      'FechasPagos',
      listAt(body, 'payment_dates').map(({ payment_date }) => leaf('FechaPago', plain(payment_date))),
    ),
    accruals(objectAt(body, 'accrued')),
    deductions(objectAt(body, 'deductions')),
    leaf('DevengadosTotal', document.accrued),
    leaf('DeduccionesTotal', document.deductions),
    leaf('ComprobanteTotal', document.net),
  ];
};

const period = ({ body, issueDate }: PayrollDocument): string =>
  element('Periodo', {
    FechaIngreso: text(body, 'period', 'admision_date'),
    FechaRetiro: text(body, 'period', 'retirement_date'),
    FechaLiquidacionInicio: text(body, 'period', 'settlement_start_date'),
    FechaLiquidacionFin: text(body, 'period', 'settlement_end_date'),
    TiempoLaborado: text(body, 'period', 'worked_time'),
    FechaGen: issueDate,
  });

const predecessor = ({ kind, body }: PayrollDocument): string =>
  element(kind === 'delete' ? 'EliminandoPredecesor' : 'ReemplazandoPredecesor', {
    NumeroPred: text(body, 'predecessor', 'predecessor_number'),
    CUNEPred: text(body, 'predecessor', 'predecessor_cune'),
    FechaGenPred: text(body, 'predecessor', 'predecessor_issue_date'),
  });

const novelty = ({ novelty: said }: PayrollDocument): string =>
  element('Novedad', { CUNENov: said?.earlier ?? '' }, String(said !== undefined));

/** SHA-384 of software id, PIN and number (annex 8.2). */
const securityCode = ({ software }: Company, number: string): string =>
  createHash('sha384')
    .update(software.idpayroll + software.pinpayroll + number)
    .digest('hex');

const EMPLOYERS_PLACE: Attributes = { Pais: 'CO', DepartamentoEstado: '11', MunicipioCiudad: '11001' };

const QR = 'https://catalogo-vpfe.dian.gov.co/document/searchqr?documentkey=';
export const qrOf = (cune: string): string => QR + cune;

const ROOTS = {
  payroll: { name: 'NominaIndividual', says: 'Documento Soporte de Pago de Nómina Electrónica' },
  replace: {
    name: 'NominaIndividualDeAjuste',
    says: 'Nota de Ajuste de Documento Soporte de Pago de Nómina Electrónica',
    type: '1',
    around: 'Reemplazar',
  },
  delete: {
    name: 'NominaIndividualDeAjuste',
    says: 'Nota de Ajuste de Documento Soporte de Pago de Nómina Electrónica',
    type: '2',
    around: 'Eliminar',
  },
} as const;

export function payrollXml({ document, company, parts, cune }: Composed): string {
  const root = ROOTS[document.kind];
  const { body } = document;
  const employer = { RazonSocial: company.name, NIT: company.nit, DV: checkDigit(company.nit) };
  const content = [
    document.kind === 'payroll' ? novelty(document) : predecessor(document),
    document.kind === 'delete' ? '' : period(document),
    element('NumeroSecuenciaXML', {
      CodigoTrabajador: text(body, 'worker_code'),
      Prefijo: document.prefix,
      Consecutivo: String(document.consecutive),
      Numero: parts.number,
    }),
    element('LugarGeneracionXML', { ...EMPLOYERS_PLACE, Idioma: 'es' }),
    element('ProveedorXML', {
      ...employer,
      SoftwareID: company.software.idpayroll,
      SoftwareSC: securityCode(company, parts.number),
    }),
    leaf('CodigoQR', qrOf(cune)),
    element('InformacionGeneral', {
      Version: `V1.0: ${root.says}`,
      Ambiente: parts.environment,
      TipoXML: parts.xmlType,
      CUNE: cune,
      EncripCUNE: 'CUNE-SHA384',
      FechaGen: parts.issueDate,
      HoraGen: parts.issueTime,
      ...(document.kind !== 'delete' && {
        PeriodoNomina: codeOf('payroll_periods', body['payroll_period_id']),
        TipoMoneda: 'COP',
      }),
    }),
    leaf('Notas', text(body, 'notes')),
    element('Empleador', { ...employer, ...EMPLOYERS_PLACE }),
    ...(document.kind === 'delete' ? [] : paid(document)),
  ].join('');
  const inner = 'around' in root ? leaf('TipoNota', root.type) + group(root.around, [content]) : content;
  const space = `dian:gov:co:facturaelectronica:${root.name}`;
  return `<?xml version="1.0" encoding="UTF-8"?><${root.name} xmlns="${space}" xmlns:ext="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"><ext:UBLExtensions><ext:UBLExtension><ext:ExtensionContent/></ext:UBLExtension></ext:UBLExtensions>${inner}</${root.name}>`;
}
