import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ThrowawayServer } from './throwawayServer.ts';
import { until } from './until.ts';

const CLI = join(import.meta.dirname, '..', '..', 'core', 'cli.ts');
const EXPAND = join(import.meta.dirname, 'expandedSchema.ts');

/** The PostgreSQL server that `npm run test:postgres` started, as `postgres://user@host:port/`; undefined: SQLite is tested. */
export const TEST_SERVER = process.env.VOUCH_TEST_POSTGRES;

/** For a test that needs the server: why it is skipped, or false. */
export const WITHOUT_SERVER = TEST_SERVER === undefined && 'it needs PostgreSQL: npm run test:postgres';
/** For a test of the SQLite file. */
export const WITHOUT_FILE = TEST_SERVER !== undefined && 'it tests the file of SQLite';

/** The address of a database that no other test uses. The first start creates it. */
export function newAddress(): string {
  return `${TEST_SERVER}t_${randomBytes(12).toString('hex')}`;
}

/** A role that owns no table: `VOUCH_TEST_ROLE=vouch_service npm run test:postgres` runs the tests with it. */
const TEST_ROLE = process.env.VOUCH_TEST_ROLE;

/** `VOUCH_TEST_EXPANDED=1 npm run test:postgres` runs the tests on the schema of a later version. */
const IS_EXPANDED = process.env.VOUCH_TEST_EXPANDED !== undefined;

/** Gives a home that will be made in this folder a database of its own on the server, if there is one. */
export function keepTestAddress(folder: string): void {
  if (TEST_SERVER === undefined) return;
  const address = newAddress();
  if (TEST_ROLE !== undefined) prepareFor(TEST_ROLE, folder, address);
  else if (IS_EXPANDED) runNode(EXPAND, folder, address);
  else writeFileSync(join(folder, 'database.url'), `${address}\n`);
}

/** The same for a home that does not exist yet; nothing for one that does. */
export function giveTestAddress(home: string): void {
  if (TEST_SERVER === undefined || existsSync(home)) return;
  mkdirSync(home, { recursive: true });
  keepTestAddress(home);
}

/** As an administrator does before the first start. */
function prepareFor(role: string, folder: string, owner: string): void {
  const service = owner.replace(/\/\/[^@]+@/, `//${role}@`);
  runNode(CLI, '--home', folder, 'database', 'prepare', '--owner', owner, '--database', service);
}

function runNode(...program: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The database of a test was not prepared: ${stderr}`);
}

/** Kills a server, as a power cut would, and starts it again. */
export async function killServer({ data, startCommand }: ThrowawayServer): Promise<void> {
  const [id = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(id), 'SIGKILL');
  const [program = '', ...options] = startCommand;
  // Its children end by themselves; until then their memory keeps the server from starting.
  await until(
    () => spawnSync(program, options, { cwd: data, stdio: 'ignore' }).status === 0,
    'the database server',
  );
}
