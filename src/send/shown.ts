import { isObject, type JsonObject, type JsonValue } from '../core/json.js';

/** SOAP as the service turns it into JSON (service.md 5.1). */

/** The text of an element; nil and empty elements have none, an element with attributes keeps it in `_value`. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return textOf(value[0]);
  return isObject(value) ? textOf(value['_value']) : undefined;
}

/** One child is a scalar, several of one name are an array. */
export const textsOf = (value: JsonValue | undefined): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => textOf(item) ?? []);

const member = (value: JsonValue | undefined, key: string): JsonValue | undefined => {
  const one = Array.isArray(value) ? value[0] : value;
  return isObject(one) ? one[key] : undefined;
};

/** The value under a chain of element names, where each step exists. */
export const under = (value: JsonValue | undefined, ...keys: readonly string[]): JsonValue | undefined =>
  keys.reduce(member, value);

/** What an answer lets us see of the document it speaks of, to compare with ours. */
export interface Shown {
  /** Prefix and consecutive, wherever they stand; names of files that are built otherwise tell nothing. */
  readonly numbers?: readonly string[];
  /** Of a worker: the document's number, or the name. */
  readonly employee?: string;
  readonly total?: string;
  /** Of the invoice that an event is about. */
  readonly cufe?: string;
  /** Of the document itself, where the answer returns it. */
  readonly xml?: ShownXml;
  /** What is worth keeping of the answer itself. */
  readonly kept?: JsonObject;
}

export interface ShownXml {
  readonly cune?: string;
  /** `HH:MM:SS-05:00` */
  readonly time?: string;
  readonly employer?: string;
  /** Absent from a deletion. */
  readonly worker?: string;
  readonly accrued?: string;
  readonly deductions?: string;
}

/**
 * How a document that was shown stands to ours: surely the same, nothing that decides, one of another number (an answer
 * that is about another document), or another one under our number.
 */
export type Fit = 'ours' | 'open' | 'other-number' | 'other-content';

/** Of what two answers show, the later one goes first. */
export const bothShown = (earlier: Shown | undefined, later: Shown): Shown => ({ ...earlier, ...later });

const FILE = /^(?:[A-Z]{3}-)?([A-Z]{0,4}\d{1,10})(?:\.[a-z]+)?$/;

/** What DIAN's result and the service's papers show (service.md 5.2, 13.4, 13.5). */
export function showsOf(body: JsonObject, result: JsonObject): Shown {
  const files = [result['XmlFileName'], body['urlpayrollxml'], body['urlpayrollpdf']];
  const xml = [body['payrollxml'], result['XmlBase64Bytes']]
    .map(payrollIn)
    .find((text) => text !== undefined);
  const numbers = [
    ...files.flatMap((name) => FILE.exec(textOf(name)?.split('/').at(-1) ?? '')?.[1] ?? []),
    ...(xml === undefined ? [] : attribute(xml, 'NumeroSecuenciaXML', 'Numero')),
  ];
  return {
    ...(numbers.length > 0 && { numbers: [...new Set(numbers)] }),
    ...(xml !== undefined && { xml: readXml(xml) }),
  };
}

/** The text of a payroll's XML in base64; DIAN's own answer, which some lines give in its place, is none. */
function payrollIn(value: JsonValue | undefined): string | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const xml = Buffer.from(text, 'base64').toString('utf8');
  return /<NominaIndividual(DeAjuste)?[\s>]/.test(xml.slice(0, 2_000)) ? xml : undefined;
}

/** The document is the service's own and small: one element, one attribute. */
function attribute(xml: string, element: string, name: string): readonly string[] {
  const tag = new RegExp(`<${element}\\b[^>]*?\\b${name}="([^"]*)"`).exec(xml);
  return tag === null ? [] : [tag[1]!];
}

const texts = (xml: string, element: string): readonly string[] => {
  const found = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml);
  return found === null ? [] : [found[1]!.trim()];
};

function readXml(xml: string): ShownXml {
  const found = {
    cune: attribute(xml, 'InformacionGeneral', 'CUNE'),
    time: attribute(xml, 'InformacionGeneral', 'HoraGen'),
    employer: attribute(xml, 'Empleador', 'NIT'),
    worker: attribute(xml, 'Trabajador', 'NumeroDocumento'),
    accrued: texts(xml, 'DevengadosTotal'),
    deductions: texts(xml, 'DeduccionesTotal'),
  };
  return Object.fromEntries(Object.entries(found).flatMap(([key, [value]]) => (value ? [[key, value]] : [])));
}
