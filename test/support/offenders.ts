/** What fails a check, of many that one test looks at, each with what was said of it. No row at all is an offence too. */
export async function offenders<T>(
  rows: Iterable<T>,
  check: (row: T) => unknown,
  nameOf: (row: T) => string = String,
): Promise<readonly string[]> {
  const found: string[] = [];
  let count = 0;
  for (const row of rows) {
    count += 1;
    try {
      await check(row);
    } catch (error) {
      found.push(`${nameOf(row)}: ${(error as Error).message}`);
    }
  }
  return count === 0 ? ['nothing to look at'] : found;
}
