import type { Issue } from '../../issues/issue.js';
import type { JsonObject, JsonValue } from '../../values/json.js';
import { say } from '../say.js';
import { isObject, textOf } from '../soap-json.js';
import { sourcePointer } from './source-pointer.js';

/** The ministry's findings as issues, each at the leaf of the attention that its path came from. */
export function resultsOf(
  list: JsonValue | undefined,
  services: readonly JsonObject[],
  accepted: boolean,
): { readonly rules: readonly string[]; readonly issues: readonly Issue[] } {
  const findings = (Array.isArray(list) ? list : []).filter(isObject).map(lowerKeys).filter(isFinding);
  return {
    rules: findings.filter((one) => !accepted && rejects(one)).map(({ codigo }) => textOf(codigo) ?? ''),
    issues: findings.map((finding) => issueOf(finding, services, accepted)),
  };
}

const lowerKeys = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key.toLowerCase(), value]));

const isFinding = ({ codigo }: JsonObject): boolean => textOf(codigo) !== undefined;

const rejects = ({ clase }: JsonObject): boolean => !/^notif/i.test(textOf(clase) ?? '');

function issueOf(finding: JsonObject, services: readonly JsonObject[], accepted: boolean): Issue {
  const found = textOf(finding['observaciones']);
  const path = textOf(finding['pathfuente']) ?? '';
  const pointer = sourcePointer(path, services);
  const text = [textOf(finding['descripcion']), found].filter((part) => part !== undefined).join(': ');
  const issue = say(
    // What stands in the answer to an accepted package cannot have rejected it.
    accepted || !rejects(finding) ? 'remote/rips-notification' : 'remote/rips-rejected',
    { rule: textOf(finding['codigo']) ?? '', text: text === '' ? '—' : text, path },
    pointer === undefined ? {} : { pointer },
  );
  // So that a terminal can mask what it shows of a person.
  return found === undefined ? issue : { ...issue, value: found };
}
