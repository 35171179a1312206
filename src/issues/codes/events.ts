import type { CodeEntry } from '../codes.js';

/** Order, terms and senders of acquirer events (events.md 2–4). Params: `event` as code and name; `rule`, the authority's. */
export const EVENT_CODES = {
  'events/already-done': {
    level: 'warning',
    authority: ['LGC01', '90'],
    title: { es: 'Evento ya registrado', en: 'Event already registered' },
    message: {
      es: '{event} ya está registrado en esta factura ({rule}): cuenta como hecho.',
      en: '{event} is registered on this invoice already ({rule}): it counts as done.',
    },
    fix: { es: 'No hay nada que hacer; la fila se omite.', en: 'Nothing is left to do; the row is skipped.' },
  },
  'events/order': {
    level: 'error',
    authority: ['LGC03', 'LGC09', 'LGC12', 'LGC13', 'LGC14'],
    title: { es: 'Falta un evento anterior', en: 'An earlier event is missing' },
    message: {
      es: 'Antes de {event} falta registrar: {missing} ({rule}).',
      en: 'Before {event} this must be registered: {missing} ({rule}).',
    },
    fix: {
      es: 'Ponga antes una fila por cada evento que falta, o use `--expand` para registrar 030 y 032 donde falten.',
      en: 'Put a row for each missing event before it, or use `--expand` to register 030 and 032 where they are missing.',
    },
  },
  'events/excluded': {
    level: 'error',
    authority: ['LGC02', 'LGC04', 'LGC05', 'LGC07'],
    title: { es: 'Evento excluido por otro', en: 'Event excluded by another' },
    message: {
      es: '{event} ya no se puede registrar ({rule}): la factura tiene {done}.',
      en: '{event} can no longer be registered ({rule}): the invoice has {done}.',
    },
    fix: {
      es: 'Una aceptación o un reclamo es definitivo; arregle la diferencia con el vendedor.',
      en: 'An acceptance or a claim is final; settle the difference with the seller.',
    },
  },
  'events/cash-sale': {
    level: 'error',
    authority: ['LGC62'],
    title: { es: 'Factura de contado', en: 'Cash invoice' },
    message: {
      es: 'La factura no es a crédito: no lleva {event} ({rule}).',
      en: 'The invoice is not on credit: {event} does not apply ({rule}).',
    },
    fix: { es: 'Deje la factura por fuera.', en: 'Leave the invoice out.' },
  },
  'events/not-yours': {
    level: 'error',
    title: { es: 'Evento de otro', en: "Somebody else's event" },
    message: { es: '{event} lo registra otro: {sender}.', en: '{event} is registered by another: {sender}.' },
    fix: {
      es: 'Quite la fila; si su empresa es la que vendió, use `-p sender=vendedor`.',
      en: 'Remove the row; if your company is the seller, use `-p sender=vendedor`.',
    },
  },
  'events/term-ending': {
    level: 'warning',
    title: { es: 'El plazo se acaba', en: 'The term is ending' },
    message: {
      es: 'Hoy es el día hábil {day} de {days} para {event}: el plazo termina el {end}.',
      en: 'Today is business day {day} of {days} for {event}: the term ends on {end}.',
    },
    fix: { es: 'Regístrelo cuanto antes.', en: 'Register it as soon as you can.' },
  },
  'events/term-over': {
    level: 'error',
    title: { es: 'Plazo vencido', en: 'Term over' },
    message: {
      es: 'El plazo para {event} terminó el {end}: el 032 es del {from}.',
      en: 'The term for {event} ended on {end}: 032 is of {from}.',
    },
    fix: {
      es: 'Un reclamo ya no se puede registrar; una aceptación puede quedar sin efecto, pues rige la tácita.',
      en: 'A claim can no longer be registered; an acceptance may be without effect, as the tacit one rules.',
    },
  },
  'events/term-running': {
    level: 'error',
    authority: ['LGC14'],
    title: { es: 'El plazo aún corre', en: 'The term still runs' },
    message: {
      es: '{event} solo se puede registrar después del {end}, si no hay reclamo ({rule}).',
      en: '{event} can only be registered after {end}, if there is no claim ({rule}).',
    },
    fix: { es: 'Espere a que pase el plazo.', en: 'Wait until the term is over.' },
  },
  'events/found-registered': {
    level: 'warning',
    title: { es: 'Evento hallado en la DIAN', en: 'Event found at DIAN' },
    message: {
      es: 'La respuesta del envío no bastaba; la consulta a la DIAN muestra el evento registrado el {date}.',
      en: 'The answer to the request did not do; the query at DIAN shows the event registered on {date}.',
    },
    fix: {
      es: 'No hay nada que hacer; si otra persona lo registró, su CUDE es el del reporte.',
      en: 'Nothing is left to do; if somebody else registered it, its CUDE is the one in the report.',
    },
  },
  'events/state-unknown': {
    level: 'warning',
    title: { es: 'Estado desconocido', en: 'Unknown state' },
    message: {
      es: 'El servicio no dijo qué eventos tiene la factura {cufe}; cuenta solo lo que sabe el diario.',
      en: 'The service did not say which events invoice {cufe} has; only what the journal knows counts.',
    },
    fix: { es: 'Consulte más tarde con `cargue events`.', en: 'Ask later with `cargue events`.' },
  },
  'events/not-told': {
    level: 'error',
    title: { es: 'Consulta sin respuesta', en: 'Query without an answer' },
    message: {
      es: 'El servicio no dijo qué eventos tiene la factura: {text}',
      en: 'The service did not say which events the invoice has: {text}',
    },
    fix: {
      es: 'Consulte de otra manera (`--ask`), o más tarde.',
      en: 'Ask in another way (`--ask`), or later.',
    },
  },
  'events/not-events': {
    level: 'error',
    title: { es: 'No son eventos', en: 'Not events' },
    message: {
      es: 'El mapeo {value} no hace eventos.',
      en: 'The mapping {value} does not make events.',
    },
    fix: {
      es: 'Use `-m events/list` o `-m events/attached`; para otros documentos, `cargue send`.',
      en: 'Use `-m events/list` or `-m events/attached`; for other documents, `cargue send`.',
    },
  },
} satisfies Readonly<Record<string, CodeEntry>>;
