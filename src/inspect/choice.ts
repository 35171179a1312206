import type { Issue, Suggestion } from '../issues/issue.js';
import type { YamlPath } from '../mapping/yaml-source.js';
import { fold } from '../values/fold.js';
import { suggest } from '../values/similar.js';

/** An answer that a choice may take, as people see it. */
export interface ChoiceCandidate {
  readonly value: string;
  /** From 0 to 1; absent where likelihood says nothing. */
  readonly score?: number;
  readonly about: string;
}

/** Something that is not decided without asking. */
export interface Choice {
  /** Stable, short and typeable: `workers.AI`, `decimal`, `value.payment_methods.CONSIG`. */
  readonly id: string;
  /** Where the answer stands in the mapping. */
  readonly path: YamlPath;
  readonly question: string;
  /** Best first, `ignore` the last. */
  readonly candidates: readonly ChoiceCandidate[];
  /** Every other answer that makes sense. */
  readonly others?: readonly string[];
}

/** An answer that Enter gives is at least so likely. */
export const DEFAULT_SCORE = 0.7;

/** What Enter means at the prompt; undefined when the choice has no likely answer. */
export function defaultAnswer({ candidates }: Choice): string | undefined {
  const [first] = candidates;
  return first !== undefined && (first.score ?? 0) >= DEFAULT_SCORE ? first.value : undefined;
}

/** Answers of a call, and those that an earlier one left in the mapping. */
export interface Answers {
  /** By id, as given. */
  readonly given: ReadonlyMap<string, string>;
  /** What stands at a place of the mapping that is written over, and what it keeps for an id. */
  earlier(path: YamlPath, id: string): readonly string[];
}

export const NO_ANSWERS: Answers = { given: new Map(), earlier: () => [] };

/** An answer in the spelling of the choice; undefined when it is none. */
export function acceptable({ candidates, others = [] }: Choice, text: string): string | undefined {
  const allowed = [...candidates.map(({ value }) => value), ...others];
  return allowed.find((value) => value === text) ?? allowed.find((value) => fold(value) === fold(text));
}

/** Takes answers as choices come up, and knows at the end which were of no use. */
export class Answering {
  readonly issues: Issue[] = [];
  private readonly known = new Set<string>();

  constructor(private readonly answers: Answers) {}

  /** The answer to a choice in the spelling of its candidates, or undefined while it is open. */
  answerTo(choice: Choice): string | undefined {
    this.known.add(fold(choice.id));
    const given = this.find(choice.id);
    if (given === undefined) {
      for (const text of this.answers.earlier(choice.path, choice.id)) {
        const value = acceptable(choice, text);
        if (value !== undefined) return value;
      }
      return undefined;
    }
    const value = acceptable(choice, given);
    if (value === undefined)
      this.issues.push({
        code: 'inspect/bad-answer',
        level: 'error',
        params: { id: choice.id },
        place: {},
        value: given,
        suggestions: near(given, choice),
      });
    return value;
  }

  /** Takes back an answer that cannot stand beside another. */
  refuse(issue: Omit<Issue, 'level'>): void {
    this.issues.push({ level: 'error', ...issue });
  }

  /** Answers to nothing that was asked. */
  unused(open: readonly Choice[]): Issue[] {
    const ids = open.map(({ id }) => id);
    return [...this.answers.given.keys()]
      .filter((id) => !this.known.has(fold(id)))
      .map((id) => ({
        code: 'inspect/unknown-answer',
        level: 'error',
        params: { open: ids.length === 0 ? '–' : ids.join(', ') },
        place: {},
        value: id,
        suggestions: suggest(id, ids, 3),
      }));
  }

  private find(id: string): string | undefined {
    const { given } = this.answers;
    return given.get(id) ?? [...given].find(([key]) => fold(key) === fold(id))?.[1];
  }
}

function near(text: string, { candidates, others = [] }: Choice): Suggestion[] {
  const values = candidates.map(({ value }) => value);
  const found = suggest(text, [...values, ...others], 3);
  return found.length > 0 ? found : values.slice(0, 3).map((value) => ({ value, score: 0 }));
}
