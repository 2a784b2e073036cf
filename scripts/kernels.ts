/**
 * Compiles the WebAssembly kernels: `npm run kernels`. The binaries are committed, so that the product needs no
 * compiler; a test compares them with what this makes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface KernelFile {
  /** Both relative to the project. */
  source: string;
  binary: string;
  options: readonly string[];
}

const THREADS = ['--enable', 'threads', '--sharedMemory', '--maximumMemory', '65536', '--initialMemory', '1'];
/** The scans: without relaxed SIMD, with it, and for processors that add products of bytes in one instruction. */
const SCANS = [
  { variant: 'plain', options: ['--use', 'ADDS_BYTES=0'] },
  { variant: 'relaxed', options: ['--use', 'ADDS_BYTES=0', '--enable', 'relaxed-simd'] },
  { variant: 'adding', options: ['--use', 'ADDS_BYTES=1', '--enable', 'relaxed-simd'] },
];

export const KERNELS: readonly KernelFile[] = [
  ...SCANS.map(({ variant, options }) => ({
    source: 'core/gallery/kernel/assembly/scan.ts',
    binary: `core/gallery/kernel/scan.${variant}.wasm`,
    options: [...options, ...THREADS],
  })),
  { source: 'core/gallery/kernel/assembly/axes.ts', binary: 'core/gallery/kernel/axes.wasm', options: [] },
  {
    source: 'core/vision/kernel/assembly/sampling.ts',
    binary: 'core/vision/kernel/sampling.wasm',
    options: [],
  },
  {
    source: 'core/signatures/kernel/assembly/likeness.ts',
    binary: 'core/signatures/kernel/likeness.wasm',
    options: [],
  },
];

const PROJECT = join(import.meta.dirname, '..');
/** The name of the compiler's output; nothing is written. */
const OUTPUT = 'kernel.wasm';

/** The functions of the compiler that are used. */
interface Compiler {
  main(
    options: readonly string[],
    surroundings: {
      stderr: { write(text: string | Uint8Array): void };
      writeFile(name: string, contents: string | Uint8Array): void;
    },
  ): Promise<{ error: Error | null }>;
}

/** Without its own declarations: they redefine the language's arrays for the whole project. */
async function loadCompiler(): Promise<Compiler> {
  return ((await import(import.meta.resolve('assemblyscript/asc'))) as { default: Compiler }).default;
}

/** The path of a kernel's committed binary. */
export function pathOf({ binary }: KernelFile): string {
  return join(PROJECT, binary);
}

/** In this process: the compiler takes longer to load than to work. @throws {Error} the compiler's words. */
export async function compile({ source, options }: KernelFile): Promise<Uint8Array> {
  const shared = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--enable', 'simd'];
  let compiled: Uint8Array | undefined;
  let said = '';
  const compiler = await loadCompiler();
  const { error } = await compiler.main(
    [source, '--baseDir', PROJECT, '--outFile', OUTPUT, ...shared, ...options],
    {
      stderr: { write: (text) => (said += text.toString()) },
      writeFile(name, contents) {
        if (name === OUTPUT && typeof contents !== 'string') compiled = contents;
      },
    },
  );
  if (error !== null || compiled === undefined)
    throw new Error(`${source} cannot be compiled: ${said}`, { cause: error });
  return compiled;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const kernel of KERNELS) writeFileSync(pathOf(kernel), await compile(kernel));
