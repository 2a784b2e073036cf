import { dirname } from 'node:path';
import type { CompanyId, ImageId } from '../../contracts/ids.ts';
import type { Act } from '../../domain/actor.ts';
import type { SqliteAuditLog } from '../auditLog.ts';
import { takeSnapshot } from '../backup/snapshot.ts';
import { rebuild, type Database } from '../database.ts';
import { deletePerson, isNobody, personRows } from './rows.ts';
import { rowsOfReceipt } from './rowsOfReceipt.ts';
import type { Home } from '../home.ts';
import { readReceipts, type KeptReceipt } from './receiptFile.ts';

/** A database that nobody uses yet. */
interface Restored {
  db: Database;
  audit: SqliteAuditLog;
  /** Its file. */
  database: string;
  key: Uint8Array;
}

/**
 * Erases from a restored database whom this machine erased before, by the receipts in the home, and puts those receipts
 * into it. @returns how many erasures found something, and the images whose files must go
 */
export async function eraseAgain(
  home: Home,
  restored: Restored,
  act: Act,
): Promise<{ erasures: number; images: ImageId[] }> {
  const { db, audit, database, key } = restored;
  const ours = Buffer.from(await audit.publicKey()).toString('hex');
  const images: ImageId[] = [];
  let erasures = 0;
  for (const kept of await readReceipts(home.folder)) {
    // Of another installation, whose backup was put back here.
    if (kept.publicKey !== ours) continue;
    const gone = await db.transaction().execute((trx) => eraseOnce(trx, audit, kept, act));
    if (gone === undefined) continue;
    erasures += 1;
    images.push(...gone);
  }
  // Rows that were moved between pages leave older bytes behind: a copy of the living rows has none.
  if (erasures > 0)
    await rebuild(db, async () => (await takeSnapshot(dirname(database), database, key)).file);
  return { erasures, images };
}

async function eraseOnce(
  trx: Database,
  audit: SqliteAuditLog,
  { receipt, signature }: KeptReceipt,
  act: Act,
): Promise<ImageId[] | undefined> {
  const company = receipt.company as CompanyId;
  const rows = await personRows(trx, company, await rowsOfReceipt(trx, receipt));
  const known = await trx
    .selectFrom('erasure')
    .select('id')
    .where('company_id', '=', company)
    .where('id', '=', receipt.id)
    .executeTakeFirst();
  if (known === undefined)
    await trx
      .insertInto('erasure')
      .values({
        id: receipt.id,
        company_id: company,
        at: Date.parse(receipt.at),
        receipt: JSON.stringify(receipt),
        signature: signature === null ? null : Buffer.from(signature, 'hex'),
        images: signature === null ? '[]' : null,
      })
      .execute();
  if ('unknown' in rows || isNobody(rows)) return undefined;
  const erased = await deletePerson(trx, audit, company, rows, act.at);
  await audit.append(trx, act, {
    company,
    action: 'person.erased',
    object: `erasure:${receipt.id}`,
    facts: { validations: erased.validations.length, faces: erased.faces.length, again: true },
  });
  return rows.images.map(({ id }) => id);
}
