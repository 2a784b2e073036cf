import type { Command } from 'commander';
import { wholeNumber } from '../terminal/arguments.ts';
import { sendAdminCommand, withAnyAdminSocket } from '../client/adminClient.ts';
import { addCompanySettingsCommands } from './settings.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface CompanyOptions {
  storage?: string;
  registration?: boolean;
  blacklists?: boolean;
  secondOperator?: boolean;
  signatureSpecimens?: boolean;
  eraseSpecimens?: number;
}

/** `vouch company …`: whose faces they are. */
export function addCompanyCommands(program: Command, terminal: Terminal): void {
  const company = program.command('company').description('manage the companies of this installation');
  company
    .command('create <name>')
    .description('create a company and its storage folder')
    .option('--storage <folder>', 'absolute folder for its encrypted images (default: in the data directory)')
    .action(async (name: string, options: { storage?: string }) => {
      const input = { name, storageFolder: options.storage };
      terminal.show(
        await withAnyAdminSocket(terminal.home(), (runAdminCommand) =>
          runAdminCommand('company.create', input),
        ),
      );
    });
  company
    .command('list')
    .description('list the companies')
    .action(async () => {
      terminal.show(await sendAdminCommand(terminal.home(), 'company.list', {}));
    });
  company
    .command('update <name>')
    .description('change the features of a company, or its storage folder')
    .option('--storage <folder>', 'absolute folder that holds all images of the company, or its marker')
    .option('--registration', 'turn Biometrics Registration (bulk enrolment) on')
    .option('--no-registration', 'turn it off')
    .option('--blacklists', 'turn Internal Blacklists on')
    .option('--no-blacklists', 'turn them off')
    .option('--second-operator', 'let a second operator confirm accepted groups of duplicates')
    .option('--no-second-operator', 'let one operator accept them')
    .option('--signature-specimens', 'let signature specimens of persons be stored')
    .option('--no-signature-specimens', 'store none; erases those that are stored')
    .option('--erase-specimens <count>', 'confirm that so many specimens are erased', wholeNumber)
    .action(async (name: string, options: CompanyOptions) => {
      const { storage, registration, blacklists, ...others } = options;
      const input = {
        company: name,
        storageFolder: storage,
        registrationEnabled: registration,
        blacklistsEnabled: blacklists,
        ...others,
      };
      terminal.show(await sendAdminCommand(terminal.home(), 'company.update', input));
    });
  addCompanySettingsCommands(company, terminal);
}
