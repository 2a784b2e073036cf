import { Command, type OutputConfiguration } from 'commander';
import { defaultHome } from '../platform/homePaths.ts';
import { terminalOf, type Terminal } from './terminal/terminal.ts';

/** Commands that one function adds, and the module of that function. */
interface Family {
  /** Of the commands at the first level. */
  names: readonly string[];
  load: () => Promise<(program: Command, terminal: Terminal) => void>;
}

/** In the order in which `vouch help` lists them: the service, its users, its functions, its maintenance. */
export const FAMILIES: readonly Family[] = [
  {
    names: ['serve', 'status', 'cluster', 'queue'],
    load: async () => (await import('./commands/service.ts')).addServiceCommands,
  },
  { names: ['doctor'], load: async () => (await import('./commands/doctor.ts')).addDoctorCommand },
  { names: ['company'], load: async () => (await import('./commands/companies.ts')).addCompanyCommands },
  { names: ['settings'], load: async () => (await import('./commands/settings.ts')).addSettingsCommands },
  { names: ['operator'], load: async () => (await import('./commands/operators.ts')).addOperatorCommands },
  {
    names: ['api-token', 'signing-key'],
    load: async () => (await import('./commands/credentials.ts')).addCredentialCommands,
  },
  { names: ['enroll'], load: async () => (await import('./enroll/command.ts')).addEnrolCommand },
  { names: ['watch'], load: async () => (await import('./watch/command.ts')).addWatchCommand },
  { names: ['search'], load: async () => (await import('./commands/search.ts')).addSearchCommand },
  {
    names: ['duplicates'],
    load: async () => (await import('./commands/duplicates.ts')).addDuplicateCommands,
  },
  { names: ['record'], load: async () => (await import('./commands/record.ts')).addRecordCommands },
  { names: ['person'], load: async () => (await import('./commands/persons.ts')).addPersonCommands },
  {
    names: ['blacklist', 'flow'],
    load: async () => (await import('./commands/screening.ts')).addScreeningCommands,
  },
  {
    names: ['installation'],
    load: async () => (await import('./commands/installations.ts')).addInstallationCommands,
  },
  {
    names: ['verify', 'face', 'signature'],
    load: async () => (await import('./commands/compare.ts')).addCompareCommands,
  },
  { names: ['erase'], load: async () => (await import('./commands/erase.ts')).addEraseCommands },
  { names: ['retention'], load: async () => (await import('./commands/erase.ts')).addRetentionCommands },
  { names: ['portrait'], load: async () => (await import('./commands/portrait.ts')).addPortraitCommand },
  { names: ['audit'], load: async () => (await import('./commands/audit.ts')).addAuditCommands },
  {
    names: ['backup-key', 'backup', 'restore'],
    load: async () => (await import('./commands/backup.ts')).addBackupCommands,
  },
  { names: ['migrate'], load: async () => (await import('./commands/migrate.ts')).addMigrateCommand },
  { names: ['database'], load: async () => (await import('./commands/migrate.ts')).addDatabaseCommands },
  { names: ['update'], load: async () => (await import('./update/command.ts')).addUpdateCommand },
  { names: ['network'], load: async () => (await import('./commands/network.ts')).addNetworkCommands },
  { names: ['mosip'], load: async () => (await import('./commands/mosip.ts')).addMosipCommands },
  { names: ['metrics'], load: async () => (await import('./commands/metrics.ts')).addMetricsCommands },
  { names: ['pipeline'], load: async () => (await import('./commands/pipelines.ts')).addPipelineCommands },
  {
    names: ['calibration'],
    load: async () => (await import('./commands/calibration.ts')).addCalibrationCommands,
  },
  {
    names: ['signature-calibration'],
    load: async () => (await import('./commands/signatureCalibration.ts')).addSignatureCalibrationCommands,
  },
  { names: ['api'], load: async () => (await import('./commands/api.ts')).addApiCommands },
  { names: ['completion'], load: async () => (await import('./completion.ts')).addCompletionCommand },
  { names: ['help'], load: async () => (await import('./completion.ts')).addHelpCommand },
];
/** These commands list the others. */
const OF_ALL: ReadonlySet<string> = new Set(['completion', 'help']);

/**
 * The program `vouch` with its options and without commands.
 * @param output receives messages about a wrong command line, and help; what is left out is printed
 */
export function createProgram(output: OutputConfiguration): Command {
  return (
    new Command('vouch')
      // Set before any subcommand is made: they inherit it.
      .exitOverride()
      .configureOutput(output)
      .description('Have we seen this face before? Is this the same signature? On a site without internet.')
      .option('--home <folder>', 'data directory of the installation (VOUCH_HOME)', defaultHome())
      .option('--json', 'print one JSON value instead of text')
      .option('-V, --version', 'print the versions of Vouch and Node, and the data directory')
  );
}

/**
 * Adds the commands. A command loads its own modules only: with all of them, each command would start several times slower.
 * @param name of the command that will run; absent or unknown: all commands are added
 */
export async function addCommands(program: Command, name?: string): Promise<void> {
  const own = FAMILIES.filter(({ names }) => name !== undefined && names.includes(name) && !OF_ALL.has(name));
  const terminal = terminalOf(program);
  for (const { load } of own.length > 0 ? own : FAMILIES) (await load())(program, terminal);
}
