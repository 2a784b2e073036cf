/** The service's code as a package ships it: JavaScript of few files, so that no start strips types or resolves a thousand modules. */
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';

const CORE = join(import.meta.dirname, '..', '..', 'core');
/** Files that the code reads by their place: the kernels and the program that starts a worker. */
const READ = /\.(wasm|pl)$/;
/** Libraries of many modules that each start needs and that find no file by their own place. They are bundled with what they need. */
const BUNDLED = new Set([
  '@fastify/busboy',
  '@fastify/cookie',
  '@fastify/helmet',
  '@fastify/rate-limit',
  '@scure/base',
  'commander',
  'fastify',
  'fastify-type-provider-zod',
  'find-my-way',
  'kysely',
  'modern-tar',
  'pino',
  'zod',
]);
/** Fastify asks for them only where nothing else checks and writes answers: half a megabyte that each start would read. */
const UNUSED = new Set(['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']);
/** Of the product, read at each start: it has the version. */
const DESCRIPTION = '../package.json';
/** What `vouch --version` needs, and every command: it must not wait for what the service shares. */
const EVERY_COMMAND = /core[\\/]cli[\\/](run|terminal[\\/]standardOutput)\.ts$/;
/** Modules that as many parts need are one file. Of 2, 4, 8 and all, the service starts fastest with it. */
const SHARED_BY = 8;

/**
 * Writes `core/` to a folder: a bundle of its code, in which every program such as that of a worker is a file
 * `folder.name.js` beside `cli.js`, and the files that the code reads, where they were.
 */
export async function emitCore(target: string): Promise<void> {
  const bundle = await rolldown({
    input: { cli: join(CORE, 'cli.ts') },
    platform: 'node',
    makeAbsoluteExternalsRelative: false,
    external: (name, importer) => !isBundled(name, importer),
    plugins: [placesOfSources],
    checks: { ineffectiveDynamicImport: false },
  });
  await bundle.write({
    dir: target,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: {
      groups: [
        { name: 'command', test: EVERY_COMMAND, priority: 1 },
        { name: 'shared', minShareCount: SHARED_BY },
      ],
    },
  });
  await bundle.close();
  for (const entry of await readdir(CORE, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !READ.test(entry.name)) continue;
    const copy = join(target, file.slice(CORE.length));
    await mkdir(dirname(copy), { recursive: true });
    await copyFile(file, copy);
  }
}

/** @param importer undefined: the module is a program */
function isBundled(name: string, importer: string | undefined): boolean {
  if (name === DESCRIPTION || UNUSED.has(name)) return false;
  if (/^\.|^[/\\]|^\w:/.test(name)) return true;
  if (name.startsWith('node:')) return false;
  if (importer?.includes(`${sep}node_modules${sep}`) === true) return true;
  return BUNDLED.has(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '');
}

/** All files of the bundle are in one folder, and name the places of their sources from there. */
const placesOfSources: Plugin = {
  name: 'places-of-sources',
  transform(code, id) {
    if (!id.startsWith(CORE + sep)) return undefined;
    const folder = dirname(id);
    const below = relative(CORE, folder).replaceAll(sep, '/');
    return code
      .replace(/'[./]+\/package\.json'/, `'${DESCRIPTION}'`)
      .replace(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g, (_url, path: string) => {
        const program = resolve(folder, path);
        const fileName = relative(CORE, program).replaceAll(sep, '.').replace(/\.ts$/, '.js');
        if (program !== join(CORE, 'cli.ts')) this.emitFile({ type: 'chunk', id: program, fileName });
        return `new URL('./${fileName}', import.meta.url)`;
      })
      .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${below}')`);
  },
};
