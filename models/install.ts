/**
 * Makes the ONNX files of `models/` from the weights inside the installed packages. Runs after `npm install` and as
 * `npm run models`; needs no network and no development package. Every file must come out with the hash that
 * `manifest.json` pins, so what runs is what was measured. `--pin` rewrites the manifest instead: for a developer who
 * changes the conversion or takes a new version of a package.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { NET_NAMES, readManifest } from '../core/vision/nets/manifest.ts';
import type { ModelManifest, NetName } from '../core/vision/nets/manifest.ts';
import { CATALOGUE } from './catalogue.ts';

const { values: options } = parseArgs({
  options: {
    /** Where manifest.json is and the files go. */
    folder: { type: 'string', default: import.meta.dirname },
    pin: { type: 'boolean', default: false },
  },
});
const MODELS = options.folder;

interface SourceFile {
  path: string;
  content: Buffer;
  sha256: string;
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The folder of an installed package, wherever npm put it. */
function packageFolder(name: string): string {
  const { resolve } = createRequire(import.meta.url);
  for (const folder of resolve.paths(name) ?? []) {
    if (existsSync(join(folder, name, 'package.json'))) return join(folder, name);
  }
  throw new Error(`The package ${name} is not installed, and its weights are needed. Run npm install.`);
}

/** Nets whose package is too large to depend on. */
const VENDOR = join(import.meta.dirname, 'vendor');

async function readSource(net: NetName): Promise<SourceFile[]> {
  const { from } = CATALOGUE[net];
  const folder = from === 'vendor' ? VENDOR : packageFolder(from.package);
  return Promise.all(
    CATALOGUE[net].files.map(async (path) => {
      const content = await readFile(join(folder, path));
      return { path, content, sha256: sha256(content) };
    }),
  );
}

function convert(net: NetName, [description, weights]: readonly SourceFile[]): Uint8Array {
  return CATALOGUE[net].convert(description!.content.toString('utf8'), weights!.content);
}

/** Under another name first: a reader never sees half a file, and a crash leaves none behind under the right name. */
async function writeWhole(path: string, content: Uint8Array | string): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`;
  await writeFile(unfinished, content);
  await rename(unfinished, path);
}

async function isInstalled(path: string, hash: string): Promise<boolean> {
  return existsSync(path) && sha256(await readFile(path)) === hash;
}

async function install(net: NetName, pinned: ModelManifest['nets'][NetName]): Promise<boolean> {
  const path = join(MODELS, pinned.file);
  if (await isInstalled(path, pinned.sha256)) return false;
  const source = await readSource(net);
  for (const [i, { path: file, sha256: hash }] of source.entries()) {
    const { package: packageName, version, files, vendored } = pinned.source;
    if (hash === (vendored ?? files)[i]?.sha256) continue;
    throw new Error(
      vendored
        ? `models/vendor/${file} is not the file that ${pinned.file} was pinned from. Restore it.`
        : `${file} of ${packageName} is not the file that ${pinned.file} was pinned from (version ${version}). ` +
            'Install that version with npm ci.',
    );
  }
  const model = convert(net, source);
  if (sha256(model) !== pinned.sha256)
    throw new Error(`${pinned.file} came out with another hash than models/manifest.json pins.`);
  await writeWhole(path, model);
  return true;
}

/** The origin of a net in the manifest. */
async function describeSource(
  net: NetName,
  source: readonly SourceFile[],
): Promise<ModelManifest['nets'][NetName]['source']> {
  const { from, licence, origin } = CATALOGUE[net];
  const files = source.map(({ path, sha256: hash }) => ({ path, sha256: hash }));
  if (from === 'vendor') {
    const made = JSON.parse(source[0]!.content.toString('utf8')) as {
      package: string;
      version: string;
      files: typeof files;
    };
    const { package: packageName, version, files: originals } = made;
    return { package: packageName, version, files: originals, vendored: files, licence: licence!, origin };
  }
  const description = await readFile(join(packageFolder(from.package), 'package.json'), 'utf8');
  const { version, license } = JSON.parse(description) as { version: string; license: string };
  return { package: from.package, version, files, licence: license, origin };
}

/** Converts everything and writes down what came out. */
async function pin(): Promise<void> {
  const nets: Partial<ModelManifest['nets']> = {};
  for (const name of NET_NAMES) {
    const source = await readSource(name);
    const model = convert(name, source);
    const file = `${name}.onnx`;
    await writeWhole(join(MODELS, file), model);
    nets[name] = {
      file,
      sha256: sha256(model),
      source: await describeSource(name, source),
      input: CATALOGUE[name].input,
      outputs: CATALOGUE[name].outputs,
    };
  }
  await writeWhole(join(MODELS, 'manifest.json'), `${JSON.stringify({ nets }, null, 2)}\n`);
  console.log(`models: pinned ${NET_NAMES.join(', ')}`);
}

async function installAll(): Promise<void> {
  const manifest = await readManifest(MODELS);
  const made: string[] = [];
  for (const name of NET_NAMES) if (await install(name, manifest.nets[name])) made.push(name);
  console.log(made.length > 0 ? `models: converted ${made.join(', ')}` : 'models: all in place');
}

try {
  await (options.pin ? pin() : installAll());
} catch (error) {
  console.error(`models: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
