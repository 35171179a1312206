import type { Text } from '../../issues/codes.js';

/** What `events` and `reception` say. `{name}` stands for a param. */
export const EVENT_TEXTS = {
  askingEvents: { es: 'Consultando los eventos', en: 'Asking for the events' },
  'state-none': { es: 'Sin eventos', en: 'No events' },
  'state-acknowledged': { es: 'Con acuse de recibo', en: 'Acknowledged' },
  'state-received': { es: 'Bien o servicio recibido', en: 'Goods or service received' },
  'state-accepted': { es: 'Aceptada', en: 'Accepted' },
  'state-claimed': { es: 'Reclamada', en: 'Claimed' },
  'state-tacitly-accepted': { es: 'Aceptada tácitamente', en: 'Tacitly accepted' },
  'state-unknown': { es: 'Sin respuesta', en: 'No answer' },
  invoicesAsked: {
    es: 'Facturas: {count}. {states}.',
    en: 'Invoices: {count}. {states}.',
  },
  askAsk: {
    es: '¿Consultar {count} facturas en {service}?',
    en: 'Ask {service} about {count} invoices?',
  },
  readInvoice: {
    es: '{number}  {seller}  {total}  {state}',
    en: '{number}  {seller}  {total}  {state}',
  },
} satisfies Readonly<Record<string, Text>>;
