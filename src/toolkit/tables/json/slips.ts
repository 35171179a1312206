import { isObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { catalogue } from '../../schema/catalogue.js';
import { jsonFileForm, resolveNode, type SchemaNode, typesOf } from '../../schema/registry.js';
import type { CellChange, JsonRecord, JsonSlip, Row } from '../table.js';
import { cellText } from './read.js';

/** National moment, with minutes; other programs write seconds, or a T between date and time. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?$/;
const MIDNIGHT = /^(\d{4}-\d\d-\d\d)[ T]00:00(?::00(?:\.0+)?)?$/;
const NUMBER = /^(?:0|[1-9]\d{0,14})(?:\.0+)?$/;

interface SlipOptions {
  /** True if a text means that there is no value. */
  readonly isNullWord: (text: string) => boolean;
  readonly noted: (slip: JsonSlip) => void;
}

const allowsNull = (node: SchemaNode): boolean => typesOf(node).includes('null');
const isOf = (node: SchemaNode, type: string): boolean => typesOf(node).includes(type);

/** Corrects a text that can be meant in one way only; returns it unchanged otherwise. */
function textWithoutSlip(text: string, node: SchemaNode, { isNullWord, noted }: SlipOptions): JsonValue {
  const change = (slip: JsonSlip, value: JsonValue): JsonValue => {
    if (value !== text) noted(slip);
    return value;
  };
  if (allowsNull(node) && (text === '' || isNullWord(text))) return change('empty-text', null);
  if (!isOf(node, 'string'))
    return NUMBER.test(text) && (isOf(node, 'integer') || isOf(node, 'number'))
      ? change('number-as-text', Number(text))
      : text;
  if (node.format === 'national-date-time')
    return change(
      'seconds',
      text.replace(MOMENT, (_, day: string, time: string) => `${day} ${time}`),
    );
  if (node.format === 'date') return change('midnight', text.replace(MIDNIGHT, '$1'));
  const list = node['x-catalogue'];
  const column = node['x-catalogue-column'] ?? 'code';
  const upper = text.toUpperCase();
  if (list === undefined || upper === text) return text;
  return catalogue(list)?.rows.some((row) => row[column] === upper) === true
    ? change('small-letters', upper)
    : text;
}

/** Returns the schema nodes of a place in all profiles that have it. */
const nodesAt = (keys: readonly string[]): readonly SchemaNode[] =>
  jsonFileForm().shapes.flatMap((shape): SchemaNode[] => {
    const node = resolveNode(shape, keys);
    return node === undefined ? [] : [node];
  });

/** Returns the keys that every profile has at a place, and that may be null. */
function nullableKeys(keys: readonly string[]): readonly string[] {
  const nodes = nodesAt(keys);
  const keysOfProfiles = nodes.map(({ properties = {} }) => Object.keys(properties));
  return (keysOfProfiles[0] ?? []).filter(
    (key) =>
      keysOfProfiles.every((others) => others.includes(key)) &&
      nodesAt([...keys, key]).every((node) => allowsNull(node)),
  );
}

function valueWithoutSlips(value: JsonValue, keys: readonly string[], options: SlipOptions): JsonValue {
  if (Array.isArray(value)) return value.map((item) => valueWithoutSlips(item, [...keys, '*'], options));
  if (!isObject(value)) {
    const [node] = nodesAt(keys);
    return typeof value === 'string' && node !== undefined ? textWithoutSlip(value, node, options) : value;
  }
  const corrected: JsonObject = {};
  for (const [key, member] of Object.entries(value))
    corrected[key] = valueWithoutSlips(member, [...keys, key], options);
  for (const key of nullableKeys(keys))
    if (!Object.hasOwn(value, key)) {
      corrected[key] = null;
      options.noted('missing-key');
    }
  return corrected;
}

/** Corrects the unambiguous slips of a JSON record and adds them to its changes. */
export function withoutSlips(
  row: Row,
  labels: readonly (string | undefined)[],
  isNullWord: (text: string) => boolean,
): Row {
  const { json } = row;
  if (json === undefined) return row;
  const { list, item } = jsonFileForm();
  const changes: CellChange[] = [];
  const noted = (change: JsonSlip): void => void changes.push({ column: -1, change });
  const value = valueWithoutSlips(json.value, [list, '*'], { isNullWord, noted });
  if (changes.length === 0 || !isObject(value)) return row;
  const texts = row.texts.map((text, index) => {
    const label = labels[index] ?? '';
    return item.includes(label) && Object.hasOwn(value, label) ? cellText(value[label]) : text;
  });
  const corrected = Object.create(json, { value: { value, enumerable: true } }) as JsonRecord;
  return { ...row, texts, json: corrected, changes: [...(row.changes ?? []), ...changes] };
}
