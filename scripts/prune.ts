/**
 * `node scripts/prune.ts`, after each installation: removes files of installed packages that nothing here reads, which are a
 * third of all. They come back with the next `npm ci`.
 */
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = join(import.meta.dirname, '..', 'node_modules');
const PLATFORM = `${process.platform}-${process.arch}`;

/** Of each package, the files that are not needed, and those among them that are. */
const UNREAD: readonly { files: string; keep?: RegExp }[] = [
  // Native parts of other platforms, and the sources of this one's.
  {
    files: 'onnxruntime-node/bin/*/*/*',
    keep: new RegExp(`[\\\\/]${process.platform}[\\\\/]${process.arch}$`),
  },
  { files: 'better-sqlite3-multiple-ciphers/prebuilds/*', keep: new RegExp(`[\\\\/]${PLATFORM}\\.node$`) },
  { files: 'better-sqlite3-multiple-ciphers/{deps,src}' },
  { files: 'usearch/prebuilds/*', keep: new RegExp(`[\\\\/]${PLATFORM}$`) },
  { files: 'usearch/{c,cmake,cpp,include,numkong}' },
  // Headers for native parts, which are never compiled here.
  { files: 'node/node_modules/node-*/include' },
  // OpenJPEG as JavaScript; its WebAssembly is used.
  { files: '@cornerstonejs/codec-openjpeg/dist/openjpegjs*' },
  // Programs; the compiler uses the library beside them.
  { files: 'binaryen/bin' },
  // The drawings of which the components of the other package are made.
  { files: '@tabler/icons/*', keep: /package\.json$/ },
];

for (const { files, keep } of UNREAD)
  for (const file of globSync(files, { cwd: PACKAGES }))
    if (keep?.test(file) !== true) rmSync(join(PACKAGES, file), { recursive: true });
