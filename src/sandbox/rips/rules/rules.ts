import type { JsonObject } from '../../../values/json.js';
import { brokenCodes } from './codes.js';
import { DATE_PACKAGE_RULES, DATE_RULES } from './dates.js';
import { DIAGNOSIS_RULES } from './diagnoses.js';
import { MONEY_RULES } from './money.js';
import { PEOPLE_PACKAGE_RULES, PEOPLE_RULES } from './people.js';
import { type Breach, brokenItemRules, brokenPackageRules, type Submission } from './rule.js';
import { brokenStructure, missingNote } from './structure.js';
import { REPETITION_RULES, SUPPLY_RULES } from './supplies.js';

const ITEM_RULES = {
  ...DATE_RULES,
  ...PEOPLE_RULES,
  ...DIAGNOSIS_RULES,
  ...MONEY_RULES,
  ...SUPPLY_RULES,
};
const PACKAGE_RULES = { ...DATE_PACKAGE_RULES, ...PEOPLE_PACKAGE_RULES, ...REPETITION_RULES };

/** The national rules that are imitated. */
export const NATIONAL_RULES = ['RVG01', 'RVG05', ...Object.keys(ITEM_RULES), ...Object.keys(PACKAGE_RULES)];

/** The rules that a package breaks. At the ministry structure comes first and hides the rest (rips.md 4). */
export function brokenRules(sent: JsonObject, submission: Submission): readonly Breach[] {
  const form = [...missingNote(sent), ...brokenStructure(sent)];
  const malformed = new Set(form.map(({ path }) => path));
  const structure = [...form, ...brokenCodes(submission).filter(({ path }) => !malformed.has(path))];
  if (structure.length > 0) return structure;
  return [...brokenItemRules(ITEM_RULES, submission), ...brokenPackageRules(PACKAGE_RULES, submission)];
}
