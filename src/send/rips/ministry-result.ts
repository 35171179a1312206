import { isCuv } from '../../rips/cuv.js';
import type { JsonObject, JsonValue } from '../../values/json.js';
import { say } from '../say.js';
import type { Shown } from '../shown.js';
import { textOf } from '../soap-json.js';
import type { Verdict } from '../verdict.js';
import { resultsOf } from './validation-results.js';

/** A member whatever the case of its name: the ministry writes PascalCase when good and camelCase when bad. */
export const memberOf = (object: JsonObject, name: string): JsonValue | undefined =>
  object[Object.keys(object).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name];

/** What a result object of the ministry says; undefined when it does not say whether the package is accepted. */
export function readResult(result: JsonObject, services: readonly JsonObject[]): Verdict | undefined {
  const state = textOf(memberOf(result, 'ResultState'))?.toLowerCase();
  const cuv = textOf(memberOf(result, 'CodigoUnicoValidacion'));
  const number = textOf(memberOf(result, 'NumFactura'));
  const shown: Shown = number === undefined ? {} : { numbers: [number] };
  const { rules, issues } = resultsOf(memberOf(result, 'ResultadosValidacion'), services, state === 'true');
  if (state === 'true' && isCuv(cuv))
    return { kind: 'accepted', documentCode: cuv, shown, issues, answer: result };
  if (state !== 'false') return undefined;
  const said = issues.length > 0 ? issues : [say('remote/rips-no-reasons', { text: '—' })];
  return { kind: 'rejected', rules, shown, issues: said, answer: result };
}
