import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { instantiateOver } from '../../platform/webAssembly.ts';

/** @returns how many rows were reported. */
export type Scan = (job: number, first: number) => number;

/** The compiled loops over one memory; all take the address of a job (see job.ts) and the row to begin with. */
export interface Kernel {
  readonly scanCodes: Scan;
  readonly scanExact: Scan;
  /** Of every `heat` rows the most promising one; the others wait for `scanWeighed`. */
  readonly weighRows: (job: number, first: number, heat: number) => number;
  /** The rows that were weighed from row `first`, beginning at row `from`. */
  readonly scanWeighed: (job: number, first: number, from: number) => number;
  /** Lays out rows of the place of a sift for `siftRows`; 0: they must be scanned one by one. */
  readonly prepareRows: (sift: number, first: number, end: number) => number;
  /** Compares them with the probes from this one on. @returns how many rows were reported */
  readonly siftRows: (sift: number, first: number, end: number, from: number) => number;
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
  const scans = instantiateOver(module, memory, [
    'scanCodes',
    'scanExact',
    'weighRows',
    'scanWeighed',
    'prepareRows',
    'siftRows',
  ]);
  return { ...scans, queryBytes: QUERY_BYTES[variant] };
}

function binary(variant: KernelVariant): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(import.meta.dirname, `scan.${variant}.wasm`)));
}
