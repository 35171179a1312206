const pascal = (text: string): string =>
  text
    .split(/[-/]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Families whose nouns stand alone: `common/money` is `Money`, `responses/preview` is `Preview`. */
const BARE: readonly string[] = ['common', 'responses'];

/** `payroll/payroll` → `Payroll`, `payroll/worker` → `PayrollWorker`, `common/money` → `Money`. */
export function typeName(schemaName: string): string {
  const [family = '', ...rest] = schemaName.split('/');
  const noun = pascal(rest.join('/'));
  return BARE.includes(family) || noun === pascal(family) ? noun : pascal(family) + noun;
}
