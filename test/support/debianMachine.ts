/**
 * Machines of an example in a guide, all on this one: the commands of the guide run as they are, with the addresses of this
 * machine's loopback network and with folders of the test in place of `/etc`, `/srv` and `/var/lib`.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const PROJECT = join(import.meta.dirname, '..', '..');
const RESOURCES = '/usr/lib/vouch/app/resources';
/** Debian's account without rights, which stands for `postgres` and `etcd` where the test runs as root. */
const NOBODY = 65_534;
const IS_ROOT = process.getuid?.() === 0;

/** Programs of Debian that the example needs. */
const NEEDED = ['etcd', 'patroni', 'haproxy', 'openssl', 'psql'];
const PROGRAMS = `${process.env.PATH ?? ''}:/usr/sbin`;

/** The programs of the example that are not installed. */
export function missingPrograms(): string[] {
  return NEEDED.filter((name) => !PROGRAMS.split(':').some((folder) => existsSync(join(folder, name))));
}

/** Commands that stand for Debian's: a service starts in the background and belongs to its machine. */
const SHIMS = {
  'apt-get': 'exit 0',
  chown: IS_ROOT ? `exec /bin/chown ${NOBODY} "\${@:2}"` : 'exit 0',
  vouch: `exec "${process.execPath}" "${join(PROJECT, 'core', 'cli.ts')}" --home "$ROOT/var/lib/vouch" "$@"`,
  systemctl: `
    unit="\${@: -1}"
    case "$*" in disable*|'enable haproxy') exit 0 ;; esac
    start() { setsid "$@" >> "$ROOT/$unit.log" 2>&1 < /dev/null & echo $! > "$ROOT/$unit.pid"; }
    set -a
    case "$unit" in
      etcd) . "$ROOT/etc/default/etcd"; start ${IS_ROOT ? 'runuser -u nobody -- ' : ''}etcd ;;
      patroni) start ${IS_ROOT ? 'runuser -u nobody -- ' : ''}patroni "$ROOT/etc/patroni/config.yml" ;;
      haproxy) start haproxy -db -f "$ROOT/etc/haproxy/haproxy.cfg" ;;
      # As Restart=on-failure of the unit does.
      vouch) . "$ROOT/etc/default/vouch"; start bash -c 'until vouch serve; do sleep 2; done' ;;
    esac`,
};

/** A machine of the example. */
export interface Machine {
  /** Stands for `/` of the machine. */
  root: string;
  /** A path of the machine, as the guide writes it. */
  path(text: string): string;
  /** Runs commands of the guide. @throws {Error} one of them failed. @returns what they printed */
  run(commands: string, env?: Record<string, string>): Promise<string>;
  /** Sends a signal to every process of the machine: SIGKILL is a power cut, SIGSTOP a machine that hangs. */
  signal(name: NodeJS.Signals): void;
}

/** The machines of one example. All end with the test. */
export interface Machines {
  machine: (name: string) => Machine;
  /** Text of the guide with the addresses of this machine. */
  here: (text: string) => string;
}

export function debianMachines(t: TestContext): Machines {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-machines-'));
  chmodSync(folder, 0o755);
  const tools = join(folder, 'bin');
  mkdirSync(tools);
  for (const [name, script] of Object.entries(SHIMS))
    writeFileSync(join(tools, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  mkdirSync(join(folder, 'srv'));
  const made = new Map<string, Machine>();
  t.after(() => {
    for (const machine of made.values()) machine.signal('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const here = (text: string) => text.replaceAll('10.0.0.', '127.0.0.');
  const machine = (name: string) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const created = newMachine(join(folder, name), { tools, shared: join(folder, 'srv'), here });
    made.set(name, created);
    return created;
  };
  return { machine, here };
}

interface Surroundings {
  tools: string;
  /** Stands for the mounted folder of all machines. */
  shared: string;
  here: (text: string) => string;
}

function newMachine(root: string, { tools, shared, here }: Surroundings): Machine {
  for (const below of [
    'etc/default',
    'etc/patroni',
    'etc/haproxy',
    'etc/vouch',
    'var/lib/etcd',
    'var/lib/postgresql',
  ])
    mkdirSync(join(root, below), { recursive: true });
  mkdirSync(join(root, 'var/lib/vouch'), { mode: 0o700 });
  if (IS_ROOT)
    for (const own of ['etcd', 'postgresql']) chownSync(join(root, 'var/lib', own), NOBODY, NOBODY);
  const path = (text: string) =>
    here(text)
      .replaceAll(RESOURCES, join(root, 'resources'))
      .replaceAll(/(?<![\w/])\/(etc|var\/lib)\//g, `${root}/$1/`)
      .replaceAll('/srv/', `${shared}/`);
  cpSync(join(PROJECT, 'resources', 'cluster'), join(root, 'resources', 'cluster'), { recursive: true });
  const programs = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1) ?? '';
  for (const file of readdirSync(join(root, 'resources', 'cluster'))) {
    const target = join(root, 'resources', 'cluster', file);
    const text = path(readFileSync(target, 'utf8')).replace(/\/usr\/lib\/postgresql\/\d+\/bin/, programs);
    writeFileSync(target, text);
  }
  return {
    root,
    path,
    async run(commands, env = {}) {
      const shell = spawn('bash', ['-euc', path(commands)], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, PATH: `${tools}:${PROGRAMS}`, ROOT: root, ...env },
      });
      let printed = '';
      for (const output of [shell.stdout, shell.stderr])
        output.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      const [code] = (await once(shell, 'close')) as [number | null];
      assert.equal(code, 0, `${commands}\n${printed}`);
      return printed;
    },
    signal(name) {
      const wanted = STATE_AFTER[name];
      // Again for processes that others began meanwhile, and until the signal has taken effect.
      for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
        const left = processesOf(root).filter(({ state }) => state !== wanted);
        for (const { id } of left)
          try {
            process.kill(id, name);
          } catch {
            // It has ended with its parent.
          }
        if (left.length === 0 || wanted === undefined) return;
      }
      throw new Error(`Processes of ${root} go on after ${name}.`);
    },
  };
}

/** The state, as `ps` names it, that a signal leaves processes in; others need not take effect at once. */
const STATE_AFTER: Partial<Record<NodeJS.Signals, string>> = { SIGKILL: 'Z', SIGSTOP: 'T' };
const MAX_ROUNDS = 200;

/** The processes of the services of a machine: those that they started, and PostgreSQL, which leaves Patroni's session. */
function processesOf(root: string): { id: number; state: string }[] {
  const starts = [
    ...globSync(join(root, '*.pid')),
    ...globSync(join(root, 'var/lib/postgresql/vouch/postmaster.pid')),
  ];
  const ids = new Set(starts.map((file) => Number(readFileSync(file, 'utf8').split('\n')[0])));
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,sess=,stat='], { encoding: 'utf8' });
  const all = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([id, parent, session, state = '']) => ({
      id: Number(id),
      // A process outlives its parent in the session that the parent began.
      above: [Number(parent), Number(session)],
      state: state.charAt(0),
    }));
  for (let before = -1; before !== ids.size;) {
    before = ids.size;
    for (const { id, above } of all) if (above.some((one) => ids.has(one))) ids.add(id);
  }
  return all.filter(({ id }) => ids.has(id));
}
