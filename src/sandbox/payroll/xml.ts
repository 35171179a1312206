import { createHash } from 'node:crypto';
import { truncateToCents } from '../../families/payroll/cune.js';
import { isObject, type JsonObject, type JsonValue } from '../../toolkit/core/json.js';
import { checkDigit } from '../../toolkit/core/nit.js';
import {
  childKeys,
  isList,
  isRequired,
  requiredNode,
  type SchemaNode,
} from '../../toolkit/schema/registry.js';
import { member, text } from '../answer.js';
import type { Company } from '../store.js';
import { type Composed, exactAmount, type PayrollDocument } from './document.js';
import { rowById } from './judge.js';

/**
 * XML of the annex (Resolución 000013 of 2021, annex v1.0): every element and attribute by its name and in its order.
 * The signature is omitted; the employer's place, unknown to the service, is Bogotá.
 */

type Attributes = Readonly<Record<string, string>>;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (value: string): string =>
  value.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);

/** Writes an element; attributes without a value are omitted, as by the service's template. */
function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === '' ? [] : [` ${key}="${escapeXml(value)}"`],
  );
  return content === ''
    ? `<${name}${written.join('')}/>`
    : `<${name}${written.join('')}>${content}</${name}>`;
}

const leaf = (name: string, value: string): string =>
  value === '' ? '' : `<${name}>${escapeXml(value)}</${name}>`;

/** Wraps parts in an element, which is omitted if they are empty. */
const group = (name: string, parts: readonly string[]): string =>
  parts.join('') === '' ? '' : `<${name}>${parts.join('')}</${name}>`;

/** Formats an amount with two decimals. */
function cents(value: JsonValue | undefined): string {
  const exact = exactAmount(value);
  return exact === undefined ? '' : truncateToCents(exact);
}

const plain = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Returns DIAN's code for a row's id. */
const codeOf = (list: string, id: JsonValue | undefined, column = 'code'): string =>
  rowById(list, id)?.[column] ?? '';

const objectAt = (body: JsonObject, ...keys: readonly string[]): JsonObject => {
  const found = member(body, ...keys);
  return isObject(found) ? found : {};
};

const listAt = (part: JsonObject, name: string): readonly JsonObject[] => {
  const found = part[name];
  return Array.isArray(found) ? found.filter(isObject) : [];
};

/** Formats a value by its schema: amounts with two decimals, ids of code lists as the column of the annex. */
function written(node: SchemaNode, value: JsonValue | undefined): string {
  const { 'x-catalogue': list, 'x-xml-column': column } = node;
  if (list !== undefined && column !== undefined) return codeOf(list, value, column);
  return node.format === 'money' || node.format === 'two-decimals' ? cents(value) : plain(value);
}

interface Placed {
  readonly key: string;
  readonly node: SchemaNode;
  /** Enclosing element and own name, an attribute `@Pago` or an element `HED`; either may be missing. */
  readonly around: string | undefined;
  readonly name: string;
  readonly required: boolean;
}

const placed = new Map<string, readonly Placed[]>();

/** Returns the members of a part that have a place in the annex (`x-xml`), in file order. */
function placedIn(keys: readonly string[]): readonly Placed[] {
  const known = placed.get(keys.join('/'));
  if (known !== undefined) return known;
  const part = requiredNode('payroll/payroll', keys);
  const found = childKeys(part).flatMap((key): Placed[] => {
    const node = requiredNode('payroll/payroll', [...keys, key]);
    const path = node['x-xml']?.split('/') ?? [];
    const name = path.pop();
    return name === undefined ? [] : [{ key, node, around: path[0], name, required: isRequired(part, key) }];
  });
  placed.set(keys.join('/'), found);
  return found;
}

const attributesOf = (item: JsonObject, places: readonly Placed[]): Attributes =>
  Object.fromEntries(
    places
      .filter(({ name }) => name.startsWith('@'))
      .map(({ key, node, name }) => [name.slice(1), written(node, item[key])]),
  );

/** Groups neighbours with the same enclosing element. */
const byElement = (places: readonly Placed[]): readonly (readonly Placed[])[] =>
  places.reduce<Placed[][]>((runs, place) => {
    const last = runs.at(-1);
    if (place.around !== undefined && last?.[0]?.around === place.around) last.push(place);
    else runs.push([place]);
    return runs;
  }, []);

/** Writes a part of the annex: shared elements, then lists, then single amounts. */
function partElement(name: string, key: string, part: JsonObject): string {
  const places = placedIn([key]);
  const lists = places.filter(({ node }) => isList(node));
  const shared = places.filter(({ name }) => name.startsWith('@'));
  const single = places.filter(({ node, name }) => !isList(node) && !name.startsWith('@'));
  const itemsOf = ({ key: list, name }: Placed): string[] => {
    const members = placedIn([key, list, '*']);
    const text = members.find(({ name }) => name === '.');
    return listAt(part, list).map((item) =>
      text === undefined
        ? element(name, attributesOf(item, members))
        : leaf(name, written(text.node, item[text.key])),
    );
  };
  return group(name, [
    ...byElement(shared).map((run) => {
      const attributes = attributesOf(part, run);
      const isLeftOut = !run.some(({ required }) => required) && Object.values(attributes).join('') === '';
      return isLeftOut ? '' : element(run[0]?.around ?? '', attributes);
    }),
    ...byElement(lists).map((run) => {
      const items = run.flatMap(itemsOf);
      const around = run[0]?.around;
      return around === undefined ? items.join('') : group(around, items);
    }),
    ...single.map(({ key, node, name }) => leaf(name, written(node, part[key]))),
  ]);
}

const flag = (value: JsonValue | undefined): string => String(value === true || value === 1 || value === '1');

function worker({ worker: id, body }: PayrollDocument): string {
  const given = objectAt(body, 'worker');
  const town = codeOf('municipalities', given['municipality_id']);
  return element('Trabajador', {
    TipoTrabajador: codeOf('type_workers', given['type_worker_id']),
    SubTipoTrabajador: codeOf('sub_type_workers', given['sub_type_worker_id']),
    AltoRiesgoPension: flag(given['high_risk_pension']),
    TipoDocumento: codeOf(
      'payroll_type_document_identifications',
      given['payroll_type_document_identification_id'],
    ),
    NumeroDocumento: id,
    PrimerApellido: text(given, 'surname'),
    SegundoApellido: text(given, 'second_surname'),
    PrimerNombre: text(given, 'first_name'),
    OtrosNombres: text(given, 'middle_name'),
    LugarTrabajoPais: 'CO',
    LugarTrabajoDepartamentoEstado: town.slice(0, 2),
    LugarTrabajoMunicipioCiudad: town,
    LugarTrabajoDireccion: text(given, 'address'),
    SalarioIntegral: flag(given['integral_salarary']),
    TipoContrato: codeOf('type_contracts', given['type_contract_id']),
    Sueldo: cents(given['salary']),
    CodigoTrabajador: text(given, 'worker_code') || text(body, 'worker_code'),
  });
}

/** Writes the elements of a payroll or replacement that a deletion lacks. */
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
    partElement('Devengados', 'accrued', objectAt(body, 'accrued')),
    partElement('Deducciones', 'deductions', objectAt(body, 'deductions')),
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

const novelty = ({ novelty: given }: PayrollDocument): string =>
  element('Novedad', { CUNENov: given?.earlier ?? '' }, String(given !== undefined));

/** Computes the SHA-384 of software id, PIN and number (annex 8.2). */
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
