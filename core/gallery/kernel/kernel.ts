import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @returns how many rows were reported. */
type Scan = (job: number, first: number) => number;

/** The compiled scans over one memory; both take the address of a job (see job.ts) and the row to begin with. */
export interface Kernel {
  readonly scanCodes: Scan;
  readonly scanExact: Scan;
  /** How the query's codes are laid out in memory: one byte each, or two. */
  readonly queryBytes: 1 | 2;
}

export type KernelVariant = 'relaxed' | 'plain';

const QUERY_BYTES = { relaxed: 1, plain: 2 } as const;
const modules = new Map<KernelVariant, WebAssembly.Module>();

/** The faster variant that this engine can run: the same results to the last bit. */
export function bestVariant(): KernelVariant {
  return WebAssembly.validate(binary('relaxed')) ? 'relaxed' : 'plain';
}

export function instantiate(memory: WebAssembly.Memory, variant: KernelVariant): Kernel {
  let module = modules.get(variant);
  if (module === undefined) {
    module = new WebAssembly.Module(binary(variant));
    modules.set(variant, module);
  }
  const { scanCodes, scanExact } = new WebAssembly.Instance(module, { env: { memory } }).exports;
  if (!isScan(scanCodes) || !isScan(scanExact))
    throw new Error(`The ${variant} kernel lacks a function that it should export: build it again.`);
  return { scanCodes, scanExact, queryBytes: QUERY_BYTES[variant] };
}

function isScan(value: unknown): value is Scan {
  return typeof value === 'function';
}

function binary(variant: KernelVariant): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(import.meta.dirname, `scan.${variant}.wasm`)));
}
