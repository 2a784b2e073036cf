import type { BackupRun, BackupSchedule, BackupTrigger } from '../../contracts/dashboard/backups.ts';
import { problemShape } from '../../contracts/errors/problemShape.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { writing } from '../engine/database.ts';
import type { BackupOutcome } from '../../domain/ports/backup.ts';
import { AuditedRows, addRows, changeRows } from '../engine/rows.ts';

/** Runs that the history keeps. */
const KEPT = 200;

const time = (milliseconds: number) => new Date(milliseconds).toISOString();

/** The history of backups and their schedule. */
export class BackupRuns extends AuditedRows {
  /** @returns the id of the run */
  async begin({
    trigger,
    place,
    file,
    startedAt,
  }: {
    trigger: BackupTrigger;
    place: string | null;
    file: string | null;
    startedAt: Date;
  }): Promise<number> {
    return writing(this.db, 'installation', async (trx) => {
      const { id } = await trx
        .insertInto('backup_run')
        .values({
          trigger,
          place,
          file,
          started_at: startedAt.getTime(),
          ended_at: null,
          state: 'running',
          problem: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await trx
        .deleteFrom('backup_run')
        .where('id', '<=', id - KEPT)
        .execute();
      return id;
    });
  }

  async end(id: number, { state, bytes, lostImages, problem }: BackupOutcome, at: Date): Promise<void> {
    await writing(this.db, 'unlocked', (trx) =>
      changeRows(trx, 'backup_run', { id })
        .set({
          state,
          bytes,
          lost_images: lostImages,
          problem: problem === null ? null : JSON.stringify(problem),
          ended_at: at.getTime(),
        })
        .execute(),
    );
  }

  /** Marks a verified backup as deleted by the schedule. */
  async removed(id: number): Promise<void> {
    await writing(this.db, 'unlocked', (trx) =>
      changeRows(trx, 'backup_run', { id }).set({ state: 'removed' }).execute(),
    );
  }

  /** Newest first. */
  async list(): Promise<BackupRun[]> {
    const rows = await this.db.selectFrom('backup_run').selectAll().orderBy('id', 'desc').execute();
    return rows.map((row) => ({
      id: row.id,
      trigger: row.trigger,
      startedAt: time(row.started_at),
      endedAt: row.ended_at === null ? null : time(row.ended_at),
      state: row.state,
      place: row.place,
      file: row.file,
      bytes: row.bytes,
      lostImages: row.lost_images,
      problem: row.problem === null ? null : problemShape.parse(JSON.parse(row.problem)),
    }));
  }

  async schedule(): Promise<{ schedule: BackupSchedule; since: Date } | undefined> {
    const row = await this.db.selectFrom('backup_schedule').selectAll().executeTakeFirst();
    if (row === undefined) return undefined;
    const { place, every, weekday, minute, keep, since } = row;
    return { schedule: { place, every, weekday, minute, keep }, since: new Date(since) };
  }

  async setSchedule(schedule: BackupSchedule | null, act: AuditContext): Promise<void> {
    await writing(this.db, 'installation', async (trx) => {
      await trx.deleteFrom('backup_schedule').execute();
      if (schedule !== null)
        await addRows(trx, 'backup_schedule', { id: 1, ...schedule, since: act.at.getTime() });
      this.audit.append(trx, act, {
        company: null,
        action: 'installation.changed',
        object: null,
        details: {
          backupEveryDays: schedule === null ? 0 : schedule.every === 'day' ? 1 : 7,
          backupsKept: schedule?.keep ?? 0,
        },
      });
    });
  }
}
