/** A PostgreSQL primary server and its synchronous standby, which are thrown away, behind one address. */
import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import pg from 'pg';
import { freePort } from './network.ts';
import { until } from './until.ts';

const HOST = '127.0.0.1';
const USER = 'vouch';

/** One address for the server that is the primary now, as HAProxy gives it at a site. */
export interface ReplicatedServer {
  /** `postgres://user@host:port/`: the name of a database follows. */
  address: string;
  /** The server that is the primary first, without the way by which the address follows its successor. */
  firstAddress: string;
  /** Runs a statement on the primary server. */
  ask(statement: string): Promise<unknown[]>;
  /** Kills the standby, so that no COMMIT on the primary server is confirmed. */
  killStandby(): void;
  /** Promotes the standby and leads the address to it. The former primary server goes on alone. */
  isolatePrimary(): Promise<void>;
  /** Kills the primary server (SIGKILL), promotes the standby and leads the address to it. */
  failOver(): Promise<void>;
}

/** Starts both servers; they end with the test. Needs `npm run test:postgres`. */
export async function startReplicatedServer(t: TestContext): Promise<ReplicatedServer> {
  const programs = programsOfServer();
  const folder = mkdtempSync(join(tmpdir(), 'vouch-standby-'));
  chownSync(folder, programs.account, programs.account);
  const primary = { data: join(folder, 'primary'), port: await freePort() };
  const standby = { data: join(folder, 'standby'), port: await freePort() };
  const start = ({ data, port }: typeof primary) => {
    const settings = `-p ${port} -k ${folder} -c fsync=off -c listen_addresses=${HOST} -c max_connections=200`;
    programs.run(folder, 'pg_ctl', '-D', data, '-o', settings, '-l', `${data}.log`, '-w', 'start');
  };
  const relay = await startRelay(primary.port);
  t.after(() => {
    relay.close();
    for (const { data } of [primary, standby]) kill(data);
    rmSync(folder, { recursive: true, force: true });
  });
  programs.run(
    folder,
    'initdb',
    '-D',
    primary.data,
    '-U',
    USER,
    '--auth=trust',
    '--no-sync',
    '--locale=C.UTF-8',
    '-E',
    'UTF8',
  );
  start(primary);
  const source = ['-h', HOST, '-p', String(primary.port), '-U', USER];
  programs.run(
    folder,
    'pg_basebackup',
    ...source,
    '-D',
    standby.data,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
    '--no-sync',
  );
  start(standby);
  const address = `postgres://${USER}@${HOST}:${relay.port}/`;
  const ask = (statement: string) => rowsOf(`${address}postgres`, statement);
  await ask(`alter system set synchronous_standby_names = '*'`);
  await ask('select pg_reload_conf()');
  await until(
    async () => (await ask(`select 1 from pg_stat_replication where sync_state = 'sync'`)).length === 1,
    'the synchronous standby',
  );
  const isolatePrimary = async () => {
    relay.leadTo(standby.port);
    programs.run(folder, 'pg_ctl', '-D', standby.data, '-w', 'promote');
    await until(
      async () => (await ask('select 1 where not pg_is_in_recovery()')).length === 1,
      'the promoted standby',
    );
  };
  return {
    address,
    firstAddress: `postgres://${USER}@${HOST}:${primary.port}/`,
    ask,
    killStandby: () => kill(standby.data),
    isolatePrimary,
    async failOver() {
      kill(primary.data);
      await isolatePrimary();
    },
  };
}

async function rowsOf(address: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** The programs of the server that runs the tests, as the account that runs it. */
function programsOfServer() {
  const { data, command } = JSON.parse(process.env.VOUCH_TEST_POSTGRES_START ?? '') as {
    data: string;
    command: string[];
  };
  const position = command.findIndex((part) => part.endsWith('/pg_ctl'));
  const asAccount = command.slice(0, position);
  const binaries = dirname(command[position] ?? '');
  return {
    account: statSync(data).uid,
    run(folder: string, program: string, ...options: string[]): void {
      const [file = '', ...rest] = [...asAccount, join(binaries, program), ...options];
      const { status } = spawnSync(file, rest, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
      if (status !== 0) throw new Error(`${program} ended with ${status}.`);
    },
  };
}

/** Kills a server and its processes, as a power cut would. Does nothing where it does not run. */
function kill(data: string): void {
  let id: string | undefined;
  try {
    [id] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    // It has been stopped, or it never started.
    return;
  }
  const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(id)], { encoding: 'utf8' }).stdout;
  for (const process_ of [String(id), ...children.split('\n')].filter((text) => text.trim() !== ''))
    try {
      process.kill(Number(process_), 'SIGKILL');
    } catch {
      // It has ended with its parent.
    }
}

/** Forwards connections to a port that can change. A change breaks all connections. */
async function startRelay(first: number) {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer((caller) => {
    const callee = connect(target, HOST);
    for (const [from, to] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      open.add(from);
      from
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
  }).listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port,
    leadTo(next: number) {
      target = next;
      breakAll();
    },
    close() {
      server.close();
      breakAll();
    },
  };
}
