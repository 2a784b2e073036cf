import { Option, type Command } from 'commander';
import { HIT_ACTIONS, type HitAction } from '../../contracts/flows.ts';
import { COMPANY, wholeNumber } from '../terminal/arguments.ts';
import { addBlacklistTransferCommands } from './blacklistTransfer.ts';
import { CliError } from '../terminal/output.ts';
import { sendAdminCommand } from '../client/adminClient.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch blacklist …` and `vouch flow …`: the lists and rules of screening. */
export function addScreeningCommands(program: Command, terminal: Terminal): void {
  const blacklist = program.command('blacklist').description('manage the blacklists of a company');
  addBlacklistCommands(blacklist, terminal);
  addBlacklistTransferCommands(blacklist, terminal);
  addFlowCommands(
    program.command('flow').description('manage Trust Flows, the rules by which verifications are screened'),
    terminal,
  );
}

function addBlacklistCommands(blacklist: Command, terminal: Terminal): void {
  blacklist
    .command('create <name>')
    .description('create a blacklist')
    .requiredOption(...COMPANY)
    .option('--description <text>', 'purpose of the blacklist')
    .action(async (name: string, options: { company: string; description?: string }) => {
      const input = { name, ...options };
      terminal.show(await sendAdminCommand(terminal.home(), 'blacklist.create', input));
    });
  blacklist
    .command('list')
    .description('list the blacklists of a company with their numbers')
    .requiredOption(...COMPANY)
    .action(async (options: { company: string }) => {
      terminal.show(await sendAdminCommand(terminal.home(), 'blacklist.list', options));
    });
  blacklist
    .command('update')
    .argument('<id>', 'number of the blacklist', wholeNumber)
    .description('activate or deactivate a blacklist')
    .requiredOption(...COMPANY)
    .option('--active', 'accept photos and screen verifications against the blacklist')
    .option('--no-active', 'stop both')
    .action(async (id: number, { company, active }: { company: string; active?: boolean }) => {
      if (active === undefined) throw new CliError('Give --active or --no-active.');
      const input = { company, id, active };
      terminal.show(await sendAdminCommand(terminal.home(), 'blacklist.update', input));
    });
}

function addFlowCommands(flow: Command, terminal: Terminal): void {
  flow
    .command('create <name>')
    .description('create a Trust Flow and save its first version')
    .requiredOption(...COMPANY)
    .option('--blacklist <id...>', 'numbers of the blacklists to screen against')
    .addOption(
      new Option('--on-blacklist <action>', 'result of a blacklist match')
        .choices(HIT_ACTIONS)
        .default('review'),
    )
    .addOption(
      new Option('--on-duplicate <action>', 'result of a duplicate').choices(HIT_ACTIONS).default('review'),
    )
    .action(
      async (
        name: string,
        options: {
          company: string;
          blacklist?: string[];
          onBlacklist: HitAction;
          onDuplicate: HitAction;
        },
      ) => {
        const blacklistIds = (options.blacklist ?? []).map(wholeNumber);
        const settings = {
          duplicateDetection: { action: options.onDuplicate },
          blacklistDetection: {
            enabled: blacklistIds.length > 0,
            blacklistIds,
            action: options.onBlacklist,
          },
        };
        const input = { company: options.company, name, settings };
        terminal.show(await sendAdminCommand(terminal.home(), 'flow.create', input));
      },
    );
  flow
    .command('list')
    .description('list the Trust Flows of a company with their numbers')
    .requiredOption(...COMPANY)
    .action(async (options: { company: string }) => {
      terminal.show(await sendAdminCommand(terminal.home(), 'flow.list', options));
    });
}
