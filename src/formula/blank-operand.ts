/** Thrown at run time when an operator meets a blank value; carries the name that was blank, if one. */
export class BlankOperand extends Error {
  constructor(readonly reference: string | undefined) {
    super('blank');
  }
}
