/** Lays a self-contained service out in a folder: `bin/vouch` in it runs on a machine that has nothing installed. */
import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { build, type Plugin } from 'vite';
import { ALLOCATOR, NODE_OPTIONS } from '../../core/platform/environment.ts';
import { emitCore } from './emit.ts';
import { packageOf, runtimePackages, type InstalledPackage } from './closure.ts';
import { readModels, shippedData, sha256File, softwareBill, writeLicences, writeSums } from './papers.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
/** As the native packages name it, e.g. linux-x64. */
export const PLATFORM = `${process.platform}-${process.arch}`;

export interface Commit {
  hash: string;
  /** Seconds since 1970: the only time that stands in a package. */
  epoch: number;
}

/** `bin/vouch` of a package. */
export const LAUNCHER = `#!/bin/sh
# Starts Vouch on the Node beside it, through however many links this file was called.
here=$(dirname "$(readlink -f "$0")")
# Variables that load code into a process are not passed on.
unset NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_COMPILE_CACHE LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT
export ${Object.entries(ALLOCATOR)
  .map(([name, value]) => `${name}=${value}`)
  .join(' ')}
exec "$here/node" ${NODE_OPTIONS.join(' ')} "$here/../app/core/cli.js" "$@"
`;

/** @param folder is emptied first. @returns the version that it holds */
export async function stageService(folder: string, commit: Commit): Promise<string> {
  const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const app = join(folder, 'app');
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'bin'), { recursive: true });
  const pages = await buildPages(join(app, 'dist', 'renderer'));
  const packages = runtimePackages(PROJECT);
  for (const one of packages) await copyPackage(one, app);
  await emitCore(join(app, 'core'));
  await copyModels(join(app, 'models'));
  await cp(join(PROJECT, 'resources'), join(app, 'resources'), { recursive: true });
  await cp(join(PROJECT, 'docs'), join(folder, 'docs'), {
    recursive: true,
    filter: (source) => basename(source) !== 'screens',
  });
  await writeFile(
    join(app, 'package.json'),
    `${JSON.stringify({ name: 'vouch', version, type: 'module' })}\n`,
  );
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md'])
    await copyFile(join(PROJECT, file), join(folder, file));
  const node = await copyNode(join(folder, 'bin'));
  await writeFile(join(folder, 'bin', 'vouch'), LAUNCHER);
  await chmod(join(folder, 'bin', 'vouch'), 0o755);

  const shipped = distinct([node, ...packages, ...pages]);
  const models = await readModels(PROJECT);
  await writeLicences(join(folder, 'licences'), shipped, [...models, ...shippedData(PROJECT)]);
  const bill = softwareBill({ version, ...commit, commit: commit.hash, packages: shipped, models });
  await writeFile(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  await writeSums(folder);
  return version;
}

/** Builds the dashboard. @returns the packages whose code or files are in it */
async function buildPages(outDir: string): Promise<InstalledPackage[]> {
  const files = new Set<string>();
  const collector: Plugin = {
    name: 'collect-packages',
    generateBundle() {
      for (const id of this.getModuleIds()) files.add(id.split('?')[0]!.replace(/^\0/, ''));
    },
  };
  await build({
    configFile: join(PROJECT, 'renderer', 'vite.config.ts'),
    logLevel: 'warn',
    plugins: [collector],
    build: { outDir, emptyOutDir: true },
  });
  return [...files].flatMap((file) => packageOf(file, PROJECT) ?? []);
}

/** The networks, each with the hash that the manifest names. */
async function copyModels(target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  await copyFile(join(PROJECT, 'models', 'manifest.json'), join(target, 'manifest.json'));
  for (const { file, sha256 } of await readModels(PROJECT)) {
    const source = join(PROJECT, 'models', file);
    if (!existsSync(source) || (await sha256File(source)) !== sha256)
      throw new Error(`The network ${file} is missing or another one: run npm run models.`);
    await copyFile(source, join(target, file));
  }
}

/** Not needed to run: types, sources of sources, tests and papers (licences are gathered elsewhere). */
const LEFT_OUT_EXTENSIONS = new Set([
  '.ts',
  '.mts',
  '.cts',
  '.map',
  '.md',
  '.markdown',
  '.flow',
  '.c',
  '.cc',
  '.cpp',
  '.h',
  '.gyp',
]);
const LEFT_OUT_FOLDERS = new Set([
  'test',
  'tests',
  '__tests__',
  'docs',
  'doc',
  'example',
  'examples',
  'benchmark',
  'benchmarks',
  '.github',
  'coverage',
]);

/** Of the packages with native parts: which of their files belong to this platform. */
const OF_THIS_PLATFORM: Record<string, (path: string) => boolean> = {
  'onnxruntime-node': (path) =>
    !path.startsWith('bin/napi-v6/') || path.startsWith(`bin/napi-v6/${process.platform}/${process.arch}/`),
  'better-sqlite3-multiple-ciphers': (path) =>
    !/^(deps|src)\//.test(path) && (!path.startsWith('prebuilds/') || path === `prebuilds/${PLATFORM}.node`),
};

async function copyPackage({ name, folder }: InstalledPackage, app: string): Promise<void> {
  const target = join(app, relative(PROJECT, folder));
  const belongs = OF_THIS_PLATFORM[name] ?? (() => true);
  const copyBelow = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        // Packages inside a package are shipped on their own account, where they are needed.
        if (entry.name === 'node_modules' || (below === '' && LEFT_OUT_FOLDERS.has(entry.name))) continue;
        await copyBelow(path);
      } else if (!LEFT_OUT_EXTENSIONS.has(extname(entry.name)) && belongs(path)) {
        await mkdir(join(target, below), { recursive: true });
        await copyFile(join(folder, path), join(target, path));
      }
    }
  };
  await copyBelow('');
}

/** The Node binary that npm brought. @returns the package that it comes from, with its licence */
async function copyNode(target: string): Promise<InstalledPackage> {
  const name = `node-${PLATFORM}`;
  const folder = join(PROJECT, 'node_modules', 'node', 'node_modules', name);
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  await copyFile(join(folder, 'bin', binary), join(target, binary));
  await chmod(join(target, binary), 0o755);
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { name: 'node', version, licence: 'MIT', author: 'Node.js contributors', folder };
}

function distinct(packages: readonly InstalledPackage[]): InstalledPackage[] {
  const byName = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byName.keys()].sort().map((key) => byName.get(key)!);
}
