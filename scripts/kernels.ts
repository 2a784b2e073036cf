/**
 * Compiles the WebAssembly kernels: `npm run kernels`. The binaries are committed, so that the product needs no
 * compiler; a test compares them with what this makes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

interface KernelFile {
  /** Both relative to the project. */
  source: string;
  binary: string;
  options: readonly string[];
}

const THREADS = ['--enable', 'threads', '--sharedMemory', '--maximumMemory', '65536', '--initialMemory', '1'];
const gallery = { source: 'core/gallery/kernel/assembly/scan.ts' };

export const KERNELS: readonly KernelFile[] = [
  {
    ...gallery,
    binary: 'core/gallery/kernel/scan.relaxed.wasm',
    options: ['--enable', 'relaxed-simd', ...THREADS],
  },
  { ...gallery, binary: 'core/gallery/kernel/scan.plain.wasm', options: THREADS },
  { source: 'core/gallery/kernel/assembly/axes.ts', binary: 'core/gallery/kernel/axes.wasm', options: [] },
  {
    source: 'core/vision/kernel/assembly/sampling.ts',
    binary: 'core/vision/kernel/sampling.wasm',
    options: [],
  },
  {
    source: 'core/vision/signatures/kernel/assembly/likeness.ts',
    binary: 'core/vision/signatures/kernel/likeness.wasm',
    options: [],
  },
];

const PROJECT = join(import.meta.dirname, '..');

/** The path of a kernel's committed binary. */
export function pathOf({ binary }: KernelFile): string {
  return join(PROJECT, binary);
}

/** @throws {Error} the compiler's words. */
export function compile({ source, options }: KernelFile): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'kernel-'));
  const outFile = join(folder, 'kernel.wasm');
  try {
    const compiler = fileURLToPath(import.meta.resolve('assemblyscript/asc'));
    const bin = join(compiler, '..', '..', 'bin', 'asc.js');
    const shared = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--enable', 'simd'];
    execFileSync(process.execPath, [bin, source, '--outFile', outFile, ...shared, ...options], {
      cwd: PROJECT,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return readFileSync(outFile);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const kernel of KERNELS) writeFileSync(pathOf(kernel), compile(kernel));
