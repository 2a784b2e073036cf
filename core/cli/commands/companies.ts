import { localApi } from '../../contracts/local.ts';
import { settingsApi } from '../../contracts/dashboard/company.ts';
import type { Command } from 'commander';
import { subcommand, wholeNumber } from '../terminal/arguments.ts';
import { ask, withAnyLocalApi, withLocalApi } from '../client/localClient.ts';
import { addCompanySettingsCommands } from './settings.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface CompanyOptions {
  storage?: string;
  registration?: boolean;
  blacklists?: boolean;
  secondOperator?: boolean;
  signatureSpecimens?: boolean;
  osia?: boolean;
  eraseSpecimens?: number;
}

/** `vouch company …`: whose faces they are. */
export function addCompanyCommands(program: Command, terminal: Terminal): void {
  const group = subcommand(program, 'company', 'manage the companies of this installation');
  subcommand(group, 'create <name>', 'create a company and its storage folder')
    .option('--storage <folder>', 'absolute folder for its encrypted images (default: in the data directory)')
    .action(async (name: string, options: { storage?: string }) => {
      const body = { name, storageFolder: options.storage };
      terminal.show(
        await withAnyLocalApi(terminal.home(), (api) => api.ask(localApi.createCompany, { body })),
      );
    });
  subcommand(group, 'list', 'list the companies').action(async () => {
    terminal.show(await ask(terminal.home(), localApi.companies));
  });
  subcommand(group, 'update <name>', 'change the features of a company, or its storage folder')
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
    .option('--osia', 'turn the ABIS interface of OSIA on')
    .option('--no-osia', 'turn it off')
    .action(async (company: string, options: CompanyOptions) => {
      const { storage: storageFolder, registration, blacklists, ...others } = options;
      const changes = [
        registration,
        blacklists,
        others.secondOperator,
        others.signatureSpecimens,
        others.osia,
      ];
      const updated = await withLocalApi(terminal.home(), async (api) => {
        if (changes.some((change) => change !== undefined)) {
          const body = { features: { registration, blacklists }, ...others };
          await api.ask(settingsApi.changeCompany, { company, body });
        }
        if (storageFolder !== undefined)
          await api.ask(localApi.setStorage, { company, body: { storageFolder } });
        const { name } = await api.ask(settingsApi.company, { company });
        const companies = await api.ask(localApi.companies);
        return companies.filter((one) => one.name === name);
      });
      terminal.show(updated[0] ?? {});
    });
  addCompanySettingsCommands(group, terminal);
}
