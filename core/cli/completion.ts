import { Argument, type Command } from 'commander';
import { subcommand } from './terminal/arguments.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** A command with what can follow it; the program itself has no name. */
interface Branch {
  path: readonly string[];
  commands: readonly { name: string; description: string }[];
  options: readonly { flag: string; description: string; choices: readonly string[] }[];
}

/** `vouch completion SHELL`: a script for the shell, made from the commands that there are. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'shell for which to print the script').choices(SHELLS))
    .description('print the shell completion script: source <(vouch completion bash)')
    .action((shell: Shell) => {
      console.log(SCRIPTS[shell](branchesOf(program, [])));
    });
}

function branchesOf(command: Command, path: readonly string[]): Branch[] {
  const commands = command.commands.filter((one) => one.name() !== 'help');
  return [
    {
      path,
      commands: commands.map((one) => ({ name: one.name(), description: one.description() })),
      options: command.options.flatMap((option) =>
        option.long === undefined
          ? []
          : [{ flag: option.long, description: option.description, choices: option.argChoices ?? [] }],
      ),
    },
    ...commands.flatMap((one) => branchesOf(one, [...path, one.name()])),
  ];
}

const SCRIPTS: Record<Shell, (branches: readonly Branch[]) => string> = {
  bash: (branches) => `# bash completion for vouch
_vouch() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${branches
  .filter(({ path }) => path.length > 0)
  .map(({ path }) => `      '${before(path)} ${path.at(-1) ?? ''}') path='${joined(path)}' ;;`)
  .join('\n')}
    esac
  done
  case "$path $previous" in
${branches
  .flatMap(({ path, options }) => options.map((option) => ({ path, option })))
  .filter(({ option }) => option.choices.length > 0)
  .map(
    ({ path, option }) =>
      `    '${joined(path)} ${option.flag}') COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$current")); return ;;`,
  )
  .join('\n')}
  esac
  local words=''
  case "$path" in
${branches.map((branch) => `    '${joined(branch.path)}') words='${wordsOf(branch).join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _vouch vouch`,

  zsh: (branches) => `#compdef vouch
_vouch() {
  local path='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$path $word" in
${branches
  .filter(({ path }) => path.length > 0)
  .map(({ path }) => `      ('${before(path)} ${path.at(-1) ?? ''}') path='${joined(path)}' ;;`)
  .join('\n')}
    esac
  done
  local -a found
  case "$path" in
${branches
  .map(
    ({ path, commands, options }) =>
      `    ('${joined(path)}') found=(${[
        ...commands.map((one) => described(one.name, one.description)),
        ...options.map((one) => described(one.flag, one.description)),
      ].join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  _describe command found
  _files
}
compdef _vouch vouch`,

  fish: (branches) =>
    [
      '# fish completion for vouch',
      ...branches.flatMap(({ path, commands, options }) => {
        const here =
          path.length === 0 ? "-n '__fish_use_subcommand'" : `-n '${fishCondition(path, commands)}'`;
        return [
          ...commands.map(
            ({ name, description }) => `complete -c vouch -f ${here} -a ${name} -d ${quoted(description)}`,
          ),
          ...options.map(
            ({ flag, description, choices }) =>
              `complete -c vouch ${path.length === 0 ? '' : `${here} `}-l ${flag.slice(2)} -d ${quoted(description)}${choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : ''}`,
          ),
        ];
      }),
    ].join('\n'),
};

function fishCondition(path: readonly string[], commands: readonly { name: string }[]): string {
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  const names = commands.map(({ name }) => name).join(' ');
  return [...seen, ...(names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`])].join('; and ');
}

function wordsOf({ commands, options }: Branch): string[] {
  return [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)];
}

function joined(path: readonly string[]): string {
  return path.join(' ');
}

function before(path: readonly string[]): string {
  return joined(path.slice(0, -1));
}

/** `name:description` for zsh, in quotes; a colon in either would end it. */
function described(name: string, description: string): string {
  return quoted(`${name}:${description.replaceAll(':', ' ')}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}

/** `vouch help …`: the help of a command at any level. The library's own help command reads the first word only. */
export function addHelpCommand(program: Command): void {
  subcommand(program, 'help [command...]', 'show the help of a command: vouch help flow create').action(
    (words: string[]) => {
      commandOf(program, words).help();
    },
  );
}

/** @throws CommanderError in the words of any other unknown command */
function commandOf(group: Command, [word, ...rest]: readonly string[]): Command {
  if (word === undefined) return group;
  const found = group.commands.find((command) => command.name() === word);
  if (found === undefined) return group.error(`error: unknown command '${word}'`, { exitCode: 1 });
  return commandOf(found, rest);
}
