import { catalogue } from '../../catalogue/catalogue.js';
import type { EventCode } from '../../events/kinds.js';
import type { JsonObject } from '../../values/json.js';
import { type Answer, type Call, type Handler, ok } from '../answer.js';
import type { Environment } from '../options.js';
import { envelope, NIL, nested } from '../soap.js';
import type { EventContext } from './context.js';
import type { RegisteredEvent } from './registry.js';
import { invoiceKey } from './target.js';

/** E3 and E4: what DIAN has registered for an invoice, for its buyer and its seller (service.md 7.4). */

const RESULT = ['GetStatusEventResponse', 'GetStatusEventResult'];
const PUBLIC_CODES: readonly EventCode[] = ['030', '031', '032', '033', '034'];

const descriptionOf = (code: EventCode): string =>
  catalogue('events')?.rows.find((row) => row['code'] === code)?.['name'] ?? code;

/** E3, the one to trust. Code 67 is none. */
export function invoiceEvents(context: EventContext): Handler {
  const cufeOf = (call: Call): string => call.path['CUFE'] ?? '';
  return {
    about: (call) => ({ key: cufeOf(call) }),
    answer: (call): Answer => {
      const { company } = call;
      const cufe = cufeOf(call);
      const events = context.registry.of(invoiceKey(context, company, cufe));
      const result = {
        ErrorMessage: NIL,
        IsValid: events.length > 0 ? 'true' : 'false',
        StatusCode: events.length > 0 ? '00' : '67',
        StatusDescription:
          events.length > 0 ? 'Procesado Correctamente.' : 'El documento no tiene eventos asociados.',
        StatusMessage: NIL,
        XmlDocumentKey: cufe,
      };
      return ok(
        {
          success: events.length > 0,
          message: 'Consulta de eventos generada con éxito',
          ...(events.length > 0 && { events: events.map(listed) }),
          ResponseDian: envelope(nested(RESULT, result)),
          cufecude: cufe,
          certificate_days_left: company.certificateDaysLeft,
        },
        'answered',
      );
    },
  };
}

const listed = ({ number, code, date, time, cude }: RegisteredEvent): JsonObject => ({
  event_number: number,
  dian_code: code,
  description: descriptionOf(code),
  date,
  time,
  cude,
});

/** E4, DIAN's public page: another environment can be asked for, and `success` is a text. */
export function publicPage(context: EventContext): Handler {
  const cufeOf = (call: Call): string => call.path['cufe'] ?? '';
  return {
    about: (call) => ({ key: cufeOf(call) }),
    answer: (call): Answer => {
      const environment: Environment = call.path['ambiente'] === '1' ? 'production' : 'test';
      const key = { ...invoiceKey(context, call.company, cufeOf(call)), environment };
      const events = context.registry.of(key).filter(({ code }) => PUBLIC_CODES.includes(code));
      if (events.length === 0) return ok({ success: 'false', message: 'Sin eventos' }, 'answered');
      const lists = PUBLIC_CODES.map((code) => [
        `Evento_${code}`,
        events.filter((event) => event.code === code).map(shown),
      ]);
      return ok({ success: 'true', ...Object.fromEntries(lists) }, 'answered');
    },
  };
}

const shown = ({ code, date, sender, receiver }: RegisteredEvent): JsonObject => ({
  success: 'true',
  [`Evento_${code}`]: code,
  Descripción: descriptionOf(code),
  Fecha: date,
  Nit_Emisor: sender.id,
  Emisor: sender.name,
  Nit_Receptor: receiver.id,
  Receptor: receiver.name,
});
