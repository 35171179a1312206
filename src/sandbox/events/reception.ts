import type { ReceivedInvoice } from '../../source/xml/received-invoice.js';
import { add } from '../../values/decimal.js';
import type { JsonObject } from '../../values/json.js';
import { declined, type Handler, ok } from '../answer.js';
import { text } from '../members.js';
import { shapeFaults } from '../shape-faults.js';
import { checkDigit } from './check-digit.js';
import type { EventContext } from './context.js';
import { MARK_NAMES, type Marks } from './marks.js';
import { readFile, refusalText } from './target.js';

/** E7: reads the seller's file and says what it holds; nothing is stored (service.md 7.4, 7.5). */
export const sellerReception = ({ refusals, marks }: EventContext): Handler => ({
  about: () => ({}),
  answer: (call) => {
    const faults = shapeFaults(call);
    if (faults.length > 0) return refusals.invalid(faults);
    const { body, company } = call;
    const reading = readFile(text(body, 'xml_document'));
    if (reading.is === 'refused') return declined(refusalText(reading.refusal));
    const { invoice } = reading.document;
    const asked = text(body, 'company_idnumber');
    if (asked !== company.nit || invoice.buyer.id !== asked)
      return declined(`El archivo no corresponde al adquiriente ${asked}`);
    return ok(
      {
        success: true,
        message: 'El archivo fue cargado satisfactoriamente',
        data: dataOf(invoice, company.nit, marks),
      },
      'answered',
    );
  },
});

const dataOf = (invoice: ReceivedInvoice, company: string, marks: Marks): JsonObject => ({
  identification_number: invoice.seller.id,
  dv: checkDigit(invoice.seller.id),
  name_seller: invoice.seller.name,
  state_document_id: 1,
  // The code of UBL, not the service's own id.
  type_document_id: invoice.type,
  customer: invoice.buyer.id,
  prefix: invoice.prefix,
  number: invoice.number,
  xml: null,
  cufe: invoice.cufe,
  date_issue: `${invoice.issueDate} ${invoice.issueTime.replace(/[+-]\d\d:\d\d$/, '')}`,
  sale: add(invoice.subtotal, invoice.tax),
  total_discount: invoice.discount,
  subtotal: invoice.subtotal,
  total_tax: invoice.tax,
  total: invoice.total,
  pdf: null,
  ...Object.fromEntries(MARK_NAMES.map((name) => [name, marks.has(company, invoice.cufe, name) ? 1 : 0])),
});
