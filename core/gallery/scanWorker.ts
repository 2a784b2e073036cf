/** A thread that scans slabs for the gallery; it reads what the main thread writes and answers with candidate rows. */
import { parentPort } from 'node:worker_threads';
import { CandidateRows } from './candidates.ts';
import type { KernelVariant } from './kernel/kernel.ts';
import type { Shape } from './quantiser.ts';
import { Scanner, scanAll, type ScanProbe, type SegmentScan } from './scan.ts';

export type ToScanWorker =
  | {
      kind: 'slab';
      index: number;
      memory: WebAssembly.Memory;
      variant: KernelVariant;
      shape: Shape;
      thread: number;
    }
  | {
      kind: 'scan';
      id: number;
      probes: readonly ScanProbe[];
      limit: number;
      threshold: number;
      reach: number;
      segments: readonly (readonly [number, SegmentScan])[];
    };

export interface FromScanWorker {
  id: number;
  error?: string;
  /** The candidates of each probe; absent after an error. */
  found: FoundRows[];
}

export interface FoundRows {
  segments: Uint32Array;
  rows: Uint32Array;
  lower: Float32Array;
  upper: Float32Array;
}

const scanners = new Map<number, Scanner>();

parentPort?.on('message', (message: ToScanWorker) => {
  if (message.kind === 'slab') {
    const { index, memory, variant, shape, thread } = message;
    scanners.set(index, new Scanner(memory, variant, shape, thread));
  } else parentPort!.postMessage(answer(message));
});

function answer(task: Extract<ToScanWorker, { kind: 'scan' }>): FromScanWorker {
  const found = task.probes.map(() => new CandidateRows(task.limit, task.threshold, task.reach));
  try {
    scanAll(scanners, task.probes, task.segments, found);
  } catch (cause) {
    return { id: task.id, error: String(cause), found: [] };
  }
  return { id: task.id, found: found.map(rowsOf) };
}

function rowsOf({ segments, rows, lower, upper }: CandidateRows): FoundRows {
  return {
    segments: Uint32Array.from(segments),
    rows: Uint32Array.from(rows),
    lower: Float32Array.from(lower),
    upper: Float32Array.from(upper),
  };
}
