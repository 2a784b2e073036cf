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
  /** Exact squared distances of the rows whose addresses are listed. */
  readonly measureRows: (probe: number, rows: number, count: number, stride: number, squares: number) => void;
  /** How the query's codes are laid out in memory: one byte each, or two. */
  readonly queryBytes: 1 | 2;
  /** The sums of `siftRows`. */
  readonly sumBits: 16 | 32;
}

export type KernelVariant = 'adding' | 'relaxed' | 'plain';

const QUERY_BYTES = { adding: 1, relaxed: 1, plain: 2 } as const;
/** A query, a code that no row has, and four of their products: see `sumOfBytes`. */
const [QUERY, CODE] = [-128, 255];
const modules = new Map<KernelVariant, WebAssembly.Module>();

/** The fastest variant that this engine and processor can run: all give the same results to the last bit. */
export function bestVariant(): KernelVariant {
  if (!WebAssembly.validate(binary('relaxed'))) return 'plain';
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const { sumOfBytes } = instantiateOver(moduleOf('adding'), memory, ['sumOfBytes']);
  return sumOfBytes(QUERY, CODE) === 4 * QUERY * CODE ? 'adding' : 'relaxed';
}

export function instantiate(memory: WebAssembly.Memory, variant: KernelVariant): Kernel {
  const scans = instantiateOver(moduleOf(variant), memory, [
    'scanCodes',
    'scanExact',
    'measureRows',
    'weighRows',
    'scanWeighed',
    'prepareRows',
    'siftRows',
  ]);
  return { ...scans, queryBytes: QUERY_BYTES[variant], sumBits: variant === 'adding' ? 32 : 16 };
}

function moduleOf(variant: KernelVariant): WebAssembly.Module {
  let module = modules.get(variant);
  if (module === undefined) {
    module = new WebAssembly.Module(binary(variant));
    modules.set(variant, module);
  }
  return module;
}

function binary(variant: KernelVariant): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(import.meta.dirname, `scan.${variant}.wasm`)));
}
