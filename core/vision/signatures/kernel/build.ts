/**
 * Compiles the kernel: `node core/vision/signatures/kernel/build.ts`. The binary is committed, so that the product needs
 * no compiler; a test compares it with what this makes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MOST_PAGES } from './likeness.ts';

const FOLDER = import.meta.dirname;
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--enable', 'threads'];
const MEMORY = [
  '--importMemory',
  '--sharedMemory',
  '--initialMemory',
  '1',
  '--maximumMemory',
  `${MOST_PAGES}`,
];

/** @throws {Error} the compiler's words. */
export function compileKernel(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'kernel-'));
  const outFile = join(folder, 'likeness.wasm');
  try {
    const compiler = fileURLToPath(import.meta.resolve('assemblyscript/asc'));
    const bin = join(compiler, '..', '..', 'bin', 'asc.js');
    execFileSync(
      process.execPath,
      [bin, 'assembly/likeness.ts', '--outFile', outFile, ...OPTIONS, ...MEMORY],
      {
        cwd: FOLDER,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    return readFileSync(outFile);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(join(FOLDER, 'likeness.wasm'), compileKernel());
