import { Option, type Command } from 'commander';
import { countFrom1, portNumber } from '../terminal/arguments.ts';
import { withAdminSocketOrHome } from '../client/adminClient.ts';
import { missingWarnings } from './missingWarnings.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch serve`, `vouch status` and `vouch queue …`: the service itself. */
export function addServiceCommands(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('run the service until it is told to stop')
    .addOption(
      new Option('--port <port>', 'port on 127.0.0.1; 0 takes a free one')
        .env('VOUCH_PORT')
        .default(4610)
        .argParser(portNumber),
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
    // For root, on a home that belongs to another account (homeOwner.ts).
    .addOption(new Option('--commands-only').default(false).hideHelp())
    .action(async (options: { port: number; workers?: number; logLevel: string; commandsOnly: boolean }) => {
      const { serve } = await import('./serve.ts');
      await serve({ home: terminal.home(), json: terminal.isJson(), ...options });
    });

  program
    .command('status')
    .description('what the service is doing')
    .action(async () => {
      const status = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('status', {}),
      );
      if (terminal.isJson()) {
        terminal.show(status);
        return;
      }
      const { companies, ...rest } = status;
      terminal.show(rest);
      if (companies.length > 0) console.log('');
      terminal.show(companies.map(({ company, pipeline }) => ({ company, pipeline })));
      for (const warning of missingWarnings(status)) console.error(warning);
    });

  const queue = program.command('queue').description('the enrolment queue');
  for (const [name, description] of [
    ['pause', 'stop processing; uploads answer 503 until it is resumed'],
    ['resume', 'go on'],
  ] as const)
    queue
      .command(name)
      .description(description)
      .action(async () => {
        terminal.show(
          await withAdminSocketOrHome(terminal.home(), (administrate) => administrate(`queue.${name}`, {})),
        );
      });
}
