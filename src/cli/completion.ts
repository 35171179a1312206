import { badOption } from '../app/bad-option.js';
import type { UseCase } from '../app/context.js';
import { OPTIONS, type OptionName } from './options.js';

interface Completed {
  readonly name: string;
  readonly values?: readonly string[];
  readonly options: readonly OptionName[];
  readonly hidden?: boolean;
}

/** Words that can follow, by the words typed so far: verbs of a group, or values and options of a command. */
type Follows = ReadonlyMap<string, readonly string[]>;

function follows(commands: readonly Completed[]): Follows {
  const found = new Map<string, string[]>();
  const words: string[] = [];
  for (const { name, values = [], options, hidden } of commands) {
    if (hidden) continue;
    const [first, second] = name.split(' ') as [string, string?];
    if (!words.includes(first)) words.push(first);
    if (second !== undefined) found.set(first, [...(found.get(first) ?? []), second]);
    const flags = options.map((option) => /--[\w-]+/.exec(OPTIONS[option].flags)?.[0] ?? '');
    found.set(name, [...values, ...new Set([...flags, '--help'])]);
  }
  found.set('help', [...words]).set('', [...words, 'help']);
  found.set('completion', Object.keys(SHELLS));
  return found;
}

const cases = (all: Follows, line: (words: string, next: string) => string): string =>
  [...all].map(([words, next]) => line(words, next.join(' '))).join('\n');

const isGroup = (all: Follows, words: string): boolean => all.get(words)?.includes('--help') === false;

const bash = (all: Follows): string => `# eval "$(cargue completion bash)"
_cargue() {
  local words="\${COMP_WORDS[1]} \${COMP_WORDS[2]}" word="\${COMP_WORDS[COMP_CWORD]}" next=""
  [ "$COMP_CWORD" = 1 ] && words=""
  [ "$COMP_CWORD" = 2 ] && words="\${COMP_WORDS[1]}"
  case "$words" in
${cases(all, (words, next) => `    "${words}"${isGroup(all, words) || words.includes(' ') ? '' : `|"${words} "*`}) next="${next}" ;;`)}
  esac
  # Values come first, options follow a dash; elsewhere a file is wanted, which the shell completes itself.
  [ "$COMP_CWORD" -gt 2 ] && [ "$next" ] && next="--\${next#*--}"
  case "$word" in -*) ;; *) next="\${next%%--*}" ;; esac
  COMPREPLY=($(compgen -W "$next" -- "$word"))
}
complete -o default -F _cargue cargue`;

const SHELLS: Readonly<Record<string, (all: Follows) => string>> = {
  bash,
  zsh: (all) => `# eval "$(cargue completion zsh)"
(( $+functions[compdef] )) || { autoload -U compinit && compinit -i; }
autoload -U +X bashcompinit && bashcompinit
${bash(all)}`,
  powershell: (all) => `# cargue completion powershell | Out-String | Invoke-Expression
$cargueNext = @{
${cases(all, (words, next) => `  '${words}' = '${next}'`)}
}
Register-ArgumentCompleter -Native -CommandName cargue -ScriptBlock {
  param($word, $ast, $position)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" } | Where-Object { $_ -ne $word })
  $key = (($words | Select-Object -First 2) -join ' ')
  if (-not $cargueNext.ContainsKey($key)) { $key = "$($words | Select-Object -First 1)" }
  "$($cargueNext[$key])".Split(' ') |
    Where-Object { $_ -and $_ -like "$word*" -and $(if ($_.StartsWith('--')) { $word } else { $words.Count -lt 2 }) } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}`,
};

/** `cargue completion SHELL`: emits the shell's completion script, built from the command table. */
export const completionOf =
  (commands: readonly Completed[]): UseCase =>
  async ({ tell }, [shell = '']) => {
    const made = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (made === undefined) return badOption('completion', shell, Object.keys(SHELLS).join(' | '));
    tell({ event: 'text', text: made(follows(commands)) });
    return 'fine';
  };
