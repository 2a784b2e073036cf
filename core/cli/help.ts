import type { Command } from 'commander';

/** `vouch help …`: the page of a command however deep it stands. The library's own looks at the first word alone. */
export function addHelpCommand(program: Command): void {
  program
    .command('help [command...]')
    .description('say what a command does and what it takes: vouch help flow create')
    .action((words: string[]) => {
      commandOf(program, words).help();
    });
}

/** @throws CommanderError in the words of any other unknown command */
function commandOf(group: Command, [word, ...rest]: readonly string[]): Command {
  if (word === undefined) return group;
  const found = group.commands.find((command) => command.name() === word);
  if (found === undefined) return group.error(`error: unknown command '${word}'`, { exitCode: 1 });
  return commandOf(found, rest);
}
