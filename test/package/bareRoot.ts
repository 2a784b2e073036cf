import { spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
  existsSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

const GUIDES = join(import.meta.dirname, '../../docs/guides');

/** The programs that a page's commands need in addition to Vouch. */
const TOOLS = [
  'sh',
  'mkdir',
  'tar',
  'gzip',
  'ln',
  'ls',
  'readlink',
  'dirname',
  'grep',
  'sleep',
  'rm',
  'cat',
  'sha256sum',
  'date',
  'timeout',
];
/** An unprivileged account. */
const OPERATOR = '12345:12345';

/** The `sh` blocks of a guide in their order; `kind` is what stands behind `sh`. */
export function shellBlocks(page: string): { kind: string; text: string }[] {
  const text = readFileSync(join(GUIDES, page), 'utf8');
  return [...text.matchAll(/^```sh ?(\w*)\n([\s\S]*?)^```$/gm)].map(([, kind = '', block = '']) => ({
    kind,
    text: block,
  }));
}

/** A tree with a C library and a few tools, without Node, npm, packages or a network. */
export class BareRoot {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @param staged the service, whose libraries the tree must have. @returns undefined, and the test skipped, where it cannot be made */
  static make(
    t: TestContext,
    folder: string,
    staged: string,
    tools: readonly string[] = [],
  ): BareRoot | undefined {
    if (process.platform !== 'linux' || spawnSync('unshare', ['-rn', 'true']).status !== 0) {
      t.skip('a tree of its own without a network needs Linux and the right to unshare');
      return undefined;
    }
    const root = new BareRoot(folder);
    for (const below of [
      'tmp',
      'proc',
      'dev',
      'etc',
      'usr/bin',
      'usr/sbin',
      'usr/lib',
      'home/operator',
      'var/lib',
      'var/log',
    ])
      mkdirSync(join(folder, below), { recursive: true });
    symlinkSync('usr/bin', join(folder, 'bin'));
    symlinkSync('usr/sbin', join(folder, 'sbin'));
    chmodSync(join(folder, 'tmp'), 0o1777);
    writeFileSync(join(folder, 'dev', 'null'), '');
    chmodSync(join(folder, 'dev', 'null'), 0o666);
    writeFileSync(join(folder, 'proc', 'cpuinfo'), readFileSync('/proc/cpuinfo'));
    writeFileSync(
      join(folder, 'etc', 'passwd'),
      'root:x:0:0:root:/:/bin/sh\noperator:x:12345:12345::/home/operator:/bin/sh\n',
    );
    writeFileSync(join(folder, 'etc', 'group'), 'root:x:0:\noperator:x:12345:\n');
    for (const tool of [...TOOLS, ...tools]) root.#install(which(tool), join('usr/bin', tool));
    for (const native of nativeFiles(staged)) root.#libraries(native);
    root.give(join(folder, 'home', 'operator'));
    return root;
  }

  /** As an installed Debian looks to a package: dpkg's own state, what the package depends on, sudo and systemd. */
  beDebian(): void {
    const dpkg = join(this.folder, 'var/lib/dpkg');
    for (const below of ['var/lib/dpkg/info', 'var/lib/dpkg/updates', 'var/lib/dpkg/triggers'])
      mkdirSync(join(this.folder, below), { recursive: true });
    for (const below of ['usr/share', 'root', 'run/systemd/system'])
      mkdirSync(join(this.folder, below), { recursive: true });
    const { stdout } = spawnSync('dpkg', ['--print-architecture'], { encoding: 'utf8' });
    const installed = ['libc6', 'libstdc++6', 'libgcc-s1', 'passwd'].map(
      (name) =>
        `Package: ${name}\nStatus: install ok installed\nMaintainer: nobody\nArchitecture: ${stdout.trim()}\nVersion: 99\nDescription: of the tree\n`,
    );
    writeFileSync(join(dpkg, 'status'), installed.join('\n'));
    writeFileSync(join(dpkg, 'available'), '');
    for (const file of ['shadow', 'gshadow', 'login.defs', 'nsswitch.conf'])
      writeFileSync(join(this.folder, 'etc', file), '');
    for (const name of ['sudo', 'systemctl']) {
      const target = join(this.folder, 'usr/bin', name);
      cpSync(join(import.meta.dirname, 'tree', name), target);
      chmodSync(target, 0o755);
    }
  }

  /** Hands a folder to the operator of the tree. */
  give(folder: string): void {
    if (process.getuid?.() !== 0) return;
    chownSync(folder, 12345, 12345);
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      chownSync(join(folder, name), 12345, 12345);
  }

  /**
   * Runs a shell program in the tree, with an empty environment and no network but its own loopback. What it leaves
   * running ends with it.
   */
  run(program: string, who: 'operator' | 'root' = 'operator'): { status: number | null; output: string } {
    const isRoot = process.getuid?.() === 0;
    const enter = isRoot && who === 'operator' ? `--userspec=${OPERATOR}` : '';
    const inside = `ip link set lo up; exec chroot ${enter} "$0" /bin/sh -c "$1" 2>&1`;
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      [isRoot ? '-npf' : '-rnpf', '--kill-child', 'sh', '-c', inside, this.folder, program],
      {
        encoding: 'utf8',
        maxBuffer: 1 << 26,
        env: {
          HOME: who === 'root' ? '/root' : '/home/operator',
          PATH: '/usr/bin:/usr/sbin:/bin:/sbin',
        },
      },
    );
    return { status, output: stdout + stderr };
  }

  #install(source: string, target: string): void {
    const file = join(this.folder, target);
    if (existsSync(file)) return;
    cpSync(realpathSync(source), file);
    chmodSync(file, 0o755);
    this.#libraries(source);
  }

  /** The shared libraries of a program, where it looks for them. */
  #libraries(file: string): void {
    const { stdout } = spawnSync('ldd', [file], { encoding: 'utf8' });
    for (const [, library] of stdout.matchAll(/(\/[^\s:]+) \(0x/g)) {
      if (library === undefined || library.includes('node_modules')) continue;
      const target = join(this.folder, library);
      if (existsSync(target)) continue;
      mkdirSync(dirname(target), { recursive: true });
      cpSync(realpathSync(library), target);
    }
  }
}

function which(tool: string): string {
  for (const folder of ['/usr/bin', '/bin', '/usr/sbin', '/sbin'])
    if (existsSync(join(folder, tool))) return join(folder, tool);
  throw new Error(`This machine has no ${basename(tool)}.`);
}

function nativeFiles(staged: string): string[] {
  return readdirSync(staged, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(node|so(\.\d+)*)$/.test(file) || file === join('bin', 'node'))
    .map((file) => join(staged, file));
}
