/** An object while it is made: setting what there is to set costs a fraction of spreading it in. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
