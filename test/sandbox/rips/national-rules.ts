import type { Rule } from '../../../src/generated/rule-types.js';
import { NOT_IMITATED } from '../../../src/sandbox/rips/generation.js';
import { wholeCatalogue } from '../../../src/toolkit/schema/catalogue.js';
import { ruleData } from '../../../src/toolkit/schema/rule-data.js';

const IMITATED = ruleData().rules.filter(
  ({ code, unchecked }) =>
    code.startsWith('rips/') && unchecked === undefined && !NOT_IMITATED.includes(code),
);

const idsOf = (rules: readonly Rule[]): readonly string[] => [
  ...new Set(rules.flatMap(({ authority = [] }) => authority)),
];

/** Whether every check of a rule asks a table that is not shipped. */
const needsTable = ({ checks = [] }: Rule): boolean =>
  checks.length > 0 &&
  checks.every(({ when = '', that }) =>
    [...`${when} ${that}`.matchAll(/(?:has|has_value|says|says_number)\('(\w+)'/g)].some(
      ([, table]) => wholeCatalogue(table!) === undefined,
    ),
  );

/** `RVC061` of every one. */
export const NATIONAL_RULES = idsOf(IMITATED);

/** Those that are applied without loading any table. */
export const UNTABLED_RULES = idsOf(IMITATED.filter((rule) => !needsTable(rule)));
