/** `erased.jsonl`: the receipts, beside the database, so that a restore can erase the same people again. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hasSystemCode } from '../../contracts/errors/systemCode.ts';
import { signedReceipt } from '../../contracts/erasure.ts';
import { writeDurably } from '../engine/fsync.ts';

/** Without a signature as long as its erasure is not finished. */
const keptReceipt = signedReceipt.extend({ signature: z.string().nullable() });
export type KeptReceipt = z.infer<typeof keptReceipt>;

const RECEIPT_FILE = 'erased.jsonl';

/** @throws {Error} when a line is damaged: a restore that skipped it could bring an erased person back */
export async function readReceipts(home: string): Promise<KeptReceipt[]> {
  const file = join(home, RECEIPT_FILE);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if (hasSystemCode(cause, 'ENOENT')) return [];
    throw cause;
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      try {
        return keptReceipt.parse(JSON.parse(line));
      } catch (cause) {
        throw new Error(
          `Line ${index + 1} of ${file} is damaged: it says who was erased. Put it right or take it out.`,
          {
            cause,
          },
        );
      }
    });
}

/** Adds receipts, or puts them in place of earlier states of the same. */
export async function keepReceipts(home: string, receipts: readonly KeptReceipt[]): Promise<void> {
  const byId = new Map((await readReceipts(home)).map((kept) => [kept.receipt.id, kept]));
  for (const kept of receipts) byId.set(kept.receipt.id, kept);
  const lines = [...byId.values()].map((kept) => `${JSON.stringify(kept)}\n`);
  await writeDurably(join(home, RECEIPT_FILE), lines.join(''));
}
