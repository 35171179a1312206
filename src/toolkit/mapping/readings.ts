import { unreachable } from '../core/required.js';
import { squash } from '../core/text.js';
import type { Words } from '../schema/catalogue.js';
import type { ParamValues } from './params.js';
import { CellFault } from './read/cell.js';

/** Several lists of words or codes that a column may use. */
export interface WordLists {
  /** Returns the code of a text in the list in use; undefined if that list leaves it to the catalogue. */
  codeOf(text: string, params: ParamValues): string | undefined;
  /** True if the meaning of a text depends on the list. */
  concerns(text: string): boolean;
  /** Returns why the list of a column with these texts is not known. */
  contradiction(texts: Iterable<string>, params: ParamValues): CellFault | undefined;
  /** Returns what is wrong with one text in the list in use. */
  faultOf(text: string, params: ParamValues): CellFault | undefined;
}

/** Words that several lists in use give different meanings, as M next to F and M next to H: the one in use is declared, never guessed. */
export class Readings implements WordLists {
  /** Name of the list → word → code. */
  private readonly lists: ReadonlyMap<string, ReadonlyMap<string, string>>;

  constructor(
    lists: Readonly<Record<string, Words>>,
    /** Words that the customer settled are no matter of any list. */
    decided: ReadonlyMap<string, string> | undefined,
    private readonly catalogue: string,
    /** The parameter that names the list in use; the first is, unless said. */
    private readonly param: string | undefined,
  ) {
    const entries = (words: Words): [string, string][] =>
      Object.entries(words).flatMap(([code, all]) =>
        all.map((word): [string, string] => [squash(word), code]),
      );
    this.lists = new Map(
      Object.entries(lists).map(([name, words]) => [
        name,
        new Map(entries(words).filter(([word]) => decided?.has(word) !== true)),
      ]),
    );
  }

  private inUse(params: ParamValues): readonly [name: string, codes: ReadonlyMap<string, string>] {
    const chosen = this.param === undefined ? undefined : params[this.param];
    const lists = [...this.lists];
    return lists.find(([name]) => name === chosen) ?? lists[0] ?? unreachable('list of words');
  }

  codeOf(text: string, params: ParamValues): string | undefined {
    return this.inUse(params)[1].get(squash(text));
  }

  /** True if the meaning of a text depends on the list. */
  concerns = (text: string): boolean => {
    const word = squash(text);
    return [...this.lists.values()].some((list) => list.has(word));
  };

  /** Returns the fault of a text that only other lists know: the list in use may not be the column's. */
  contradiction(texts: Iterable<string>, params: ParamValues): CellFault | undefined {
    const [used, list] = this.inUse(params);
    const words = new Map([...texts].filter(this.concerns).map((text) => [squash(text), text]));
    const [, foreign] = [...words].find(([word]) => !list.has(word)) ?? [];
    if (foreign === undefined) return undefined;
    const others = [...this.lists].filter(([name]) => name !== used);
    const complete = others.filter(([, other]) => [...words.keys()].every((word) => other.has(word)));
    const names = (complete.length > 0 ? complete : others).map(([name]) => name);
    const settle =
      this.param === undefined
        ? `decisions: { values: { ${this.catalogue}: … } }`
        : `-p ${this.param}=${names.join('|')}`;
    const param = this.param ?? '';
    return new CellFault('lookup/contradiction', { word: foreign, used, settle, param });
  }

  faultOf(text: string, params: ParamValues): CellFault | undefined {
    return this.contradiction([text], params);
  }
}
