import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { ErasureResidue } from '../../domain/ports/erasure.ts';

const result = z.object({
  pages: z.number().int(),
  /** How many pieces and names stand on some page and in no row. */
  found: z.number().int(),
  /** How many stand in rows of others: names, and photos that were enrolled twice. */
  shared: z.number().int(),
});
export type FoundResidue = z.infer<typeof result>;

/** Reads every page of the database, unused space included, in a thread of its own. */
export async function scanForResidue(
  file: string,
  key: Uint8Array,
  traces: ErasureResidue,
): Promise<FoundResidue> {
  const worker = new Worker(new URL('./residueWorker.ts', import.meta.url), {
    workerData: { file, key, traces },
    execArgv: [],
  });
  const [message] = (await once(worker, 'message')) as [unknown];
  return result.parse(message);
}
