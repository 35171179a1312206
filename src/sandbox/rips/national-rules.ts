import type { Issue } from '../../issues/issue.js';
import { CURRENT_PROFILE, nationalSchema } from '../../rips/fields.js';
import { checkRules, type Levels, ruleAuthority, shapeAuthority } from '../../schema/rules.js';
import { validate } from '../../schema/validate.js';
import type { JsonObject } from '../../values/json.js';
import type { PlainDate } from '../../values/plain-date.js';
import { type Pointer, parsePointer } from '../../values/pointer.js';
import type { Finding } from './finding.js';

/** The ministry's rules are those of schemas/rules, as preflight runs them; one whose table is not loaded is not applied. */

const SCHEMA = nationalSchema(CURRENT_PROFILE, 'transaccion');

/** Structure and sizes come first at the ministry and hide the rest (rips.md 4). */
const STRUCTURE = 'RVG01';
const HIDING = [STRUCTURE, 'RVG05'];

/** The service has no field for the SIRAS record; companies and sites of a sandbox are invented, so no register has them. */
export const NOT_IMITATED: readonly string[] = [
  'rips/siras',
  'rips/unknown-reporter',
  'rips/unknown-site',
  'rips/foreign-site',
];
const LEVELS: Levels = new Map(NOT_IMITATED.map((code) => [code, 'off']));

/** `/usuarios/0/servicios` as the ministry writes it: `usuarios[0].servicios`. */
const sourcePath = (pointer: Pointer): string =>
  parsePointer(pointer)
    .map((key, at) => (/^\d+$/.test(key) ? `[${key}]` : at === 0 ? key : `.${key}`))
    .join('');

const findingOf = (rule: string, { level, place, value }: Issue): Finding => ({
  rule,
  path: sourcePath(place.pointer ?? ''),
  value,
  rejects: level === 'error',
});

/** What a package in the national form breaks on a day; rules of ours that the ministry does not know are left out. */
export function brokenRules(sent: JsonObject, today: PlainDate): readonly Finding[] {
  const faults = validate(SCHEMA, 'strict', sent);
  const malformed = new Set(faults.map(({ place }) => place.pointer));
  const issues = checkRules(SCHEMA, sent, { today, levels: LEVELS });
  const findings = [
    ...faults.map((fault) => findingOf(shapeAuthority(SCHEMA, fault.code) ?? STRUCTURE, fault)),
    ...issues.flatMap((issue) => {
      const rule = ruleAuthority(issue.code);
      return rule === undefined || malformed.has(issue.place.pointer) ? [] : [findingOf(rule, issue)];
    }),
  ];
  const structure = findings.filter(({ rule }) => HIDING.includes(rule));
  return structure.length > 0 ? structure : findings;
}
