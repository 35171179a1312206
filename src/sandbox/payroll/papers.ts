import type { CuneParts } from '../../payroll/cune.js';
import type { JsonObject } from '../../values/json.js';
import type { Company } from '../companies.js';
import type { PayrollDocument } from './document.js';
import { payrollXml } from './xml.js';

/** A document as the service composed it for DIAN. */
export interface Composed {
  readonly company: Company;
  readonly document: PayrollDocument;
  readonly parts: CuneParts;
  readonly cune: string;
}

const QR = 'https://catalogo-vpfe.dian.gov.co/document/searchqr?documentkey=';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** What the service gives back of its own making; zip and SOAP texts are left empty (FIDELITY.md). */
export function papersOf({ company, document, parts, cune }: Composed): JsonObject {
  const xml = base64(payrollXml(document, company, parts, cune));
  return {
    payrollxml: xml,
    zippayrollxml: '',
    unsignedpayrollxml: xml,
    reqni: '',
    rptani: '',
    urlpayrollxml: `${document.number}.xml`,
    urlpayrollpdf: `${document.number}.pdf`,
    cune,
    ...(document.kind === 'payroll' && { QRStr: QR + cune }),
    certificate_days_left: company.certificateDaysLeft,
  };
}
