import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';

/** Packages that a module loads when it is imported, itself and through others. */
export function packagesOf(file: URL, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file.href)) return packages;
  seen.add(file.href);
  const source = readFileSync(file, 'utf8');
  for (const [, from] of source.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';/gms)) {
    if (from!.startsWith('.'))
      for (const found of packagesOf(new URL(from!.replace(/\.js$/, '.ts'), file), seen)) packages.add(found);
    else if (!isBuiltin(from!)) packages.add(from!);
  }
  return packages;
}
