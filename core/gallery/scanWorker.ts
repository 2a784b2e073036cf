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
      probe: ScanProbe;
      limit: number;
      threshold: number;
      segments: readonly (readonly [number, SegmentScan])[];
    };

export interface FromScanWorker {
  id: number;
  error?: string;
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
  const found = new CandidateRows(task.limit, task.threshold);
  let error: string | undefined;
  try {
    scanAll(scanners, task.probe, task.segments, found);
  } catch (cause) {
    error = String(cause);
    found.count = 0;
  }
  return {
    id: task.id,
    ...(error === undefined ? {} : { error }),
    segments: found.segments.slice(0, found.count),
    rows: found.rows.slice(0, found.count),
    lower: found.lower.slice(0, found.count),
    upper: found.upper.slice(0, found.count),
  };
}
