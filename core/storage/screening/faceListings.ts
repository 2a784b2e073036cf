import { listStatus } from '../engine/checkedRows.ts';
import {
  hasExpired,
  severityLevel,
  type FaceListing,
  type FaceListingEdit,
  LISTING_TEXT_NAMES,
  ofTexts,
} from '../../contracts/faceListing.ts';
import { BLACKLIST_STATUS } from '../../contracts/codes.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import { trusted, type BlacklistId, type CompanyId, type FaceId } from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { cellsOf } from '../engine/cells.ts';
import { recoded } from '../engine/codedRows.ts';
import type { CodedRow } from '../engine/cellTables.ts';
import { writing, type Database } from '../engine/database.ts';
import { listed } from '../engine/dialect.ts';
import { keyOf } from '../engine/searchKeys.ts';
import {
  changeFaces,
  CODED_COLUMNS,
  listingColumns,
  TEXT_COLUMNS,
  textColumns,
  toListing,
} from '../faces/faces.ts';
import type { MatchableChange } from '../../domain/ports/screening.ts';
import { AuditedRows, rowsWith, changeRows } from '../engine/rows.ts';

/** A face whose `matchable` must change at some time. */
type DueFace = CodedRow<'face'>;

export class FaceListings extends AuditedRows {
  /**
   * One transaction with an audit entry for each face that changed. A face matches from then on exactly while its time is
   * not over.
   * @param edit absent fields, and an absent name, keep their value
   * @returns faces of the list that exist, and how each is listed now; others are left out
   */
  change(
    company: CompanyId,
    list: BlacklistId,
    faces: readonly FaceId[],
    { name, ...edit }: FaceListingEdit & { name?: string | undefined },
    act: AuditContext,
  ): Promise<{ faceId: FaceId; listing: FaceListing }[]> {
    return writing(this.db, company, async (trx) => {
      const rows = await trx
        .selectFrom('face')
        .select([...CODED_COLUMNS, 'name', ...TEXT_COLUMNS])
        .where((eb) => eb.and({ company_id: company, kind: 'blacklist', blacklist_id: list }))
        .where('id', 'in', faces)
        .orderBy('id')
        .execute();
      const changed = [];
      const cells = cellsOf(trx);
      for (const row of rows) {
        const before = toListing(cells, row);
        if (before === null) throw new Error(`Face ${row.id} of a blacklist has no severity.`);
        const listing = edited(before, edit);
        changed.push({ faceId: row.id, listing });
        const renamed = name !== undefined && name !== row.name;
        if (!renamed && JSON.stringify(listing) === JSON.stringify(before)) continue;
        const columns = {
          ...listingColumns(cells, row, listing),
          matchable: hasExpired(listing, act.at) ? 0 : 1,
          // A damaged text is not shown, and stays as it is.
          ...textColumns(listing, (column, text) =>
            text === cells.shownText('face', column, row)
              ? row[column]
              : cells.sealText('face', column, row, text),
          ),
        };
        await changeRows(trx, 'face', { company_id: company, id: row.id })
          .set({
            ...columns,
            ...recoded(trx, 'face', row, columns),
            ...(renamed && { name, ...keyOf('face', { name }) }),
          })
          .execute();
        // A typed reason can name a person, and an audit entry is never deleted.
        this.audit.append(trx, act, {
          company,
          action: 'face.listing-changed',
          object: `blacklist:${list}`,
          details: {
            face: row.id,
            severity: severityLevel(listing.severity),
            severityBefore: severityLevel(before.severity),
            expires: listing.expiresAt !== null,
            expiryChanged: listing.expiresAt !== before.expiresAt,
            ...Object.fromEntries(
              LISTING_TEXT_NAMES.map((field) => [`${field}Changed`, listing[field] !== before[field]]),
            ),
            nameChanged: renamed,
          },
        });
      }
      return changed;
    });
  }

  /**
   * Moves faces to another blacklist of the company, one transaction with an audit entry for each. Severity, reason and
   * expiry stay; a face matches in the other list if its time is not over.
   * @returns the faces that were in `from` @throws {CodedError} NOT_FOUND, BLACKLIST_INACTIVE: the list `to`
   */
  move(
    company: CompanyId,
    { from, to }: { from: BlacklistId; to: BlacklistId },
    faces: readonly FaceId[],
    act: AuditContext,
  ): Promise<FaceId[]> {
    return writing(this.db, company, async (trx) => {
      const status = await listStatus(trx, company, to);
      if (status === undefined) throw new CodedError('NOT_FOUND');
      if (status !== BLACKLIST_STATUS.Active) throw new CodedError('BLACKLIST_INACTIVE');
      const rows = await trx
        .selectFrom('face')
        .select(CODED_COLUMNS)
        .where((eb) => eb.and({ company_id: company, kind: 'blacklist', blacklist_id: from }))
        .where('id', 'in', faces)
        .orderBy('id')
        .execute();
      await changeFaces(trx, rows, { blacklist_id: to });
      const moved = rows.map(({ id }) => id);
      for (const face of moved)
        this.audit.append(trx, act, {
          company,
          action: 'face.moved',
          object: `blacklist:${to}`,
          details: { face, from },
        });
      return moved;
    });
  }

  /**
   * The faces of a company whose time in their blacklist is over, and that are matchable until {@link follow} is called. Those that
   * were changed without the key are left out.
   */
  async ended(company: CompanyId, now: Date): Promise<FaceId[]> {
    const rows = await rowsWith(this.db, 'face', { company_id: company, kind: 'blacklist', matchable: 1 })
      .select(CODED_COLUMNS)
      .where('expires_at', '<=', now.getTime())
      .execute();
    return rows.filter((row) => cellsOf(this.db).isWritten('face', row)).map(({ id }) => id);
  }

  /** Those of the faces whose time in their blacklist is over. */
  async expiredOf(company: CompanyId, faces: readonly FaceId[], now: Date): Promise<FaceId[]> {
    const rows = await rowsWith(this.db, 'face', { company_id: company })
      .select(CODED_COLUMNS)
      .where('id', 'in', listed(faces))
      .where('expires_at', '<=', now.getTime())
      .execute();
    const cells = cellsOf(this.db);
    return rows.map((row) => cells.checked('face', row).id);
  }

  /**
   * Brings the stored faces of all companies in step with the clock, one transaction: faces whose time is over are no
   * longer matchable, and faces whose time is not over yet are matchable again, after a clock was corrected.
   * @param limit faces of one call; more remain for the next
   */
  async follow(now: Date, limit: number): Promise<{ ended: MatchableChange[]; resumed: MatchableChange[] }> {
    const read = async (db: Database) => ({
      ended: await due(db, now, 'ended', limit),
      resumed: await due(db, now, 'resumed', limit),
    });
    // Almost always neither is due: then no write is begun.
    const before = await read(this.db);
    if (before.ended.length + before.resumed.length === 0) return { ended: [], resumed: [] };
    return writing(this.db, 'installation', async (trx) => {
      const { ended, resumed } = await read(trx);
      await changeFaces(trx, ended, { matchable: 0 });
      await changeFaces(trx, resumed, { matchable: 1 });
      for (const [action, faces] of [
        ['face.expired', ended],
        ['face.expiry-undone', resumed],
      ] as const)
        for (const { company, list, ids } of byList(faces))
          this.audit.append(
            trx,
            { by: 'service', at: now },
            { company, action, object: `blacklist:${list}`, details: { faces: ids.length, face: ids[0]! } },
          );
      return { ended: byCompany(ended), resumed: byCompany(resumed) };
    });
  }
}

/** @param edit absent fields keep their value */
function edited(before: FaceListing, edit: FaceListingEdit): FaceListing {
  const { severity, expiresAt, ...texts } = edit;
  return {
    severity: severity ?? before.severity,
    ...ofTexts((field) => (texts[field] === undefined ? before[field] : texts[field])),
    expiresAt:
      expiresAt === undefined
        ? before.expiresAt
        : expiresAt === null
          ? null
          : new Date(expiresAt).toISOString(),
  };
}

/**
 * `ended`: matchable although the time is over; `resumed`: not matchable although the time is not over. Faces that were changed
 * without the key are left out.
 */
async function due(db: Database, now: Date, which: 'ended' | 'resumed', limit: number): Promise<DueFace[]> {
  const cells = cellsOf(db);
  const found: DueFace[] = [];
  for (let after = trusted.face(0); found.length < limit;) {
    const rows = await rowsWith(db, 'face', { kind: 'blacklist', matchable: which === 'ended' ? 1 : 0 })
      .select(CODED_COLUMNS)
      .where('expires_at', which === 'ended' ? '<=' : '>', now.getTime())
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
    found.push(...rows.filter((row) => cells.isWritten('face', row)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) break;
    after = last.id;
  }
  return found;
}

function byCompany(faces: readonly DueFace[]): MatchableChange[] {
  return [...Map.groupBy(faces, (face) => face.company_id)].map(([company, rows]) => ({
    company,
    faces: rows.map(({ id }) => id),
  }));
}

function byList(
  faces: readonly DueFace[],
): { company: CompanyId; list: BlacklistId | null; ids: FaceId[] }[] {
  return [...Map.groupBy(faces, (face) => face.blacklist_id).values()].map((rows) => ({
    company: rows[0]!.company_id,
    list: rows[0]!.blacklist_id,
    ids: rows.map(({ id }) => id),
  }));
}
