import type { Command } from 'commander';

/** `vouch help …`: the help of a command at any level. The library's own help command reads the first word only. */
export function addHelpCommand(program: Command): void {
  program
    .command('help [command...]')
    .description('show the help of a command: vouch help flow create')
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
