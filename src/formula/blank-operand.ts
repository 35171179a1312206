/** Thrown at run time when an operator meets a blank value; carries the name that was blank, if one. */
export class BlankOperand extends Error {
  constructor(readonly reference: string | undefined) {
    super('blank');
  }
}

/** Two amounts where only one can be meant; carries the names that they may have. */
export class TwoAmounts extends BlankOperand {
  constructor(readonly names: readonly string[]) {
    super(undefined);
  }
}

/** What a formula would come to is beyond any amount, date or text of a document: no value, and said so. */
export class BeyondBounds extends BlankOperand {
  constructor() {
    super(undefined);
  }
}
