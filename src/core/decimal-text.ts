/**
 * An exact decimal as plain text: `-?digits[.digits]`, no exponent, no thousands mark.
 * Text is the form that cells, documents and the wire share; arithmetic never passes through a float.
 */
export type Decimal = string;

const FORM = /^-?\d+(\.\d+)?$/;
/** Longer ones are no amounts, and not worth computing with. */
export const MAX_DIGITS = 30;

export const isDecimal = (text: string): text is Decimal => text.length <= MAX_DIGITS && FORM.test(text);
