const pascal = (text: string): string =>
  text
    .split(/[-/]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** What a folder puts before the nouns of its files; a noun that says it already is left as it is. */
const PREFIXES: readonly (readonly [folder: string, prefix: string])[] = [
  ['common', ''],
  ['responses', ''],
  ['events', 'Event'],
  ['payroll', 'Payroll'],
  ['rips/national', 'National'],
  ['rips/services', 'Rips'],
  ['rips', 'Rips'],
];

/** A profile of the national form: `948-v003/` puts 948 behind the noun. */
const PROFILE = /^(\d+)[^/]*\//;

/** `payroll/worker` → `PayrollWorker`, `common/money` → `Money`, `rips/national/948-v003/consulta` → `NationalConsulta948`. */
export function typeName(schemaName: string): string {
  const [folder, prefix] = PREFIXES.find(([start]) => schemaName.startsWith(`${start}/`)) ?? ['', ''];
  const rest = schemaName.slice(folder === '' ? 0 : folder.length + 1);
  const profile = PROFILE.exec(rest);
  const noun = pascal(rest.slice(profile?.[0].length ?? 0));
  return (noun.startsWith(prefix) ? noun : prefix + noun) + (profile?.[1] ?? '');
}
