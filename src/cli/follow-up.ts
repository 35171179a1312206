import type { Context } from './context.js';
import type { Options } from './options.js';

/** A word as a shell reads it back. */
function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * `cargue resume 2026-10-03-1 --profile andina`: a command about what this call worked on, to be pasted into any shell. It
 * names what the call was told by options, environment or profile; of what the profile says itself, its name is enough.
 */
export function followUp({ profile, url }: Context, options: Options, command: string): string {
  const said = profile?.own;
  const needed = Object.entries({
    profile: profile?.name,
    company: options.company === said?.company ? undefined : options.company,
    url:
      url !== undefined && options.url === undefined && url === said?.url ? undefined : (options.url ?? url),
    ca: options.ca === said?.ca ? undefined : options.ca,
  });
  const flags = needed.flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoted(value)}`],
  );
  return ['cargue', command, ...flags].join(' ');
}
