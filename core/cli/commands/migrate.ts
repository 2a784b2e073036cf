import { Option, type Command } from 'commander';
import type { MigrationPlan } from '../../storage/index.ts';
import { mustBeHome } from '../client/localClient.ts';
import { CliError } from '../terminal/output.ts';
import { answersYes, type Terminal } from '../terminal/terminal.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import { subcommand } from '../terminal/arguments.ts';

/** Milliseconds between two lines of progress. */
const PROGRESS_INTERVAL = 2_000;

/** `vouch migrate`: the rows of an installation from SQLite to PostgreSQL, or back. */
export function addMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description('move the database of a stopped installation to PostgreSQL, or back to SQLite')
    .addOption(
      new Option('--to <database>', 'postgres://USER@HOST/NAME, or sqlite')
        .env('VOUCH_DATABASE_URL')
        .makeOptionMandatory(),
    )
    .option('--yes', 'begin without a question')
    .action(async ({ to, yes = false }: { to: string; yes?: boolean }) => {
      // It may contain a password, which the threads of the gallery do not need.
      delete process.env.VOUCH_DATABASE_URL;
      await migrate(to, yes, terminal);
    });
}

async function migrate(to: string, isConfirmed: boolean, terminal: Terminal): Promise<void> {
  mustBeHome(terminal.home());
  if (to !== 'sqlite') await requireAddress(to);
  const { migrateStore, openHome } = await import('../../storage/index.ts');
  const { compareSearches } = await import('../../service/compareSearches.ts');
  const home = openHome(terminal.home());
  const clock = { now: () => new Date() };
  const migrated = await migrateStore(home, to, clock, {
    confirm: (plan) => confirm(plan, isConfirmed),
    progress: progressLines(),
    compareSearches,
  });
  if (migrated === undefined) throw new CliError('The migration was not confirmed. Nothing was changed.');
  if (terminal.isJson()) {
    terminal.show(migrated);
    return;
  }
  const { rows, tables, searches, former } = migrated;
  console.log(
    `The installation now uses ${migrated.to}: ${rows} rows of ${tables} tables, verified. ${searches} searches had equal answers.`,
  );
  console.log(
    former.endsWith('.url')
      ? `The former database ${migrated.from} still contains the data; ${former} in the data directory contains its address. Drop the database and delete that file when you no longer need them. Other services of that database must not be started again.`
      : `The former database is ${former} in the data directory. Delete it when you no longer need it.`,
  );
}

/** Says what will be done before anything is written. */
async function confirm({ from, to, tables, rows }: MigrationPlan, isConfirmed: boolean): Promise<boolean> {
  console.error(
    `${rows} rows of ${tables} tables will be copied from ${from} to ${to} and compared. Then the installation uses the copy. Photos stay where they are. The former database is kept.`,
  );
  if (isConfirmed) return true;
  if (!process.stdin.isTTY)
    throw new CliError('Nothing was changed. To begin without a terminal, run the command with --yes.');
  return answersYes('Begin?');
}

/** @returns prints share, rate and time left, on the way */
function progressLines(): (done: number, total: number) => void {
  const start = performance.now();
  let printed = start;
  return (done, total) => {
    const now = performance.now();
    if (now - printed < PROGRESS_INTERVAL) return;
    printed = now;
    const rate = done / ((now - start) / 1000);
    const left = Math.ceil(Math.max(0, total - done) / rate);
    console.error(
      `${Math.min(100, Math.floor((100 * done) / total))} %, ${Math.round(rate)} rows/s, ${left} s left`,
    );
  };
}

/** `vouch database …`: the PostgreSQL database of an installation. */
export function addDatabaseCommands(program: Command, terminal: Terminal): void {
  const database = subcommand(program, 'database', 'prepare the PostgreSQL database of an installation');
  database
    .command('prepare')
    .description(
      'create or update the tables as their owner, and let the role of the service use them; run it before each new version starts',
    )
    .addOption(
      new Option('--owner <address>', 'postgres://OWNER@HOST/NAME: the role that owns the tables')
        .env('VOUCH_DATABASE_OWNER_URL')
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--database <address>',
        'postgres://ROLE@HOST/NAME: the role of the service (default: the address that the data directory keeps)',
      ).env('VOUCH_DATABASE_URL'),
    )
    .action(async ({ owner, database: service }: { owner: string; database?: string }) => {
      delete process.env.VOUCH_DATABASE_OWNER_URL;
      delete process.env.VOUCH_DATABASE_URL;
      for (const address of [owner, service]) if (address !== undefined) await requireAddress(address);
      const { openHome } = await import('../../storage/index.ts');
      const { prepareDatabase } = await import('../../storage/engine/postgres/serviceRole.ts');
      if (service === undefined) mustBeHome(terminal.home());
      const prepared = await prepareDatabase(openHome(terminal.home()), owner, service);
      terminal.print(
        prepared,
        `The database ${prepared.database} has the tables of this version. The role ${prepared.role} may use them, and may not change the audit log.`,
      );
    });
}

/** @throws {CliError} it is no address of a PostgreSQL database */
async function requireAddress(address: string): Promise<void> {
  const { parseAddress } = await import('../../storage/engine/postgres/address.ts');
  try {
    parseAddress(address);
  } catch (cause) {
    throw cause instanceof CodedError ? new CliError(cause.problem) : cause;
  }
}
