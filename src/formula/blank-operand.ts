/** Thrown at run time when an operator meets a blank value; carries the name that was blank, if one. */
export class BlankOperand extends Error {
  constructor(readonly reference: string | undefined) {
    super('blank');
  }
}

/** What a formula would come to is beyond any amount, date or text of a document: no value, and said so. */
export class BeyondBounds extends BlankOperand {
  constructor() {
    super(undefined);
  }
}
