import { squash } from '../core/text.js';
import type { ParamValues } from './params.js';
import { CellFault } from './read/cell.js';
import type { WordLists } from './readings.js';
import type { OldCodes } from './synonyms.js';

/** Decides which of an old and a present list of codes a column uses: by its other values, or by a parameter. */
export class CodeLists implements WordLists {
  private readonly codes: ReadonlyMap<string, string>;
  private readonly several: ReadonlyMap<string, readonly string[]>;
  private readonly proof: RegExp;

  constructor(
    private readonly lists: OldCodes,
    decided: ReadonlyMap<string, string> | undefined,
    private readonly catalogue: string,
    private readonly param: string,
  ) {
    const isOpen = (word: string): boolean => decided?.has(word) !== true;
    this.codes = new Map(
      Object.entries(lists.codes).flatMap(([code, olds]) =>
        olds.filter(isOpen).map((old): [string, string] => [old, code]),
      ),
    );
    this.several = new Map(Object.entries(lists.several).filter(([old]) => isOpen(old)));
    this.proof = new RegExp(lists.proof);
  }

  codeOf(text: string, params: ParamValues): string | undefined {
    return params[this.param] === this.lists.old ? this.codes.get(squash(text)) : undefined;
  }

  concerns = (text: string): boolean => {
    const word = squash(text);
    return this.codes.has(word) || this.several.has(word);
  };

  contradiction(texts: Iterable<string>, params: ParamValues): CellFault | undefined {
    const { present, old } = this.lists;
    const used = params[this.param];
    if (used === present) return undefined;
    const shown = [...texts].find((text) => this.proof.test(text));
    const { param } = this;
    if (used === old)
      return shown === undefined
        ? undefined
        : new CellFault('lookup/contradiction', {
            word: shown,
            used: old,
            settle: `-p ${param}=${present}`,
            param,
          });
    return shown === undefined
      ? new CellFault('lookup/which-list', { settle: `-p ${param}=${present}|${old}`, param })
      : undefined;
  }

  faultOf(text: string, params: ParamValues): CellFault | undefined {
    const meant = params[this.param] === this.lists.old ? this.several.get(squash(text)) : undefined;
    if (meant === undefined) return undefined;
    const suggestions = meant.map((value) => ({ value, score: 0.5 }));
    return new CellFault('lookup/unknown', { catalogue: this.catalogue }, suggestions);
  }
}
