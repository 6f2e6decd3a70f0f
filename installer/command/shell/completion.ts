import { Argument, type Command } from 'commander';
import { say } from '../../io/terminal/terminal.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** `carillon completion bash|zsh|fish`: the words of every command, as a script of the shell. */
export function completionCommand(root: Command): void {
  root
    .command('completion')
    .summary('a script that completes commands in your shell')
    .description('Prints a script for your shell that completes commands and flags.')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText(
      'after',
      '\nExamples:\n  source <(carillon completion bash)\n  carillon completion zsh > ~/.zfunc/_carillon\n  carillon completion fish > ~/.config/fish/completions/carillon.fish',
    )
    .action((shell: Shell) => say(completionScript(root, shell)));
}

/** A command by its words, with the words that may follow it. */
interface Place {
  readonly path: string;
  readonly next: readonly { readonly word: string; readonly does: string }[];
}

/** Every place of the command line in which a word can be completed. */
function placesOf(root: Command): readonly Place[] {
  const places: Place[] = [];
  const visit = (command: Command, words: readonly string[]): void => {
    const shown = command.commands.filter((each) => !isHidden(each));
    const commands = shown.map((each) => ({ word: each.name(), does: each.summary() || each.description() }));
    const choices = command.registeredArguments.flatMap(({ argChoices = [] }) =>
      argChoices.map((word) => ({ word, does: '' })),
    );
    const flags = [...command.options.filter(({ hidden }) => !hidden), HELP].flatMap(
      ({ long, description }) =>
        long === undefined || long === null ? [] : [{ word: long, does: description }],
    );
    places.push({ path: words.join(' '), next: [...commands, ...choices, ...flags] });
    for (const each of shown) visit(each, [...words, each.name()]);
  };
  visit(root, []);
  return places;
}

const HELP = { long: '--help', description: 'what it takes, with an example', hidden: false };
const isHidden = (command: Command): boolean => (command as unknown as { readonly _hidden: boolean })._hidden;

export function completionScript(root: Command, shell: Shell): string {
  const places = placesOf(root);
  if (shell === 'fish') return fishScript(places);
  return shell === 'bash'
    ? bashScript(places)
    : `#compdef carillon\nautoload -U bashcompinit && bashcompinit\n${bashScript(places)}`;
}

/** The words without flags and their values say the place; the longest that is known counts. */
function bashScript(places: readonly Place[]): string {
  const rows = places.map(
    ({ path, next }) => `    '${path}') words='${next.map(({ word }) => word).join(' ')}' ;;`,
  );
  return `_carillon() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place='' try words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) continue ;; esac
    try="\${place:+$place }$word"
    case "$try" in
${places
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      '${path}') place="$try" ;;`)
  .join('\n')}
    esac
  done
  case "$place" in
${rows.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _carillon carillon`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, next }) => {
    const depth = path === '' ? 0 : path.split(' ').length;
    const here = quoted(`__carillon_at ${depth} ${path}`.trim());
    return next.map(({ word, does }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${quoted(word)}`;
      return `complete -c carillon -n ${here} ${what} -d ${quoted(does)}`;
    });
  });
  return `function __carillon_at
  set -l words (string match -v -- '-*' (commandline -opc))[2..-1]
  test (count $argv) -gt 0; or return 1
  set -l depth $argv[1]
  set -l path $argv[2..-1]
  test (count $words) -ge $depth; or return 1
  test $depth -eq 0; and begin; test (count $words) -eq 0; return; end
  test "$words[1..$depth]" = "$path"
end
${lines.join('\n')}`;
}
