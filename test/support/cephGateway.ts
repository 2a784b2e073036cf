/** The S3 gateway of a Ceph cluster that is thrown away after its use. Needs Debian's packages; runs as root. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './network.ts';
import { until } from './until.ts';

/** The only account of the gateway. */
export const ACCOUNT = { accessKeyId: 'TEST', secretAccessKey: 'secret-of-the-test' };
/** Longest time of one command, milliseconds. */
const COMMAND_TIME = 60_000;
/** Time for a daemon to end by itself, milliseconds. */
const END_TIME = 3000;
/** Characters of a log that an error shows. */
const SHOWN = 2000;

export interface CephGateway {
  /** `http://127.0.0.1:PORT` */
  endpoint: string;
  /** The command that administers it; the subcommand follows. */
  admin: string[];
  version: string;
  /** Ends all daemons and deletes their files. */
  stop(): Promise<void>;
}

/**
 * Starts a monitor, one object store in memory and the gateway, all on this machine's loopback. No manager runs: nothing here
 * needs its statistics.
 * @throws {Error} a package is missing, or a daemon did not start; with the end of its log
 */
export async function startCephGateway(): Promise<CephGateway> {
  const { error, stdout } = spawnSync('radosgw', ['--version'], { encoding: 'utf8' });
  const version = error === undefined ? /version (\S+)/.exec(stdout) : null;
  if (version === null || process.getuid?.() !== 0)
    throw new Error(
      'Run it as root, with Debian’s packages: apt-get install --no-install-recommends radosgw ceph-mon ceph-osd',
    );
  const folder = mkdtempSync(join(tmpdir(), 'vouch-ceph-'));
  const daemons: ChildProcess[] = [];
  const stop = async () => {
    for (const daemon of daemons.toReversed()) {
      if (daemon.exitCode !== null || daemon.signalCode !== null) continue;
      const ended = once(daemon, 'close');
      daemon.kill();
      await Promise.race([ended, sleep(END_TIME, undefined, { ref: false })]);
      daemon.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await startDaemons(folder, daemons)), version: version[1]!, stop };
  } catch (cause) {
    const logs = ['mon.a', 'osd.0', 'client.admin'].map((name) => join(folder, `${name}.log`));
    const ends = logs.filter((log) => existsSync(log)).map((log) => readFileSync(log, 'utf8').slice(-SHOWN));
    await stop();
    throw new Error(`Ceph did not start.\n${ends.join('\n\n')}`, { cause });
  }
}

async function startDaemons(
  folder: string,
  daemons: ChildProcess[],
): Promise<Pick<CephGateway, 'endpoint' | 'admin'>> {
  const [monitor, port, cluster, store] = [await freePort(), await freePort(), randomUUID(), randomUUID()];
  const [conf, keyring, map] = ['ceph.conf', 'keyring', 'monmap'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const name of ['mon', 'osd', 'rgw']) mkdirSync(join(folder, name));
  writeFileSync(conf, configuration({ folder, cluster, monitor, port }));
  const run = (program: string, ...options: string[]) => {
    const { status, stderr } = spawnSync(program, options, { encoding: 'utf8', timeout: COMMAND_TIME });
    if (status !== 0) throw new Error(`${program} ${options.join(' ')} ended with ${status}: ${stderr}`);
  };
  const start = (program: string, ...options: string[]) => {
    daemons.push(spawn(program, ['-c', conf, '-f', ...options], { stdio: 'ignore' }));
  };
  run('monmaptool', '--create', '--fsid', cluster, '--addv', 'a', `[v2:127.0.0.1:${monitor}]`, map);
  for (const [index, name] of ['mon.', 'client.admin', 'osd.0'].entries()) {
    const rights = name === 'mon.' ? [] : ['--cap', 'osd', 'allow *'];
    const create = index === 0 ? ['-C'] : [];
    run('ceph-authtool', ...create, keyring, '-g', '-n', name, '--cap', 'mon', 'allow *', ...rights);
  }
  run('ceph-mon', '-c', conf, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring);
  start('ceph-mon', '-i', 'a');
  run('ceph', '-c', conf, 'osd', 'new', store);
  run('ceph-osd', '-c', conf, '-i', '0', '--mkfs', '--osd-uuid', store);
  start('ceph-osd', '-i', '0');
  await until(() => {
    const asked = ['-c', conf, 'osd', 'stat'];
    return spawnSync('ceph', asked, { encoding: 'utf8', timeout: COMMAND_TIME }).stdout.includes(' 1 up');
  }, 'the object store of Ceph');
  const admin = ['radosgw-admin', '-c', conf];
  const { accessKeyId, secretAccessKey } = ACCOUNT;
  const keys = ['--access-key', accessKeyId, '--secret-key', secretAccessKey];
  run(admin[0]!, ...admin.slice(1), 'user', 'create', '--uid=test', '--display-name=test', ...keys);
  start('radosgw', '-n', 'client.admin', '--keyring', keyring);
  const endpoint = `http://127.0.0.1:${port}`;
  await until(
    () =>
      fetch(endpoint).then(
        ({ ok }) => ok,
        () => false,
      ),
    'the gateway of Ceph',
  );
  return { endpoint, admin };
}

/** One copy of everything; a listing has two entries a page, and the quota is looked up for each object. */
function configuration(of: { folder: string; cluster: string; monitor: number; port: number }): string {
  return `[global]
fsid = ${of.cluster}
mon host = v2:127.0.0.1:${of.monitor}
public network = 127.0.0.0/8
cluster network = 127.0.0.0/8
keyring = ${join(of.folder, 'keyring')}
run dir = ${of.folder}
crash dir = ${of.folder}
admin socket =
log file = ${of.folder}/$name.log
mon data = ${join(of.folder, 'mon')}
osd data = ${join(of.folder, 'osd')}
osd objectstore = memstore
memstore device bytes = 1073741824
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon max pg per osd = 1000
rgw frontends = beast endpoint=127.0.0.1:${of.port}
rgw data = ${join(of.folder, 'rgw')}
rgw max listing results = 2
rgw bucket quota ttl = 0
`;
}
