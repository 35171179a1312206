import type { SchemaName, SchemaTypes } from '../generated/schema-types.js';
import { type Checked, hasErrors, type Issue, type Language } from '../issues/issue.js';
import { type Worded, word } from '../issues/wording.js';
import type { JsonObject } from '../values/json.js';
import { validatorOf } from './compile.js';
import { checkRules, ruleEntry } from './rules.js';
import { validate } from './validate.js';

/** Checks a document; `value` is the document itself, and only there when no issue is an error. */
export type Validator<Name extends SchemaName> = (document: unknown) => Checked<SchemaTypes[Name]>;

/**
 * The check of what goes over the wire: shape, then sums and the other rules of its kind.
 * Each issue has `place.pointer`; `wordIssue` words it. Throws on an unknown schema name.
 */
export function validator<Name extends SchemaName>(name: Name): Validator<Name> {
  validatorOf(name, 'strict'); // compiled here, so that checking is fast from the first document on
  return (document) => {
    const shape = validate(name, 'strict', document);
    if (shape.length > 0) return { issues: shape };
    const issues = checkRules(name, document as JsonObject);
    return hasErrors(issues) ? { issues } : { value: document as SchemaTypes[Name], issues };
  };
}

/** An issue as people read it: title, what was found, how to fix. The place is `formatPlace`'s business. */
export const wordIssue = (issue: Issue, language: Language = 'es'): Worded =>
  word(issue, language, ruleEntry);
