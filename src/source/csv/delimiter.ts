/** Delimiters looked for; among equals the earlier one, as Excel in Spanish writes `;`. */
const CANDIDATES = [';', ',', '\t', '|'] as const;
const RECORDS_LOOKED_AT = 50;

/** The `sep=;` line that Excel obeys and does not show, with its line break. */
export function separatorLine(text: string): { delimiter: string; length: number } | undefined {
  const match = /^sep=([^"\r\n])(\r\n|\r|\n|$)/i.exec(text);
  return match === null ? undefined : { delimiter: match[1]!, length: match[0].length };
}

/**
 * The delimiter of a text from its beginning: the candidate that occurs equally often in each record with content, outside quotes;
 * of several such, or of none, the one that makes most columns in most records. `;` when none occurs.
 * @param cut The text ends before the file does, so its last record is left out, unless it is the only one.
 */
export function detectDelimiter(text: string, cut: boolean): string {
  const records = countByRecord(text, cut);
  let best = { delimiter: ';', even: false, score: 0 };
  CANDIDATES.forEach((delimiter, index) => {
    const counts = records.map((record) => record[index]!);
    const usual = mostFrequent(counts.filter((count) => count > 0));
    const share = counts.filter((count) => count === usual).length / counts.length;
    const even = share === 1;
    // The power: amounts and addresses hold commas in many records, a delimiter separates in nearly all.
    const score = usual * share ** 3;
    if (score > 0 && (even === best.even ? score > best.score : even)) best = { delimiter, even, score };
  });
  return best.delimiter;
}

/** How often each candidate occurs, for the first records with content. A quote opens only at the start of a field. */
function countByRecord(text: string, cut: boolean): number[][] {
  const records: number[][] = [];
  let counts = CANDIDATES.map(() => 0);
  let quoted = false;
  let fieldStart = true;
  let closedAt = -2;
  let content = false;
  for (let i = 0; i < text.length && records.length < RECORDS_LOOKED_AT; i++) {
    const char = text[i]!;
    if (quoted) {
      if (char === '"') {
        quoted = false;
        closedAt = i;
      }
      continue;
    }
    const candidate = CANDIDATES.indexOf(char as (typeof CANDIDATES)[number]);
    if (candidate >= 0) counts[candidate]!++;
    else if (char === '\n' || char === '\r') {
      if (content) records.push(counts);
      counts = CANDIDATES.map(() => 0);
      content = false;
    } else if (char === '"' && (fieldStart || closedAt === i - 1)) quoted = true;
    content ||= candidate < 0 && char.trim() !== '';
    fieldStart = candidate >= 0 || char === '\n' || char === '\r';
  }
  // Of a record that is longer than the text what is there must do.
  if (content && (!cut || records.length === 0) && records.length < RECORDS_LOOKED_AT) records.push(counts);
  return records;
}

function mostFrequent(numbers: readonly number[]): number {
  const times = new Map<number, number>();
  let best = 0;
  for (const number of numbers) {
    times.set(number, (times.get(number) ?? 0) + 1);
    if (times.get(number)! > (times.get(best) ?? 0)) best = number;
  }
  return best;
}
