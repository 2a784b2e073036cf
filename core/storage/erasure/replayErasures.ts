import { dirname } from 'node:path';
import { ITEM_STATUS } from '../../contracts/codes.ts';
import type { ImageId } from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { takeSnapshot } from '../snapshot/snapshot.ts';
import { cellsOf } from '../engine/cells.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import { replaceDatabase } from '../engine/sqliteFile.ts';
import { deletePerson } from './deletePerson.ts';
import { isEmptySelection, personRecords, type PersonRecords } from './personRecords.ts';
import { receiptRecords, readReceipts, type KeptReceipt } from './receiptRecords.ts';
import type { Home } from '../engine/home.ts';
import { rowsWith, addRows } from '../engine/rows.ts';

/** A database that is not in use yet. */
interface Restored {
  db: Database;
  audit: AuditLog;
  /** Its file. */
  database: string;
  key: Uint8Array;
}

/** The data of the receipts in the home that a restored database still has. */
export interface ErasedBefore {
  erasures: number;
  /** Validations, faces of blacklists, comparisons, and photos that could not be enrolled. */
  records: number;
}

/** Whether what retention rules erased here is erased from the restored database too. May end the restore by rejecting. */
export type AskRetention = (found: ErasedBefore) => Promise<boolean>;

/**
 * Erases from a restored database the records that this machine erased before, by the receipts in the home, and puts those
 * receipts into it. Erasures that a person requested are always repeated. Those of retention rules are repeated where
 * `askRetention` says so: a wrong clock may have caused them.
 * @returns what was erased again, and the images whose files must go
 */
export async function replayErasures(
  home: Home,
  restored: Restored,
  act: AuditContext,
  askRetention: AskRetention,
): Promise<ErasedBefore & { images: ImageId[] }> {
  const { db, audit, database, key } = restored;
  const ours = Buffer.from(await audit.publicKey()).toString('hex');
  // Other receipts belong to another installation, whose backup was restored here.
  const receipts = (await readReceipts(home.folder)).filter(({ publicKey }) => publicKey === ours);
  const byRetention = await standing(
    db,
    receipts.filter(({ receipt }) => receipt.reason === 'retention'),
  );
  const repeats = byRetention.records === 0 || (await askRetention(byRetention));
  const images: ImageId[] = [];
  let [erasures, records] = [0, 0];
  for (const kept of receipts) {
    const isRepeated = repeats || kept.receipt.reason !== 'retention';
    const gone = await writing(db, 'installation', (trx) => eraseOnce(trx, audit, kept, act, isRepeated));
    if (gone === undefined) continue;
    erasures += 1;
    records += gone.records;
    images.push(...gone.images);
  }
  // Rows that were moved between pages leave older bytes behind: a copy of the living rows has none.
  if (erasures > 0)
    await replaceDatabase(db, async () => (await takeSnapshot(dirname(database), database, key)).file);
  return { erasures, records, images };
}

async function standing(db: Database, receipts: readonly KeptReceipt[]): Promise<ErasedBefore> {
  const found = { erasures: 0, records: 0 };
  for (const { receipt } of receipts) {
    const rows = await personRecords(db, receipt.company, await receiptRecords(db, receipt));
    if ('unknown' in rows || isEmptySelection(rows)) continue;
    found.erasures += 1;
    found.records += recordsIn(rows);
  }
  return found;
}

function recordsIn({ validations, faces, photos, comparisons }: PersonRecords): number {
  return (
    validations.length +
    faces.filter((face) => face.trust_validation_id === null).length +
    photos.filter(({ status }) => status === ITEM_STATUS.Failed).length +
    comparisons.length
  );
}

async function eraseOnce(
  trx: Transaction,
  audit: AuditLog,
  { receipt, signature }: KeptReceipt,
  act: AuditContext,
  isRepeated: boolean,
): Promise<{ images: ImageId[]; records: number } | undefined> {
  const company = receipt.company;
  const place = { company_id: company, id: receipt.id };
  const rows = await personRecords(trx, company, await receiptRecords(trx, receipt));
  const known = await rowsWith(trx, 'erasure', { company_id: company, id: receipt.id })
    .select('id')
    .executeTakeFirst();
  if (known === undefined)
    await addRows(trx, 'erasure', {
      ...place,
      at: Date.parse(receipt.at),
      receipt: JSON.stringify(receipt),
      signature:
        signature === null
          ? null
          : cellsOf(trx).seal('erasure', 'signature', place, Buffer.from(signature, 'hex')),
      images: signature === null ? '[]' : null,
    });
  if (!isRepeated || 'unknown' in rows || isEmptySelection(rows)) return undefined;
  const records = recordsIn(rows);
  const erased = await deletePerson(trx, audit, company, rows, act.at);
  audit.append(trx, act, {
    company,
    action: 'person.erased',
    object: `erasure:${receipt.id}`,
    details: { validations: erased.validations.length, faces: erased.faces.length, again: true },
  });
  return { images: rows.images.map(({ id }) => id), records };
}
