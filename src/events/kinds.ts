/** The seven kinds of event by the service's own id (events.md 2); a list of kinds, not of states. */
export const EVENT_CODES = {
  1: '030',
  2: '031',
  3: '032',
  4: '033',
  5: '034',
  6: '02',
  7: '04',
} as const;

/** `event_id`, what the request says. */
export type EventId = keyof typeof EVENT_CODES;
/** 030 receipt, 031 claim, 032 goods received, 033 express and 034 tacit acceptance, 02 and 04 DIAN's own word. */
export type EventCode = (typeof EVENT_CODES)[EventId];

export const EVENT_IDS = Object.keys(EVENT_CODES).map(Number) as EventId[];

/** The code of an id that may come as number or text; undefined when there is no such event. */
export const eventCode = (id: unknown): EventCode | undefined =>
  typeof id === 'number' || typeof id === 'string' ? EVENT_CODES[Number(id) as EventId] : undefined;
