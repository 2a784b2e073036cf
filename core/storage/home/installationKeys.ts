import type { AuditContext, KeyedRequest } from '../../domain/ports/auditContext.ts';
import type { IdentityPairs, InstallationKey, InstallationKeyPurpose } from '../../domain/ports/backup.ts';
import { cellsOf } from '../engine/cells.ts';
import { writing, type Database } from '../engine/database.ts';
import { createHmac } from 'node:crypto';
import { Rows, AuditedRows, rowsWith, addRows } from '../engine/rows.ts';

/**
 * Digests by which the store recognises a request that is sent twice. A program may have made its Idempotency-Key of a name, and a
 * request may name a person. The digests outlive an erasure, so that a repetition enrols no erased person again. They are keyed with a
 * secret of the store: without it, a guess cannot be tested.
 */
export class RequestDigests extends Rows {
  #secret: Uint8Array | undefined;

  /** HMAC-SHA-256, lowercase hex. */
  async digest(text: string): Promise<string> {
    this.#secret ??= cellsOf(this.db).open(
      'installation_settings',
      'request_secret',
      await this.db
        .selectFrom('installation_settings')
        .select(['id', 'request_secret'])
        .executeTakeFirstOrThrow(),
    );
    return createHmac('sha256', this.#secret).update(text).digest('hex');
  }

  async digestRequest({ key, content }: KeyedRequest): Promise<KeyedRequest> {
    return { key: await this.digest(key), content: await this.digest(content) };
  }
}

export class InstallationKeys extends AuditedRows {
  /** undefined before it was created. */
  readonly identity = readIdentity.bind(undefined, this.db);

  /** The public half of the backup key; undefined before one was created. */
  async recovery(): Promise<InstallationKey | undefined> {
    const row = await rowsWith(this.db, 'installation_key', { purpose: 'recovery' })
      .select(['purpose', 'public_key', 'created_at'])
      .executeTakeFirst();
    return (
      row && {
        publicKey: cellsOf(this.db).open('installation_key', 'public_key', row),
        createdAt: new Date(row.created_at),
      }
    );
  }

  /** Later backups are encrypted to this key. */
  async setRecovery(publicKey: Uint8Array, act: AuditContext): Promise<void> {
    const place = { purpose: 'recovery' } as const;
    const row = {
      public_key: cellsOf(this.db).seal('installation_key', 'public_key', place, publicKey),
      private_key: null,
      created_at: act.at.getTime(),
    };
    await writing(this.db, 'installation', async (trx) => {
      await trx
        .insertInto('installation_key')
        .values({ ...place, ...row })
        .onConflict((conflict) => conflict.column('purpose').doUpdateSet(row))
        .execute();
      this.audit.append(trx, act, { company: null, action: 'backup-key.created', object: null });
    });
  }

  /** Keeps these, unless there are some already. @returns those that are kept */
  async makeIdentity(pairs: IdentityPairs, act: AuditContext): Promise<IdentityPairs> {
    return writing(this.db, 'installation', async (trx) => {
      const made = await readIdentity(trx);
      if (made !== undefined) return made;
      const cells = cellsOf(trx);
      for (const purpose of ['signing', 'receiving'] as const) {
        const { publicKey, privateKey } = pairs[purpose];
        await addRows(trx, 'installation_key', {
          purpose,
          public_key: cells.seal('installation_key', 'public_key', { purpose }, publicKey),
          private_key: cells.seal('installation_key', 'private_key', { purpose }, privateKey),
          created_at: act.at.getTime(),
        });
      }
      this.audit.append(trx, act, { company: null, action: 'installation.identified', object: null });
      return pairs;
    });
  }
}

async function readIdentity(db: Database): Promise<IdentityPairs | undefined> {
  const rows = await db
    .selectFrom('installation_key')
    .select(['purpose', 'public_key', 'private_key'])
    .where('purpose', 'in', ['signing', 'receiving'])
    .execute();
  const cells = cellsOf(db);
  const pair = (purpose: InstallationKeyPurpose) => {
    const row = rows.find((one) => one.purpose === purpose);
    if (row?.private_key == null) return undefined;
    const { private_key } = row;
    return {
      publicKey: cells.open('installation_key', 'public_key', row),
      privateKey: cells.open('installation_key', 'private_key', { ...row, private_key }),
    };
  };
  const [signing, receiving] = [pair('signing'), pair('receiving')];
  return signing && receiving && { signing, receiving };
}
