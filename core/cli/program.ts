import { Command, type OutputConfiguration } from 'commander';
import { addAuditCommands } from './commands/audit.ts';
import { addBackupCommands } from './commands/backup.ts';
import { addCalibrationCommands } from './commands/calibration.ts';
import { addCompanyCommands } from './commands/companies.ts';
import { addCompareCommands } from './commands/compare.ts';
import { addCompletionCommand } from './completion.ts';
import { addCredentialCommands } from './commands/credentials.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEnrolCommand } from './enroll/command.ts';
import { addEraseCommands, addRetentionCommands } from './commands/erase.ts';
import { addHelpCommand } from './help.ts';
import { defaultHome } from './terminal/home.ts';
import { addNetworkCommands } from './commands/network.ts';
import { addOperatorCommands } from './commands/operators.ts';
import { addPipelineCommands } from './commands/pipelines.ts';
import { addScreeningCommands } from './commands/screening.ts';
import { addSearchCommand } from './commands/search.ts';
import { addServiceCommands } from './commands/service.ts';
import { addSettingsCommands } from './commands/settings.ts';
import { addInstallationCommands } from './commands/installations.ts';
import { terminalOf, type Terminal } from './terminal/terminal.ts';
import { addUpdateCommand } from './update/command.ts';
import { addWatchCommand } from './watch/command.ts';

/** In the order in which `vouch help` lists them: the service, who uses it, what it does, and how it is kept. */
const FAMILIES: readonly ((program: Command, terminal: Terminal) => void)[] = [
  addServiceCommands,
  addDoctorCommand,
  addCompanyCommands,
  addSettingsCommands,
  addOperatorCommands,
  addCredentialCommands,
  addEnrolCommand,
  addWatchCommand,
  addSearchCommand,
  addScreeningCommands,
  addInstallationCommands,
  addCompareCommands,
  addEraseCommands,
  addRetentionCommands,
  addAuditCommands,
  addBackupCommands,
  addUpdateCommand,
  addNetworkCommands,
  addPipelineCommands,
  addCalibrationCommands,
  addCompletionCommand,
  addHelpCommand,
];

/**
 * All commands of `vouch`.
 * @param output is told what is wrong with a command line, and the pages of help; what is left out is printed
 */
export function createProgram(output: OutputConfiguration): Command {
  const program = new Command('vouch')
    // Set before any subcommand is made: they inherit it.
    .exitOverride()
    .configureOutput(output)
    .description('Have we seen this face before? Is this the same signature? On a site without internet.')
    .option('--home <folder>', 'the folder that holds everything (VOUCH_HOME)', defaultHome())
    .option('--json', 'print one JSON value instead of text')
    .option('-V, --version', 'say the version, the Node that it runs on, and where the home is');
  const terminal = terminalOf(program);
  for (const add of FAMILIES) add(program, terminal);
  return program;
}
