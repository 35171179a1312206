import type { Context } from './context.js';
import type { ServiceOptions } from './options.js';

/** A word as a shell reads it back. */
export function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * `cargue resume 2026-10-03-1 --profile andina`: a command about what this call worked on, to be pasted into any shell. It
 * names what the call was told by options, environment or profile; of what the profile says itself, its name is enough.
 * Where a command is local, the service is not called, and its certificates do not matter.
 */
export function followUp(
  { profile, url }: Pick<Context, 'profile' | 'url'>,
  options: ServiceOptions,
  command: string,
  isLocal = false,
): string {
  const said = profile?.own;
  const needed = Object.entries({
    profile: profile?.name,
    company: options.company === said?.company ? undefined : options.company,
    url:
      url !== undefined && options.url === undefined && url === said?.url ? undefined : (options.url ?? url),
    ca: isLocal || options.ca === said?.ca ? undefined : options.ca,
  });
  const flags = needed.flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoted(value)}`],
  );
  return ['cargue', command, ...flags].join(' ');
}

/** Commands that work on the journal of a company, and whether they call its service. */
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

/** A text whose quoted commands, «cargue resume» or "cargue resume", are written as they work where it is read. */
export const quotedCommands = (text: string, command: (words: string, isLocal: boolean) => string): string =>
  text.replaceAll(/(?<=[«"])cargue ([^»"]+)(?=[»"])/g, (whole, words: string) => {
    const verb = Object.keys(ADDRESSED).find((name) => words === name || words.startsWith(`${name} `));
    return verb === undefined || / --(profile|url) /.test(words)
      ? whole
      : command(words, ADDRESSED[verb] === 'journal');
  });
