import type { CuneParts } from '../../payroll/cune.js';
import type { Company } from '../companies.js';
import { text } from '../members.js';
import type { PayrollDocument } from './document.js';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);

const element = (name: string, attributes: Readonly<Record<string, string>>): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
    .join('')}/>`;

/** Root, namespace of the annex, and the element around the content of a note. */
const ROOTS = {
  payroll: ['NominaIndividual', 'dian:gov:co:facturaelectronica:NominaIndividual'],
  replace: [
    'NominaIndividualDeAjuste',
    'dian:gov:co:facturaelectronica:NominaIndividualDeAjuste',
    'Reemplazar',
  ],
  delete: ['NominaIndividualDeAjuste', 'dian:gov:co:facturaelectronica:NominaIndividualDeAjuste', 'Eliminar'],
} as const;

/**
 * The document as XML, cut down to what identifies it: number, CUNE and all its parts, worker and totals, under the
 * annex's own names. Concepts, software, signature and extensions are left out.
 */
export function payrollXml(
  document: PayrollDocument,
  company: Company,
  parts: CuneParts,
  cune: string,
): string {
  const [root, namespace, wrapper] = ROOTS[document.kind];
  const content = [
    document.predecessor === undefined ? '' : predecessor(document),
    element('NumeroSecuenciaXML', {
      Prefijo: document.prefix,
      Consecutivo: String(document.consecutive),
      Numero: parts.number,
    }),
    element('InformacionGeneral', {
      Ambiente: parts.environment,
      TipoXML: parts.xmlType,
      CUNE: cune,
      EncripCUNE: 'CUNE-SHA384',
      FechaGen: parts.issueDate,
      HoraGen: parts.issueTime,
    }),
    element('Empleador', { RazonSocial: company.name, NIT: company.nit }),
    ...(document.kind === 'delete' ? [] : paid(document)),
  ].join('');
  const inner = wrapper === undefined ? content : `<${wrapper}>${content}</${wrapper}>`;
  return `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="${namespace}">${inner}</${root}>`;
}

const predecessor = ({ kind, body }: PayrollDocument): string =>
  element(kind === 'delete' ? 'EliminandoPredecesor' : 'ReemplazandoPredecesor', {
    CUNEPred: text(body, 'predecessor', 'predecessor_cune'),
    FechaGenPred: text(body, 'predecessor', 'predecessor_issue_date'),
  });

const paid = (document: PayrollDocument): string[] => [
  element('Trabajador', {
    NumeroDocumento: document.worker,
    PrimerApellido: text(document.body, 'worker', 'surname'),
    SegundoApellido: text(document.body, 'worker', 'second_surname'),
    PrimerNombre: text(document.body, 'worker', 'first_name'),
    OtrosNombres: text(document.body, 'worker', 'middle_name'),
  }),
  `<DevengadosTotal>${document.accrued}</DevengadosTotal>`,
  `<DeduccionesTotal>${document.deductions}</DeduccionesTotal>`,
  `<ComprobanteTotal>${document.net}</ComprobanteTotal>`,
];
