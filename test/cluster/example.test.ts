/**
 * The commands of docs/guides/cluster-example.md, with Patroni, etcd and HAProxy of Debian: the primary server fails while two
 * programs enrol. Without these packages it is skipped: `apt-get install etcd-server haproxy openssl patroni postgresql`.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT } from '../../core/cli/terminal/output.ts';
import type { PipelineId } from '../../core/contracts/ids.ts';
import { debianMachines, missingPrograms, type Machine } from '../support/debianMachine.ts';
import { PORTRAITS, portrait } from '../support/facePhotos.ts';
import { readLedger } from '../support/ledger.ts';
import { freePort } from '../support/network.ts';
import { seededRandom } from '../support/seed.ts';
import { run, tokenFor } from '../support/serviceProcess.ts';
import { until } from '../support/until.ts';

const GUIDE = readFileSync(
  join(import.meta.dirname, '..', '..', 'docs', 'guides', 'cluster-example.md'),
  'utf8',
);
const COMPANY = 'Acme';
/** Photos of each of two programs. */
const PHOTOS = 60;
const SERVERS = ['db1', 'db2', 'db3'];
/** For psql, as the administrator of the database servers. */
const administrator = { PGPASSWORD: 'patroni-password' };
const ok = () => true;
const failed = () => false;
const MISSING = missingPrograms();
const OPTIONS = {
  skip: MISSING.length > 0 && `needs ${MISSING.join(', ')}`,
  timeout: 900_000,
};

/** The commands below a heading of the guide. */
function commandsOf(heading: string): string[] {
  const section = GUIDE.split(/^## /m).find((text) => text.startsWith(heading));
  assert.ok(section !== undefined, heading);
  return [...section.matchAll(/```(?:sh|sql)\n(.*?)```/gs)].map(([, text = '']) => text);
}

/** Code that lets a program find the load balancer by the name that the guide gives it. */
const nameServer = (address: string) => `import dns from 'node:dns';
  const { lookup } = dns;
  dns.lookup = (host, ...rest) => lookup(host === 'vouch.site.lan' ? '${address}' : host, ...rest);`;

interface Member {
  Member: string;
  Role: string;
  State: string;
  /** The timeline; each takeover begins one. */
  TL: number;
}

/** The database servers as Patroni lists them. */
async function members(machine: Machine): Promise<Member[]> {
  const text = await machine.run('patronictl -c /etc/patroni/config.yml list -f json 2>/dev/null');
  return JSON.parse(text) as Member[];
}

async function leaderOf(machine: Machine): Promise<string | undefined> {
  const list = await members(machine);
  const isComplete = list.some(({ Role }) => Role === 'Sync Standby');
  return isComplete
    ? list.find(({ Role, State }) => Role === 'Leader' && State === 'running')?.Member
    : undefined;
}

test('the example of the guide works, and loses no photo when its servers fail', OPTIONS, async (t) => {
  const { machine, here } = debianMachines(t);
  const office = machine('office');
  await office.run(commandsOf('1.')[0]!);
  const give = (name: string, ...files: string[]) => {
    for (const file of files)
      copyFileSync(join(office.root, 'etc/vouch', file), join(machine(name).root, 'etc/vouch', file));
  };
  for (const [index, name] of SERVERS.entries()) {
    give(name, 'ca.pem', 'database.pem', 'database.key');
    const env = { NAME: name, ADDRESS: here(`10.0.0.1${index + 1}`), PASSWORD: 'patroni-password' };
    await machine(name).run(commandsOf('2.')[0]!, env);
  }
  const first = machine('db1');
  const leads = async (by: Machine, not?: string) => {
    let leader: string | undefined;
    const found = async () =>
      (leader = await leaderOf(by).catch(() => undefined)) !== undefined && leader !== not;
    await until(found, 'a leader with a synchronous standby');
    return leader!;
  };
  await leads(first);

  const balancer = machine('balancer');
  give('balancer', 'ca.pem');
  await balancer.run(commandsOf('3.')[0]!);
  writeFileSync(join(office.root, 'roles.sql'), commandsOf('4.')[0]!);
  const psql = /`(psql "[^`]*")`/.exec(GUIDE)?.[1] ?? '';
  // Until its first checks, HAProxy sends connections to standbys too.
  const primary = `${psql} -c 'select 1 / (not pg_is_in_recovery())::int'`;
  const asked = `for time in 1 2 3 4 5 6; do ${primary}; done`;
  await until(
    () => office.run(asked, administrator).then(ok, failed),
    'the database behind the load balancer',
  );
  await office.run(`${psql} -v ON_ERROR_STOP=1 -f roles.sql`, administrator);

  const [prepare = '', serve = ''] = commandsOf('5.');
  const [serveVision = ''] = commandsOf('6.');
  const api1 = machine('api1');
  for (const name of ['api1', 'api2', 'vision1', 'vision2']) {
    give(name, 'ca.pem', 'services.pem', 'services.key');
    const settings = `VOUCH_WORKERS=1\nVOUCH_PORT=${await freePort()}\n`;
    writeFileSync(join(machine(name).root, 'etc/default/vouch'), settings);
  }
  await api1.run(prepare);
  await api1.run(serve);
  for (const name of ['api2', 'vision1', 'vision2']) {
    for (const file of ['store.key', 'database.url']) {
      const from = readFileSync(join(api1.root, 'var/lib/vouch', file), 'utf8');
      // The test has a folder for each machine, so the certificate is at another path.
      writeFileSync(
        join(machine(name).root, 'var/lib/vouch', file),
        from.replaceAll(api1.root, machine(name).root),
        {
          mode: 0o600,
        },
      );
    }
    await machine(name).run(name === 'api2' ? serve.replace('10.0.0.21', '10.0.0.22') : serveVision);
  }

  const home = join(api1.root, 'var/lib/vouch');
  const address = 'https://vouch.site.lan:4611';
  const balancerAddress = here('10.0.0.10');
  const client = {
    NODE_EXTRA_CA_CERTS: join(office.root, 'etc/vouch/ca.pem'),
    NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(nameServer(balancerAddress))}"`,
  };
  const ready = `curl --fail --silent --cacert /etc/vouch/ca.pem --resolve vouch.site.lan:4611:${balancerAddress}`;
  const isReady = () => office.run(`${ready} ${address}/health/ready`).then(ok, failed);
  await until(isReady, 'a ready service');
  const created = await run(home, ['company', 'create', COMPANY]);
  assert.equal(created.code, 0, created.stderr);
  const token = await tokenFor(home, COMPANY, 'enroll');
  const status = JSON.parse((await run(home, ['--json', 'status'])).stdout) as { pipelineId: PipelineId };

  const expected: string[] = [];
  const folders = await Promise.all(
    [0, 1].map(async (program) => {
      const photos = join(office.root, `photos ${program}`);
      mkdirSync(photos);
      for (let index = 0; index < PHOTOS; index += 1) {
        expected.push(`photo ${program} ${index}`);
        const image = await portrait(index % PORTRAITS, index + program * PHOTOS);
        writeFileSync(join(photos, `photo ${program} ${index}.jpg`), image);
      }
      return photos;
    }),
  );
  const enrolled = folders.map(async (photos) => {
    let result;
    do {
      result = await run(
        join(office.root, 'var/lib/vouch'),
        ['enroll', photos, '--batch', '3', '--address', address],
        {
          ...client,
          VOUCH_TOKEN: token,
        },
      );
    } while (result.code === EXIT.unreachable);
    return result;
  });

  const random = seededRandom(t);
  const fail = async (signal: NodeJS.Signals) => {
    await sleep(1_000 + random() * 3_000);
    const observer = machine(SERVERS.find((name) => !down.has(name))!);
    const leader = await leads(observer);
    down.add(leader);
    const began = performance.now();
    machine(leader).signal(signal);
    const next = await leads(machine(SERVERS.find((name) => name !== leader)!), leader);
    await until(isReady, 'a ready service');
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    t.diagnostic(`${signal} of ${leader}: ${next} led and services were ready after ${seconds} s`);
    return { leader, next };
  };
  const down = new Set<string>();
  const cut = await fail('SIGKILL');
  await machine(cut.leader).run('systemctl enable --now etcd; systemctl enable --now patroni');
  await until(
    async () =>
      (await members(first).catch(() => [])).filter(({ State }) => /running|streaming/.test(State)).length ===
      3,
    'three database servers',
  );
  down.clear();
  const hung = await fail('SIGSTOP');
  machine(hung.leader).signal('SIGCONT');
  // A server that takes the lock back loses what its successor acknowledged meanwhile.
  const isStandby = async () => {
    const list = await members(machine(hung.next)).catch(() => []);
    assert.notEqual(list.find(({ Role }) => Role === 'Leader')?.Member, hung.leader, 'the successor leads');
    return list.some(
      ({ Member, TL, State }) => Member === hung.leader && TL === 3 && /running|streaming/.test(State),
    );
  };
  await until(isStandby, 'the server that hung as a standby of its successor');

  for (const { code, stdout, stderr } of await Promise.all(enrolled))
    assert.equal(code, 0, `${stdout}\n${stderr}`);
  // `vouch doctor` fails until a standby is a synchronous one again.
  await until(async () => {
    const looked = await api1.run(commandsOf('7.')[0]!).catch(() => '');
    return looked.match(/running/g)?.length === 4;
  }, 'four services that report, and a database without a fault');
  for (const name of ['api1', 'api2', 'vision1', 'vision2']) machine(name).signal('SIGKILL');
  const ledger = await readLedger(home, COMPANY, status.pipelineId);
  assert.deepEqual(ledger.validations.toSorted(), expected.toSorted(), 'each photo once');
  const count = expected.length;
  assert.deepEqual(
    { ...ledger, validations: undefined },
    { validations: undefined, faces: count, files: count, readable: count, waiting: 0 },
  );
});
