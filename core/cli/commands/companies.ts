import { InvalidArgumentError, type Command } from 'commander';
import { withAdminSocketOrHome, withAnyAdminSocket } from '../client/adminClient.ts';
import { addCompanySettingsCommands } from './settings.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface CompanyOptions {
  storage?: string;
  registration?: boolean;
  blacklists?: boolean;
}

/** `vouch company …`: whose faces they are. */
export function addCompanyCommands(program: Command, terminal: Terminal): void {
  const company = program.command('company').description('the companies of this installation');
  company
    .command('create <name>')
    .description('make a company with its storage folder')
    .option('--storage <folder>', 'absolute folder for its encrypted images (default: in the home)')
    .action(async (name: string, options: { storage?: string }) => {
      const input = { name, ...(options.storage !== undefined && { storageFolder: options.storage }) };
      terminal.show(
        await withAnyAdminSocket(terminal.home(), (administrate) => administrate('company.create', input)),
      );
    });
  company
    .command('list')
    .description('all companies')
    .action(async () => {
      terminal.show(
        await withAdminSocketOrHome(terminal.home(), (administrate) => administrate('company.list', {})),
      );
    });
  company
    .command('set <name>')
    .description('change what a company may do and where it stores')
    .option('--storage <folder>', 'absolute folder that has all of its images, or the marker of a moved one')
    .option('--registration <on|off>', 'Biometrics Registration: mass enrolment', onOff)
    .option('--blacklists <on|off>', 'Internal Blacklists', onOff)
    .action(async (name: string, options: CompanyOptions) => {
      const input = {
        company: name,
        ...(options.storage !== undefined && { storageFolder: options.storage }),
        ...(options.registration !== undefined && { registrationEnabled: options.registration }),
        ...(options.blacklists !== undefined && { blacklistsEnabled: options.blacklists }),
      };
      terminal.show(
        await withAdminSocketOrHome(terminal.home(), (administrate) => administrate('company.update', input)),
      );
    });
  addCompanySettingsCommands(company, terminal);
}

function onOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('It must be "on" or "off".');
  return text === 'on';
}
