import type { Context } from './context.js';
import type { ServiceOptions } from './options.js';

/** Quotes a word for a shell, if needed. */
export function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Formats a command with the options it needs to address the same company: `cargue resume 2026-10-03-1 --profile
 * andina`. Values stored in the profile are left out. A local command needs no certificates.
 */
export function formatNextCommand(
  { profile, url }: Pick<Context, 'profile' | 'url'>,
  options: ServiceOptions,
  command: string,
  isLocal = false,
): string {
  const stored = profile?.stored;
  const needed = Object.entries({
    profile: profile?.name,
    company: options.company === stored?.company ? undefined : options.company,
    url:
      url !== undefined && options.url === undefined && url === stored?.url
        ? undefined
        : (options.url ?? url),
    ca: isLocal || options.ca === stored?.ca ? undefined : options.ca,
  });
  const flags = needed.flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoted(value)}`],
  );
  return ['cargue', command, ...flags].join(' ');
}

/** Commands on a company's journal, and whether they call the service. */
export const ADDRESSED: Readonly<Record<string, 'service' | 'journal'>> = {
  adjust: 'service',
  approve: 'journal',
  'catalogue pull': 'service',
  email: 'service',
  events: 'service',
  explain: 'journal',
  'journal abandon': 'journal',
  'journal adopt': 'journal',
  'journal backup': 'journal',
  'journal copy': 'journal',
  'journal export': 'journal',
  'journal path': 'journal',
  'journal purge': 'journal',
  preview: 'service',
  reception: 'service',
  report: 'journal',
  resume: 'service',
  send: 'service',
  'setup resolution': 'service',
  'setup show': 'service',
  'setup software': 'service',
  status: 'journal',
  web: 'service',
};

/** Replaces quoted commands in a text, «cargue resume» or "cargue resume", by the result of `command`. */
export const quotedCommands = (text: string, command: (words: string, isLocal: boolean) => string): string =>
  text.replaceAll(/(?<=[«"])cargue ([^»"]+)(?=[»"])/g, (quoted, words: string) => {
    const verb = Object.keys(ADDRESSED).find((name) => words === name || words.startsWith(`${name} `));
    return verb === undefined || / --(profile|url) /.test(words)
      ? quoted
      : command(words, ADDRESSED[verb] === 'journal');
  });
