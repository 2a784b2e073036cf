import { Option, type Command } from 'commander';
import { HIT_ACTIONS, type HitAction } from '../../contracts/flows.ts';
import { wholeNumber } from '../terminal/arguments.ts';
import { addBlacklistTransferCommands } from './blacklistTransfer.ts';
import { withAdminSocketOrHome } from '../client/adminClient.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch blacklist …` and `vouch flow …`: what verifications are screened against. */
export function addScreeningCommands(program: Command, terminal: Terminal): void {
  const blacklist = program.command('blacklist').description("a company's private blacklists");
  addBlacklistCommands(blacklist, terminal);
  addBlacklistTransferCommands(blacklist, terminal);
  addFlowCommands(program.command('flow').description('how verifications are screened'), terminal);
}

function addBlacklistCommands(blacklist: Command, terminal: Terminal): void {
  blacklist
    .command('create <name>')
    .description('make a blacklist')
    .requiredOption('--company <name>')
    .option('--description <text>')
    .action(async (name: string, options: { company: string; description?: string }) => {
      const input = { name, ...options };
      terminal.show(
        await withAdminSocketOrHome(terminal.home(), (administrate) =>
          administrate('blacklist.create', input),
        ),
      );
    });
  blacklist
    .command('list')
    .description('the blacklists of a company with their numbers')
    .requiredOption('--company <name>')
    .action(async (options: { company: string }) => {
      terminal.show(
        await withAdminSocketOrHome(terminal.home(), (administrate) =>
          administrate('blacklist.list', options),
        ),
      );
    });
  blacklist
    .command('set')
    .argument('<id>', 'its number', wholeNumber)
    .description('an inactive one takes no photos and is not screened against')
    .requiredOption('--company <name>')
    .addOption(
      new Option('--active <yes|no>', 'whether it is active').choices(['yes', 'no']).makeOptionMandatory(),
    )
    .action(async (id: number, options: { company: string; active: 'yes' | 'no' }) => {
      const input = { company: options.company, id, active: options.active === 'yes' };
      terminal.show(
        await withAdminSocketOrHome(terminal.home(), (administrate) =>
          administrate('blacklist.update', input),
        ),
      );
    });
}

function addFlowCommands(flow: Command, terminal: Terminal): void {
  flow
    .command('create <name>')
    .description('make a Trust Flow and save its first version')
    .requiredOption('--company <name>')
    .option('--blacklist <id...>', 'screen against these blacklists')
    .addOption(
      new Option('--on-blacklist <action>', 'what a hit means').choices(HIT_ACTIONS).default('review'),
    )
    .addOption(
      new Option('--on-duplicate <action>', 'what a hit means').choices(HIT_ACTIONS).default('review'),
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
        terminal.show(
          await withAdminSocketOrHome(terminal.home(), (administrate) => administrate('flow.create', input)),
        );
      },
    );
  flow
    .command('list')
    .description('the Trust Flows of a company with their numbers')
    .requiredOption('--company <name>')
    .action(async (options: { company: string }) => {
      terminal.show(
        await withAdminSocketOrHome(terminal.home(), (administrate) => administrate('flow.list', options)),
      );
    });
}
