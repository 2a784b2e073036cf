/** A PostgreSQL server, or rows of it, that are put back to an earlier state while a service runs. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import { EXIT } from '../../core/cli/terminal/output.ts';
import { run, startService, tokenFor } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';
import { WITHOUT_SERVER } from '../support/testServer.ts';
import { startThrowawayServer, type ThrowawayServer } from '../support/throwawayServer.ts';
import { until } from '../support/until.ts';

/** The service looks twice a minute; the rest is for a busy machine. */
const OPTIONS = { skip: WITHOUT_SERVER, timeout: 600_000 };

/** A service on a server of its own, with one company and a token. */
async function openSite(t: TestContext) {
  const server = await startThrowawayServer(['fsync=off', 'autovacuum=off']);
  t.after(() => {
    server.stop();
  });
  const home = join(temporaryFolder(t), 'home');
  mkdirSync(home);
  const address = `${server.address}site`;
  const service = await startService(home, 0, 1, {}, ['--database', address]);
  t.after(() => service.kill());
  await answered(home, 'company', 'create', 'Acme');
  await tokenFor(home, 'Acme', 'enroll');
  return { server, home, address, service };
}

async function answered(home: string, ...command: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(home, command);
  assert.equal(code, EXIT.ok, stderr);
  return stdout;
}

/** Starts a service, which refuses. @returns what it says */
async function refused(home: string): Promise<string> {
  const { code, stderr } = await run(home, ['serve', '--port', '0', '--workers', '1']);
  assert.equal(code, EXIT.failed, stderr);
  return stderr;
}

async function startsAndStops(home: string): Promise<void> {
  const service = await startService(home, 0, 1);
  await service.stop();
}

/** Copies a server that runs. @returns puts the copy in its place, which goes on from there on a new timeline */
function takeBaseBackup({ data, address, startCommand }: ThrowawayServer): () => Promise<void> {
  const copy = `${data}-base`;
  const [program = '', ...options] = startCommand;
  const start = startCommand.findIndex((part) => part.endsWith('pg_ctl'));
  const account = startCommand.slice(0, start);
  const tool = join(dirname(startCommand[start]!), 'pg_basebackup');
  const backup = [...account, tool, '-d', `${address}postgres`, '-D', copy, '-X', 'stream', '-c', 'fast'];
  const { status, stderr } = spawnSync(backup[0]!, backup.slice(1), { encoding: 'utf8', cwd: dirname(data) });
  assert.equal(status, 0, stderr);
  return async () => {
    const [id = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(id), 'SIGKILL');
    renameSync(data, `${data}-later`);
    renameSync(copy, data);
    writeFileSync(join(data, 'recovery.signal'), '');
    writeFileSync(join(data, 'postgresql.auto.conf'), `restore_command = 'false'\n`);
    // The processes of the killed server end by themselves; until then the port is not free.
    await until(
      () => spawnSync(program, options, { cwd: dirname(data), stdio: 'ignore' }).status === 0,
      'the server that was put back',
    );
  };
}

test('a base backup that is put back ends a running service within a minute', OPTIONS, async (t) => {
  const { server, home, address, service } = await openSite(t);
  const putBack = takeBaseBackup(server);
  await answered(home, 'company', 'create', 'Later');
  await tokenFor(home, 'Acme', 'verify');
  await putBack();
  const began = performance.now();
  const client = new pg.Client(address);
  await client.connect();
  // A standby answers questions before its recovery ends.
  const hasRecovered = async () =>
    (await client.query('select 1 where not pg_is_in_recovery()')).rowCount === 1;
  await until(hasRecovered, 'the end of the recovery');
  const { rows } = await client.query(`select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline`);
  await client.end();
  assert.deepEqual(rows, [{ timeline: '00000002' }]);
  await service.ended();
  t.diagnostic(`ended after ${Math.round((performance.now() - began) / 1000)} s`);
  assert.match(service.printed(), /put back to an earlier state while the service ran/);
  assert.match(await refused(home), /The service did not start\./);
  await answered(home, 'audit', 'accept');
  await startsAndStops(home);
});

test('rows that are put back with their total end a running service', OPTIONS, async (t) => {
  const { home, address, service } = await openSite(t);
  const client = new pg.Client(address);
  await client.connect();
  t.after(() => client.end());
  await client.query(`set session_replication_role = replica;
    create table former_token as select * from api_token;
    create table former_total as select * from row_total`);
  const listed = await answered(home, '--json', 'api-token', 'list', '--company', 'Acme');
  const [token] = JSON.parse(listed) as { id: number }[];
  await answered(home, 'api-token', 'revoke', String(token!.id), '--company', 'Acme');
  await client.query(`begin; delete from api_token; insert into api_token select * from former_token;
    delete from row_total; insert into row_total select * from former_total; commit`);
  await service.ended();
  assert.match(service.printed(), /Rows on the database server were put back/);
  assert.match(await refused(home), /row_total \(company_id 1\).*audit accept-rows/);
  const asked = await run(home, ['audit', 'accept-rows']);
  assert.equal(asked.code, EXIT.usage);
  assert.match(asked.stderr, /row_total \(company_id 1, put back\)[^]*Nothing was changed/);
  await answered(home, 'audit', 'accept-rows', '--yes');
  assert.match(await answered(home, 'audit', 'list', '--company', 'Acme'), /audit\.rowsAccepted/);
  await startsAndStops(home);
  assert.match((await run(home, ['audit', 'accept-rows', '--yes'])).stderr, /Nothing was changed/);
});
