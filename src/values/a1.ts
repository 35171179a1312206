/** Excel's names for columns. Indexes are 0-based, letters start at `A`. */

const cache: string[] = [];

export function columnLetter(index: number): string {
  const known = cache[index];
  if (known !== undefined) return known;
  let letters = '';
  for (let rest = index; rest >= 0; rest = Math.floor(rest / 26) - 1)
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
  cache[index] = letters;
  return letters;
}
