import type { FormulaFault } from '../formula/lexer.js';
import type { Issue, IssueParams, Suggestion } from '../issues/issue.js';
import { mappingIssue, type YamlPath, type YamlSource } from './yaml-source.js';

/** What a mapping file has wrong, collected while it is compiled; each finding at its line and column. */
export interface Lint {
  readonly issues: Issue[];
  report(path: YamlPath, code: string, finding?: Finding): void;
  /** Whether only the mapping that it extends says it. */
  inherits(path: YamlPath): boolean;
  /** A fault inside a formula, at its place inside the text. */
  formula(path: YamlPath, fault: FormulaFault): void;
}

export interface Finding {
  readonly params?: IssueParams;
  readonly value?: string;
  readonly suggestions?: readonly Suggestion[];
  /** Point at the key rather than at the value. */
  readonly key?: boolean;
}

export function createLint(source: YamlSource): Lint {
  const issues: Issue[] = [...source.issues];
  return {
    issues,
    inherits: (path) => source.inherits(path),
    report(path, code, { key, ...finding } = {}) {
      issues.push(
        mappingIssue(source.file, source.locate(path, key ? 'key' : 'value'), { code, ...finding }),
      );
    },
    formula(path, fault) {
      const { near, ...params } = fault.params;
      issues.push(
        mappingIssue(source.file, source.locate(path, 'value', fault.at), {
          code: `formula/${fault.reason}`,
          params,
          ...(near !== undefined && { suggestions: [{ value: String(near), score: 1 }] }),
        }),
      );
    },
  };
}
