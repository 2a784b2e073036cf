import {
  ERASED_NAME,
  type ErasureChoice,
  type ErasureReceipt,
  signedReceipt,
} from '../../contracts/erasure.ts';
import type { Database } from '../engine/database.ts';
import { hashOfImage } from './personRecords.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hasSystemCode } from '../../contracts/errors/systemProblem.ts';
import { writeDurably } from '../engine/fsync.ts';
import { rowsWith } from '../engine/rows.ts';

// `erased.jsonl`: the receipts, beside the database, so that a restore can erase the same people again.

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

/**
 * The data of a receipt that the database has again: recognised by random ids and by the millisecond, never by a number alone, because
 * after a restore the same numbers are given to others.
 */
export async function receiptRecords(
  db: Database,
  { company: number, erased }: ErasureReceipt,
): Promise<ErasureChoice> {
  const company = number;
  const validations = await rowsWith(db, 'trust_validation', { company_id: company })
    .select(['id', 'created_at'])
    .where(
      'id',
      'in',
      erased.validations.map(({ id }) => id),
    )
    .execute();
  const faces = await rowsWith(db, 'face', { company_id: company })
    .select(['id', 'image_id'])
    .where(
      'id',
      'in',
      erased.faces.map(({ id }) => id),
    )
    .execute();
  const comparisons = await rowsWith(db, 'comparison', { company_id: company })
    .select(['id', 'compared_at'])
    .where(
      'id',
      'in',
      erased.comparisons.map(({ id }) => id),
    )
    .execute();
  const photos = [];
  for (const { uploadId, index } of erased.photos) {
    const item = await db
      .selectFrom('upload_item')
      .select('id')
      .where((eb) => eb.and({ company_id: company, upload_id: uploadId, position: index }))
      .where('file_name', '!=', ERASED_NAME)
      .executeTakeFirst();
    if (item !== undefined) photos.push({ uploadId, index });
  }
  return {
    validations: validations
      .filter((row) =>
        erased.validations.some(({ id, createdAt }) => id === row.id && createdAt === row.created_at),
      )
      .map(({ id }) => id),
    faces: faces
      .filter((row) =>
        erased.faces.some(({ id, image }) => id === row.id && image === hashOfImage(row.image_id)),
      )
      .map(({ id }) => id),
    photos,
    comparisons: comparisons
      .filter((row) => erased.comparisons.some(({ id, at }) => id === row.id && at === row.compared_at))
      .map(({ id }) => id),
  };
}
