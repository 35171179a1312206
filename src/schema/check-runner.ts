import { BlankOperand } from '../formula/compile.js';
import type { CompiledCheck } from './compile-rules.js';
import type { RuleContext } from './rule-context.js';

/**
 * Runs several checks over what the context stands at: `broken` is told of those that do not hold; `look` is given those that
 * take more than two formulas: compared with other items, or in want of a table.
 */
export type CheckRunner = (
  context: RuleContext,
  broken: (check: CompiledCheck) => void,
  look: (check: CompiledCheck) => void,
) => void;

/** A formula that needs a leaf which is not there says nothing: then another check does. */
function pass(error: unknown): void {
  if (!(error instanceof BlankOperand)) throw error;
}

/**
 * The checks one after the other as JavaScript of its own: every document goes through all of them, and called from one
 * loop they would share one call site, at which V8 could put none of them in place.
 */
export function compileRunner(checks: readonly CompiledCheck[]): CheckRunner {
  const lines = checks.map(({ when, against, lacks }, at) => {
    if (against !== undefined || lacks !== undefined) return `look(checks[${at}]);`;
    const due = when === undefined ? '' : `when${at}(c) === true && `;
    return `try { if (${due}that${at}(c) === false) broken(checks[${at}]); } catch (error) { pass(error); }`;
  });
  const formulas = checks.map(
    (_, at) => `const when${at} = checks[${at}].when?.run, that${at} = checks[${at}].that.run;`,
  );
  const make = new Function(
    'checks',
    'pass',
    `${formulas.join('\n')}\nreturn (c, broken, look) => { ${lines.join('\n')} };`,
  ) as (list: readonly CompiledCheck[], pass: (error: unknown) => void) => CheckRunner;
  return make(checks, pass);
}
