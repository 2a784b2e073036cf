import { Command, InvalidArgumentError, Option } from 'commander';
import { addCredentialCommands } from './credentials.ts';
import { addAuditCommands } from './audit.ts';
import { addDoctorCommand } from './doctor.ts';
import { addGalleryCommands } from './gallery.ts';
import { addBackupCommands } from './backup.ts';
import { addEraseCommands, addRetentionCommands } from './erase.ts';
import { addCalibrationCommands } from './calibration.ts';
import { addPipelineCommands } from './pipelines.ts';
import { addLanCommands } from './lan.ts';
import { addSiteCommands } from './sites.ts';
import { addScreeningCommands } from './screening.ts';
import { addOperatorCommands } from './operators.ts';
import { addCompareCommands, readToken } from './compare.ts';
import { addCompletionCommand } from './completion.ts';
import { enrolCommand } from './enroll/command.ts';
import { readGiven } from './givenFile.ts';
import { defaultHome } from './home.ts';
import { CliError, EXIT, printTable } from './output.ts';
import { amount, countFrom1, wholeNumber } from './arguments.ts';
import { asOwner } from './owner.ts';
import { addUpdateCommand } from './update/command.ts';
import { addWatchCommand } from './watch/command.ts';
import { serve } from './serve.ts';

interface Common {
  home: string;
  json?: boolean;
}

/**
 * All commands of `vouch`.
 * @param writeErr is told what is wrong with a command line
 */
export function makeProgram(writeErr: (text: string) => void): Command {
  const program = new Command('vouch')
    // Set before any subcommand is made: they inherit it.
    .exitOverride()
    .configureOutput({ writeErr })
    .description('Have we seen this face before? Is this the same signature? On a site without internet.')
    .option('--home <folder>', 'the folder that holds everything (VOUCH_HOME)', defaultHome())
    .option('--json', 'print one JSON value instead of text');

  function common(): Common {
    return program.opts<Common>();
  }

  /** One JSON value for programs, a table for people. */
  function show(value: object): void {
    if (common().json === true) console.log(JSON.stringify(value, null, 2));
    else
      printTable(
        (Array.isArray(value) ? value : [value]) as Record<string, string | number | boolean | null>[],
      );
  }

  program
    .command('serve')
    .description('run the service until it is told to stop')
    .addOption(
      new Option('--port <port>', 'port on 127.0.0.1; 0 takes a free one')
        .env('VOUCH_PORT')
        .default(4610)
        .argParser(wholeNumber),
    )
    .addOption(
      new Option('--workers <count>', 'vision workers (default: as many as cores)')
        .env('VOUCH_WORKERS')
        .argParser(countFrom1),
    )
    .addOption(
      new Option('--log-level <level>')
        .env('VOUCH_LOG_LEVEL')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('info'),
    )
    .action(async (options: { port: number; workers?: number; logLevel: string }) => {
      await serve({ home: common().home, json: common().json === true, ...options });
    });

  program
    .command('status')
    .description('what the service is doing')
    .action(async () => {
      show(await asOwner(common().home, (administrate) => administrate('status', {})));
    });

  const company = program.command('company').description('the companies of this installation');
  company
    .command('create <name>')
    .description('make a company with its storage folder')
    .option('--storage <folder>', 'absolute folder for its encrypted images (default: in the home)')
    .action(async (name: string, options: { storage?: string }) => {
      const input = { name, ...(options.storage !== undefined && { storageFolder: options.storage }) };
      show(await asOwner(common().home, (administrate) => administrate('company.create', input)));
    });
  company
    .command('list')
    .description('all companies')
    .action(async () => {
      show(await asOwner(common().home, (administrate) => administrate('company.list', {})));
    });
  company
    .command('set <name>')
    .description('change what a company may do and where it stores')
    .option('--storage <folder>', 'absolute folder; only while no image is stored')
    .option('--registration <on|off>', 'Biometrics Registration: mass enrolment', onOff)
    .option('--blacklists <on|off>', 'Internal Blacklists', onOff)
    .action(
      async (name: string, options: { storage?: string; registration?: boolean; blacklists?: boolean }) => {
        const input = {
          company: name,
          ...(options.storage !== undefined && { storageFolder: options.storage }),
          ...(options.registration !== undefined && { registrationEnabled: options.registration }),
          ...(options.blacklists !== undefined && { blacklistsEnabled: options.blacklists }),
        };
        show(await asOwner(common().home, (administrate) => administrate('company.update', input)));
      },
    );

  const terminal = {
    home: () => common().home,
    isJson: () => common().json === true,
    show,
  };
  addCredentialCommands(program, terminal);
  addAuditCommands(program, terminal);
  addBackupCommands(program, terminal);
  addOperatorCommands(program, terminal);
  addUpdateCommand(program, terminal);
  addDoctorCommand(program, terminal);
  addPipelineCommands(program, terminal);
  addCalibrationCommands(program, terminal);
  addScreeningCommands(program, terminal);
  addSiteCommands(program, terminal);
  addLanCommands(program, terminal);
  addCompareCommands(program, terminal);
  addEraseCommands(program, terminal);
  addRetentionCommands(program, terminal);
  addWatchCommand(program, terminal);

  const queue = program.command('queue').description('the enrolment queue');
  for (const [name, description] of [
    ['pause', 'stop processing; uploads answer 503 until it is resumed'],
    ['resume', 'go on'],
  ] as const)
    queue
      .command(name)
      .description(description)
      .action(async () => {
        show(await asOwner(common().home, (administrate) => administrate(`queue.${name}`, {})));
      });

  addGalleryCommands(program, { home: () => common().home, show });

  program
    .command('enroll <folder>')
    .description(
      'enrol every photo of a folder for duplicate detection; run it again to go on where it stopped',
    )
    .option('--company <name>', "enrol into this company of this machine's service")
    .option('--token-file <file>', 'or: sign in with the token in this file (or in VOUCH_TOKEN)')
    .option('--address <url>', 'address of the service')
    .option('--batch <count>', 'images per request', countFrom1, 50)
    .option('--max-mb <megabytes>', 'largest file that is sent', amount, 10)
    .option('--csv <file>', 'write every photo with its answer')
    .action(
      async (
        folder: string,
        options: {
          company?: string;
          tokenFile?: string;
          address?: string;
          batch: number;
          maxMb: number;
          csv?: string;
        },
      ) => {
        const { maxMb, tokenFile, ...rest } = options;
        const token = readToken(tokenFile);
        process.exitCode = await enrolCommand(folder, {
          home: common().home,
          json: common().json === true,
          ...rest,
          ...(token !== undefined && { token }),
          maxBytes: maxMb * 1024 * 1024,
        });
      },
    );

  program
    .command('search <image>')
    .description('look the faces of a photo up among those enrolled; enrols nothing')
    .requiredOption('--company <name>')
    .option('--limit <count>', 'candidates per face', countFrom1, 10)
    .action(async (image: string, options: { company: string; limit: number }) => {
      const input = { ...options, image: readGiven(image).toString('base64') };
      const result = await asOwner(common().home, (administrate) => administrate('search', input));
      if (common().json === true) {
        show(result);
        return;
      }
      if (result.refused !== null) throw new CliError(result.refused, EXIT.someImagesFailed);
      for (const [index, face] of result.faces.entries()) {
        console.log(`Face ${index + 1}, quality ${face.quality.toFixed(0)} of 100`);
        printTable(
          face.candidates.map((candidate) => ({
            name: candidate.name,
            similarity: candidate.similarityScore.toFixed(2),
            band: candidate.band,
            distance: candidate.distance.toFixed(3),
            validation: candidate.trustValidationId,
            enrolled: candidate.enrolledAt,
          })),
        );
      }
    });

  addCompletionCommand(program);

  return program;
}

function onOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('It must be "on" or "off".');
  return text === 'on';
}
