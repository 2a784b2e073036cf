import type { Selectable } from 'kysely';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { TrustedInstallation } from '../../domain/ports/blacklistTransfer.ts';
import { cellsOf } from '../engine/cells.ts';
import { encode, uncount } from '../engine/codedRows.ts';
import { writing, type Database } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import { nameKey } from '../../contracts/displayName.ts';
import { AuditedRows, rowsWith, deleteRows } from '../engine/rows.ts';

export class TrustedInstallations extends AuditedRows {
  /** One that is trusted already gets the new name and receiving key. @throws {CodedError} another installation has the name */
  async trust(
    company: CompanyId,
    { name, signingKey, receivingKey }: Omit<TrustedInstallation, 'id' | 'trustedAt'>,
    act: AuditContext,
  ): Promise<TrustedInstallation> {
    return writing(this.db, company, async (trx) => {
      const key = nameKey(name);
      const cells = cellsOf(trx);
      const place = { company_id: company };
      const signing = cells.searched('trusted_installation', 'signing_key', signingKey);
      const taken = await rowsWith(trx, 'trusted_installation', { company_id: company, name_key: key })
        .selectAll()
        .executeTakeFirst();
      if (taken !== undefined && !toInstallation(trx, taken).signingKey.equals(signingKey))
        throw new CodedError(problem('INSTALLATION_NAME_TAKEN', { name }));
      const words = {
        name,
        name_key: key,
        receiving_key: cells.seal('trusted_installation', 'receiving_key', place, receivingKey),
        trusted_at: act.at.getTime(),
      };
      const before = await trx
        .selectFrom('trusted_installation')
        .select(['company_id', 'code'])
        .where((eb) => eb.and({ company_id: company, signing_key: signing }))
        .execute();
      uncount(trx, 'trusted_installation', before);
      const row = await trx
        .insertInto('trusted_installation')
        .values({ ...place, signing_key: signing, ...words })
        .onConflict((conflict) => conflict.columns(['company_id', 'signing_key']).doUpdateSet(words))
        .returningAll()
        .executeTakeFirstOrThrow();
      await encode(trx, 'trusted_installation', { id: row.id });
      this.audit.append(trx, act, {
        company,
        action: 'installation.trusted',
        object: `trusted-installation:${row.id}`,
      });
      return { id: row.id, name, signingKey, receivingKey, trustedAt: act.at };
    });
  }

  async list(company: CompanyId): Promise<TrustedInstallation[]> {
    const rows = await rowsWith(this.db, 'trusted_installation', { company_id: company })
      .selectAll()
      .orderBy('id')
      .execute();
    return rows.map((row) => toInstallation(this.db, row));
  }

  /** The faces that came from it stay. @returns false: no such installation */
  async distrust(company: CompanyId, id: number, act: AuditContext): Promise<boolean> {
    return writing(this.db, company, async (trx) => {
      const rows = await deleteRows(trx, 'trusted_installation', { company_id: company, id })
        .returning(['company_id', 'code'])
        .execute();
      if (rows.length === 0) return false;
      uncount(trx, 'trusted_installation', rows);
      this.audit.append(trx, act, {
        company,
        action: 'installation.revoked',
        object: `trusted-installation:${id}`,
      });
      return true;
    });
  }
}

function toInstallation(db: Database, row: Selectable<Schema['trusted_installation']>) {
  const cells = cellsOf(db);
  cells.checked('trusted_installation', row);
  return {
    id: row.id,
    name: row.name,
    signingKey: Buffer.from(cells.found('trusted_installation', 'signing_key', row)),
    receivingKey: cells.open('trusted_installation', 'receiving_key', row),
    trustedAt: new Date(row.trusted_at),
  };
}
