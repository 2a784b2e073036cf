import { Option, type Command } from 'commander';
import { mustBeHome } from '../client/localClient.ts';
import { requireAddress } from '../terminal/databaseAddress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch database …`: the PostgreSQL database of an installation. */
export function addDatabaseCommands(program: Command, terminal: Terminal): void {
  const database = program
    .command('database')
    .description('prepare the PostgreSQL database of an installation');
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
      if (terminal.isJson()) terminal.show(prepared);
      else
        console.log(
          `The database ${prepared.database} has the tables of this version. The role ${prepared.role} may use them, and may not change the audit log.`,
        );
    });
}
