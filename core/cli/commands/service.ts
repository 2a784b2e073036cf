import { workApi } from '../../contracts/dashboard/work.ts';
import { localApi } from '../../contracts/local.ts';
import { Option, type Command } from 'commander';
import { countFrom1, countTo, portNumber, seconds, subcommand } from '../terminal/arguments.ts';
import { ask } from '../client/localClient.ts';
import { missingWarnings } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { NODE_ROLES, type NodeState } from '../../contracts/nodes.ts';
import type { ServeOptions } from './serve.ts';

/** A comparison with ten known signatures has 55 pairs, which the workers share. More workers than this gain nothing. */
const MAX_SIGNATURE_WORKERS = 32;

/** `vouch serve`, `vouch status`, `vouch cluster …` and `vouch queue …`: the service itself. */
export function addServiceCommands(program: Command, terminal: Terminal): void {
  addServe(program, terminal);
  addStatus(program, terminal);
  addCluster(program, terminal);
  addQueue(program, terminal);
}

function addServe(program: Command, terminal: Terminal): void {
  subcommand(program, 'serve', 'run the service until it is stopped')
    .addOption(
      new Option('--port <port>', 'port on 127.0.0.1; 0 selects a free one')
        .env('VOUCH_PORT')
        .default(4610)
        .argParser(portNumber),
    )
    .addOption(
      new Option('--workers <count>', 'number of vision workers (default: the number of cores)')
        .env('VOUCH_WORKERS')
        .argParser(countFrom1),
    )
    .addOption(
      new Option(
        '--signature-workers <count>',
        `number of signature workers, 1 to ${MAX_SIGNATURE_WORKERS}; each takes about 100 MB, and up to 1 GiB for a very large image`,
      )
        .env('VOUCH_SIGNATURE_WORKERS')
        .default(1)
        .argParser(countTo(MAX_SIGNATURE_WORKERS)),
    )
    .addOption(
      new Option('--log-level <level>', 'least severe level that is logged')
        .env('VOUCH_LOG_LEVEL')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('info'),
    )
    .addOption(
      new Option('--role <role>', 'work of this service among those that share a PostgreSQL database')
        .env('VOUCH_ROLE')
        .choices(NODE_ROLES)
        .default('all'),
    )
    .addOption(
      new Option(
        '--drain <seconds>',
        'seconds in which load balancers learn that the service stops, before it does',
      )
        .env('VOUCH_DRAIN')
        .default(0)
        .argParser(seconds),
    )
    .addOption(
      new Option(
        '--database <address>',
        'PostgreSQL database of a new installation, as postgres://USER@HOST/NAME (default: a file in the data directory)',
      ).env('VOUCH_DATABASE_URL'),
    )
    .addOption(
      new Option(
        '--images <place>',
        'folder of the photos, or s3://BUCKET/PREFIX?endpoint=…&region=… (default: in the data directory)',
      ).env('VOUCH_IMAGES_URL'),
    )
    // For root, on a home that belongs to another account (homeOwner.ts).
    .addOption(new Option('--commands-only').default(false).hideHelp())
    .action(async (options: Omit<ServeOptions, 'home' | 'json'>) => {
      // It may contain a password, which the worker processes do not need.
      delete process.env.VOUCH_DATABASE_URL;
      const { serve } = await import('./serve.ts');
      await serve({ home: terminal.home(), json: terminal.isJson(), ...options });
    });
}

function addStatus(program: Command, terminal: Terminal): void {
  subcommand(program, 'status', 'show the state of the service and of its queue').action(async () => {
    const status = await ask(terminal.home(), localApi.status);
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
}

function addCluster(program: Command, terminal: Terminal): void {
  subcommand(program, 'cluster', 'show the services that share a PostgreSQL database')
    .command('status')
    .description('show role, version, address and state of each service')
    .action(async () => {
      const status = await ask(terminal.home(), localApi.cluster);
      if (terminal.isJson()) {
        terminal.show(status);
        return;
      }
      if (status.own === null) {
        console.log('This installation uses SQLite, which has one service. It has no cluster.');
        return;
      }
      terminal.show(
        status.nodes.map(({ name, alive, draining, leads, leases, ...node }) => ({
          service: name === status.own ? `${name} (this one)` : name,
          role: node.role,
          state: stateOf({ alive, draining }),
          leader: leads ? 'yes' : '',
          photos: leases,
          address: node.address ?? '',
          version: node.version,
          'last report': node.seenAt,
        })),
      );
    });
}

function addQueue(program: Command, terminal: Terminal): void {
  const queue = subcommand(program, 'queue', 'pause or resume processing');
  for (const [name, description] of [
    ['pause', 'pause processing; uploads are rejected with 503 until it resumes'],
    ['resume', 'resume processing'],
  ] as const)
    subcommand(queue, name, description).action(async () => {
      const { paused } = await ask(terminal.home(), workApi[name]);
      terminal.show({ paused });
    });
}

/** The state of a service in one word. */
function stateOf({ alive, draining }: Pick<NodeState, 'alive' | 'draining'>): string {
  if (!alive) return 'silent';
  return draining ? 'stopping' : 'running';
}
