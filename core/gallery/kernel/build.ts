/**
 * Compiles the kernel: `node core/gallery/kernel/build.ts`. The binaries are committed, so that the product needs no
 * compiler; a test compares them with what this makes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { KernelVariant } from './kernel.ts';

const FOLDER = import.meta.dirname;

const FEATURES = {
  relaxed: ['--enable', 'simd', '--enable', 'relaxed-simd', '--enable', 'threads'],
  plain: ['--enable', 'simd', '--enable', 'threads'],
};
const SHARED_MEMORY = [
  '--importMemory',
  '--sharedMemory',
  '--maximumMemory',
  '65536',
  '--initialMemory',
  '1',
];

/** Compiles the same source with the relaxed dot product of newer engines, or without. @throws {Error} the compiler's words. */
export function compileKernel(variant: KernelVariant): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'kernel-'));
  const outFile = join(folder, 'scan.wasm');
  try {
    const compiler = fileURLToPath(import.meta.resolve('assemblyscript/asc'));
    const bin = join(compiler, '..', '..', 'bin', 'asc.js');
    const options = ['-O3', '--noAssert', '--runtime', 'stub', ...SHARED_MEMORY, ...FEATURES[variant]];
    execFileSync(process.execPath, [bin, 'assembly/scan.ts', '--outFile', outFile, ...options], {
      cwd: FOLDER,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return readFileSync(outFile);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const variant of ['relaxed', 'plain'] as const)
    writeFileSync(join(FOLDER, `scan.${variant}.wasm`), compileKernel(variant));
