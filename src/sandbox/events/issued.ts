import type { EventCode } from '../../events/kinds.js';
import type { ReceivedInvoice } from '../../source/xml/received-invoice.js';
import type { JsonObject } from '../../values/json.js';
import { type Answer, type Call, declined, type Handler, ok } from '../answer.js';
import type { EventContext } from './context.js';

/** E5 and E6: what buyers did with an invoice that a company of this service issued (service.md 7.4). */

/** The keys of the answer, and the events that make each of them true. */
const SENTENCES: Readonly<Record<string, readonly EventCode[]>> = {
  'Acuse de recibo de Factura Electrónica de Venta': ['030'],
  'Recibo del bien y/o prestación del servicio': ['032'],
  'Aceptación expresa': ['033', '034'],
  'Reclamo de la Factura Electrónica de Venta': ['031'],
};

/** E5: any company may ask for any invoice that was issued here. */
export const eventsByUuid = (context: EventContext): Handler => ({
  about: ({ path }) => ({ key: path['uuid'] ?? '' }),
  answer: ({ company, path }) => {
    const invoice = context.invoices.fixed(path['uuid'] ?? '');
    const issuers = context.companies.all().map(({ nit }) => nit);
    const issued = invoice !== undefined && issuers.includes(invoice.seller.id);
    return answerOf(context, company, issued ? invoice : undefined);
  },
});

/** E6: only the company's own. */
export const eventsByNumber = (context: EventContext): Handler => {
  const numberOf = ({ path }: Call): string => `${path['prefix']}${path['number']}`;
  return {
    about: (call) => ({ number: numberOf(call) }),
    answer: (call) => {
      const { company } = call;
      const own = context.invoices
        .list()
        .find(({ seller, number }) => seller.id === company.nit && number === numberOf(call));
      return answerOf(context, company, own);
    },
  };
};

function answerOf(
  { registry }: EventContext,
  { environment }: Call['company'],
  invoice: ReceivedInvoice | undefined,
): Answer {
  if (invoice === undefined) return declined('El documento no fue encontrado', {}, 'answered');
  const codes = registry
    .of({ environment, buyer: invoice.buyer.id, cufe: invoice.cufe })
    .map(({ code }) => code);
  const flags = Object.entries(SENTENCES).map(([sentence, needed]): [string, boolean] => [
    sentence,
    needed.some((code) => codes.includes(code)),
  ]);
  const happened: JsonObject = flags.some(([, flag]) => flag)
    ? Object.fromEntries(flags)
    : { 'Aceptación Tácita': true };
  return ok(
    { success: true, ...happened, send_email_success: false, send_email_date_time: null },
    'answered',
  );
}
